"""What players call units: `4-4-7 "B" of I1/1` for one's own, `a 4-4-7 in H3` for the enemy's as it is seen.

The letters follow from the order in which units came into their group, so that campaigns of any age have them, and a
unit keeps its own. They are for those who see a side's secrets: they would tell the enemy how many there are, and
where they belong. Texts of the rules call a unit by its type and number, `4-4-7 (AL791)`; `UnitNames.say` puts the
names there, each viewer's own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from laager.campaign import UMPIRE
from laager.campaign.naming import Namer
from laager.campaign.speech import ENGLISH, put
from laager.rules.board.card.parts import SIDES
from laager.rules.board.state import BoardState
from laager.rules.board.units import Unit

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_FAMILIES: Mapping[str, str] = {
    "squad": "mmc", "half-squad": "mmc", "crew": "mmc",
    "leader": "smc", "commissar": "smc", "hero": "smc", "armor-leader": "smc",
    "afv": "vehicle", "vehicle": "vehicle",
}  # fmt: skip
"""Kinds that units of one line of letters can be; a squad that is Reduced keeps its letter."""

_ID = rf"(?:{'|'.join(side[:2].upper() for side in SIDES)})F?\d+"
_PLACED = re.compile(r",? in [A-Z]+\d")
_NUMBERED = re.compile(rf" \((?P<id>{_ID})\)")
# Spoken as `an`: 8 and 11, vowels, letters that are spelt out.
_AN = re.compile(r"(?:8|11|18)(?!\d)|80|[AEIO]|(?:[FHLMNRSX][A-Z]|[FHLMNRSX]\b)")


def letters_of(state: BoardState) -> Mapping[str, str]:
    """Return the letter of each unit of which the viewer knows the group, by its id."""
    counts: Counter[tuple[str, str, str]] = Counter()
    letters = {}
    for unit in state.units.values():
        if state.viewer not in (UMPIRE, unit.side):
            continue
        line = unit.side, unit.group, _FAMILIES.get(unit.kind, unit.kind)
        letters[unit.id] = letter(counts[line])
        counts[line] += 1
    return letters


def letter(number: int) -> str:
    """Return the letter of a number from 0: A to Z, then AA, AB and so on."""
    head, last = divmod(number, len(ALPHABET))
    return (letter(head - 1) if head else "") + ALPHABET[last]


def with_article(words: str) -> str:
    """Return words with the article that they have in English: `a 4-4-7`, `an 8-1`, `an LMG`."""
    return f"{'an' if _AN.match(words) else 'a'} {words}"


@dataclass(frozen=True)
class UnitNames:
    """What the viewer of a state calls units and fortifications, in a language.

    `given` are the names that players gave. A unit is named as it was `before`, if that state is given; `book` keeps
    the letters from one state to the next.
    """

    state: BoardState
    language: str = ENGLISH
    given: Mapping[str, str] = field(default_factory=dict)
    before: BoardState | None = None
    book: dict[str, str] = field(default_factory=dict)

    def letter_of(self, unit: Unit) -> str | None:
        """Return a unit's letter; None if the viewer may not know it."""
        if self.state.viewer not in (UMPIRE, unit.side):
            return None
        if unit.id not in self.book:
            self.book.update(letters_of(self.state))
        return self.book.get(unit.id, "")

    def unit(self, unit_id: str) -> Unit | None:
        """Return a unit as it was before, or as it is."""
        old = self.before.units.get(unit_id) if self.before is not None else None
        return old or self.state.units.get(unit_id)

    def name(self, unit: Unit, *, place: bool = True, number: bool = False) -> str:
        """Return what the viewer calls a unit; the enemy's with the Location where it is seen, if `place`.

        `number`: with its number in brackets, for who has to write it.
        """
        name = self._name(unit, place)
        return f"{name} ({unit.id})" if number else name

    def name_of(self, unit_id: str) -> str:
        """Return what the viewer calls the unit with an id; the id itself if he knows no such unit."""
        unit = self.state.units.get(unit_id)
        return self.name(unit, place=False) if unit is not None else unit_id

    def _name(self, unit: Unit, place: bool) -> str:
        given, own = self.given.get(unit.id) or unit.name, self.letter_of(unit)
        if given and (own is None or len(given) > 2):
            return f"{unit.type} {given}"
        if own is not None:
            lettered = f'{unit.type} "{given or own}"'
            return put("{unit} of {group}", self.language, unit=lettered, group=unit.group) if unit.group else lettered
        seen = with_article(unit.type) if self.language == ENGLISH else unit.type
        if place and unit.on_map and unit.at:
            return put("{unit} in {place}", self.language, unit=seen, place=unit.at)
        return seen

    def say(self, text: str, *, numbers: bool = False) -> str:
        """Return a text of the rules with the viewer's names for `4-4-7 (AL791)`; unknown numbers are left out."""
        if " (" not in text:
            return text
        parts, done = [], 0
        for match in _NUMBERED.finditer(text):
            parts.append(self._words(text[done : match.start()], match["id"], text[match.end() :], numbers))
            done = match.end()
            done += self._group_again(match["id"], parts[-1], text[done:])
        return "".join([*parts, text[done:]])

    def _group_again(self, unit_id: str, name: str, after: str) -> int:
        """Return how many characters after a name only say its group once more, as in `4-6-7 (AX1) of I1/1`."""
        unit = self.unit(unit_id)
        if unit is None or not unit.group:
            return 0
        for language in (ENGLISH, self.language):
            words = put("{unit} of {group}", language, unit="", group=unit.group)
            if re.match(rf"{re.escape(words)}(?![\w/])", after):
                return len(words) if name.count(unit.group) else 0
        return 0

    def _words(self, before: str, unit_id: str, after: str, numbers: bool) -> str:
        """Return what stands before a number in a text, with the unit's name in the place of its type."""
        number = f" ({unit_id})" if numbers else ""
        if unit_id in self.state.forts:
            return before + number
        unit = self.unit(unit_id)
        place = not _PLACED.match(after)
        if unit is not None:
            known = {unit.type, *(state.units[unit_id].type for state in (self.state,) if unit_id in state.units)}
            spelt = [f"{type_} {unit.name}" for type_ in known if unit.name]
            for old in (*spelt, *sorted(known, key=len, reverse=True)):
                if before.endswith(old):
                    return before.removesuffix(old) + self.name(unit, place=place, number=numbers)
        # It was of another type then, or the viewer doesn't know it: its type is the last word.
        head, space, old = before.rpartition(" ")
        if unit is not None and old:
            return head + space + self.name(unit.but(type=old), place=False, number=numbers)
        if not old or old.isalpha():
            return before + number
        return head + space + (with_article(old) if self.language == ENGLISH else old) + number


def board_namer(given: Mapping[str, str], language: str = ENGLISH) -> Namer:
    """Return what puts a viewer's names into texts (`PlayedRuleset.namer`)."""
    book: dict[str, str] = {}

    def say(text: str, *states: BoardState, numbers: bool = False) -> str:
        if " (" not in text or not states:
            return text
        names = UnitNames(states[-1], language, given, states[0] if len(states) > 1 else None, book)
        return names.say(text, numbers=numbers)

    return say
