"""Words that other packages say and pages show: headings of grids, reasons of doubts; in the reader's language.

What is not listed is a word of the rules, which players say in English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.translation import gettext, gettext_noop

from laager.base import Problem
from laager.web.shared.forms.field_names import name_in_words, without_field_names

_HEADINGS = (
    gettext_noop("CG Date"),
    gettext_noop("Day"),
    gettext_noop("Part"),
    gettext_noop("Long name"),
    gettext_noop("Weather"),
    gettext_noop("Moon"),
    gettext_noop("Name"),
    gettext_noop("Nation"),
    gettext_noop("Other nations"),
    gettext_noop("Shortage"),
    gettext_noop("Attack chits"),
    gettext_noop("Idle chits"),
    gettext_noop("Setup hexes"),
    gettext_noop("Controls"),
    gettext_noop("Arrows"),
    gettext_noop("Letter"),
    gettext_noop("Arrives"),
    gettext_noop("Area"),
    gettext_noop("Leaders"),
    gettext_noop("Unit"),
    gettext_noop("Units"),
    gettext_noop("Count"),
    gettext_noop("Engineers"),
    gettext_noop("Hexes"),
    gettext_noop("Arrow"),
    gettext_noop("Opens on"),
    gettext_noop("Wins"),
    gettext_noop("Condition"),
    gettext_noop("CVP ratio"),
    gettext_noop("Title"),
    gettext_noop("Map"),
    gettext_noop("Attacks"),
    gettext_noop("Sets up first"),
    gettext_noop("Moves first"),
    gettext_noop("Victory"),
    gettext_noop("Else wins"),
    gettext_noop("Notes"),
    gettext_noop("Kind"),
    gettext_noop("Full"),
    gettext_noop("Depleted"),
    gettext_noop("Date max"),
    gettext_noop("CG max"),
    gettext_noop("CG Dates"),
    gettext_noop("Entry"),
    gettext_noop("On map"),
    gettext_noop("Leader"),
    gettext_noop("Black"),
    gettext_noop("Red"),
    gettext_noop("Module"),
    gettext_noop("Special"),
    gettext_noop("Size"),
    gettext_noop("Sides"),
    gettext_noop("If Isolated"),
    gettext_noop("Axis chit"),
    gettext_noop("Allied chit"),
    gettext_noop("Scenario type"),
    gettext_noop("Circled"),
    gettext_noop("CPP a date"),
    gettext_noop("Most +1"),
    gettext_noop("Block share %"),
    gettext_noop("Enemy at most"),
    gettext_noop("Table"),
    gettext_noop("Rule"),
    gettext_noop("Roll"),
    gettext_noop("Columns"),
    gettext_noop("Modifier"),
    gettext_noop("For each"),
    gettext_noop("When"),
    gettext_noop("Note"),
    gettext_noop("Rules of"),
    gettext_noop("Gun crew"),
    gettext_noop("Vehicle crew"),
    gettext_noop("Source"),
    gettext_noop("Type"),
    gettext_noop("Class"),
    gettext_noop("Reduced"),
    gettext_noop("Replaced by"),
    gettext_noop("Hardened to"),
    gettext_noop("Broken"),
    gettext_noop("Smoke"),
    gettext_noop("Traits"),
    gettext_noop("Sort"),
    gettext_noop("Range"),
    gettext_noop("Types"),
    gettext_noop("Gun"),
    gettext_noop("Axis"),
    gettext_noop("Allied"),
    gettext_noop("Exhaustion"),
)
_REASONS = (
    gettext_noop("colours without a meaning"),
    gettext_noop("another terrain covers more"),
    gettext_noop("another terrain next to the dot"),
    gettext_noop("a stream or gully next to the dot"),
    gettext_noop("several levels"),
    gettext_noop("water may lie a level lower"),
    gettext_noop("a sunken or an elevated road"),
    gettext_noop("a bridge may be a level higher"),
    gettext_noop("a building at the edge"),
    gettext_noop("part of a hexside"),
    gettext_noop("a black bar in a building"),
    gettext_noop("a road ends here"),
    gettext_noop("read otherwise than hexes like it"),
    gettext_noop("colours that are only here"),
)
_KNOWN = frozenset((*_HEADINGS, *_REASONS))


_CLAUSES = re.compile(r"(; |, or )")
_COMMAND = re.compile(r"\blaager [a-z]+")
_STEPS = re.compile(r"(?<![0-9])\.(?![ .]|$)|\.(?![0-9 .]|$)")
_PLACE = re.compile(r"\[([0-9]+)\]")


def in_words(text: str) -> str:
    """Return a heading (`CPP: Axis` part by part) or a reason in the reader's language."""
    return ": ".join(gettext(part) if part in _KNOWN else part for part in text.split(": "))


def cure_in_words(problem: Problem) -> str:
    """Return what would be right as a page says it: without commands, and fields by their names on forms."""
    right = without_commands(problem.right)
    # Only this lists fields; a word to type, such as the one that was meant, stays as it is.
    return without_field_names(right) if right.startswith("known are ") else right


def without_commands(text: str) -> str:
    """Return a sentence without what it says of commands: those are for the terminal, pages have links to the cure."""
    first, *rest = _CLAUSES.split(text)
    pairs = [("", first), *zip(rest[::2], rest[1::2], strict=True)]
    kept = [(joint, clause) for joint, clause in pairs if not _COMMAND.search(clause)]
    return "".join(part for pair in kept for part in pair).removeprefix("; ").removeprefix(", ").removeprefix("or ")


def field_in_words(field: str, steps: Sequence[str | int] = ()) -> str:
    """Return the path of a field as people read it: `sides.axis.arrows[2]` is sides › axis › arrows 2.

    With its `steps`, names keep their dots.
    """
    if steps:
        return _steps_in_words(steps)
    words = [_PLACE.sub(r" \1", name_in_words(step)).strip() for step in _STEPS.split(field)]
    return " › ".join(filter(None, words))


def _steps_in_words(steps: Sequence[str | int]) -> str:
    words: list[str] = []
    for step in steps:
        if isinstance(step, int):
            words.append(f"{words.pop() if words else ''} {step + 1}".strip())
        else:
            words.append(name_in_words(step))
    return " › ".join(filter(None, words))
