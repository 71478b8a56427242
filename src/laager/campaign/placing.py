"""Where on the map an answer puts things, and where it can put them: what a map shows beside a question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

Spot = TypedDict("Spot", {"at": str, "entry": str, "hide": str, "with": str})
"""Where an answer puts a piece: Location, Entry Area, how it hides, who has it; "" for none of them."""


@dataclass(frozen=True)
class Placing:
    """The map of a question whose answer names hexes, for its own side only.

    `allowed` returns the hexes for each thing that can be placed, by the option that names it, or for a field by its
    name; what it doesn't name can be anywhere. A hex that is not among them is refused; one that is can be refused for
    other reasons, which the question's check says. `placed` says where a well-formed answer puts each piece, those that
    it leaves open included; None if the answer places no pieces. `entries` returns the Entry Areas by which pieces can
    come.
    """

    allowed: Callable[[], Mapping[str, Collection[str]]]
    placed: Callable[[Any], Mapping[str, Spot]] | None = None
    entries: Callable[[], Mapping[str, Sequence[str]]] = dict
