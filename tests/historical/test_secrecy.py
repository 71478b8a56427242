"""Nothing that leaves a HASL campaign for one side tells what only the other may know.

The campaigns that ship are played by chance, with marked secrets. All that each side can get is
searched: state, export, log, questions, proposals, refusals, sheets, map, the command line.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign.engine import Campaign
from laager.campaign.facts import may_see
from laager.campaign.log import Entry, FileStore
from laager.campaign.pending import Pending
from laager.campaign.questions import Question
from laager.campaign.telling import lines_of, log_in_words
from laager.campaign.views import causes, view
from laager.cli import main
from laager.hexmap.draw import draw_svg
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.hasl.ruleset import HaslRuleset
from laager.rules.board.hasl.state import HaslState
from laager.rules.board.units import Place
from tests.historical.campaigns import SHIPPED, new_campaign
from tests.platoon_leader.campaigns import Wild, answer_by_chance

MARK = re.compile(r"\b(?:A[XL]F?\d+|Secret\d+)\b")
"""The numbers of units and of fortifications, and the words that are planted."""

LOST = frozenset({Place.ELIMINATED, Place.CAPTURED, Place.RECALLED})
"""What the enemy took part in is public."""

OWN_NUMBERS = ("cpp", "fpp", "bought", "bought_now")
"""What of a side's running numbers is its own, but for what the card has it begin with."""

SECRET = frozenset(
    {"purchases", "given-groups", "given-hexes", "fortifications", "chit", "setup", "shift", "headquarters"}
    | {"scenario-report", "optional-equipment", "vehicle-status", "status-notes", "recon"}
    | {"reserve-counters", "own-equipment", "rally", "escape"}
)
"""Questions whose answers the other side does not see."""

Reader = Callable[[Campaign, str], Mapping[str, str]]


def owner(mark: str) -> str:
    return "axis" if mark.startswith("AX") else "allied"


# All that leaves ----------------------------------------------------------------------------------


def rules_of(campaign: Campaign) -> HaslRuleset[Any, Any]:
    rules = campaign.ruleset
    assert isinstance(rules, HaslRuleset)
    return rules


def leaving(campaign: Campaign, side: str) -> dict[str, str]:
    """What a side can get at this moment, by what it is; the log apart."""
    rules, cg = rules_of(campaign), campaign.context
    seen = replace(view(campaign, side), waiting_for=())
    found = {
        "state": repr(seen.state),
        "export": json.dumps(rules.describe(seen.state), default=str),
        "headline": "\n".join(rules.headline(cg, seen.state)),
        "sheets": json.dumps([s.describe() for s in rules.sheets(cg, seen.state)]),
        "layers of the map": repr(rules.drawing(cg, seen.state)[1]),
    }
    for pending in seen.pending:
        found[f"label {pending.key}"] = pending.roll.label if pending.roll else ""
        beside = rules.sheets_beside(cg, seen.state, pending.key, side)
        found[f"beside {pending.key}"] = json.dumps([sheet.describe() for sheet in beside])
        if pending.question is not None:
            found[f"question {pending.key}"] = json.dumps(pending.question.describe())
            found |= refusals(campaign, pending.question)
    return found


def refusals(campaign: Campaign, question: Question) -> dict[str, str]:
    """What a side is told of wrong answers, always the same ones in the same state.

    The wrong answers name units of its own only: what somebody types is repeated to him.
    """
    rng = Random(7)
    units = [unit.id for unit in campaign.state.units_of(question.side)]
    hexes = sorted(campaign.context.map.playable)  # type: ignore[attr-defined]
    wild = Wild(campaign, Random(0))
    wild.rng = rng
    wild.words = [*rng.sample(hexes, 6), *units[:4], "", "ZZ99", "C4.1", "guard", "x" * 30]
    found = {}
    for number in range(4):
        try:
            question.accept(wild.mutated(question.default, question))
        except DataError as err:
            found[f"refusal {number} of {question.key}"] = str(err)
    return found


def log_of(campaign: Campaign, side: str, since: int = 0) -> str:
    """A side's log: the entries, as the command line tells them, and causes of late facts."""
    seen = view(campaign, side)
    lines = [repr(one.entry) for one in seen.log if one.number > since]
    lines += lines_of(log_in_words(campaign, seen), full=True)
    facts = [one.number for one in seen.log if one.entry.type == "fact"]
    return "\n".join([*lines, *(repr(causes(seen, number)) for number in facts[-3:])])


# Who may know what --------------------------------------------------------------------------------


class Watch:
    """Looks at each new entry with the whole state before and after it."""

    def __init__(self, campaign: Campaign) -> None:
        self.state: HaslState = rules_of(campaign).start(campaign.opening, "umpire")
        self.looked = 0
        self.planted: dict[str, str] = {}
        """The side that has planted each word."""
        self.named: dict[str, str] = {}
        """The unit whose name a planted word is."""

    def look(self, campaign: Campaign) -> Iterator[str]:
        """Yield what new entries tell and should not."""
        for entry in campaign.entries[self.looked :]:
            before = self.state
            if entry.type in {"fact", "declared"}:
                self.state = campaign.fact_of(entry).apply(before)
            elif entry.type == "done":
                self.state = rules_of(campaign).step_done(before, entry.body["step"])
            for side in SIDES:
                if may_see(entry.to, side) and entry.type != "open":
                    yield from self._told(campaign, entry, side, (before, self.state))
        self.looked = len(campaign.entries)

    def _told(self, campaign: Campaign, entry: Entry, side: str, states: tuple[HaslState, HaslState]) -> Iterator[str]:
        text = json.dumps(entry.body)
        if entry.type == "fact":
            text += campaign.fact_of(entry).tell()
        secret = [
            mark
            for mark in sorted(set(MARK.findall(text)))
            if self.owner(mark) != side and not any(self.open_in(state, mark) for state in states)
        ]
        if secret:
            yield f"entry {entry.number} tells {side} of {secret}: {text}"

    def owner(self, mark: str) -> str:
        return self.planted.get(mark) or owner(mark)

    def unknown(self, side: str) -> set[str]:
        """The marks of the enemy that a side may not be shown at this moment."""
        marks = {*self.state.units, *self.state.forts, *self.planted}
        return {m for m in marks if self.owner(m) != side and not self.open_in(self.state, m)}

    def open_in(self, state: HaslState, mark: str) -> bool:
        """Whether both sides may know a unit, its name, or a fortification.

        That a unit goes out of sight is told under its number, while it is known still.
        """
        if mark in state.agreed.get("declared-guns", {}):
            return True  # A Gun by which a Location was declared was shown for that.
        unit, fort = state.units.get(self.named.get(mark, mark)), state.forts.get(mark)
        if unit is not None:
            return unit.known or unit.place in LOST
        return fort is not None and not fort.hidden


# Playing with secrets -----------------------------------------------------------------------------


class Spy:
    """Plays a campaign by chance, plants words, and searches all that leaves."""

    def __init__(self, campaign: Campaign, rng: Random, often: float, read: Reader | None) -> None:
        self.campaign, self.rng, self.often, self.read = campaign, rng, often, read
        self.watch = Watch(campaign)
        self.looks = self.compared = 0
        self.most = 2 if read else 99
        """How often it looks; starting commands takes time."""
        self.first: dict[str, list[Any]] = {}
        """What each side held of the enemy's numbers when it first looked."""

    def play(self) -> None:
        for _ in range(5000):
            waiting = self.campaign.pending()
            if not waiting:
                return
            self.answer(self.rng.choice(waiting))
            told = list(self.watch.look(self.campaign))
            assert not told, "\n".join(told[:3])
            # When the campaign is over nothing is secret any more.
            if self.looks < self.most and self.rng.random() < self.often and not self.campaign.over:
                self.search()
        raise AssertionError("not over after 5000 answers")

    def answer(self, pending: Pending) -> None:
        enemy = other_side(pending.side)
        asked = pending.question is not None
        assert pending.secret or not asked or pending.key not in SECRET, pending.key
        looked_at = pending.secret and asked and self.rng.random() < 3 * self.often
        before = leaving(self.campaign, enemy) if looked_at else {}
        log = log_of(self.campaign, enemy) if looked_at else ""
        if not self.plant(pending):
            answer_by_chance(self.campaign, pending, self.rng)
        if looked_at and log == log_of(self.campaign, enemy):
            self.compare(pending, before, leaving(self.campaign, enemy))

    def plant(self, pending: Pending) -> bool:
        """Answer with a word of its own in it, where an answer may say what it likes."""
        if pending.question is None or pending.key not in PLANTED:
            return False
        word = f"Secret{len(self.watch.planted)}"
        value = PLANTED[pending.key](self.campaign, pending, word, self.rng)
        if value is None or not pending.question.allows(value):
            return False
        self.watch.planted[word] = pending.side
        if pending.key == "scenario-report":
            self.watch.named[word] = value["units"][-1]["unit"]
        self.campaign.answer(pending.side, pending.key, value)
        return True

    def compare(self, pending: Pending, before: dict[str, str], after: dict[str, str]) -> None:
        """What one side answers in secret changes nothing for the other, until facts are told."""
        changed = [name for name in before if name in after and before[name] != after[name]]
        assert not changed, f"{pending.step.id}/{pending.key} shows in {changed}"
        # If nothing of it shows, the other side's own next question may be due all the same.
        due = {one.key for one in self.campaign.pending() if one.side == other_side(pending.side)}
        assert {name.split()[-1] for name in before.keys() ^ after.keys()} <= due
        self.compared += 1

    def search(self) -> None:
        """Search what leaves for marks of what a side does not know now."""
        self.looks += 1
        for side in SIDES:
            hidden = self.watch.unknown(side)
            found = leaving(self.campaign, side)
            if self.looks == 2:
                seen = view(self.campaign, side).state
                found["map"] = draw_svg(*rules_of(self.campaign).drawing(self.campaign.context, seen))
            found |= self.read(self.campaign, side) if self.read else {}
            past = set(MARK.findall(log_of(self.campaign, side))) if self.read else set()
            for name, text in found.items():
                shown = hidden & set(MARK.findall(text))
                # The log tells of what was known once; each of its entries is looked at by itself.
                shown -= past if name.startswith(("log", "export")) and self.read else set()
                assert not shown, f"{name} shows {sorted(shown)} to {side}: {near(text, shown)}"
            self.numbers(side)

    def numbers(self, side: str) -> None:
        """What a side holds of the enemy's points, purchases and groups is nothing."""
        enemy = other_side(side)
        seen: HaslState = view(self.campaign, side).state
        held = [getattr(seen.side(enemy), name) for name in OWN_NUMBERS]
        if seen.done or seen.number > 1:
            first = self.first.setdefault(side, held)
            assert held == first, f"{side} knows of {OWN_NUMBERS} of the enemy: {held}"
        for line in (*seen.past, seen.scenario):
            assert not {enemy} & {*line.spent, *line.fpp}
        assert enemy not in {group.side for group in seen.groups.values() if not group.placed}


def near(text: str, shown: set[str]) -> list[str]:
    """What stands around the first places of marks in a text."""
    return [text[max(0, m.start() - 90) : m.end() + 90] for m in MARK.finditer(text) if m[0] in shown][:3]


def armament(_: Campaign, pending: Pending, word: str, __: Random) -> Any:
    """Optional armament of a vehicle, in words."""
    assert pending.question is not None
    units = re.findall(r'"value": "(A[XL]\d+)"', json.dumps(pending.question.describe()))
    return [{"unit": units[0], "text": word}] if units else None


def name_given(campaign: Campaign, pending: Pending, word: str, rng: Random) -> Any:
    """A report in which a unit that the enemy does not know gets a name."""
    assert pending.question is not None
    report = pending.question.sample(rng)
    listed = {row["unit"] for row in report["units"]}
    for unit in campaign.state.units_of(pending.side):
        alone = unit.on_map and not unit.known and not unit.with_unit
        if alone and unit.id not in listed:
            return {**report, "units": [*report["units"], {"unit": unit.id, "name": word}]}
    return None


PLANTED: Mapping[str, Callable[[Campaign, Pending, str, Random], Any]] = {
    "optional-equipment": armament,
    "scenario-report": name_given,
}


@pytest.mark.parametrize("card", sorted(SHIPPED))
def test_nothing_secret_leaves_a_campaign(card: str) -> None:
    spy = Spy(new_campaign(card, seed=bytes([9] * 32)), Random(15), often=0.03, read=None)
    spy.play()
    assert spy.looks
    assert spy.compared


# The command line ---------------------------------------------------------------------------------

COMMANDS = (
    "status", "status --json", "next --json", "log --full", "log --json", "sheet", "sheet --json",
    "export", "answer --template", "undo --json", "undo --refuse --json",
)  # fmt: skip


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """All that `laager` prints with these words."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["laager", *words])
        patch.setattr(sys, "stdin", io.StringIO(""))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
    out = capsys.readouterr()
    assert ended.value.code in (0, 1), out.err
    return out.out + out.err


COMMANDED = [
    "rijnoord",
    *(pytest.param(card, marks=pytest.mark.soak) for card in sorted(SHIPPED) if card != "rijnoord"),
]
"""Commands read a campaign through its view, whichever card it plays: one card a day, all in the long run."""


@pytest.mark.parametrize("card", COMMANDED)
def test_no_command_tells_a_side_the_secrets_of_the_other(
    card: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def read(campaign: Campaign, side: str) -> Mapping[str, str]:
        path = tmp_path / f"{side}{len(campaign.entries)}.laager"
        with FileStore(path) as store:
            store.create(campaign.entries)
        chosen = rng.sample(COMMANDS, 3)
        asked = ["-c", str(path), "--side", side]
        return {words: printed([*words.split(), *asked], capsys) for words in chosen}

    rng = Random(5)
    spy = Spy(new_campaign(card, seed=bytes([5] * 32)), Random(5), often=0.03, read=read)
    spy.play()
    assert spy.looks
