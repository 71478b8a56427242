"""Who is cut off tries to get out by what its side knows: whatever the enemy hides, the answers are the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.facts import Fact
from laager.commanders import commander_names, load_commander, seat_view
from laager.rules.board.facts import FortJoined, UnitJoined, UnitMarked
from laager.rules.board.hasl.facts import AreasDetermined, UnitRetained
from laager.rules.board.hasl.state import Area
from laager.rules.board.units import Fort, Mark, Place, Unit
from tests.commanders.test_secrecy import WORLDS
from tests.worlds import bare, moments, rich, world

POCKET = ("G2", "G3", "F2", "E1")
"""Hexes of the walkthrough that the Soviets hold amid the German lines."""

KEYS = frozenset({"isolated-units", "escape", "redeploy-isolated"})
"""Questions about who is cut off."""

CASES = [
    ("walkthrough", "isolated", "allied"),
    ("rijnoord", "escape", "axis"),
    ("rijnoord", "escape", "allied"),
    ("kokusa-ridge", "escape", "axis"),
    ("kokusa-ridge", "escape", "allied"),
]


def cut_off(campaign: Campaign, side: str) -> Iterator[Fact]:
    """Yield that squads of a side are cut off, some unknown to the enemy, and that two are outside all areas."""
    state: Any = campaign.state
    squad = next(unit for unit in state.units_of(side, "squad") if unit.in_play and not unit.with_unit)
    if not hasattr(state, "areas"):
        yield from (joining(campaign, squad, number, at) for number, at in enumerate(POCKET))
        yield joining(campaign, squad, len(POCKET), POCKET[0], kind="leader", type="8-0")
        return
    held = {name for area in state.areas for name in area.hexes}
    playable: Any = campaign.context.map.playable  # type: ignore[attr-defined]
    *inside, outside, hidden = sorted(name for name in playable if name not in held)[:6]
    pocket = Area(name="Pocket", side=side, hexes=tuple(inside), isolated=True)
    yield AreasDetermined(areas=(*state.areas, pocket), block_control=state.block_control)
    for number, at in enumerate(inside):
        fact = joining(campaign, squad, number, at)
        yield fact
        yield UnitRetained(unit=fact.unit.id, area=pocket.name, to=fact.to)
        yield UnitMarked(unit=fact.unit.id, add=frozenset({Mark.ISOLATED}), to=fact.to)
    yield from (joining(campaign, squad, 10 + number, at) for number, at in enumerate((outside, hidden)))


def joining(campaign: Campaign, model: Unit, number: int, at: str, **more: Any) -> UnitJoined:
    """Return that a unit like another one is there as well, which the enemy knows of if its number is even."""
    name, known = f"{model.id.rstrip('0123456789')}{700 + number}", number % 2 == 0
    marks = frozenset[Mark]() if known else frozenset({Mark.CONCEALED})
    unit = model.but(id=name, known=known, place=Place.MAP, at=at, area="", group="", marks=marks, **more)
    return UnitJoined(unit=unit, to=None if known else (unit.side,))


def ambush(campaign: Campaign, side: str, enemy: str) -> Iterator[Fact]:
    """Yield what a side hides wherever the enemy stands and next to it: HIP squads and Wire.

    Not "?": such a counter lies on the map for both to see, whatever is under it.
    """
    cg: Any = campaign.context
    squad = next(unit for unit in campaign.state.units_of(side, "squad"))
    letters = squad.id.rstrip("0123456789")
    places = {unit.hex for unit in campaign.state.units_of(enemy) if unit.hex}
    near = sorted(places | {name for at in places for name in cg.map.neighbours(at)})
    for number, at in enumerate(near):
        marks = frozenset({Mark.HIP})
        unit = squad.but(
            id=f"{letters}{900 + number}", known=False, place=Place.MAP, at=at, marks=marks, group="", with_unit=""
        )
        yield UnitJoined(unit=unit, to=(side,))
        yield FortJoined(
            fort=Fort(id=f"{letters}F{900 + number}", side=side, kind="wire", at=at, hidden=True), to=(side,)
        )


Kind = Callable[[Campaign, str, str, int], Iterator[Fact]]

KINDS: dict[str, Kind] = {
    "bare": lambda plain, hides, side, upto: bare(plain, hides),
    "rich": lambda plain, hides, side, upto: rich(plain, hides, Random(upto)),
    "ambush": lambda plain, hides, side, upto: ambush(plain, hides, side),
}


def answers(campaign: Campaign, side: str, name: str) -> list[tuple[str, Any]]:
    """Have a commander answer all that its side is asked of who is cut off; return the answers, and why."""
    commander, given = load_commander(name), []
    campaign.advance()
    for _ in range(20):
        waiting = campaign.pending()
        pending = next((asked for asked in waiting if asked.side == side), None) or next(iter(waiting), None)
        if pending is None or (pending.question is not None and pending.question.key not in KEYS):
            break
        if pending.question is None:
            campaign.roll_for(pending.side)
        elif pending.side != side:
            campaign.answer(pending.side, pending.key, pending.question.default)
        else:
            seat = seat_view(campaign, side, Random(1))
            value = commander.decide(seat, pending)
            given.append((pending.key, [value, commander.explain(seat, pending)]))
            campaign.answer(side, pending.key, value)
    return given


@pytest.mark.parametrize(("card", "step", "side"), CASES)
def test_who_tries_to_get_out_hangs_on_nothing_that_the_enemy_hides(card: str, step: str, side: str) -> None:
    played, opened, purse = WORLDS[card]
    upto = moments(played())[step][0]
    entries = played().entries[:upto]
    begun = world(entries, opened)
    for fact in cut_off(begun, side):
        begun.record("fact", {"kind": fact.kind, "fact": fact.body()}, to=fact.to)
    entries, hides = begun.entries, "axis" if side == "allied" else "allied"
    begun = world(entries, opened)
    for name in commander_names(quick=True):
        plain = answers(world(entries, opened), side, name)
        assert {key for key, _ in plain} & {"escape", "redeploy-isolated"}
        assert name != "bold" or any(value for _, (value, _why) in plain), "nobody tries it"
        for kind, secrets in KINDS.items():
            planted = [*secrets(begun, hides, side, upto), *purse(begun, hides, kind)]
            assert planted
            twin = answers(world(entries, opened, planted), side, name)
            assert json.dumps(twin) == json.dumps(plain), (name, kind)
