"""What comes again after a ruling: answers that still hold, and dice that were rolled.

A ruling takes back the step under way (or all since an earlier answer) and lets it begin again on the corrected
record. What it took away waits in reserve. Where a step asks again what was answered, the old answer is recorded
again if the rules still accept it; where it rolls again, the dice show what they showed. Nobody rolls twice for the
same thing. What doesn't hold is asked, with the old answer as proposal.

The reserve follows from the log alone, so that every worker and every later reading finds the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import DataError
from laager.campaign.facts import Side
from laager.campaign.history import Reserved
from laager.campaign.log import Entry
from laager.campaign.questions import Question
from laager.campaign.steps import Roll

Place = tuple[str, str, int]
"""A step as it is found again: its round, its id, the how manieth of that id in the round."""

Slot = tuple[str, ...]

RULING = frozenset({"ruling", "ruled"})
"""What is recorded again between two steps: rulings that came after what is put right now."""


def round_of(ruleset: Any, state: Any) -> str:
    """Return what tells a round of steps from others of its kind, as far as the ruleset says."""
    key: Callable[[Any], str] | None = getattr(ruleset, "round_key", None)
    return key(state) if key else ""


class StepCourse:
    """Where a course of entries stands: the step under way, as a place, and the step that was done last.

    `wholes` names the step in whose place each part of it stood, as one now stands for several.
    """

    def __init__(self, wholes: Mapping[str, str]) -> None:
        self.place: Place | None = None
        self.last: Place | None = None
        self.done: set[Place] = set()
        self._wholes = wholes
        self._begun: Counter[tuple[str, str]] = Counter()
        self._ids: set[str] = set()

    def begin(self, round_: str, step: str) -> None:
        """Note that a step begins."""
        whole = self._wholes.get(step, step)
        goes_on = self.last is not None and self.last[:2] == (round_, whole) and step not in self._ids
        if whole != step and goes_on:
            self.place = self.last
            self._ids.add(step)
            return
        self._ids = {step}
        self._begun[round_, whole] += 1
        self.place = (round_, whole, self._begun[round_, whole])

    def end(self) -> None:
        """Note that the step is done."""
        if self.place is not None:
            self.done.add(self.place)
        self.last, self.place = self.place, None


@dataclass(frozen=True)
class Kept:
    """An answer or a roll in reserve, with its place."""

    place: Place
    entry: Entry
    about: str = ""
    """The unit that a roll turned out to be for, as the fact after it says; "" if none does."""


class ReserveLayer:
    """What one undo put in reserve, and what of it has come again since."""

    def __init__(self, reserved: Reserved, wholes: Mapping[str, str]) -> None:
        self.reserved = reserved
        self.course = StepCourse(wholes)
        self._wholes = wholes
        self.kept: dict[Place, list[Kept]] = {}
        self.used: dict[int, Entry] = {}
        """What stands in the place of an entry in reserve now, by the real number of that entry."""
        self.rulings: dict[Place, list[tuple[Entry, ...]]] = {}

    def fill(self, walk: Iterable[tuple[Entry, str]]) -> None:
        """Take in what was taken away, entry by entry, each with the round in which it stood."""
        course = StepCourse(self._wholes)
        last: dict[str, int] = {}
        for entry, round_ in walk:
            if entry.type == "step":
                course.begin(round_, entry.body["step"])
                last = {}
            elif entry.type == "done":
                course.end()
            elif entry.type in RULING and course.last is not None:
                self._keep_ruling(course.last, entry)
            elif entry.type in {"answer", "roll"} and course.place is not None:
                kept = self.kept.setdefault(course.place, [])
                last[entry.lane] = len(kept)
                kept.append(Kept(course.place, entry, entry.body.get("about", "")))
            elif entry.type == "fact" and course.place is not None and entry.lane in last:
                self._note_unit(course.place, last.pop(entry.lane), entry)

    def _keep_ruling(self, place: Place, entry: Entry) -> None:
        runs = self.rulings.setdefault(place, [])
        if entry.type == "ruling":
            runs.append((entry,))
        elif runs:
            runs[-1] += (entry,)

    def _note_unit(self, place: Place, at: int, fact: Entry) -> None:
        """Note which unit a roll was for: the one of which the fact after it tells."""
        unit = fact.body["fact"].get("unit")
        kept = self.kept[place][at]
        if kept.entry.type == "roll" and not kept.about and isinstance(unit, str):
            self.kept[place][at] = Kept(place, kept.entry, unit)

    def _kept_here(self) -> Sequence[Kept]:
        """Return what is kept for the step under way."""
        return self.kept.get(self.course.place, ()) if self.course.place is not None else ()

    def _free(self, slot: Slot, lane: str) -> tuple[list[Kept], int]:
        """Return what is kept for a slot of the step under way and not used yet, and how much was kept in all."""
        same = [kept for kept in self._kept_here() if kept.entry.lane == lane and slot_of(kept.entry) == slot]
        return [kept for kept in same if kept.entry.number not in self.used], len(same)

    def find_answer(self, lane: str, side: Side, key: str, text: str) -> Entry | None:
        """Return the answer in reserve to a question: to one of the same words, else to the only one of its key.

        Numbers in the words may differ: a ruling changes what somebody has left.
        """
        free, kept = self._free(("answer", side, key), lane)
        for words in (str, without_numbers):
            for each in free:
                if words(each.entry.body["text"]) == words(text):
                    return each.entry
        return free[0].entry if kept == 1 and free else None

    def find_roll(self, lane: str, slot: Slot, about: str = "") -> Entry | None:
        """Return the roll in reserve for a slot: that for the same unit, else the next."""
        free = [each for each in self._free(slot, lane)[0] if roll_id(each.entry) not in self.reserved.spent]
        if about:
            # One that isn't known to be for another unit: old logs say it only by what followed.
            free = sorted((each for each in free if each.about in {about, ""}), key=lambda each: each.about != about)
        return free[0].entry if free else None

    def use(self, entry: Entry) -> None:
        """Note an answer or a roll that counts now: what it stands for in the reserve doesn't come again."""
        if entry.type == "answer":
            body = entry.body
            old = self.find_answer(entry.lane, body["side"], body["key"], body["text"])
        else:
            same = (kept.entry for kept in self._kept_here() if kept.entry.type == "roll")
            old = next((roll for roll in same if roll_id(roll) == roll_id(entry)), None)
            old = old or self.find_roll(entry.lane, slot_of(entry), entry.body.get("about", ""))
        if old is not None:
            self.used[old.number] = entry

    def past_places(self) -> frozenset[Place]:
        """Return the places in reserve that don't come any more: done, passed over, or in a round that is left."""
        places, course = list(self.kept), self.course
        reached = [i for i, place in enumerate(places) if place in course.done or place == course.place]
        if course.place is not None and reached and course.place[0] not in {place[0] for place in places}:
            return frozenset(places)
        return frozenset(places[: max(reached, default=0)]) | course.done

    def is_for_hand(self, side: Side, entry: Entry) -> bool:
        """True if an old answer of a side is proposed only: it is reopened, or the side must confirm it."""
        reserved = self.reserved
        if reserved.by_hand is None or side in reserved.by_hand or entry.number in reserved.reopened:
            return True
        if side in reserved.confirm and entry.to is not None:
            return True
        return side in reserved.by_hand_then and reserved.reopened <= set(self.used)

    def due_rulings(self) -> Sequence[tuple[Entry, ...]]:
        """Return the rulings in reserve that come again now: those that followed the step done last."""
        return self.rulings.get(self.course.last, ()) if self.course.last else ()

    def use_ruling(self, head: Entry) -> None:
        """Note that a ruling was recorded again."""
        due = self.rulings.get(self.course.last, []) if self.course.last else []
        if head.body.get("again") and due:
            self.used[due.pop(0)[0].number] = head


class Again:
    """All that is in reserve, the latest layer last; it follows the campaign as it goes on."""

    def __init__(self, layers: Sequence[ReserveLayer]) -> None:
        self.layers = layers

    def follow(self, entry: Entry, round_: str) -> None:
        """Follow the campaign over one more entry that counts, which stands in this round."""
        for layer in self.layers:
            if layer.reserved.to >= entry.number:
                continue
            if entry.type == "step":
                layer.course.begin(round_, entry.body["step"])
            elif entry.type == "done":
                layer.course.end()
            elif entry.type in {"answer", "roll"}:
                layer.use(entry)
            elif entry.type == "ruling":
                layer.use_ruling(entry)

    def former(self, lane: str, question: Question) -> Entry | None:
        """Return what was answered to a question before; None if it's asked for the first time."""
        answers = (
            layer.find_answer(lane, question.side, question.key, question.text) for layer in reversed(self.layers)
        )
        return next((answer for answer in answers if answer is not None), None)

    def answer(self, lane: str, question: Question) -> Entry | None:
        """Return the answer that comes again by itself: it still holds, and isn't for its side to confirm."""
        entry = self.former(lane, question)
        if entry is None or any(layer.is_for_hand(question.side, entry) for layer in self.layers):
            return None
        return entry if still_holds(question, entry.body["value"]) else None

    def roll(self, lane: str, roll: Roll) -> Entry | None:
        """Return the roll that comes again."""
        slot = ("roll", roll.side, roll.label, roll.dice.value)
        rolls = (layer.find_roll(lane, slot, roll.about) for layer in reversed(self.layers))
        return next((entry for entry in rolls if entry is not None), None)

    def rulings(self) -> Iterator[tuple[Entry, ...]]:
        """Yield the rulings that come again before the next step."""
        for layer in self.layers:
            yield from layer.due_rulings()


def still_holds(question: Question, value: Any) -> bool:
    """True if the rules accept an old answer as it was recorded."""
    try:
        return bool(question.accept(value) == value)
    except DataError:
        return False


def without_numbers(text: str) -> str:
    """Return the words of a question without the numbers that stand alone in it."""
    return _NUMBER.sub("#", text)


_NUMBER = re.compile(r"(?<![\w-])\d+")


def mend_answer(question: Question, value: Any) -> Any:
    """Return an old answer without the rows that the rules refuse now; None if that isn't a legal answer either."""
    for _ in range(MOST_MENDS):
        try:
            return question.accept(value)
        except DataError as err:
            rows = {(match[1], int(match[2])) for match in map(_ROW.match, (p.field for p in err.problems)) if match}
        value = _without_rows(value, rows) if rows else None
        if value is None:
            break
    return None


MOST_MENDS = 5
"""How often rows are dropped: what is refused then may refuse others."""

_ROW = re.compile(r"(\w*)\[(\d+)\]")


def _without_rows(value: Any, rows: set[tuple[str, int]]) -> Any:
    """Return an answer without some of its rows, each by the name of its list and its number from 1."""
    if isinstance(value, list):
        return [row for number, row in enumerate(value, 1) if ("", number) not in rows]
    if not isinstance(value, dict):
        return None
    return {
        name: [row for number, row in enumerate(part, 1) if (name, number) not in rows]
        if isinstance(part, list)
        else part
        for name, part in value.items()
    }


def slot_of(entry: Entry) -> Slot:
    """Return by what an answer or a roll is found again within its step and lane."""
    body: Mapping[str, Any] = entry.body
    if entry.type == "answer":
        return ("answer", body["side"], body["key"])
    return ("roll", body["side"], body["label"], body["dice"])


def roll_id(entry: Entry) -> tuple[str, int]:
    """Return what tells a roll from all others: its stream and its number there."""
    return entry.body["stream"], entry.body["number"]
