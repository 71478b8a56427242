"""Matches the pieces of a save to the campaign's units.

The procedure, in this order; what it can't decide becomes a question, nothing is dropped:

1. The piece's number, if Laager wrote it; else a label with the unit's id (or its name, if only one unit has it).
2. Pieces and units of the same type, type by type, personnel before weapons. Units that the record does not tell apart
   are interchangeable: the nearest is taken. Of others first weapons whose possessor is the same, then those that stand
   where they stood, then a unit that is left alone; for the rest the nearest is proposed, and asked.
3. What is left: units that can have become the piece's type (Reduced, Replaced, hardened ...).
4. Pieces that match no unit are new (heroes, half-squads, crews), or not known: asked.
5. Units that match no piece are asked, with those in the casualties bin proposed as eliminated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from laager.rules.board.changes import INFANTRY
from laager.rules.board.context import CardContext
from laager.rules.board.report.marks import LASTING
from laager.rules.board.units import Mark, Unit
from laager.vasl.report.counters import STAYS, CounterType, possible_changes
from laager.vasl.report.findings import LEAVE, LEAVE_OUT, NEW, UPDATER, Doubt, Findings
from laager.vasl.report.places import BESIDE, DEAD, NOWHERE, ON_MAP, Spot
from laager.vasl.saves.game import Piece

FAR = 10_000
_WORD = re.compile(r"[\w+/-]+")
ITEMS = ("sw", "gun")
_FAMILIES = {"sw": "sw", "gun": "gun", "afv": "vehicle", "vehicle": "vehicle"}
_QUALITY = LASTING - {Mark.EMPLACED, Mark.LIMBERED, Mark.HOOKED}
_NEW_UNIT: Mapping[str, str] = {NEW: "a new unit"}

Fits = Sequence[tuple[Unit, str]]
"""Units that a piece can be, each with the word for the change of its type."""


@dataclass(frozen=True, eq=False)
class Token:
    """A piece that is a unit of the side: its type and its place."""

    piece: Piece
    named: CounterType
    spot: Spot
    stack: tuple[Piece, ...] = ()
    wreck: bool = False
    foreign: bool = False
    """True if it is a weapon of the enemy's nation."""
    doubt: str = ""
    """The doubt about its type; if there is one, the match is a question."""
    marked: str = ""
    """The id of its unit by its number, if Laager wrote it."""
    theirs: bool = False
    """True if by its number the enemy had it when Laager wrote it."""

    @property
    def key(self) -> str:
        """The name under which it is settled."""
        return f"piece:{self.piece.id}"

    @property
    def sort(self) -> tuple[str, str, bool]:
        """Type, kind and nationality: equal for pieces that could stand for the same units."""
        return self.named.type, self.named.kind, self.foreign

    @property
    def living(self) -> bool:
        """True if it is on the map, or could be if one knew where, and no wreck."""
        return not self.wreck and self.spot.where in (ON_MAP, NOWHERE)

    @property
    def can_be_new(self) -> bool:
        """True if it can be a unit that came into being in play."""
        personnel = self.named.kind in INFANTRY and not self.foreign
        return personnel and not self.wreck and self.spot.where == ON_MAP

    @property
    def words(self) -> frozenset[str]:
        """The words that players have written on it."""
        texts = " ".join(label.text for label in self.piece.labels)
        return frozenset(_WORD.findall(texts.upper()))


def signature(unit: Unit) -> tuple[object, ...]:
    """Return the values that distinguish a unit from others of its type on the record."""
    quality = unit.marks & (_QUALITY | STAYS)
    return unit.group, unit.name, unit.nation, quality, unit.since, unit.fought


def _are_alike(units: Iterable[Unit]) -> bool:
    return len({signature(unit) for unit in units}) == 1


def _visible_state(token: Token) -> tuple[object, ...]:
    """Return the state that a piece shows."""
    piece = token.piece
    return piece.status, piece.perhaps, piece.hidden_by, piece.concealed_by


@dataclass
class Pairs:
    """The outcome of matching: the piece of each unit, and new units with their origins.

    `free` are the units, `left` the pieces that are not matched yet. `new` are pieces that are new units, each with the
    id of the unit out of which it came, or "".
    """

    cg: CardContext
    findings: Findings
    free: list[Unit] = field(default_factory=list)
    left: list[Token] = field(default_factory=list)
    token_of: dict[str, Token] = field(default_factory=dict)
    """Unit id -> its piece."""
    new: list[tuple[Token, str]] = field(default_factory=list)

    def match(self) -> None:
        """Match the pieces to the units, round by round."""
        self._apply_choices()
        self._match_marked()
        self._match_labelled()
        self._match_same_type(lambda candidate: candidate.living)
        self._match_same_type(lambda candidate: candidate.wreck)
        self._match_changed()
        self._match_same_type(lambda candidate: candidate.spot.where == BESIDE)
        self._match_same_type(lambda candidate: candidate.spot.where == DEAD)
        for token in self.left:
            self._ask_unmatched(token)

    def distance(self, unit: Unit, token: Token) -> int:
        """Return how far a piece lies from where the record has the unit, in hexes."""
        if token.spot.where == DEAD:
            return 2 * FAR
        if token.spot.where == BESIDE:
            return 0 if not unit.on_map else FAR + 1
        if token.spot.where == NOWHERE:
            return FAR + 2
        if unit.hex is None:
            return FAR
        return self.cg.map.distance(unit.hex, token.spot.at.split(".")[0])

    def _cost(self, unit: Unit, token: Token) -> tuple[int, int, int]:
        """Return the cost of a pair, least for the best: state, distance, Location."""
        worse = len({mark.value for mark in unit.marks & STAYS} - set(token.piece.status))
        return worse, self.distance(unit, token), int(unit.at != token.spot.at)

    def _change_word(self, unit: Unit, token: Token) -> str | None:
        """Return the word for how a unit became a piece's type: "" if it is the same, None if it can't."""
        if (unit.nation != self.cg.side(unit.side).nation) != token.foreign:
            return None
        if unit.type == token.named.type and _same_kind(unit.kind, token.named.kind):
            return ""
        if token.foreign or unit.kind not in INFANTRY:
            return None
        return possible_changes(self.cg.nation_of(unit), unit.type, unit.kind).get(token.named.type)

    def _fits(self, token: Token) -> Fits:
        """Return the free units that a piece can be."""
        candidates = ((unit, self._change_word(unit, token)) for unit in self.free if unit.id not in self.token_of)
        return [(unit, how) for unit, how in candidates if how is not None]

    def _drop(self, units: list[Unit] | None = None, tokens: list[Token] | None = None) -> None:
        """Take what is matched out of two lists, by default `free` and `left`."""
        units, tokens = (self.free if units is None else units), (self.left if tokens is None else tokens)
        taken = {token.piece.id for token in self.token_of.values()} | {token.piece.id for token, _ in self.new}
        units[:] = [unit for unit in units if unit.id not in self.token_of]
        tokens[:] = [token for token in tokens if token.piece.id not in taken]

    def _nearest_pairs(self, units: Iterable[Unit], tokens: Sequence[Token]) -> Iterator[tuple[Unit, Token]]:
        """Yield pairs, the best first; among equals in the order of the record and the save."""
        costs = [
            (self._cost(unit, token), i, j, unit, token)
            for i, unit in enumerate(units)
            for j, token in enumerate(tokens)
        ]
        taken: set[tuple[str, int]] = set()
        for _, i, j, unit, token in sorted(costs, key=lambda entry: entry[:3]):
            if taken.isdisjoint({("unit", i), ("token", j)}):
                taken |= {("unit", i), ("token", j)}
                yield unit, token

    def _sure(self, unit: Unit, token: Token, how: str, why: str) -> None:
        """Take a piece for a unit; asked only if what the piece is is doubtful."""
        self.token_of[unit.id] = token
        if token.doubt:
            self._ask(token, f"looks like {unit.label}, but {token.doubt}", [(unit, how)], f"unit:{unit.id}")
            return
        changed = f"{how}: was {unit.type}; " if how else ""
        why = f"is {unit.label}; {changed}{why}"
        self.findings.sure(token.key, token.piece.name, why, token.spot.at, f"unit:{unit.id}")

    def _ask(
        self,
        token: Token,
        why: str,
        fits: Fits,
        proposed: str,
        also: Mapping[str, str] = LEAVE_OUT,
        into: Doubt = "to_confirm",
    ) -> str:
        options = {
            f"unit:{unit.id}": " ".join(filter(None, [unit.label, _place(unit), how or ""])) for unit, how in fits
        }
        return self.findings.ask(token.key, token.piece.name, why, {**options, **also}, proposed, token.spot.at, into)

    # 0 and 1: chosen, or written on the piece ---------------------------------------------------------

    def _apply_choices(self) -> None:
        """Apply the side's own choices; no other piece can be these units any more."""
        by_id = {unit.id: unit for unit in self.free}
        for token in list(self.left):
            value = self.findings.choices.get(token.key, "")
            unit = by_id.get(value.removeprefix("unit:")) if value.startswith("unit:") else None
            how = self._change_word(unit, token) if unit is not None else None
            if unit is not None and how is not None and unit.id not in self.token_of:
                self._ask(token, "", [(unit, how)], value)
                self.token_of[unit.id] = token
            elif value == LEAVE:
                self._ask(token, "", [], LEAVE)
                self.left.remove(token)
            elif token.can_be_new and (value == NEW or value.removeprefix("new:") in by_id):
                self._ask(token, "", [], value, {value: "a new unit"})
                self._note_new(token, value)
        self._drop()

    def _note_new(self, token: Token, value: str) -> None:
        self.new.append((token, value.removeprefix(NEW).removeprefix(":")))

    def _match_marked(self) -> None:
        """Take pieces for the units that their numbers tell; what a unit can't have become is left to the rest."""
        by_id = {unit.id: unit for unit in self.free}
        for token in self.left:
            unit = by_id.get(token.marked)
            how = self._change_word(unit, token) if unit is not None else None
            if unit is not None and how is not None and unit.id not in self.token_of:
                self._sure(unit, token, how, "Laager set it up")
        self._drop()

    def _match_labelled(self) -> None:
        for token in self.left:
            words = token.words
            fits = self._fits(token) if words else []
            by_id = [fit for fit in fits if fit[0].id.upper() in words]
            by_name = [fit for fit in fits if fit[0].name and fit[0].name.upper() in words]
            for matches in (by_id, by_name):
                if len(matches) == 1:
                    self._sure(matches[0][0], token, matches[0][1], "its label says so")
                    break
        self._drop()

    # 2: the same type -----------------------------------------------------------------------------

    def _match_same_type(self, wanted: Callable[[Token], bool]) -> None:
        """Pair pieces of one sort of place with units of the same type, type by type."""
        sorts = dict.fromkeys(token.sort for token in self.left if wanted(token))
        for sort in sorted(sorts, key=lambda candidate: candidate[1] in ITEMS):
            tokens = [token for token in self.left if wanted(token) and token.sort == sort]
            units = [unit for unit in self.free if self._change_word(unit, tokens[0]) == ""]
            if tokens[0].living:
                beside = [
                    candidate for candidate in self.left if candidate.spot.where == BESIDE and candidate.sort == sort
                ]
                units = self._drop_not_entered(units, len(beside))
            self._pair_same_type(units, tokens)
            self._drop()

    def _drop_not_entered(self, units: list[Unit], beside: int) -> list[Unit]:
        """Leave out units that have not entered: the counter lies next to the boards, or the possessor stays."""
        off = [unit for unit in units if not unit.on_map]
        if beside >= len(off):
            return [unit for unit in units if unit.on_map]
        away = {
            unit.id for unit in off if unit.kind in ITEMS and unit.with_unit and unit.with_unit not in self.token_of
        }
        return [unit for unit in units if unit.id not in away]

    def _pair_same_type(self, units: list[Unit], tokens: list[Token]) -> None:
        if tokens[0].named.kind in ITEMS:
            self._pair_by_possessor(units, tokens)
        self._pair_unmoved(units, tokens)
        if not units or not tokens:
            return
        # Of pieces that lie in no hex it does not matter which is which.
        few = len(tokens) > len(units) and tokens[0].spot.where in (ON_MAP, NOWHERE)
        if (_are_alike(units) and not few) or len(units) == len(tokens) == 1:
            why = "the only one it can be" if len(units) == 1 else "the record does not tell them apart"
            for unit, token in self._nearest_pairs(units, tokens):
                self._sure(unit, token, "", why)
            return
        proposed = {token.piece.id: unit for unit, token in self._nearest_pairs(units, tokens)}
        why = "which of several is it? The nearest is proposed"
        if few:
            why = f"{len(tokens)} such pieces, but only {len(units)} such units; the nearest"
        for token in tokens:
            if token.piece.id in proposed:
                unit = proposed[token.piece.id]
                if (
                    self._ask(token, why, [(candidate, "") for candidate in units], f"unit:{unit.id}")
                    == f"unit:{unit.id}"
                ):
                    self.token_of[unit.id] = token

    def _pair_by_possessor(self, units: list[Unit], tokens: list[Token]) -> None:
        """Pair weapons with pieces that lie on their possessors of the record."""
        if len({signature(unit) for unit in units}) < 2:
            return
        who = {token.piece.id: unit_id for unit_id, token in self.token_of.items()}
        for token in tokens:
            below = [piece for piece in token.stack if piece.height < token.piece.height and piece.id in who]
            men = [piece for piece in reversed(below) if self.cg.state.units[who[piece.id]].kind in INFANTRY]
            holder = who[men[0].id] if men else ""
            with_him = [u for u in units if u.with_unit == holder and u.id not in self.token_of]
            if holder and _are_alike(with_him):
                self._sure(with_him[0], token, "", f"still with {holder}")
        self._drop(units, tokens)

    def _pair_unmoved(self, units: list[Unit], tokens: list[Token]) -> None:
        """Pair what stands where it stood, if all that stood there are alike, or all still stand."""
        if len({signature(unit) for unit in units}) < 2 and len(tokens) <= len(units):
            return
        placed = [token for token in tokens if token.spot.where == ON_MAP]
        for at in dict.fromkeys(token.spot.at for token in placed):
            stood = [unit for unit in units if unit.on_map and unit.at == at]
            stand = [candidate for candidate in placed if candidate.spot.at == at]
            alike = _are_alike(stood) and len(stand) <= len(stood)
            if alike or (len(stand) == len(stood) and len(set(map(_visible_state, stand))) == 1):
                why = "stands where it stood" if alike else "all that stood there stand there"
                for unit, token in zip(stood, stand, strict=False):
                    self._sure(unit, token, "", why)
        self._drop(units, tokens)

    # 3: another type ------------------------------------------------------------------------------

    def _match_changed(self) -> None:
        """Pair units with pieces of types that they can have become."""
        dead = {candidate.named.type for candidate in self.left if candidate.spot.where == DEAD}
        for type_ in dict.fromkeys(token.named.type for token in self.left if token.living):
            tokens = [candidate for candidate in self.left if candidate.named.type == type_ and candidate.living]
            fits = self._could_become(tokens[0])
            alike = len({(signature(unit), how) for unit, how in fits}) == 1
            rivals = self._rivals(type_, fits) or any(unit.type in dead for unit, _ in fits)
            hows = {unit.id: how for unit, how in fits}
            for unit, token in list(self._nearest_pairs([unit for unit, _ in fits], tokens)):
                how = hows[unit.id]
                if alike and not rivals and len(tokens) <= len(fits):
                    self._sure(unit, token, how, "the only sort of unit it can have been")
                    continue
                why = f"could be {unit.label}, {how}; or others, or a new unit"
                self._ask(token, why, fits, f"unit:{unit.id}", _others(token))
                self.token_of[unit.id] = token
            self._drop()

    def _could_become(self, token: Token) -> Fits:
        """Return the units that can have become another type, that of a piece."""
        return [(unit, how) for unit, how in self._fits(token) if how]

    def _rivals(self, type_: str, fits: Fits) -> bool:
        """True if pieces of another type could be the same units."""
        ids = {unit.id for unit, _ in fits}
        others = {o.named.type: o for o in self.left if o.named.type != type_ and o.living}
        return any(unit.id in ids for candidate in others.values() for unit, _ in self._could_become(candidate))

    # 4: no unit -----------------------------------------------------------------------------------

    def _ask_unmatched(self, token: Token) -> None:
        """Ask about a piece that is none of the units, or count it where it does not matter."""
        if token.wreck:
            self.findings.pass_over("wrecks that no unit on the record left")
            return
        if token.spot.where in (BESIDE, DEAD):
            where = "beside the boards" if token.spot.where == BESIDE else "lost"
            self.findings.pass_over(f"pieces {where} that are not units on the record")
            return
        also, proposed = _others(token), LEAVE
        why = token.spot.doubt or "no unit on the record is left that it could be"
        parent = self._parent(token)
        if token.can_be_new and parent is not None:
            proposed, why = f"new:{parent.id}", f"is it new, out of {parent.label}?"
            also = {proposed: f"a new unit, out of {parent.label}", **also}
        elif token.can_be_new and token.named.kind == "hero":
            proposed, why = NEW, "a hero who came into being in play?"
        elif token.named.kind == "squad" and self._has_twin(token):
            why = f"{why}, and another piece has its name; {UPDATER}"
        self._ask(token, why, self._fits(token), proposed, also, "unknown" if proposed == LEAVE else "to_confirm")
        if proposed != LEAVE:
            self._note_new(token, proposed)

    def _has_twin(self, token: Token) -> bool:
        """True if a unit on the record has a piece of the same name."""
        return any(other.piece.name == token.piece.name for other in self.token_of.values())

    def _parent(self, token: Token) -> Unit | None:
        """Return the unit out of which a half-squad or crew came: a squad, a vehicle or its wreck."""
        units = self.cg.state.units
        if token.named.kind == "half-squad":
            used = {parent for _, parent in self.new}
            halves = [
                units[unit_id]
                for unit_id, other in self.token_of.items()
                if other.named.type == token.named.type and units[unit_id].kind == "squad" and unit_id not in used
            ]
            return min(halves, key=lambda unit: self.distance(unit, token), default=None)
        if token.named.kind == "crew":
            for unit_id, other in self.token_of.items():
                empty = other.wreck or "abandoned" in other.piece.status
                vehicle = units[unit_id].kind in ("afv", "vehicle")
                if vehicle and empty and other.spot.at == token.spot.at:
                    return units[unit_id]
        return None


def _same_kind(kind: str, other: str) -> bool:
    """True if a kind of the record and one of a counter can be the same thing."""
    same = kind == other or {kind, other} <= {"leader", "commissar"}
    return same or (kind in _FAMILIES and _FAMILIES[kind] == _FAMILIES.get(other))


def _others(token: Token) -> Mapping[str, str]:
    return {**(_NEW_UNIT if token.can_be_new else {}), **LEAVE_OUT}


def _place(unit: Unit) -> str:
    group = f", {unit.group}" if unit.group else ""
    return f"(was {unit.at or 'off the map'}{group})"
