"""No printed sheet tells a side what only the other may know: neither its text nor its bytes."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.log import Entry, MemoryStore
from laager.campaign.telling import lines_of, log_in_words
from laager.campaign.views import view
from laager.cli.play.answers import AnswerEntry, give_one
from laager.rules.board.card.parts import other_side
from laager.rules.board.facts import UnitNamed
from laager.rules.board.names import UnitNames
from laager.sheets import catalogue, print_pdf

from .campaigns import NOON, SIDES, begun, played, steps
from .reading import pages, squeezed, unpacked, whole

MARK = re.compile(r"(?:AX|AL)F?\d+")

NAMED = "Tarnname77"
"""What a hidden unit is called; nobody else's units are called so."""


def soak(card: str) -> Any:
    """A campaign whose sheets are made by the same code as those of another that is tested."""
    return pytest.param(card, marks=pytest.mark.soak)


def everything(campaign: Campaign, side: str) -> bytes:
    """All that a side can print at this moment."""
    return print_pdf(campaign, side, [one.id for one in catalogue(campaign, side)])


def lists(campaign: Campaign, side: str) -> list[str]:
    """The text of the pages that name units and fortifications; reading a page takes a while."""
    ids = [one.id for one in catalogue(campaign, side) if one.id not in ("reference", "rules")]
    return pages(print_pdf(campaign, side, ids))


def known(campaign: Campaign, side: str) -> set[str]:
    """Every mark of a unit or fortification in what a side may see by other ways."""
    seen = view(campaign, side)
    text = json.dumps(campaign.ruleset.describe(seen.state), default=str)
    text += "\n".join(repr(one.entry) for one in seen.log)
    text += "\n".join(lines_of(log_in_words(campaign, seen), full=True))
    return set(MARK.findall(text))


def enemy_marks(side: str) -> str:
    return "AL" if side == "axis" else "AX"


def hidden(campaign: Campaign, side: str) -> set[str]:
    """The enemy's units and fortifications that a side knows nothing of."""
    state = campaign.state
    units = {unit.id for unit in state.units.values() if unit.side != side and not unit.known}
    works = {fort.id for fort in state.forts.values() if fort.side != side and fort.hidden}
    return (units | works) - known(campaign, side)


@pytest.mark.parametrize("card", ["rzhavets", soak("sorgiva")])
@pytest.mark.parametrize("side", SIDES)
def test_what_is_hidden_is_on_no_sheet_of_the_enemy(card: str, side: str) -> None:
    campaign, owner = played(card), other_side(side)
    secret = hidden(campaign, side)
    assert secret
    assert not marks_of(card, side) & secret
    called, own = names_of(campaign, owner), set(names_of(campaign, side).values())
    names = {name for mark in secret if (name := called.get(mark)) and name not in own}
    assert names
    assert not names_on(card, side, names)
    # The owner's sheets show all of it, by its number or its name: what is looked for could be found.
    unplaced = {fort.id for fort in campaign.state.forts.values() if not fort.at}
    theirs = names_on(card, owner, {called[mark] for mark in secret if mark in called})
    assert names & theirs
    assert secret <= marks_of(card, owner) | unplaced | {mark for mark in secret if called.get(mark) in theirs}


@cache
def marks_of(card: str, side: str) -> set[str]:
    """Every mark of a unit or fortification on what a side can print."""
    return set(MARK.findall(" ".join(printed(card, side))))


@cache
def printed(card: str, side: str) -> list[str]:
    """The text of all pages that a side can print of a campaign that was played."""
    return lists(played(card), side)


def names_of(campaign: Campaign, side: str) -> dict[str, str]:
    """What a side calls its own units that have a group, by their number."""
    names = UnitNames(view(campaign, side).state)
    return {unit.id: names.name(unit) for unit in campaign.state.units.values() if unit.side == side and unit.group}


def names_on(card: str, side: str, names: set[str]) -> set[str]:
    """Which of these names are on what a side can print."""
    text = squeezed(" ".join(printed(card, side)))
    return {name for name in names if re.search(rf"{re.escape(squeezed(name))}(?!\d)", text)}


@pytest.mark.parametrize("card", ["rzhavets", "rijnoord"])
def test_a_planted_name_is_in_no_text_and_no_stream_of_the_enemy(card: str) -> None:
    campaign, holder = planted(card)
    assert NAMED in whole(print_pdf(campaign, holder, [f"ob-{holder}"]))
    enemy = other_side(holder)
    assert NAMED not in whole(print_pdf(campaign, enemy, [f"ob-{holder}", f"roster-{holder}"]))
    theirs = everything(campaign, enemy)
    assert NAMED.encode() not in unpacked(theirs)
    assert NAMED.encode("utf-16-be") not in unpacked(theirs)


def planted(card: str) -> tuple[Campaign, str]:
    """A campaign in which a hidden unit got a name that only its owner knows, and whose it is."""
    store = played(card).store
    assert isinstance(store, MemoryStore)
    units = played(card).state.units.values()
    unit = next(one for one in units if one.on_map and not one.known and one.kind == "squad")
    fact = UnitNamed(unit=unit.id, name=NAMED, rule="PL 1.4", to=(unit.side,))
    body = {"kind": fact.kind, "fact": fact.body()}
    copy = MemoryStore(store.data)
    number = len(copy.load().entries) + 1
    copy.append([Entry(number, "declared", body, NOON.isoformat(), "", (unit.side,))])
    return Campaign(copy), unit.side


# Secret answers -----------------------------------------------------------------------------------


def unseen(campaign: Campaign, entry: AnswerEntry, enemy: str) -> bool:
    """Whether an answer is given in secret and tells the enemy nothing, as a trial shows."""
    if entry.side is None or not any(p.side == entry.side and p.secret for p in campaign.pending()):
        return False
    store = campaign.store
    assert isinstance(store, MemoryStore)
    trial = Campaign(MemoryStore(store.data), clock=lambda: NOON)
    give_one(trial, entry)
    return view(trial, enemy).version == view(campaign, enemy).version


MOST = 2
"""So often in a campaign sheets are compared; each time all of them are printed twice."""


@pytest.mark.parametrize("card", ["rzhavets", soak("kokusa-ridge"), "vistula"])
def test_secret_answers_change_no_byte_of_the_enemys_sheets(card: str) -> None:
    campaign, compared = begun(card), 0
    for entry in steps(card):
        enemy = other_side(entry.side) if entry.side else ""
        quiet = enemy and unseen(campaign, entry, enemy)
        before = everything(campaign, enemy) if quiet else b""
        give_one(campaign, entry)
        if quiet:
            assert everything(campaign, enemy) == before
            compared += 1
            if compared == MOST:
                break
    assert compared


def test_the_dice_seed_is_on_no_sheet() -> None:
    seed = bytes(32).hex()
    for side in (*SIDES, "umpire"):
        assert seed.encode() not in unpacked(everything(played("vistula"), side))


def test_the_enemys_points_and_purchases_are_absent() -> None:
    campaign = played("vistula")
    text = squeezed("".join(lists(campaign, "axis")))
    assert "PzIVH" in text
    theirs = squeezed("".join(lists(campaign, "allied")))
    for type_ in {line.type for line in campaign.state.ob("allied").vehicles.entries}:
        assert "".join(type_.split()) in theirs
        assert "".join(type_.split()) not in text
