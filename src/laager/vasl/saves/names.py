"""Names: what a piece is called, by its basic name and the layers over it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from laager.vasl.saves.owners import printable
from laager.vasl.saves.sequence import Work, decode
from laager.vasl.saves.traits import Inscription, Layer, Traits

_FACING = re.compile(r" (\w*ca)([1-6](?:/[1-6])?)")
_FACINGS = re.compile(rf"(?:{_FACING.pattern})+")
_HATCHES = (" BU", " CE")
MAX_NAME = 200
MAX_SHOWN = 40_000
"""Longest name with texts, in characters."""


@dataclass(frozen=True)
class Label:
    """A text on a counter, and which of its lines it is."""

    slot: str
    text: str


@dataclass(frozen=True)
class Naming:
    """What a piece is called.

    `name` is the whole name, `unit` without facing and hatch, `shown` as VASL shows it to one who may see all, with
    texts. `labels` are from the outermost inwards.
    """

    name: str
    unit: str
    shown: str
    labels: tuple[Label, ...]
    facing: Mapping[str, str]


def naming(traits: Traits, clean: Callable[[str], str], work: Work) -> Naming:
    """Return what a piece is called. `clean` makes a text that players have typed fit to show."""
    name = unit = shown = traits.basic
    labels: list[Label] = []
    facing: dict[str, str] = {}
    for one in traits.layered:
        if isinstance(one, Layer):
            name, shown = _renamed(name, one.name), _renamed(shown, one.name)
            behind = _behind(one.name)
            if _FACINGS.fullmatch(behind):
                facing.update(_FACING.findall(behind))
            elif behind not in _HATCHES:
                unit = _renamed(unit, one.name)
        elif isinstance(one, Inscription):
            label = Label(clean(one.slot), clean(one.text))
            labels.append(label)
            form = clean(one.form) or "$pieceName$ ($label$)"
            work.spend(len(form) + len(shown) + len(label.text))
            # Once each: what a file asks for more often is not worth the memory.
            shown = form.replace("$pieceName$", shown, 1).replace("$label$", label.text, 1)
        elif one.how in _OWNED and one.user not in ("", "null"):
            shown += _OWNED[one.how]
        name, unit, shown = name[:MAX_NAME], unit[:MAX_NAME], shown[:MAX_SHOWN]
    return Naming(printable(name), printable(unit), printable(shown), tuple(reversed(labels)), facing)


_OWNED = {"hide": "(HIP)", "conceal": "(?)"}


def _behind(level: str) -> str:
    """Return what a level's name puts behind the piece's, or nothing."""
    first, *rest = decode(level, "+")
    return rest[0] if rest and not first else ""


def _renamed(name: str, level: str) -> str:
    if not level:
        return name
    first, *rest = decode(level, "+")
    if not rest:
        return first
    return first + name if first else name + rest[0]
