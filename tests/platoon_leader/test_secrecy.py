"""Nothing that leaves the engine for one side tells what only the other may know.

Whole campaigns are played by chance with marked secrets. The bytes of all that each side can get
are searched: the view itself, exported JSON, the log as told, questions, refusals, sheets, the map.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign.engine import Campaign
from laager.campaign.facts import may_see
from laager.campaign.log import Entry
from laager.campaign.pending import Pending
from laager.campaign.telling import lines_of, log_in_words
from laager.campaign.views import View, causes, view
from laager.hexmap.draw import draw_svg
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.units import Place
from laager.rules.platoon_leader.ruleset import RULESET
from laager.rules.platoon_leader.state import PlState
from tests.platoon_leader.campaigns import Wild, answer_by_chance, new_campaign

UNIT = re.compile(r"\b(?:AX|AL)\d+\b")
WORK = re.compile(r"\b(?:AX|AL)F\d+\b")
NAME = re.compile(r"\bSecret\d+\b")
"""The numbers of units and of fortifications, and the names that units are given."""


def owner(mark: str) -> str:
    return "axis" if mark.startswith("AX") else "allied"


# All that leaves --------------------------------------------------------------------------------


def leaving(campaign: Campaign, side: str) -> dict[str, str]:
    """What a side can get at this moment, by what it is; the log apart."""
    seen = view(campaign, side)
    cg = campaign.context
    found = {
        "state": repr(seen.state),
        "export": json.dumps(RULESET.describe(seen.state), default=str),
        "headline": "\n".join(RULESET.headline(cg, seen.state)),
        "sheets": json.dumps([s.describe() for s in RULESET.sheets(cg, seen.state)]),
        "map": draw_svg(*RULESET.drawing(cg, seen.state)),
    }
    for pending in seen.pending:
        key = pending.key
        if pending.question is not None:
            found[f"question {key}"] = json.dumps(pending.question.describe())
        beside = RULESET.sheets_beside(cg, seen.state, key, side)
        found[f"beside {key}"] = json.dumps([sheet.describe() for sheet in beside])
    return found


def log_of(campaign: Campaign, seen: View) -> list[str]:
    """A side's log: the entries, as told by the command line, and the causes of late facts."""
    lines = [repr(one.entry) for one in seen.log]
    lines += lines_of(log_in_words(campaign, seen), full=True)
    facts = [one.number for one in seen.log if one.entry.type == "fact"]
    return [*lines, *(repr(causes(seen, number)) for number in facts[-20:])]


def whole(campaign: Campaign, side: str) -> dict[str, str]:
    """All that a side can get, with nothing about whom the campaign waits for."""
    seen = replace(view(campaign, side), waiting_for=())
    return leaving(campaign, side) | {"view": repr(seen), "log": "\n".join(log_of(campaign, seen))}


# Who may know what ------------------------------------------------------------------------------


class Watch:
    """Looks at each new entry with the whole state before and after it."""

    def __init__(self, campaign: Campaign) -> None:
        self.state: PlState = RULESET.start(campaign.opening, "umpire")
        self.looked = 0
        self.leaks: list[str] = []
        self.named: dict[str, str] = {}
        """The unit that has each of the names."""

    def look(self, campaign: Campaign) -> None:
        for entry in campaign.entries[self.looked :]:
            before = self.state
            if entry.type in {"fact", "declared"}:
                self.state = campaign.fact_of(entry).apply(before)
            elif entry.type == "done":
                self.state = RULESET.step_done(before, entry.body["step"])
            for side in SIDES:
                if may_see(entry.to, side):
                    self.leaks += self._told(campaign, entry, side, (before, self.state))
        self.looked = len(campaign.entries)

    def _told(self, campaign: Campaign, entry: Entry, side: str, states: tuple[PlState, PlState]) -> Iterator[str]:
        text = json.dumps(entry.body)
        if entry.type == "fact":
            text += campaign.fact_of(entry).tell()
        elif entry.type == "open":
            return
        where = f"entry {entry.number} tells {side}"
        for mark in sorted({*UNIT.findall(text), *NAME.findall(text)}):
            name = self.named.get(mark, mark)
            if owner(name) != side and not may_name(name, states):
                yield f"{where} of {mark}: {text}"
        for mark in sorted(set(WORK.findall(text))):
            forts = [state.forts.get(mark) for state in states]
            hidden = all(fort is None or fort.hidden for fort in forts)
            if owner(mark) != side and hidden:
                yield f"{where} of {mark}: {text}"
        for part in parts_of(entry.body):
            if part.get("side") == other_side(side) and part.get("group"):
                yield f"{where} of a group: {text}"


LOST = frozenset({Place.ELIMINATED, Place.CAPTURED})
"""What the enemy took part in is public."""


def may_name(name: str, states: tuple[PlState, PlState]) -> bool:
    """Whether the enemy of a unit may be told of it: known before or after, or lost to the enemy.

    That a unit goes out of sight is told under its number, while it is known still.
    """
    units = (state.units.get(name) for state in states)
    return any(unit is not None and (unit.known or unit.place in LOST) for unit in units)


def parts_of(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        for part in value.values():
            yield from parts_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from parts_of(part)


def unknown(campaign: Campaign, side: str, named: Mapping[str, str]) -> set[str]:
    """The marks of the enemy that a side may not be shown at this moment."""
    state: PlState = campaign.state
    units = {unit.id for unit in state.units.values() if unit.side != side and not unit.known}
    units -= {name for name in units if state.units[name].place in LOST}
    works = {fort.id for fort in state.forts.values() if fort.side != side and fort.hidden}
    return units | works | {mark for mark, name in named.items() if name in units}


def found_in(text: str, marks: set[str]) -> set[str]:
    return marks & {*UNIT.findall(text), *WORK.findall(text), *NAME.findall(text)}


# Playing with secrets ---------------------------------------------------------------------------


class Spy:
    """Plays a campaign by chance, gives hidden units names, and searches all that leaves."""

    def __init__(self, campaign: Campaign, rng: Random, often: float) -> None:
        self.campaign, self.rng, self.often = campaign, rng, often
        self.watch = Watch(campaign)
        self.looks = self.compared = 0

    def play(self) -> None:
        for _ in range(5000):
            waiting = self.campaign.pending()
            if not waiting:
                return
            self.answer(self.rng.choice(waiting))
            self.watch.look(self.campaign)
            assert not self.watch.leaks, "\n".join(self.watch.leaks[:3])
            # What a patrol has left behind is its own until it is back.
            away = self.campaign.step is not None and self.campaign.step.id == "patrolling"
            # When the campaign is over nothing is secret any more.
            if self.rng.random() < self.often and not away and not self.campaign.over:
                self.search()

    def answer(self, pending: Pending) -> None:
        enemy = other_side(pending.side)
        looked_at = pending.secret and self.rng.random() < self.often
        before = whole(self.campaign, enemy) if looked_at else {}
        if pending.key == "battle-report":
            self.report(pending)
        else:
            answer_by_chance(self.campaign, pending, self.rng)
        if looked_at and not self.campaign.over:
            self.compare(pending, before, whole(self.campaign, enemy))

    def report(self, pending: Pending) -> None:
        """Answer a battle report; what the enemy does not know gets a name."""
        assert pending.question is not None
        report = pending.question.sample(self.rng)
        listed = {row["unit"] for row in report["units"]}
        rows = []
        for unit in self.campaign.state.units_of(pending.side):
            if unit.on_map and not unit.known and unit.id not in listed and not unit.with_unit:
                name = f"Secret{len(self.watch.named)}"
                self.watch.named[name] = unit.id
                rows.append({"unit": unit.id, "name": name})
        named = {**report, "units": [*report["units"], *rows]}
        value = named if pending.question.allows(named) else report
        self.campaign.answer(pending.side, pending.key, value)

    def compare(self, pending: Pending, before: dict[str, str], after: dict[str, str]) -> None:
        """What one side answers in secret changes nothing for the other, until facts are told."""
        if before["log"] != after["log"]:
            return
        same = [name for name in before if name in after and name != "view"]
        changed = [name for name in same if before[name] != after[name]]
        assert not changed, f"{pending.step.id}/{pending.key} shows in {changed}"
        if before.keys() == after.keys():
            assert before["view"] == after["view"], f"{pending.step.id}/{pending.key}"
        self.compared += 1

    def search(self) -> None:
        """Search what leaves for marks of what a side does not know now."""
        self.looks += 1
        for side in SIDES:
            marks = unknown(self.campaign, side, self.watch.named)
            for name, text in (leaving(self.campaign, side) | self.refusals(side)).items():
                found = found_in(text, marks)
                assert not found, f"{name} shows {sorted(found)} to {side}"

    def refusals(self, side: str) -> dict[str, str]:
        """What a side is told of wrong answers."""
        found = {}
        for pending in self.campaign.pending():
            if pending.side != side or pending.question is None:
                continue
            for _ in range(3):
                right = pending.question.default
                wrong = Wild(self.campaign, self.rng).mutated(right, pending.question)
                try:
                    pending.question.accept(wrong)
                except DataError as err:
                    # What somebody typed himself is repeated to him.
                    text = str(err)
                    for word in found_in(json.dumps(wrong), found_words(text)):
                        text = text.replace(word, "")
                    found[f"refusal of {pending.key}"] = text
        return found


def found_words(text: str) -> set[str]:
    return {*UNIT.findall(text), *WORK.findall(text)}


@pytest.mark.parametrize(
    ("card", "number"), [("walkthrough", 2), pytest.param("walkthrough", 3, marks=pytest.mark.soak)]
)
def test_nothing_secret_leaves_a_campaign(card: str, number: int) -> None:
    spy = Spy(new_campaign(card, seed=number.to_bytes(32, "big")), Random(number), often=0.2)
    spy.play()
    assert spy.looks > 5
    assert spy.compared > 2


@pytest.mark.soak
def test_nothing_secret_leaves_a_campaign_of_the_shipped_card() -> None:
    spy = Spy(new_campaign("rzhavets", seed=bytes(32)), Random(7), often=0.01)
    spy.play()
    assert spy.looks
    assert spy.watch.named
