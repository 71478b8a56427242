"""The form of a battle: what stands on it, when play ends and how likely, and for whom it is made."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from laager.base import RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE
from laager.campaign.ruleset import find_ruleset
from laager.campaign.views import view
from laager.dice import Modifier
from laager.rules.board.course.game_end import GameEndPlay, PlayerTurn
from laager.rules.board.sheets.battle import KEY, end_of_play
from laager.sheets import catalogue, plain, print_pdf
from tests.sheets.campaigns import SIDES, begun, steps
from tests.sheets.reading import squeezed, whole

PLAY = ("play", "play-status")


def fought(card: str) -> Campaign:
    """A shipped campaign whose first battle is being played."""
    from laager.cli.play.answers import give_one

    campaign = begun(card)
    for entry in steps(card):
        if any(one.key in PLAY for one in campaign.pending()):
            return campaign
        give_one(campaign, entry)
    raise AssertionError(f"no battle of {card} is played")


@pytest.fixture(scope="module", params=["rzhavets", "rijnoord", "kokusa-ridge"])
def campaign(request: pytest.FixtureRequest) -> Campaign:
    return fought(request.param)


def ids(campaign: Campaign, viewer: str) -> set[str]:
    return {one.id for one in catalogue(campaign, viewer)}


def test_each_side_has_its_own_and_the_umpire_both(campaign: Campaign) -> None:
    for side, other in (SIDES, SIDES[::-1]):
        assert f"battle-{side}" in ids(campaign, side)
        assert f"battle-{other}" not in ids(campaign, side)
        with pytest.raises(RefusedError):
            print_pdf(campaign, side, [f"battle-{other}"])
    assert {f"battle-{side}" for side in SIDES} <= ids(campaign, UMPIRE)
    assert not any(name.startswith("battle") for name in ids(campaign, "spectator"))


def test_the_rules_put_nothing_before_those_who_do_not_know_the_side(campaign: Campaign) -> None:
    rules = find_ruleset(campaign.opening["ruleset"])
    for viewer in (*SIDES, "spectator"):
        state = view(campaign, viewer).state
        shown = {side for side in SIDES if rules.sheets_beside(campaign.context, state, KEY, side)}
        assert shown == ({viewer} & {*SIDES})


def test_both_sides_stand_as_on_their_rosters(campaign: Campaign) -> None:
    for side in SIDES:
        numbers = next(s for s in plain(campaign, side, f"battle-{side}") if s.id == "battle-numbers")
        heads = [column.title for column in numbers.columns]
        assert {"ELR", "SAN", "CVP"} <= {*heads}
        assert len(numbers.rows) == 2
        for of, row in zip(SIDES, numbers.rows, strict=True):
            (roster,) = plain(campaign, side, f"roster-{of}")
            last = dict(zip((column.title for column in roster.columns), roster.rows[-1], strict=True))
            assert dict(zip(heads[1:], row[1:], strict=True)).items() <= last.items()


def test_who_is_off_the_map_and_how_they_come(campaign: Campaign) -> None:
    told: dict[str, Any] = campaign.ruleset.describe(campaign.state)
    for side in SIDES:
        sheet = next(s for s in plain(campaign, side, f"battle-{side}") if s.id == "battle-entering")
        groups = {name for row in sheet.rows for name in row[1].split(", ")}
        units = [one for one in told["units"].values() if one["side"] == side and one["place"] == "off-map"]
        waiting = {one["group"] for one in units if one["kind"] not in ("sw",) and not one["with_unit"]}
        assert waiting <= groups
        for units_, _, how in sheet.rows:
            assert units_
            assert how


def test_rules_and_modules_are_on_it() -> None:
    campaign = fought("rijnoord")
    page = whole(print_pdf(campaign, "allied", ["battle-allied"]))
    for text in ("Draw Pile 7B 3R", "ABtF CG17", "Moves first", "NVR 3", "To be remembered in play"):
        assert squeezed(text) in page
    assert "Draw Pile" not in str([sheet.rows for sheet in plain(campaign, "axis", "battle-axis")])


def test_there_is_none_before_and_after_play() -> None:
    campaign = begun("rzhavets")
    assert "battle-axis" not in ids(campaign, "axis")
    from laager.cli.play.answers import give_one

    for entry in steps("rzhavets"):
        give_one(campaign, entry)
        if campaign.state.fight.play_ended:
            break
    assert "battle-axis" not in ids(campaign, "axis")


# Game End -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Night(GameEndPlay):
    """A Game End with a drm."""

    def modifiers(self, at: PlayerTurn) -> tuple[Modifier, ...]:
        return (Modifier(-1, "second"),) if at.side != self.first else ()


class Named:
    """What the form needs of a campaign: what sides are called."""

    def side(self, side: str) -> Any:
        return type("Side", (), {"name": side.title()})


@pytest.mark.parametrize("by_player_turn", [True, False])
def test_the_odds_of_game_end_are_those_of_all_throws(by_player_turn: bool) -> None:
    cg: Any = Named()
    end = Night(cg, "axis", {4: 1, 5: 2, 6: 4}, by_player_turn)
    sheet = end_of_play(cg, end)
    numbers = [(int(row[1]), -1 if row[2] else 0) for row in sheet.rows]
    assert len(numbers) == (6 if by_player_turn else 3)
    for count, row in enumerate(sheet.rows, 1):
        throws = list(product(range(1, 7), repeat=count))
        over = sum(
            any(face + drm <= number for face, (number, drm) in zip(throw, numbers, strict=False)) for throw in throws
        )
        assert row[4] == f"{float(100 * Fraction(over, len(throws))):.0f} %"
    assert sheet.rows[0][:2] == (("turn 4, Axis", "1") if by_player_turn else ("turn 4, Allied", "1"))


def test_without_numbers_there_are_no_odds() -> None:
    cg: Any = Named()
    assert end_of_play(cg, Night(cg, "axis", {})).rows == ()
