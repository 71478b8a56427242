"""Pieces to units: which of the campaign's units is which piece of a save.

The procedure, in this order; what it can't decide is asked, nothing is dropped:

1. A label on the piece with the unit's id (or, where only one unit has it, its name).
2. Pieces and units of the same type, type by type, men before weapons. Units that the record does
   not tell apart are interchangeable: the nearest is taken. Of others first weapons whose possessor
   is the same, then those that stand where they stood, then whoever is left alone; for the rest the
   nearest is proposed, and asked.
3. What is left: units that can have become the piece's type (Reduced, Replaced, hardened ...).
4. Pieces that match no unit are new (heroes, half-squads, crews), or not known: asked.
5. Units that match no piece are asked, with those in the casualties bin proposed as eliminated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from laager.rules.board.changes import INFANTRY
from laager.rules.board.context import CardContext
from laager.rules.board.report.marks import LASTING
from laager.rules.board.units import Mark, Unit
from laager.vasl.report.counters import STAYS, Named, changes
from laager.vasl.report.findings import LEAVE, NEW, Candidate, Finding, Findings
from laager.vasl.report.places import BESIDE, DEAD, NOWHERE, ON_MAP, Spot
from laager.vasl.saves.game import Piece

FAR = 10_000
_WORD = re.compile(r"[\w+/-]+")
ITEMS = ("sw", "gun")
_FAMILIES = {"sw": "sw", "gun": "gun", "afv": "vehicle", "vehicle": "vehicle"}
_QUALITY = LASTING - {Mark.EMPLACED, Mark.LIMBERED, Mark.HOOKED}


@dataclass(frozen=True, eq=False)
class Token:
    """A piece that is a unit of the side: what it is, and where."""

    piece: Piece
    named: Named
    spot: Spot
    stack: tuple[Piece, ...] = ()
    wreck: bool = False
    foreign: bool = False
    """Whether it is a weapon of the enemy's nation."""
    doubt: str = ""
    """What is doubtful about what it is: then whatever it is taken for is asked."""

    @property
    def key(self) -> str:
        """The name under which it is settled."""
        return f"piece:{self.piece.id}"

    @property
    def what(self) -> str:
        """What players call it."""
        return self.piece.name

    @property
    def living(self) -> bool:
        """Whether it is on the map, or would be if one knew where, and no wreck."""
        return not self.wreck and self.spot.where in (ON_MAP, NOWHERE)

    @property
    def words(self) -> frozenset[str]:
        """The words that players have written on it."""
        texts = " ".join(label.text for label in self.piece.labels)
        return frozenset(_WORD.findall(texts.upper()))


@dataclass
class Pairs:
    """Who is which piece, and who may have made it: the outcome of matching."""

    cg: CardContext
    findings: Findings
    token_of: dict[str, Token] = field(default_factory=dict)
    """Unit id -> its piece."""
    how: dict[str, str] = field(default_factory=dict)
    """Unit id -> the word for what became of its type."""
    new: list[tuple[Token, str]] = field(default_factory=list)
    """Pieces that are new units, each with the id of the unit out of which it came, or ""."""

    def pair(self, unit: Unit, token: Token, how: str = "") -> None:
        """Take a piece for a unit."""
        self.token_of[unit.id] = token
        if how:
            self.how[unit.id] = how

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

    def cost(self, unit: Unit, token: Token) -> tuple[int, int, int]:
        """Return how little speaks for a pair: state, distance, Location."""
        worse = len({mark.value for mark in unit.marks & STAYS} - set(token.piece.status))
        return worse, self.distance(unit, token), int(unit.at != token.spot.at)


def match(pairs: Pairs, units: Sequence[Unit], tokens: Sequence[Token]) -> None:
    """Match the pieces of a side to its units, round by round."""
    left, free = list(tokens), list(units)
    _chosen(pairs, free, left)
    _labelled(pairs, free, left)
    _alike(pairs, free, left, lambda one: one.living)
    _alike(pairs, free, left, lambda one: one.wreck)
    _changed(pairs, free, left)
    _alike(pairs, free, left, lambda one: one.spot.where == BESIDE)
    _alike(pairs, free, left, lambda one: one.spot.where == DEAD)
    for token in left:
        _unmatched(pairs, free, token)


def _alike(pairs: Pairs, free: list[Unit], left: list[Token], wanted: Callable[[Token], bool]) -> None:
    """Pair pieces of one sort of place with units of the same type, type by type."""
    sorts = dict.fromkeys(_sort(token) for token in left if wanted(token))
    for sort in sorted(sorts, key=lambda one: one[1] in ITEMS):
        there = [token for token in left if wanted(token) and _sort(token) == sort]
        mine = [unit for unit in free if _how(pairs.cg, unit, there[0]) == ""]
        if there[0].living:
            beside = [one for one in left if one.spot.where == BESIDE and _sort(one) == sort]
            mine = _come(pairs, mine, len(beside))
        _same_type(pairs, mine, there)
        _drop(pairs, free, left)


def _come(pairs: Pairs, units: list[Unit], beside: int) -> list[Unit]:
    """Leave out who has not entered: his counter lies beside the boards, or his possessor stays."""
    off = [unit for unit in units if not unit.on_map]
    if beside >= len(off):
        return [unit for unit in units if unit.on_map]
    away = {unit.id for unit in off if unit.kind in ITEMS and unit.with_unit and unit.with_unit not in pairs.token_of}
    return [unit for unit in units if unit.id not in away]


def _sort(token: Token) -> tuple[str, str, bool]:
    return token.named.type, token.named.kind, token.foreign


def _fits(kind: str, other: str) -> bool:
    """Whether a kind of the record and one of a counter can be the same thing."""
    same = kind == other or {kind, other} <= {"leader", "commissar"}
    return same or (kind in _FAMILIES and _FAMILIES[kind] == _FAMILIES.get(other))


def _drop(pairs: Pairs, free: list[Unit], left: list[Token]) -> None:
    taken = {token.piece.id for token in pairs.token_of.values()}
    taken |= {token.piece.id for token, _ in pairs.new}
    free[:] = [unit for unit in free if unit.id not in pairs.token_of]
    left[:] = [token for token in left if token.piece.id not in taken]


# 0 and 1: told ------------------------------------------------------------------------------------


def _chosen(pairs: Pairs, free: list[Unit], left: list[Token]) -> None:
    """Take what the side has chosen itself; nobody else can have these units any more."""
    by_id = {unit.id: unit for unit in free}
    for token in list(left):
        value = pairs.findings.choices.get(token.key, "")
        unit = by_id.get(value.removeprefix("unit:")) if value.startswith("unit:") else None
        how = _how(pairs.cg, unit, token) if unit is not None else None
        if unit is not None and how is not None and unit.id not in pairs.token_of:
            _ask(pairs, token, "", [(unit, how)], value)
            pairs.pair(unit, token, how)
        elif value == LEAVE:
            _ask(pairs, token, "", [], LEAVE)
            left.remove(token)
        elif can_be_new(token) and (value == NEW or value.removeprefix("new:") in by_id):
            _ask(pairs, token, "", [], value, [Candidate(value, "a new unit")])
            pairs.new.append((token, value.removeprefix(NEW).removeprefix(":")))
    _drop(pairs, free, left)


def can_be_new(token: Token) -> bool:
    """Whether a piece can be a unit that came into being in play."""
    personnel = token.named.kind in INFANTRY and not token.foreign
    return personnel and not token.wreck and token.spot.where == ON_MAP


def _how(cg: CardContext, unit: Unit, token: Token) -> str | None:
    """Return the word for how a unit became a piece's type: "" if it is the same, None if not."""
    if (unit.nation != cg.side(unit.side).nation) != token.foreign:
        return None
    if unit.type == token.named.type and _fits(unit.kind, token.named.kind):
        return ""
    if token.foreign or unit.kind not in INFANTRY:
        return None
    return changes(cg.nation_of(unit), unit.type, unit.kind).get(token.named.type)


def _labelled(pairs: Pairs, free: list[Unit], left: list[Token]) -> None:
    for token in left:
        words = token.words
        if not words:
            continue
        fits = [(unit, _how(pairs.cg, unit, token)) for unit in free]
        fits = [(u, how) for u, how in fits if how is not None and u.id not in pairs.token_of]
        by_id = [one for one in fits if one[0].id.upper() in words]
        by_name = [one for one in fits if one[0].name and one[0].name.upper() in words]
        for found in (by_id, by_name):
            if len(found) == 1:
                unit, how = found[0]
                _sure(pairs, unit, token, how or "", "its label says so")
                break
    _drop(pairs, free, left)


def _sure(pairs: Pairs, unit: Unit, token: Token, how: str, why: str) -> None:
    changed = f"{how}: was {unit.type}; " if how else ""
    why = f"is {unit.label}; {changed}{why}"
    pairs.pair(unit, token, how)
    if token.doubt:
        why = f"looks like {unit.label}, but {token.doubt}"
        _ask(pairs, token, why, [(unit, how)], f"unit:{unit.id}")
        return
    pairs.findings.sure(token.key, token.what, why, token.spot.at, f"unit:{unit.id}")


# 2: the same type ---------------------------------------------------------------------------------


def signature(unit: Unit) -> tuple[object, ...]:
    """Return what tells a unit of a type apart from others of it on the record."""
    quality = unit.marks & (_QUALITY | STAYS)
    return unit.group, unit.name, unit.nation, quality, unit.since, unit.fought


def _same_type(pairs: Pairs, units: list[Unit], tokens: list[Token]) -> None:
    if tokens[0].named.kind in ITEMS:
        _with_the_same(pairs, units, tokens)
    _unmoved(pairs, units, tokens)
    classes = {signature(unit) for unit in units}
    # Of pieces that lie in no hex it does not matter which is which.
    few = len(tokens) > len(units) and tokens[0].spot.where in (ON_MAP, NOWHERE)
    if not units or not tokens:
        return
    if (len(classes) == 1 and not few) or len(units) == len(tokens) == 1:
        why = "the only one it can be" if len(units) == 1 else "the record does not tell them apart"
        for unit, token in _nearest(pairs, units, tokens):
            _sure(pairs, unit, token, "", why)
        return
    proposed = {token.piece.id: unit for unit, token in _nearest(pairs, units, tokens)}
    fits = [(unit, "") for unit in units]
    for token in tokens:
        if token.piece.id not in proposed:
            continue
        unit = proposed[token.piece.id]
        if few:
            why = f"{len(tokens)} such pieces, but only {len(units)} such units; the nearest"
        else:
            why = "which of several is it? The nearest is proposed"
        if _ask(pairs, token, why, fits, f"unit:{unit.id}") == f"unit:{unit.id}":
            pairs.pair(unit, token)


def _with_the_same(pairs: Pairs, units: list[Unit], tokens: list[Token]) -> None:
    """Pair weapons with pieces that lie on their possessors of the record."""
    if len({signature(unit) for unit in units}) < 2:
        return
    who = {token.piece.id: unit_id for unit_id, token in pairs.token_of.items()}
    for token in tokens:
        order = token.piece.order or 0
        below = [one for one in token.stack if (one.order or 0) < order and one.id in who]
        men = [one for one in reversed(below) if pairs.cg.state.units[who[one.id]].kind in INFANTRY]
        holder = who[men[0].id] if men else ""
        with_him = [u for u in units if u.with_unit == holder and u.id not in pairs.token_of]
        if holder and len({signature(unit) for unit in with_him}) == 1:
            _sure(pairs, with_him[0], token, "", f"still with {holder}")
    _drop(pairs, units, tokens)


def _unmoved(pairs: Pairs, units: list[Unit], tokens: list[Token]) -> None:
    """Pair what stands where it stood, if all that stood there are alike, or all still stand."""
    if len({signature(unit) for unit in units}) < 2 and len(tokens) <= len(units):
        return
    for at in dict.fromkeys(token.spot.at for token in tokens if token.spot.where == ON_MAP):
        stood = [unit for unit in units if unit.on_map and unit.at == at]
        stand = [one for one in tokens if one.spot.where == ON_MAP and one.spot.at == at]
        alike = len({signature(unit) for unit in stood}) == 1 and len(stand) <= len(stood)
        all_ = len(stand) == len(stood) and len({_looks(one) for one in stand}) == 1
        if alike or all_:
            why = "stands where it stood" if alike else "all that stood there stand there"
            for unit, token in zip(stood, stand, strict=False):
                _sure(pairs, unit, token, "", why)
    _drop(pairs, units, tokens)


def _looks(token: Token) -> tuple[object, ...]:
    """Return what a piece shows of its state."""
    piece = token.piece
    return piece.status, piece.perhaps, piece.hidden_by, piece.concealed_by


def _nearest(pairs: Pairs, units: Iterable[Unit], tokens: Sequence[Token]) -> Iterator[tuple[Unit, Token]]:
    """Yield pairs, the best first; among equals in the order of the record and the save."""
    costs = [
        (pairs.cost(unit, token), i, j, unit, token) for i, unit in enumerate(units) for j, token in enumerate(tokens)
    ]
    units_taken: set[int] = set()
    tokens_taken: set[int] = set()
    for _, i, j, unit, token in sorted(costs, key=lambda one: one[:3]):
        if i not in units_taken and j not in tokens_taken:
            units_taken.add(i)
            tokens_taken.add(j)
            yield unit, token


# 3: another type ----------------------------------------------------------------------------------


def _changed(pairs: Pairs, free: list[Unit], left: list[Token]) -> None:
    """Pair units with pieces of types that they can have become."""

    def able(token: Token) -> list[tuple[Unit, str]]:
        found = [(unit, _how(pairs.cg, unit, token)) for unit in free]
        return [(unit, how) for unit, how in found if how]

    dead = {one.named.type for one in left if one.spot.where == DEAD}
    for type_ in dict.fromkeys(token.named.type for token in left if token.living):
        tokens = [one for one in left if one.named.type == type_ and one.living]
        fits = able(tokens[0])
        alike = len({signature(unit) for unit, _ in fits}) == 1 and len(set(dict(_rev(fits)))) == 1
        rivals = _rivals(able, left, type_, fits) or any(u.type in dead for u, _ in fits)
        hows = {unit.id: how for unit, how in fits}
        for unit, token in list(_nearest(pairs, [unit for unit, _ in fits], tokens)):
            if alike and not rivals and len(tokens) <= len(fits):
                _sure(pairs, unit, token, hows[unit.id], "the only sort of unit it can have been")
                continue
            why = f"could be {unit.label}, {hows[unit.id]}; or others, or a new unit"
            _ask(pairs, token, why, fits, f"unit:{unit.id}", _others(token))
            pairs.pair(unit, token, hows[unit.id])
        _drop(pairs, free, left)


def _others(token: Token) -> list[Candidate]:
    new = [Candidate(NEW, "a new unit")] if can_be_new(token) else []
    return [*new, Candidate(LEAVE, "leave it out")]


def _rev(fits: Iterable[tuple[Unit, str]]) -> Iterator[tuple[str, Unit]]:
    return ((how, unit) for unit, how in fits)


def _rivals(
    able: Callable[[Token], list[tuple[Unit, str]]], left: Iterable[Token], type_: str, fits: Iterable[tuple[Unit, str]]
) -> bool:
    """Whether pieces of another type could be the same units."""
    mine = {unit.id for unit, _ in fits}
    others = {o.named.type: o for o in left if o.named.type != type_ and o.living}
    return any(unit.id in mine for one in others.values() for unit, _ in able(one))


# 4: no unit ---------------------------------------------------------------------------------------


def _unmatched(pairs: Pairs, free: Sequence[Unit], token: Token) -> None:
    """Ask about a piece that is none of the units, or count it where it does not matter."""
    findings = pairs.findings
    if token.wreck:
        findings.pass_over("wrecks that no unit on the record left")
        return
    if token.spot.where in (BESIDE, DEAD):
        findings.pass_over(f"pieces {'beside the boards' if token.spot.where == BESIDE else 'lost'}"
                           " that are no units on the record")  # fmt: skip
        return
    parent = _parent(pairs, token)
    fits = [(unit, _how(pairs.cg, unit, token)) for unit in free if unit.id not in pairs.token_of]
    able = [(unit, how) for unit, how in fits if how is not None]
    also = _others(token)
    proposed, why = LEAVE, token.spot.doubt or "no unit on the record is left that it could be"
    if can_be_new(token):
        if parent is not None:
            also.insert(0, Candidate(f"new:{parent.id}", f"a new unit, out of {parent.label}"))
            proposed, why = f"new:{parent.id}", f"is it new, out of {parent.label}?"
        elif token.named.kind == "hero":
            proposed, why = NEW, "a hero who came into being in play?"
    into = findings.to_confirm if proposed != LEAVE else findings.unknown
    _ask(pairs, token, why, able, proposed, also, into)
    if proposed.startswith(NEW):
        pairs.new.append((token, proposed.removeprefix(NEW).removeprefix(":")))


def _parent(pairs: Pairs, token: Token) -> Unit | None:
    """Return the unit out of which a half-squad or crew came: a squad, a vehicle or its wreck."""
    units = pairs.cg.state.units
    if token.named.kind == "half-squad":
        halves = [
            units[unit_id]
            for unit_id, other in pairs.token_of.items()
            if other.named.type == token.named.type and units[unit_id].kind == "squad"
        ]
        used = {parent for _, parent in pairs.new}
        halves = [unit for unit in halves if unit.id not in used]
        return min(halves, key=lambda unit: pairs.distance(unit, token), default=None)
    if token.named.kind == "crew":
        for unit_id, other in pairs.token_of.items():
            empty = other.wreck or "abandoned" in other.piece.status
            vehicle = units[unit_id].kind in ("afv", "vehicle")
            if vehicle and empty and other.spot.at == token.spot.at:
                return units[unit_id]
    return None


def _ask(
    pairs: Pairs,
    token: Token,
    why: str,
    fits: Iterable[tuple[Unit, str | None]],
    proposed: str,
    also: Sequence[Candidate] = (Candidate(LEAVE, "leave it out"),),
    into: list[Finding] | None = None,
) -> str:
    findings = pairs.findings
    options = [
        Candidate(f"unit:{unit.id}", " ".join(filter(None, [unit.label, _place(unit), how or ""])))
        for unit, how in fits
    ]
    target = findings.to_confirm if into is None else into
    where = token.spot.at
    return findings.ask(target, token.key, token.what, why, [*options, *also], proposed, where)


def _place(unit: Unit) -> str:
    group = f", {unit.group}" if unit.group else ""
    return f"(was {unit.at or 'off the map'}{group})"
