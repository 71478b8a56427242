"""The pieces of a save that Laager itself wrote: their numbers are marks, and tell what each of them is.

Marks hold through play: only what VASL makes anew (a Replaced unit, a deployed half-squad) has a number of its own.
A side knows the marks of its own units and works and of what both sides know, so no secret of the enemy's is told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from laager.rules.board.card.parts import other_side
from laager.rules.board.context import CardContext
from laager.rules.board.setup.hiding import QUESTION_MARK
from laager.rules.board.units import Fort
from laager.vasl.report.counters import STATUS
from laager.vasl.saves.counters import status_by_marker, without_status
from laager.vasl.saves.game import Piece
from laager.vasl.saves.marks import NO_COUNTER, Marks

_COUNTERS = 12
"""How many counters one work can be."""
_SIGNS = 12
"""How many counters tell the state of one unit."""
_LABELS: Mapping[str, str] = {mark.value: word for word, mark in STATUS.items()}
"""What a label says that stands for a counter which the module lacks, with VASL's word for it."""


@dataclass(frozen=True)
class Marked:
    """What pieces are, by their numbers: units of the reporting side, the enemy's that it knows, works, and fires.

    Units and works by their ids, fires by their hexes; `signs` are counters that tell the state of a unit. `common`
    says that Laager wrote what both sides know, `secret` that it wrote what this side alone does: then what is not
    there is gone. `gone` are the works that are.
    """

    units: Mapping[str, str] = field(default_factory=dict)
    theirs: Mapping[str, str] = field(default_factory=dict)
    forts: Mapping[str, str] = field(default_factory=dict)
    fires: Mapping[str, str] = field(default_factory=dict)
    signs: Mapping[str, str] = field(default_factory=dict)
    common: bool = False
    secret: bool = False
    gone: frozenset[str] = frozenset()

    def told(self, piece: Piece, unit: str, stack: Sequence[Piece], beside: Iterable[Piece]) -> Piece:
        """Return the piece of a unit with the state that its own counters tell, and none that those of others do.

        `beside` are all pieces in its place: counters that can't be under its "?" lie there in a stack of their own.
        """
        over = [one for one in stack if one.height > piece.height]
        apart = [one for one in beside if one.stack != piece.stack]
        own = [one for one in over if one.labels and self.signs.get(one.id) == unit]
        own += [one for one in apart if self.signs.get(one.id) == unit]
        free = {word for one in over if self.signs.get(one.id, unit) == unit for word in _words(one)}
        more = (word for one in own for word in _words(one))
        return replace(
            piece,
            status=tuple(dict.fromkeys((*piece.status, *more))),
            perhaps=tuple(word for word in piece.perhaps if word in free),
        )


def marked_in(pieces: Iterable[Piece], ids: Collection[str], cg: CardContext, side: str, marks: Marks | None) -> Marked:
    """Return what the numbers of pieces tell a side that sees them; nothing without marks.

    `ids` are the numbers of all pieces of the save: a work that the side can't see because it is hidden isn't gone.
    """
    if marks is None:
        return Marked()
    return _Reading(frozenset(piece.id for piece in pieces), ids, cg, side, marks).marked()


@dataclass(frozen=True)
class _Reading:
    there: frozenset[str]
    ids: Collection[str]
    cg: CardContext
    side: str
    marks: Marks

    def marked(self) -> Marked:
        units = list(self.cg.state.units_of(self.side))
        signs = [
            f"{word}:{unit.id}{number}"
            for unit in units
            for word, number in (("prisoner", ""), *(("mark", f":{number}") for number in range(_SIGNS)))
        ]
        ground, theirs = (
            self.cg.state.ground,
            [unit for unit in self.cg.state.units_of(other_side(self.side)) if unit.known],
        )
        common = self._any(self.marks.known, [*(unit.id for unit in (*units, *theirs)), *_controlled(self.cg)])
        secret = self._any(self.marks.secret, [unit.id for unit in units])
        works = [key for fort in self.cg.state.forts.values() for key in _counters(fort)]
        return Marked(
            units=self._there(self.marks.units(unit.id for unit in units)),
            theirs=self._there({self.marks.known(unit.id): unit.id for unit in theirs}),
            forts=self._named(works),
            fires=self._there({self.marks.known(f"fire:{at}"): at for at in (*ground.flames, *ground.blazes)}),
            signs=self._named(signs),
            common=common,
            secret=secret,
            gone=frozenset(fort.id for fort in self.cg.state.forts.values() if self._gone(fort, common, secret)),
        )

    def _there(self, known: Mapping[str, str]) -> Mapping[str, str]:
        return {mark: name for mark, name in known.items() if mark in self.there}

    def _named(self, keys: Iterable[str]) -> Mapping[str, str]:
        """Return by piece the id in the middle of its key."""
        return {mark: key.split(":")[1] for mark, key in self._there(self.marks.units(keys)).items()}

    def _any(self, mark: Callable[[str], str], keys: Iterable[str]) -> bool:
        return any(mark(key) in self.ids for key in keys)

    def _gone(self, fort: Fort, common: bool, secret: bool) -> bool:
        """True if a work was written, and has no counter any more."""
        written = secret and fort.side == self.side if fort.hidden else common
        if not written or not fort.at or fort.kind in (*NO_COUNTER, QUESTION_MARK):
            return False
        return not self._any(self.marks.known, _counters(fort)) and not self._any(self.marks.secret, _counters(fort))


def _controlled(cg: CardContext) -> list[str]:
    return [f"control:{at}" for at in cg.state.ground.control]


def _counters(fort: Fort) -> list[str]:
    """Return the keys of a work's counters."""
    return [f"fort:{fort.id}:{number}" for number in range(_COUNTERS)] if fort.at else []


def _words(piece: Piece) -> tuple[str, ...]:
    """Return what a counter tells of the unit beneath it: by its name, or by what is written on it."""
    written = (_LABELS.get(label.text, "") for label in piece.labels)
    return tuple(filter(None, (status_by_marker().get(without_status(piece.unit).strip(), ""), *written)))
