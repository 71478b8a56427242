"""From a save to a record: a campaign begun on paper takes its position from VASL.

Both sides' pieces are read, those that a side hides only where it says so. Units that the record has already get their
Location and state, all others come onto it with new numbers. What no save tells stays as the record has it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.files import parse_document
from laager.campaign import UMPIRE, Choice, Field, Question, Record, Rows, Text, find_ruleset
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import INFANTRY
from laager.rules.board.context import CardContext
from laager.rules.board.record.files import PUBLIC, SECRET, header_problems
from laager.rules.board.record.sections import try_public, try_secret
from laager.rules.board.record.shorthand import expand_public, expand_side, leave_open
from laager.rules.board.report.form import CAPTURED, ELIMINATED, GUARD, OFF_MAP, ON_MAP, unit_row
from laager.rules.board.report.marks import LASTING
from laager.rules.board.ruleset import BoardRuleset
from laager.rules.board.state import evolve
from laager.rules.board.units import HIDING, Fort, Place, Unit
from laager.vasl.archive import MAX_FILE, Archive
from laager.vasl.report.counters import state_of
from laager.vasl.report.findings import LEAVE, LEAVE_OUT, NEW, Findings, SaveFinding
from laager.vasl.report.ground import TERRAIN_WORDS, GroundReader, same_work, work_of
from laager.vasl.report.matching import ITEMS, Pairs, Token, signature
from laager.vasl.report.on_paper_text import RecordText
from laager.vasl.report.places import BESIDE, DEAD, NationCodes, board_doubts, open_pieces, visible_pieces
from laager.vasl.report.places import ON_MAP as ON_BOARD
from laager.vasl.report.proposal import Proposal, SaveReading
from laager.vasl.report.rows import RowMaker
from laager.vasl.saves.counters import CounterKind
from laager.vasl.saves.game import Piece, Save
from laager.vasl.saves.placing import Shapes, usual_shape
from laager.vasl.saves.save import save_of

KEY = "record"
"""What a record is called as that which a save proposes."""
FATES: Mapping[str, str] = {ON_MAP: "on the map", ELIMINATED: "eliminated", CAPTURED: "captured"}
MINES = ("a-p-mines", "minefield")
"""The kinds of minefields whose strength is in factors."""
NOT_TOLD = (
    "points, ELR, SAN, CVP and TVP",
    "the CG Roster",
    "the groups, and to which of them a unit belongs",
    "what isn't on the map",
    "Control of hexes without a counter",
)
FIRST_DRAWN = 100
"""The lowest number that is drawn."""
UnitRow = tuple[Unit, Token | None, Mapping[str, Any]]
"""A unit, its piece if the save has it, and what became of it, as a row of a report has it."""
_OTHERS = "pieces of the other side"
_FORM = Record.of(
    Field("control", Rows(Record.of(Field("location", Text(20), "Location"))), "Control", []),
    Field("fires", Rows(Record.of(Field("at", Text(20), "Hex"))), "Fires", []),
    Field("terrain", Rows(Record.of(Field("what", Choice.of(*TERRAIN_WORDS), "What"))), "Changes of the map", []),
)


@dataclass(frozen=True)
class RecordFromSave:
    """A record with what a save says put into it: its text, and what to look at (`proposal.report` has it as data)."""

    text: str
    proposal: Proposal


@dataclass(frozen=True)
class RecordToFill:
    """A record to be filled from saves: rules and setting (of the card), the file, whose secrets are read.

    `secrets` are the sides of which also hidden and concealed pieces are read.
    """

    rules: str
    setting: Mapping[str, Any]
    text: str
    name: str = "record.yaml"
    secrets: Collection[str] = ()


def put_save_into_record(
    paper: RecordToFill,
    save: bytes | Archive,
    file: str = "",
    *,
    shapes: Shapes = usual_shape,
    owner: int | None = None,
    choices: Mapping[str, str] | None = None,
) -> RecordFromSave:
    """Return a record with the position of a save, or of a log after its last step.

    `owner`, `shapes` and `choices` are as for `propose`. Raises RefusedError for rules that have no records,
    DataError if the file isn't a record of the card, if the save can't be trusted or lies on other boards, or if
    there is no such choice.
    """
    ruleset = find_ruleset(paper.rules)
    if not isinstance(ruleset, BoardRuleset):
        raise RefusedError(Refusal.NO_SUCH, f"{ruleset.title} has no record from which a campaign goes on")
    for side in paper.secrets:
        if side not in SIDES:
            raise RefusedError(Refusal.NO_SUCH, f"{side!r} is no side", f"one of {', '.join(SIDES)}")
    if isinstance(save, bytes):
        if len(save) > MAX_FILE:
            raise DataError([Problem(f"{len(save)} bytes is too large", f"{MAX_FILE} at most", file=file)])
        save = Archive(save, file or "the save")
    document = parse_document(paper.text, paper.name)
    cg = ruleset.context(paper.setting)
    wrong = "isn't a record", f"begin with laager: {ruleset.id}-record/1"
    if not isinstance(document.data, Mapping):
        raise DataError([document.problem((), *wrong)])
    if problems := list(header_problems(document, ruleset.id, ruleset.sequences, cg)):
        raise DataError(problems)
    state = _state_of(cg, ruleset.start(paper.setting, UMPIRE), document.data)
    findings = Findings(dict(choices or {}))
    cg = cg.with_state(state)
    strategic = ruleset.strategic_places(cg)
    return _PositionReader(paper, cg, strategic, save_of(save, shapes), owner, findings).read()


class Numbers:
    """Numbers of a side's units or fortifications that a record doesn't have yet.

    What is hidden gets its number by lot, the same each time that the same save is read: by the numbers the enemy must
    not tell how many are hidden.
    """

    def __init__(self, letters: str, taken: Iterable[str], most: int, seed: str) -> None:
        self.letters = letters
        used = [int(match[1]) for name in taken if (match := re.fullmatch(rf"{letters}([0-9]{{1,9}})", name))]
        self.taken, self.last = set(used), max((number for number in used if number < FIRST_DRAWN), default=0)
        digits = len(str(max(FIRST_DRAWN, 2 * (most + len(used)))))
        drawn = list(range(10 ** (digits - 1), 10**digits))
        Random(seed).shuffle(drawn)
        self.drawn = iter(drawn)

    def count_on(self) -> str:
        """Return the next number."""
        return self._take(count(self.last + 1))

    def draw(self) -> str:
        """Return a number by lot."""
        return self._take(self.drawn)

    def _take(self, numbers: Iterable[int]) -> str:
        number = next(number for number in numbers if number not in self.taken)
        self.taken.add(number)
        return f"{self.letters}{number}"


class _SideReading(SaveReading):
    """A save as one side's part of a record; `secret` if what the side hides may be read."""

    def __init__(
        self, cg: CardContext, side: str, save: Save, owner: int | None, findings: Findings, secret: bool
    ) -> None:
        self.secret = secret
        super().__init__(cg, Question(KEY, side, "The position", _FORM), save, owner, findings)

    def _list_visible(self, save: Save, nations: NationCodes, owner: int | None) -> tuple[Piece, ...]:
        return visible_pieces(save, nations, owner) if self.secret else open_pieces(save)

    def _token(self, piece: Piece) -> Token | None:
        """Return a piece as a unit of the side; who has one that could be either's is asked."""
        token = super()._token(piece)
        if token is None or self.scene.side_of(piece) or "both sides" not in token.doubt:
            return token
        options = {**{side: self.cg.people_of(side) for side in SIDES}, **LEAVE_OUT}
        chosen = self.findings.ask(f"side:{piece.id}", piece.name, token.doubt, options, LEAVE, token.spot.at)
        return replace(token, doubt="") if chosen == self.side else None

    def match_units(
        self, numbers: Numbers
    ) -> tuple[dict[str, Unit], list[tuple[Unit, Token | None, Mapping[str, Any]]]]:
        """Return the units that are new, and each unit of the side with its piece and what became of it."""
        tokens = self._tokens()
        self._check_map(tokens)
        state = self.cg.state
        units = [unit for unit in state.units_of(self.side) if self.secret or unit.known]
        pairs = _RecordPairs(self.cg, self.findings, list(units), list(tokens), side=self.side, secret=self.secret)
        pairs.match()
        added = {}
        for token, _ in sorted(pairs.new, key=lambda pair: _order_of(pair[0])):
            number = numbers.draw() if _is_hidden(token) else numbers.count_on()
            nation = self.cg.side(other_side(self.side) if token.foreign else self.side).nation
            unit = Unit(
                id=number, side=self.side, nation=nation, type=token.named.type, kind=token.named.kind,
                place=Place.OFF_MAP if token.spot.where == BESIDE else Place.MAP,
            )  # fmt: skip
            added[unit.id] = unit
            pairs.token_of[unit.id] = token
        pairs.new.clear()
        pairs.cg = self.cg.with_state(with_units(state, added))
        maker = RowMaker(pairs, FATES, self._enemies(), self._burning())
        every = [*units, *added.values()]
        return added, [(unit, pairs.token_of.get(unit.id), maker.row(unit, unit_row(unit))) for unit in every]

    def count_rest(self) -> None:
        """Count the pieces that a record has no use for."""
        self._pass_over()
        self.findings.passed_over.pop(_OTHERS, None)


@dataclass
class _RecordPairs(Pairs):
    """Matches pieces to the units of a record; what is left over comes onto it."""

    side: str = ""
    secret: bool = False
    """True if what only the side knows may come onto the record: such as its units off the map."""

    def match(self) -> None:
        """Match the pieces to the units, round by round."""
        self._apply_choices()
        self._match_labelled()
        self._match_same_type(lambda candidate: candidate.living)
        self._match_same_type(lambda candidate: candidate.wreck)
        self._match_changed()
        self._match_same_type(lambda candidate: candidate.spot.where == DEAD)
        beside = [token for token in self.left if token.spot.where == BESIDE and not token.wreck and not token.doubt]
        if (
            self.secret
            and beside
            and self.findings.confirm(
                f"beside:{self.side}",
                f"{len(beside)} pieces of the {self.cg.people_of(self.side)}",
                "lie beside the boards and aren't on the record; are they its units off the map?",
                proposed="no",
            )
        ):
            self.new += [(token, "") for token in beside]
            self.left[:] = [token for token in self.left if token not in beside]
        for token in self.left:
            self._add(token)

    def _pair_unmoved(self, units: list[Unit], tokens: list[Token]) -> None:
        """Pair what stands where it stood; what is hidden there with what was, if the record doesn't tell it apart."""
        placed = [token for token in tokens if token.spot.where == ON_BOARD]
        for at, hides in {(token.spot.at, _is_hidden(token)): None for token in placed}:
            stood = [unit for unit in units if unit.at == at and unit.has(*HIDING) == hides]
            stand = [token for token in placed if token.spot.at == at and _is_hidden(token) == hides]
            if len(stood) == len(stand) and len({signature(unit) for unit in stood}) == 1:
                for unit, token in zip(stood, stand, strict=True):
                    self._sure(unit, token, "", "stands where it stood")
        self._drop(units, tokens)
        super()._pair_unmoved(units, tokens)

    def _add(self, token: Token) -> None:
        name, at = token.piece.name, token.spot.at
        if token.spot.where in (BESIDE, DEAD):
            self.findings.pass_over("pieces beside the boards, or in the casualties bin, that the record doesn't have")
        elif token.spot.where != ON_BOARD:
            self.findings.leave_out(token.key, name, token.spot.doubt or "lies on no map")
        elif token.doubt:
            options = {NEW: f"{token.named.type}, a new unit", **LEAVE_OUT}
            if self.findings.ask(token.key, name, token.doubt, options, NEW, at) == NEW:
                self.new.append((token, ""))
        else:
            self.findings.sure(token.key, name, "comes onto the record", at, NEW)
            self.new.append((token, ""))


def _is_hidden(token: Token) -> bool:
    """True if the enemy doesn't know a unit: it is off the map, hidden, concealed, or under a counter for that."""
    hidden = token.piece.hidden_by is not None or token.spot.where == BESIDE
    return hidden or bool(state_of(token.piece, token.named.kind, None, token.stack).marks & HIDING)


def _order_of(token: Token) -> tuple[bool, str, str]:
    """Return where a new unit comes in the order of numbers: men before what they carry, by Location."""
    return token.named.kind in ITEMS, token.spot.at, token.named.type


def with_units(state: Any, added: Mapping[str, Unit]) -> Any:
    """Return a state with more units."""
    return evolve(state, units={**state.units, **added})


class _PositionReader:
    """Reads one save into one record. `strategic` are the Locations that a side can Control."""

    def __init__(
        self,
        paper: RecordToFill,
        cg: CardContext,
        strategic: Collection[str],
        save: Save,
        owner: int | None,
        findings: Findings,
    ) -> None:
        self.paper, self.cg, self.strategic = paper, cg, strategic
        self.save, self.owner, self.findings = save, owner, findings
        self.record = RecordText(paper.text, paper.name)
        self.data = self.record.plain()

    def read(self) -> RecordFromSave:
        """Return the record with the position."""
        readings = {
            side: _SideReading(self.cg, side, self.save, self.owner, self.findings, side in self.paper.secrets)
            for side in SIDES
        }
        rows = []
        for side, reading in readings.items():
            added, of_side = reading.match_units(self._numbers(side, "units"))
            self.cg = self.cg.with_state(with_units(self.cg.state, added))
            rows += [(unit, token, row, unit.id in added) for unit, token, row in of_side]
        where = {unit.id: row["at"] for unit, _, row, _ in rows if row.get("fate") == ON_MAP}
        for unit, token, row, is_new in rows:
            self._put_unit(unit, token, self._with_guard(unit, row, where), is_new)
        own_at = {unit.at: unit.side for unit in self.cg.state.units.values() if unit.at}
        own_at |= {row["at"]: unit.side for unit, _, row, _ in rows if row.get("fate") == ON_MAP}
        self._put_ground(readings[SIDES[0]])
        self._put_forts(readings, own_at)
        readings[SIDES[0]].count_rest()
        for name in ("certain", "to_confirm", "unknown", "not_found"):
            listed: list[SaveFinding] = getattr(self.findings, name)
            listed[:] = {(finding.key, finding.where): finding for finding in listed}.values()
        self.findings.check_choices()
        return RecordFromSave(self.record.dump(), self._make_proposal())

    def _make_proposal(self) -> Proposal:
        findings, hidden = self.findings, [side for side in SIDES if side not in self.paper.secrets]
        closed = tuple(f"what the {self.cg.people_of(side)} hide" for side in hidden)
        return Proposal(
            key=KEY,
            side=" and ".join(self.paper.secrets) or "everybody",
            file=self.save.file,
            report=self.record.plain(),
            certain=tuple(findings.certain),
            to_confirm=tuple(findings.to_confirm),
            unknown=tuple(findings.unknown),
            not_found=tuple(findings.not_found),
            not_told=(*NOT_TOLD, *closed),
            passed_over=dict(sorted(findings.passed_over.items())),
            doubts=(*board_doubts(self.save.boards, self.cg.map), *findings.doubts),
        )

    # Units ----------------------------------------------------------------------------------------

    def _numbers(self, side: str, part: str) -> Numbers:
        pieces = self.save.pieces
        hidden = [piece.id for piece in pieces if piece.hidden_by is not None or piece.concealed_by is not None]
        sections = (_mapping(self.data.get(PUBLIC)).get(side), _mapping(self.data.get(SECRET)).get(side))
        keys = [str(key) for section in sections for key in _mapping(_mapping(section).get(part))]
        letters = side[:2].upper() + ("F" if part == "forts" else "")
        return Numbers(letters, keys, len(pieces), f"{self.paper.text} {side} {part} {hidden}")

    def _with_guard(self, unit: Unit, row: Mapping[str, Any], where: Mapping[str, str]) -> Mapping[str, Any]:
        """Return a prisoner's row with its guard: the one enemy in its Location, or the one chosen of several."""
        if row.get("with") != GUARD:
            return row
        units = self.cg.state.units
        guards = {
            name: units[name].label
            for name, at in where.items()
            if at == row["at"] and units[name].side != unit.side and units[name].kind in INFANTRY
        }
        guard = next(iter(guards), "")
        if len(guards) > 1:
            guard = self.findings.ask(f"with:{unit.id}", unit.label, "who guards it?", guards, guard, row["at"])
        return {**row, "with": guard}

    def _put_unit(self, unit: Unit, token: Token | None, row: Mapping[str, Any], is_new: bool) -> None:
        if row == unit_row(unit) and not is_new:
            return
        fields = self._fields_of(unit, row) if row.get("fate", ON_MAP) != OFF_MAP else {}
        if is_new:
            fields = {"type": unit.type, "kind": unit.kind, "nation": unit.nation, **fields}
        self.record.put_unit(self.cg, unit, fields, secret=token is not None and _is_hidden(token))

    def _fields_of(self, unit: Unit, row: Mapping[str, Any]) -> dict[str, Any]:
        fate = row.get("fate", ON_MAP)
        if fate != ON_MAP:
            return {"place": fate, "at": row.get("at"), "marks": sorted(row.get("marks") or ()), "with_unit": ""}
        marks = sorted({*(row.get("marks") or ()), *(mark.value for mark in unit.marks & LASTING)})
        return {
            "type": row.get("type") or unit.type,
            "at": row["at"],
            "place": Place.MAP.value,
            "marks": marks,
            "with_unit": row.get("with") or "",
        }

    # The ground -----------------------------------------------------------------------------------

    def _put_ground(self, reading: _SideReading) -> None:
        reader = GroundReader(reading.scene, ())
        rows = reader.rows()
        control = {row["location"]: row["side"] for row in rows["control"]}
        control |= self._control_above(control, reader)
        fires = {row["at"]: row["now"] for row in rows["fires"]}
        changes = [(row["at"], row["what"]) for row in rows["terrain"]]
        self.record.put_ground(self.cg, control, fires, changes)

    def _control_above(self, control: Mapping[str, str], reader: GroundReader) -> dict[str, str]:
        """Return Control of Locations without a counter, in hexes where all that have one are one side's."""
        recorded = self.cg.state.ground.control
        hexes = {at.split(".")[0] for _, at in reader.counters_on_map(CounterKind.CONTROL)}
        held: dict[str, set[str]] = {}
        for at, side in {**recorded, **control}.items():
            held.setdefault(at.split(".")[0], set()).add(side)
        free = (at for at in self.strategic if at not in recorded and at not in control)
        return {at: min(held[name]) for at in free if (name := at.split(".")[0]) in hexes and len(held[name]) == 1}

    def _put_forts(self, readings: Mapping[str, _SideReading], own_at: Mapping[str, str]) -> None:
        """Put the fortifications: those that the record has where their counters lie, the others with new numbers."""
        left = list(self.cg.state.forts.values())
        numbers = {side: self._numbers(side, "forts") for side in SIDES}
        for reading, piece, at, whose in self._lying(readings):
            kind, size = self._kind_of(piece)
            if not kind:
                if not any(word in piece.unit for word in TERRAIN_WORDS.values()):
                    reading.scene.leave_out(piece, at, "a fortification that Laager has no word for")
                continue
            fits = [fort for fort in left if same_work(fort, kind, size) and whose in ("", fort.side)]
            fort = next((fort for fort in fits if fort.hex == at.split(".")[0]), None)
            fort = fort or next((fort for fort in fits if fort.at is None), None)
            if fort is not None:
                left.remove(fort)
                self.findings.sure(f"forts:{piece.id}", piece.name, "a counter lies there", at, fort.id)
            else:
                side = whose or self._ask_side(piece, at, own_at)
                if side == LEAVE:
                    continue
                number = numbers[side].draw() if piece.hidden_by is not None else numbers[side].count_on()
                fort = _new_fort(number, side, kind, size)
                self.findings.sure(f"forts:{piece.id}", piece.name, "comes onto the record", at, side)
            self.record.put_fort(fort, at, _hexside(piece), hidden=piece.hidden_by is not None)

    def _lying(self, readings: Mapping[str, _SideReading]) -> Iterator[tuple[_SideReading, Piece, str, str]]:
        """Yield the counters of fortifications that may be read, once each, with the side that hides one."""
        seen: set[str] = set()
        for side, reading in readings.items():
            reader = GroundReader(reading.scene, ())
            for piece, at in reader.counters_on_map(CounterKind.FORTIFICATION):
                if piece.id not in seen:
                    seen.add(piece.id)
                    yield reading, piece, at, side if piece.hidden_by is not None else ""

    def _kind_of(self, piece: Piece) -> tuple[str, str]:
        kind, size = work_of(piece.unit)
        known = self.cg.fort_kinds
        if kind and kind not in known:
            kind = next((other for other in (f"{kind}s", *MINES) if other in known), kind)
        return kind, size.removesuffix("S")

    def _ask_side(self, piece: Piece, at: str, own_at: Mapping[str, str]) -> str:
        """Return whose fortification is: of the side with units there, or that Controls the Location; else asked."""
        ground = self.cg.state.ground.control
        side = own_at.get(at) or self.record.control_of(at) or ground.get(at, "")
        if side in SIDES:
            return side
        options = {**{each: self.cg.people_of(each) for each in SIDES}, **LEAVE_OUT}
        return self.findings.ask(f"whose:{piece.id}", piece.name, "whose is it?", options, LEAVE, at)


def _new_fort(name: str, side: str, kind: str, size: str) -> Fort:
    factors = int(size) if kind in (*MINES, "a-t-mines") and size.isdigit() else 0
    return Fort(id=name, side=side, kind=kind, size="" if factors else size, factors=factors)


def _hexside(piece: Piece) -> str:
    ends = piece.place.hexside.split("/") if piece.place.hexside else ()
    return next((end for end in ends if end != piece.place.hex), "")


def _state_of(cg: CardContext, empty: Any, data: Mapping[str, Any]) -> Any:
    """Return the state that a record describes, as far as it can be read."""
    public = expand_public(cg, leave_open(_mapping(data.get(PUBLIC))))
    state, _ = try_public(empty, public)
    for side in SIDES:
        own = leave_open(_mapping(_mapping(data.get(SECRET)).get(side)))
        state, _ = try_secret(state, side, expand_side(cg, side, own, public.get(side)))
    return state


def _mapping(held: Any) -> dict[str, Any]:
    """Return a mapping without what is left empty; an empty one for anything else."""
    return {name: value for name, value in held.items() if value is not None} if isinstance(held, Mapping) else {}
