"""The sections of a record: what everybody knows, and what each side knows besides. From a state, and into one.

A section is plain data. Its lines are by their numbers (`units: {AX101: {type: 4-6-7, at: H7}}`), what is as its class
has it if nothing is said is left out. The public section has the lines of a side under the side; the section of a side
has its secret lines, and of its known ones what their counters don't show.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from laager.base import DataError, Problem, did_you_mean
from laager.base.problems import read_each
from laager.rules.board.card.parts import SIDES
from laager.rules.board.knowledge import Known
from laager.rules.board.record import parts
from laager.rules.board.record.parts import ALONE, CAMPAIGN, Part, parts_of, to_plain
from laager.rules.board.state import BoardState, evolve
from laager.rules.board.units import Fort, Unit

StateT = TypeVar("StateT", bound=BoardState)
T = TypeVar("T")
Section = Mapping[str, Any]

NUMBERS = "numbers"
"""The name of a side's running numbers in a section."""
ROSTERS = ("units", "forts", "groups")
"""The parts of which each line belongs to a side. A side's own section has all of its lines, in their order."""
AREAS = "areas"
"""Setup Areas, of both sides in one list: everybody knows them."""
BY_ITEM = frozenset({Known.BY_SIDE, Known.BY_UNIT, Known.BY_FORT})
NOTES = "notes"
EVERYBODY = ("everybody knows this", "it belongs into the public part")
ONLY_ITS_SIDE = ("only its side knows this", "it belongs into the secret part of the side")
IMPLIED = frozenset({"id", "side", "known", "hidden"})
"""Fields of a line that its place in a section says."""


# From a state -------------------------------------------------------------------------------------


def public_section(state: BoardState) -> dict[str, Any]:
    """Return what everybody knows; `state` is a spectator's."""
    section: dict[str, Any] = {}
    for part in parts_of(type(state)).values():
        if part.name == "past":
            lines = {key: _fields_for(state, part, line, {Known.PUBLIC}) for key, line in part.lines(state).items()}
            section["past"] = {key: without(fields, "number") for key, fields in lines.items()}
        elif part.name in ALONE or part.name == CAMPAIGN:
            section[part.name] = _fields_for(state, part, part.lines(state)[""], {Known.PUBLIC})
        elif part.name == AREAS:
            section[AREAS] = [_area_row(area) for area in part.lines(state).values()]
    for side in SIDES:
        own = {NUMBERS: _fields_for(state, parts_of(type(state))["sides"], state.sides[side], {Known.PUBLIC})}
        for part in _rosters(state):
            own[part.name] = _lines_for(state, part, side, {Known.LINE, Known.PUBLIC})
        section[side] = drop_empty(own)
    return drop_empty({**section, NOTES: list(state.notes)})


def side_section(state: BoardState, side: str, public: BoardState) -> dict[str, Any]:
    """Return what a side knows besides what everybody does; `state` is the side's, `public` a spectator's."""
    numbers = _fields_for(state, parts_of(type(state))["sides"], state.sides[side], {Known.OWN})
    if getattr(state.sides[side], "attack", False) and not public.sides[side].attack:
        # Of the one that the card assigns everybody knows, of one that was bought for the Initial Firefight nobody.
        numbers["attack"] = True
    section: dict[str, Any] = {NUMBERS: numbers}
    for part in _rosters(state):
        section[part.name] = _own_lines(state, part, side, public)
    for part in parts_of(type(state)).values():
        if part.name == "past":
            rows = {key: _own_items(state, part, key, side, public) for key in part.lines(state)}
            section["past"] = drop_empty(rows)
        elif part.name in ALONE or part.name == CAMPAIGN:
            section[part.name] = _own_items(state, part, "", side, public)
    section[NOTES] = _more_notes(state.notes, public.notes)
    return drop_empty(section)


def _area_row(area: Any) -> dict[str, Any]:
    row = to_plain(area)
    return row if area.isolated else without(row, "isolated")


def _rosters(state: BoardState) -> Iterator[Part]:
    return (part for part in parts_of(type(state)).values() if part.name in ROSTERS)


def _fields_for(state: BoardState, part: Part, line: Any, wanted: Container[Known | str]) -> dict[str, Any]:
    """Return the fields of a line that are known in one of these ways and not as if nothing were said."""
    usual = parts.defaults(part.line)
    fields = {}
    for name in part.fields:
        if name in IMPLIED or parts.knowledge(state, line, part.name, name) not in wanted:
            continue
        value = to_plain(getattr(line, name))
        if name not in usual or usual[name] != value:
            fields[name] = value
    return fields


def _lines_for(state: BoardState, part: Part, side: str, wanted: Container[Known | str]) -> dict[str, Any]:
    return {
        _short_key(key, side): _fields_for(state, part, line, wanted)
        for key, line in part.lines(state).items()
        if line.side == side and part.name != "groups"
    }


def _own_lines(state: BoardState, part: Part, side: str, public: BoardState) -> dict[str, Any]:
    """Return a side's secret lines, and what is secret of those that are known."""
    known = part.lines(public)
    lines: dict[str, Any] = {}
    for key, line in part.lines(state).items():
        if line.side != side:
            continue
        lines[_short_key(key, side)] = _fields_for(state, part, line, {Known.OWN} if key in known else set(Known))
    return lines


def _own_items(state: BoardState, part: Part, key: str, side: str, public: BoardState) -> dict[str, Any]:
    """Return what a side alone knows of one thing: its items of what is kept by side, unit or fortification."""
    line, usual = part.lines(state)[key], part.lines(public).get(key)
    fields: dict[str, Any] = {}
    for name in part.fields:
        known = parts.knowledge(state, line, part.name, name)
        value = getattr(line, name)
        if known == side:
            fields[name] = to_plain(value)
        elif known in BY_ITEM:
            fields[name] = _items_of(state, value, known, side)
        elif isinstance(value, Mapping) and side in value and usual is not None:
            # A column of the roster in which the side's own number has something that isn't known yet.
            public_value = getattr(usual, name).get(side)
            fields[name] = {} if public_value == value[side] else {side: to_plain(value[side])}
    return {name: value for name, value in fields.items() if value not in ({}, [], None)}


def _items_of(state: BoardState, value: Any, known: Any, side: str) -> Any:
    plain = to_plain(value)
    if isinstance(plain, Mapping):
        return {item: held for item, held in plain.items() if parts.owner_of(state, known, item) == side}
    return [item for item in plain if parts.owner_of(state, known, item) == side]


def _more_notes(notes: Iterable[str], known: Iterable[str]) -> list[str]:
    left = list(known)
    more = []
    for note in notes:
        if note in left:
            left.remove(note)
        else:
            more.append(note)
    return more


def drop_empty(section: Mapping[str, Any]) -> dict[str, Any]:
    """Return a section without what is empty."""
    return {name: value for name, value in section.items() if value not in ({}, [], None)}


def without(section: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return plain data without some names."""
    return {name: value for name, value in section.items() if name not in names}


def _short_key(key: str, side: str) -> str:
    return key.removeprefix(f"{side}:")


# Into a state -------------------------------------------------------------------------------------


def take_public(state: StateT, section: Section) -> StateT:
    """Return the state with what everybody knows. Raises DataError with every problem, by its path in the section."""
    made, problems = try_public(state, section)
    if problems:
        raise DataError(problems)
    return made


def try_public(state: StateT, section: Section) -> tuple[StateT, list[Problem]]:
    """Return the state with what can be read of what everybody knows, and what is wrong with the rest."""
    put = Putting(state)
    for name, held in section.items():
        if name in SIDES:
            put.side(name, held, name, known=True)
        else:
            put.common(name, held, "")
    return put.state, put.problems


def take_secret(state: StateT, side: str, section: Section) -> StateT:
    """Return the state with what a side knows besides. Raises DataError with every problem."""
    made, problems = try_secret(state, side, section)
    if problems:
        raise DataError(problems)
    return made


def try_secret(state: StateT, side: str, section: Section) -> tuple[StateT, list[Problem]]:
    """Return the state with what can be read of what a side knows besides, and what is wrong with the rest."""
    put = Putting(state)
    put.side(side, {name: held for name, held in section.items() if name in (NUMBERS, *ROSTERS)}, "", known=False)
    for name, held in section.items():
        if name not in (NUMBERS, *ROSTERS):
            put.common(name, held, "")
    return put.state, put.problems


class Putting:
    """Puts the parts of a section into a state, and collects what is wrong with them."""

    def __init__(self, state: Any) -> None:
        self.state = state
        kind: type[BoardState] = type(state)
        self.parts = parts_of(kind)
        self.problems: list[Problem] = []

    def common(self, name: str, held: Any, where: str) -> None:
        """Put what belongs to no side: ground, the battle, past battles, what is left, notes."""
        path = join(where, name)
        if name == NOTES:
            self._try(partial(self._notes, held), path)
        elif name == AREAS and AREAS in self.parts:
            self._try(partial(self._areas, held, path), path)
        elif name == "past":
            for key, fields in self._try(partial(_mapping, held), path, {}).items():
                self._try(partial(self._past, key, fields), join(path, key))
        elif name in self.parts and (name in ALONE or name == CAMPAIGN):
            self._try(partial(self._merge, name, "", held), path)
        else:
            known = [*sorted((ALONE | {"past", AREAS}) & self.parts.keys()), CAMPAIGN, NOTES]
            right = did_you_mean(name, known, "known are")
            self.problems.append(Problem("is not known here", right, path))

    def side(self, side: str, held: Any, where: str, *, known: bool) -> None:
        """Put a side's numbers and lines."""
        for name, lines in self._try(partial(_mapping, held), where, {}).items():
            path = join(where, name)
            if name == NUMBERS:
                self._try(partial(self._numbers, side, lines, known, path), path)
            elif name in self.parts and name in ROSTERS:
                self._try(partial(self._roster, name, side, lines, known, path), path)
            else:
                right = did_you_mean(name, [NUMBERS, *(part for part in ROSTERS if part in self.parts)], "known are")
                self.problems.append(Problem("is not known here", right, path))

    def _try(self, put: Callable[[], T], where: str, otherwise: Any = None) -> Any:
        """Return what is read; if it can't be, note what is wrong with it."""
        values, problems = read_each([put], lambda act: act())
        self.problems += [problem.inside(where) if where else problem for problem in problems]
        return values[0] if values else otherwise

    def _notes(self, held: Any) -> None:
        self.state = evolve(self.state, notes=(*self.state.notes, *map(str, _list(held))))

    def _areas(self, held: Any, where: str) -> None:
        rows = [partial(parts.new_line, self.parts[AREAS], row) for row in _list(held)]
        areas = [self._try(row, f"{where}[{place}]") for place, row in enumerate(rows, 1)]
        self.state = evolve(self.state, areas=tuple(area for area in areas if area is not None))

    def _numbers(self, side: str, held: Any, known: bool, where: str) -> None:
        part, fields = self.parts["sides"], _mapping(held)
        values = parts.from_plain(part.line, fields)
        if secret := values.get("secret_san"):
            values["san"] = self.state.sides[side].san + secret
        self.state = self.state.with_side(side, **values)
        for name in fields:
            # An Attack Option is a secret until both sides announce theirs.
            if name != "attack":
                self._check_place(part, self.state.sides[side], name, known, where)

    def _check_place(self, part: Part, line: Any, name: str, known: bool, where: str) -> None:
        """Note a field that stands in the public section but is its side's secret, or the other way round."""
        own = parts.knowledge(self.state, line, part.name, name) is Known.OWN
        if own is known:
            self.problems.append(Problem(*(ONLY_ITS_SIDE if known else EVERYBODY), field=join(where, name)))

    def _past(self, key: str, fields: Mapping[str, Any]) -> None:
        part = self.parts["past"]
        if not key.isdigit():
            raise DataError([Problem(f"{key!r} isn't the number of a battle", "write its number")])
        if key in part.lines(self.state):
            self._merge("past", key, fields)
        else:
            line = parts.new_line(part, {**_mapping(fields), "number": int(key)})
            self.state = evolve(self.state, past=tuple(sorted((*self.state.past, line), key=_number_of)))

    def _roster(self, name: str, side: str, held: Any, known: bool, where: str) -> None:
        """Put lines of a side. Those of its own section come in its order; the sides follow each other."""
        part, rows, there = self.parts[name], _mapping(held), dict(getattr(self.state, name))
        keys = {key: (side, key) if name == "groups" else key for key in rows}
        made: dict[Any, Any] = {}
        for key, row in rows.items():
            line = self._try(partial(self._line, part, side, key, there.get(keys[key]), row, known), join(where, key))
            if line is not None:
                made[keys[key]] = line
                if known:
                    for field in row:
                        self._check_place(part, line, field, known, join(where, key))
        blocks = {
            other: {key: line for key, line in there.items() if line.side == other and key not in made}
            for other in SIDES
        }
        blocks[side] = {**blocks[side], **made} if known else {**made, **blocks[side]}
        lines = {key: line for block in blocks.values() for key, line in block.items()}
        self.state = evolve(self.state, **{name: lines})

    def _line(self, part: Part, side: str, key: str, held: Any, row: Any, known: bool) -> Any:
        """Return a line of a side: a new one, or the one that everybody knows with what the side knows besides."""
        fields = _mapping(row)
        if held is None:
            own = {"id": key, "side": side, **fields}
            own |= {"known": known} if part.line is Unit else {}
            # A fortification that everybody knows of is the one that isn't hidden.
            own |= {"hidden": not known} if part.line is Fort else {}
            return parts.new_line(part, own)
        if known or held.side != side:
            raise DataError([Problem("is here twice", "give each a number of its own")])
        shows = [name for name in fields if parts.knowledge(self.state, held, part.name, name) is not Known.OWN]
        if shows:
            raise DataError([Problem(*EVERYBODY, field=name) for name in shows])
        return parts.change_line(held, parts.from_plain(part.line, fields))

    def _merge(self, name: str, key: str, rows: Any) -> None:
        """Put fields of one thing; what is kept by side, unit or fortification is added to what is there."""
        part = self.parts[name]
        held = part.lines(self.state)[key]
        values = parts.from_plain(part.line, _mapping(rows))
        for field, value in values.items():
            before = getattr(held, field)
            if isinstance(value, Mapping) and isinstance(before, Mapping):
                values[field] = {**before, **value}
            elif isinstance(value, frozenset):
                values[field] = value | before
        self.state = part.with_line(self.state, key, parts.change_line(held, values))


def join(where: str, name: str) -> str:
    """Return the path of a name within a path."""
    return f"{where}.{name}" if where else name


def _number_of(battle: Any) -> int:
    return int(battle.number)


def _list(held: Any) -> list[Any]:
    if not isinstance(held, list):
        raise DataError([Problem("isn't a list", "write [ONE, ANOTHER]")])
    return held


def _mapping(held: Any) -> Mapping[str, Any]:
    if not isinstance(held, Mapping):
        raise DataError([Problem("isn't a set of names", "write NAME: VALUE below it")])
    return held
