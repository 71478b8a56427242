"""Names: what a piece is called, told by its basic name and the layers over it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from laager.vasl.saves.pieces import Trait, whole
from laager.vasl.saves.sequence import Work, decode

_PICTURES, _LEVELS = 16, 17
_OLD_LEVELS = 9
"""From which field on an old layer lists its levels."""
_FORMAT = 12
_FACING = re.compile(r" (\w*ca)([1-6](?:/[1-6])?)")
_FACINGS = re.compile(rf"(?:{_FACING.pattern})+")
_HATCHES = (" BU", " CE")
MAX_NAME = 200
MAX_SHOWN = 40_000
"""Longest name with texts, in characters."""


@dataclass(frozen=True)
class Layer:
    """The active level of a layer, from 1; what it does to the name, and its picture."""

    level: int
    name: str
    picture: str


@dataclass(frozen=True)
class Label:
    """A text on a counter, and which of its lines it is."""

    slot: str
    text: str


@dataclass(frozen=True)
class Naming:
    """What a piece is called.

    `name` is the whole name, `unit` without facing and hatch, `shown` as VASL shows it to one who
    may see all, with texts. `layers` are from the innermost outwards, `labels` from the
    outermost inwards.
    """

    name: str
    unit: str
    shown: str
    layers: tuple[Layer, ...]
    labels: tuple[Label, ...]
    facing: Mapping[str, str]


def layer_of(trait: Trait) -> Layer | None:
    """Return the active level of a layer, or None if the layer is off."""
    level = whole(trait.state.partition(";")[0]) or 0
    if level <= 0:
        return None
    fields = trait.fields
    if trait.id == "emb2":
        pictures, names = (decode(fields[at], ",") if at < len(fields) else [] for at in (_PICTURES, _LEVELS))
    else:
        levels = [[*decode(one, ","), ""] for one in fields[_OLD_LEVELS:]]
        pictures, names = [one[0] for one in levels], [one[1] for one in levels]
    return Layer(level, _at(names, level), _at(pictures, level).strip())


def naming(traits: Sequence[Trait], basic: str, clean: Callable[[str], str], work: Work) -> Naming:
    """Return what a piece is called. `clean` makes a text that players have typed fit to show."""
    name = unit = shown = basic
    layers: list[Layer] = []
    labels: list[Label] = []
    facing: dict[str, str] = {}
    for trait in reversed(traits):
        if trait.id in ("emb2", "emb"):
            layer = layer_of(trait)
            if layer is None:
                continue
            layers.append(layer)
            name, shown = _renamed(name, layer.name), _renamed(shown, layer.name)
            behind = _behind(layer.name)
            if _FACINGS.fullmatch(behind):
                facing.update(_FACING.findall(behind))
            elif behind not in _HATCHES:
                unit = _renamed(unit, layer.name)
        elif trait.id == "label" and trait.state:
            label = Label(clean(trait.field(2)), clean(trait.state))
            labels.append(label)
            form = clean(trait.field(_FORMAT)) or "$pieceName$ ($label$)"
            work.spend(len(form) + len(shown) + len(label.text))
            # Once each: what a file asks for more often is not worth the memory.
            shown = form.replace("$pieceName$", shown, 1).replace("$label$", label.text, 1)
        elif trait.id == "hide" and _somebody(trait):
            shown += "(HIP)"
        elif trait.id == "conceal" and _somebody(trait):
            shown += "(?)"
        name, unit, shown = name[:MAX_NAME], unit[:MAX_NAME], shown[:MAX_SHOWN]
    return Naming(name, unit, shown, tuple(layers), tuple(reversed(labels)), facing)


def user_of(trait: Trait) -> str:
    """Return the user id in the state of a hidden or concealed piece: a password, keep it in."""
    return trait.state if trait.id == "hide" else decode(trait.state, ";")[0]


def _somebody(trait: Trait) -> bool:
    return user_of(trait) not in ("", "null")


def _at(names: list[str], level: int) -> str:
    return names[level - 1] if level <= len(names) else ""


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
