"""The pieces of a save that Laager itself wrote: their numbers are marks, which identify them.

Marks hold through play: only pieces that VASL makes anew (a Replaced unit, a deployed half-squad) have other numbers.
A side knows the marks of its own units and works and of public ones, so no secret of the enemy's is revealed.
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
from laager.vasl.saves.marks import DIGITS, NO_COUNTER, Marks

_COUNTERS = 12
"""Most counters of one work."""
_SIGNS = 12
"""Most counters for the state of one unit."""
_LABELS: Mapping[str, str] = {mark.value: word for word, mark in STATUS.items()}
"""Texts of labels that replace counters which the module lacks, with VASL's words for them."""


@dataclass(frozen=True)
class MarkedPieces:
    """Identified pieces by their numbers: units of the reporting side, the enemy's that it knows, works, and fires.

    Units and works by their ids, fires by their hexes; `signs` are counters that tell the state of a unit. `common`
    says that Laager wrote what both sides know, `secret` that it wrote what this side alone does: then what is not
    there is gone. `gone` are the works that are.
    """

    units: Mapping[str, str] = field(default_factory=dict)
    theirs: Mapping[str, str] = field(default_factory=dict)
    forts: Mapping[str, str] = field(default_factory=dict)
    fires: Mapping[str, str] = field(default_factory=dict)
    signs: Mapping[str, str] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)
    """OBA modules by the numbers of their labels."""
    common: bool = False
    secret: bool = False
    gone: frozenset[str] = frozenset()

    def with_state(self, piece: Piece, unit: str, stack: Sequence[Piece], beside: Iterable[Piece]) -> Piece:
        """Return the piece of a unit with the state by its own counters, and nothing by those of others.

        `beside` are all pieces in its place: counters that can't be under its "?" lie there in a stack of their own.
        """
        over = [counter for counter in stack if counter.height > piece.height]
        apart = [counter for counter in beside if counter.stack != piece.stack]
        own_counters = [counter for counter in over if counter.labels and self.signs.get(counter.id) == unit]
        own_counters += [counter for counter in apart if self.signs.get(counter.id) == unit]
        free = {word for counter in over if self.signs.get(counter.id, unit) == unit for word in _status_words(counter)}
        more = (word for counter in own_counters for word in _status_words(counter))
        return replace(
            piece,
            status=tuple(dict.fromkeys((*piece.status, *more))),
            perhaps=tuple(word for word in piece.perhaps if word in free),
        )


def find_marked(
    pieces: Iterable[Piece], ids: Collection[str], cg: CardContext, side: str, marks: Marks | None
) -> MarkedPieces:
    """Return the pieces that a side can identify by their numbers; none without marks.

    `ids` are the numbers of all pieces of the save: a work that the side can't see because it is hidden isn't gone.
    """
    if marks is None:
        return MarkedPieces()
    return _MarkReader(frozenset(piece.id for piece in pieces), ids, cg, side, marks).read()


def other_battle(ids: Collection[str], cg: CardContext, marks: Marks) -> str:
    """Say of which other battle Laager's pieces in a save are; "" for this one's, and for a save without any.

    `ids` are the numbers of all pieces. Those of another campaign read like any number, but VASL's own are shorter.
    """
    forts = (key for fort in cg.state.forts.values() for key in _counter_keys(fort))
    keys = [*cg.state.units, *forts, *_control_keys(cg)]
    for number in range(marks.battle, -1, -1):
        if not marks.units(keys, number).keys().isdisjoint(ids):
            break
    else:
        written = sum(len(name) == DIGITS and name.isdecimal() for name in ids)
        # A few may be what the enemy alone knows, in a game that Laager didn't write.
        return "its counters were written for another campaign" if 2 * written > len(ids) else ""
    return "" if number == marks.battle else f"its counters are those of battle {number}; this is battle {marks.battle}"


@dataclass(frozen=True)
class _MarkReader:
    present: frozenset[str]
    ids: Collection[str]
    cg: CardContext
    side: str
    marks: Marks

    def read(self) -> MarkedPieces:
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
        common = self._has_any(
            self.marks.open_mark, [*(unit.id for unit in (*units, *theirs)), *_control_keys(self.cg)]
        )
        secret = self._has_any(self.marks.secret, [unit.id for unit in units])
        works = [key for fort in self.cg.state.forts.values() for key in _counter_keys(fort)]
        return MarkedPieces(
            units=self._present(self.marks.units(unit.id for unit in units)),
            theirs=self._present({self.marks.open_mark(unit.id): unit.id for unit in theirs}),
            forts=self._ids_by_piece(works),
            fires=self._present({self.marks.open_mark(f"fire:{at}"): at for at in (*ground.flames, *ground.blazes)}),
            signs=self._ids_by_piece(signs),
            modules=self._ids_by_piece(f"oba:{group.id}" for group in self.cg.state.groups_of(self.side)),
            common=common,
            secret=secret,
            gone=frozenset(fort.id for fort in self.cg.state.forts.values() if self._is_gone(fort, common, secret)),
        )

    def _present(self, known: Mapping[str, str]) -> Mapping[str, str]:
        return {mark: name for mark, name in known.items() if mark in self.present}

    def _ids_by_piece(self, keys: Iterable[str]) -> Mapping[str, str]:
        """Return by piece the id in the middle of its key."""
        return {mark: key.split(":")[1] for mark, key in self._present(self.marks.units(keys)).items()}

    def _has_any(self, mark: Callable[[str], str], keys: Iterable[str]) -> bool:
        return any(mark(key) in self.ids for key in keys)

    def _is_gone(self, fort: Fort, common: bool, secret: bool) -> bool:
        """True if a work was written, and has no counter any more."""
        written = secret and fort.side == self.side if fort.hidden else common
        if not written or not fort.at or fort.kind in (*NO_COUNTER, QUESTION_MARK):
            return False
        return not self._has_any(self.marks.open_mark, _counter_keys(fort)) and not self._has_any(
            self.marks.secret, _counter_keys(fort)
        )


def _control_keys(cg: CardContext) -> list[str]:
    return [f"control:{at}" for at in cg.state.ground.control]


def _counter_keys(fort: Fort) -> list[str]:
    """Return the keys of a work's counters."""
    return [f"fort:{fort.id}:{number}" for number in range(_COUNTERS)] if fort.at else []


def _status_words(piece: Piece) -> tuple[str, ...]:
    """Return the status that a counter gives the unit beneath it: by its name, or by its label."""
    written = (_LABELS.get(label.text, "") for label in piece.labels)
    return tuple(filter(None, (status_by_marker().get(without_status(piece.unit).strip(), ""), *written)))
