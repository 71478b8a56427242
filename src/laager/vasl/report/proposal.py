"""From a save to the battle report that a campaign asks for: a proposal, with all its doubts.

The procedure is described in `matching` (units) and `ground` (the ground). What comes
out is the same report as the form gives; the same checks apply to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laager.base import DataError, Problem
from laager.campaign import Question, Record
from laager.campaign.table_dice import TableRoll
from laager.rules.board.card.parts import other_side
from laager.rules.board.context import CardContext
from laager.rules.board.places import ROOMS
from laager.rules.board.report.form import GUARD, unit_row
from laager.rules.board.units import Mark, Unit
from laager.vasl.report.counters import CounterType, identify, state_of
from laager.vasl.report.findings import Findings, SaveFinding
from laager.vasl.report.ground import GROUND_KINDS, GroundReader, burns_wreck
from laager.vasl.report.marked import find_marked
from laager.vasl.report.matching import Pairs, Token
from laager.vasl.report.modules import artillery_rows
from laager.vasl.report.places import (
    ARMS,
    CODES,
    NOWHERE,
    ON_MAP,
    PERSONNEL,
    NationCodes,
    Scene,
    board_doubts,
    boards_of,
    man_below,
    visible_pieces,
)
from laager.vasl.report.rows import RowMaker
from laager.vasl.saves.counters import CounterKind
from laager.vasl.saves.game import Piece, Save, doubts
from laager.vasl.saves.marks import Marks
from laager.vasl.saves.rolls import LoggedRoll

MASKED = "?"
"""Name of a concealed piece that the side may not identify."""
MAX_TOKENS = 1500
"""Most pieces of one side in a save."""

UNIT_KINDS = frozenset({*PERSONNEL, *ARMS, CounterKind.WRECK})
_GROUND = ("control", "fires", "terrain", "forts", "works")
"""The parts of a report that are about the ground: a refused row is taken out and reported."""
_HATCHES = frozenset({Mark.BUTTONED_UP, Mark.CREW_EXPOSED})
"""Markers of which a vehicle's counter always shows one."""
_NOT_CERTAIN = "concealed pieces of your nation whose owner is not certain"
_NOT_TOLD: Mapping[str, str] = {
    "cvp": "CVP besides those for losses",
    "san": "by how much the SAN changed",
    "massacre": "whether Massacre was invoked",
    "rain": "whether it rained",
    "lost_works": "which of your hidden fortifications are gone",
}


@dataclass(frozen=True)
class Proposal:
    """A report made from a save, and everything to check before it is given.

    `report` answers the question `key` as it stands. `certain` is what was taken without a doubt,
    `to_confirm` what is proposed, `unknown` what matched nothing and is left out, `not_found`
    units that the save does not have. `problems` are the report's own, by the usual checks.
    `not_told` lists what no save contains, `passed_over` counts pieces that the report does not ask for.
    """

    key: str
    side: str
    file: str
    report: Mapping[str, Any]
    certain: tuple[SaveFinding, ...] = ()
    to_confirm: tuple[SaveFinding, ...] = ()
    unknown: tuple[SaveFinding, ...] = ()
    not_found: tuple[SaveFinding, ...] = ()
    problems: tuple[Problem, ...] = ()
    not_told: tuple[str, ...] = ()
    passed_over: Mapping[str, int] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    rolls: tuple[LoggedRoll, ...] = ()
    """The dice of the battle, if it was read from a log."""
    other_battle: str = ""
    """Of which other battle the save is, in words; it is the first doubt, too."""

    @property
    def table_rolls(self) -> tuple[TableRoll, ...]:
        """The dice of the battle as they are recorded with its report; none with a setup."""
        rolls = self.rolls if self.key != "setup" else ()
        return tuple(TableRoll(roll.who, roll.what, roll.kind, roll.faces) for roll in rolls)

    @property
    def open(self) -> tuple[SaveFinding, ...]:
        """Findings that a choice can settle, in the order of the questions."""
        return (*self.to_confirm, *self.unknown, *self.not_found)

    @property
    def settled(self) -> bool:
        """True if nothing is doubtful any more: the report can be given as it stands."""
        return not self.open and not self.problems

    def describe(self) -> dict[str, Any]:
        """Return the proposal as plain values, for JSON."""
        lists = ("certain", "to_confirm", "unknown", "not_found")
        parts = ("field", "what", "right")
        return {
            "key": self.key,
            "side": self.side,
            "file": self.file,
            "settled": self.settled,
            "report": self.report,
            **{name: [finding.describe() for finding in getattr(self, name)] for name in lists},
            "problems": [{part: getattr(problem, part) for part in parts} for problem in self.problems],
            "not_told": list(self.not_told),
            "passed_over": dict(self.passed_over),
            "doubts": list(self.doubts),
            "rolls": [roll.describe() for roll in self.rolls],
        }


class SaveReading:
    """One save, read for one side's report."""

    def __init__(
        self,
        cg: CardContext,
        question: Question,
        save: Save,
        owner: int | None,
        findings: Findings,
        marks: Marks | None = None,
    ) -> None:
        assert isinstance(question.form, Record), "a report is a form of several parts"
        self.cg, self.question, self.save = cg, question, save
        self.side, self.findings = question.side, findings
        self.untouched = False
        own, enemy = (CODES.get(cg.nation(side).group, frozenset()) for side in (self.side, other_side(self.side)))
        nations = NationCodes(own, enemy)
        rooms = {fort.at for fort in cg.state.forts.values() if fort.at and fort.kind in ROOMS}
        pieces = self._list_visible(save, nations, owner)
        boards = boards_of(save.boards, cg.map, rooms, save.file)
        self.marked = find_marked(pieces, frozenset(piece.id for piece in save.pieces), cg, self.side, marks)
        self.signs = [piece for piece in pieces if piece.id in self.marked.signs]
        self.scene = Scene(cg, self.side, question.form, boards, pieces, nations, findings, self.marked)

    def _list_visible(self, save: Save, nations: NationCodes, owner: int | None) -> tuple[Piece, ...]:
        """Return the pieces that may be read."""
        return visible_pieces(save, nations, owner)

    def proposal(self) -> Proposal:
        """Return the report that the save proposes."""
        report: dict[str, Any] = dict(self.question.default or {})
        tokens = self._tokens()
        self._check_map(tokens)
        if self.scene.has("units"):
            report |= self._units(tokens)
        own_at = frozenset(token.spot.at for token in tokens if token.spot.where == ON_MAP)
        report |= GroundReader(self.scene, own_at, self.untouched).rows()
        report |= artillery_rows(self.scene, self.question)
        self._pass_over()
        report, problems = self._without_refused(report)
        self.findings.check_choices()
        return self._make_proposal(report, problems)

    def _make_proposal(self, report: Mapping[str, Any], problems: Sequence[Problem]) -> Proposal:
        findings = self.findings
        answered = {"lost_works"} if self.marked.secret else set[str]()
        doubtful = [*board_doubts(self.save.boards, self.cg.map), *findings.doubts]
        doubtful += [doubt for doubt in doubts(self.save, self.scene.pieces) if doubt.startswith("traits ")]
        return Proposal(
            key=self.question.key,
            side=self.side,
            file=self.save.file,
            report=report,
            certain=tuple(findings.certain),
            to_confirm=tuple(findings.to_confirm),
            unknown=tuple(findings.unknown),
            not_found=tuple(findings.not_found),
            problems=tuple(problems),
            not_told=tuple(text for part, text in _NOT_TOLD.items() if self.scene.has(part) and part not in answered),
            passed_over=dict(sorted(findings.passed_over.items())),
            doubts=tuple(doubtful),
            rolls=self.save.rolls,
        )

    # Pieces ---------------------------------------------------------------------------------------

    def _tokens(self) -> list[Token]:
        """Return the pieces that can be units of the side; unclear ones become questions."""
        tokens = (
            self._marked_token(piece)
            if piece.id in self.marked.units
            else self._enemy_token(piece)
            if piece.id in self.marked.theirs
            else self._token(piece)
            for piece in self.scene.pieces
            if piece.kind in UNIT_KINDS or piece.id in self.marked.units
        )
        unit_tokens = [token for token in tokens if token is not None]
        if len(unit_tokens) > MAX_TOKENS:
            problem = f"has {len(unit_tokens)} pieces that could be units of yours"
            raise DataError([Problem(problem, f"{MAX_TOKENS} at most", file=self.save.file)])
        return unit_tokens

    def _marked_token(self, piece: Piece) -> Token:
        """Return the unit that a marked piece stands for, as a token."""
        unit = self.cg.state.units[self.marked.units[piece.id]]
        type_ = identify(piece, self.cg.nation_of(unit))
        # A counter that the module lacked is a label; of any other the name must tell the type.
        doubt = f"its counter is called {piece.name}" if type_ is None and piece.kind in UNIT_KINDS else ""
        type_ = type_ or CounterType(unit.type, unit.kind)
        foreign = unit.nation != self.cg.side(self.side).nation
        wreck = piece.kind is CounterKind.WRECK
        stack, spot = self.scene.stack(piece), self.scene.spot(piece)
        beside = [sign for sign in self.signs if (sign.map, sign.x, sign.y) == (piece.map, piece.x, piece.y)]
        piece = self.marked.with_state(piece, unit.id, stack, beside)
        return Token(piece, type_, spot, stack, wreck, foreign, doubt, marked=unit.id)

    def _enemy_token(self, piece: Piece) -> Token | None:
        """Return a piece that the enemy had when Laager wrote it, if it's a weapon that the side may have by now."""
        unit = self.cg.state.units[self.marked.theirs[piece.id]]
        stack, spot = self.scene.stack(piece), self.scene.spot(piece)
        if piece.kind in ARMS and spot.where == ON_MAP and self._is_won(piece, unit, stack, spot.at):
            type_ = identify(piece, self.cg.nation_of(unit)) or CounterType(unit.type, unit.kind)
            return Token(piece, type_, spot, stack, foreign=True, theirs=True)
        self.findings.pass_over("pieces of the other side")
        return None

    def _is_won(self, piece: Piece, unit: Unit, stack: Sequence[Piece], at: str) -> bool:
        """True if a weapon of the enemy's may be the side's now. A weapon that wasn't moved doesn't count."""
        holder = man_below(piece, stack)
        if holder is not None:
            return piece.kind is not CounterKind.VEHICLE and self.scene.side_of(holder) == "own"
        lay_there = unit.at == at and not unit.with_unit
        return (not lay_there or "abandoned" in piece.status) and self._only_own(stack)

    def _token(self, piece: Piece) -> Token | None:
        own = identify(piece, self.cg.nation(self.side))
        enemy = identify(piece, self.cg.nation(other_side(self.side)))
        whose = self.scene.side_of(piece)
        if not whose and (own is None) != (enemy is None):
            whose = "own" if own else "enemy"
        stack, spot = self.scene.stack(piece), self.scene.spot(piece)
        wreck = piece.kind is CounterKind.WRECK
        if whose in ("own", "") and own is not None:
            if wreck and self._recorded_wreck(own, spot.at):
                self.findings.pass_over("wrecks that the record has")
                return None
            doubt = f"its counter is called {piece.name}" if own.loose else ""
            doubt = doubt if whose else "both sides have this type, and no picture tells whose it is"
            return Token(piece, own, spot, stack, wreck, doubt=doubt)
        if whose == "enemy":
            if enemy is not None and piece.kind in ARMS and self._holds(stack, enemy, spot.at):
                return Token(piece, enemy, spot, stack, foreign=True)
            self.findings.pass_over("pieces of the other side")
        elif spot.where not in (ON_MAP, NOWHERE) or not piece.on_map:
            self.findings.pass_over("pieces next to the boards that are not units on the record")
        else:
            reason = "your nation does not have this type" if whose else "nothing tells whose it is"
            self.scene.leave_out(piece, spot.at, spot.doubt or reason)
        return None

    def _recorded_wreck(self, type_: CounterType, at: str) -> bool:
        return any(
            unit.type == type_.type and unit.hex == at and unit.has(Mark.WRECK)
            for unit in self.cg.state.units.values()
            if unit.side == self.side and not unit.in_play
        )

    def _holds(self, stack: Sequence[Piece], type_: CounterType, at: str) -> bool:
        """True if a weapon of the enemy's nation is the side's: with its men, or on its record."""
        if any(piece.kind in PERSONNEL for piece in stack):
            return self._only_own(stack)
        return any(
            unit.type == type_.type and unit.nation != self.cg.side(self.side).nation
            for unit in self.cg.state.units_of(self.side)
            if unit.at == at
        )

    def _only_own(self, stack: Sequence[Piece]) -> bool:
        """True if there are men in a stack, all of the side."""
        return {self.scene.side_of(piece) for piece in stack if piece.kind in PERSONNEL} == {"own"}

    def _check_map(self, tokens: Sequence[Token]) -> None:
        """Raise DataError if most of the side's pieces lie on hexes that the map does not have."""
        strays = [token for token in tokens if token.spot.where == NOWHERE and token.spot.doubt]
        placed = [token for token in tokens if token.spot.where == ON_MAP]
        if len(strays) > len(placed):
            problem = f"most of your pieces are not on the campaign's map: {strays[0].spot.doubt}"
            right = f"a save on the map {self.cg.map.title}; for boards whose size is not known, "
            right += "the folder of the board archives"
            raise DataError([Problem(problem, right, file=self.save.file)])

    # Units ----------------------------------------------------------------------------------------

    def _units(self, tokens: list[Token]) -> dict[str, Any]:
        units = list(self.cg.state.units_of(self.side))
        captured = [candidate for candidate in tokens if candidate.foreign]
        known = [unit for unit in units if unit.nation != self.cg.side(self.side).nation]
        fresh = [
            candidate
            for candidate in captured
            if not (candidate.marked or any(u.type == candidate.named.type for u in known))
        ]
        fresh += [candidate for candidate in tokens if candidate.theirs and candidate not in fresh]
        pairs = Pairs(
            self.cg, self.findings, list(units), [candidate for candidate in tokens if candidate not in fresh]
        )
        pairs.match()
        self.untouched = self._is_untouched(pairs)
        fates = self.scene.options("units", "fate")
        maker = RowMaker(pairs, fates, self._enemies(), self._burning(), self.untouched)
        recorded = {row["unit"]: row for row in (self.question.default or {}).get("units", ())}
        rows = [maker.row(unit, recorded.get(unit.id) or self._recorded_row(unit)) for unit in units]
        taken = self._taken_rows(maker, fresh)
        referenced = {row.get("with") for row in rows} | {row["by"] for row in taken}
        new = [maker.new_row(token, parent, referenced) for token, parent in pairs.new]
        return {"units": rows, "new": new, "taken": taken}

    def _is_untouched(self, pairs: Pairs) -> bool:
        """True if all units are still as Laager set them up: then what isn't hidden yet will be, before play."""
        for unit in self.cg.state.units_of(self.side):
            token = pairs.token_of.get(unit.id)
            if token is None or not token.marked:
                return False
            at = token.spot.at if token.spot.where == ON_MAP else None
            shown_marks = state_of(token.piece, unit.kind, unit, token.stack).marks if unit.on_map else frozenset()
            if at != unit.at or token.named.type != unit.type or not shown_marks <= unit.marks | _HATCHES:
                return False
        return True

    def _recorded_row(self, unit: Unit) -> dict[str, Any]:
        """Return a unit's row as the record has it, without the name of a guard not known."""
        row, guard = unit_row(unit), self.cg.state.units.get(unit.with_unit)
        if unit.has(Mark.PRISONER) and unit.with_unit and (guard is None or not guard.known):
            row["with"] = GUARD
        return row

    def _enemies(self) -> frozenset[str]:
        """Return the Locations with men of the enemy that the side can see."""
        men = (man for man in self.scene.pieces if man.kind in PERSONNEL and "prisoner" not in man.status)
        return frozenset(self.scene.spot(man).at for man in men if self.scene.side_of(man) == "enemy") - {""}

    def _burning(self) -> frozenset[str]:
        ids = set()
        for fire in self.scene.pieces:
            stack = self.scene.stack(fire)
            if fire.kind is CounterKind.FIRE and burns_wreck(stack, fire):
                wrecks = [piece for piece in stack if piece.kind is CounterKind.WRECK]
                ids.add(max(wrecks, key=lambda piece: piece.height).id)
        return frozenset(ids)

    def _taken_rows(self, maker: RowMaker, tokens: Sequence[Token]) -> list[dict[str, Any]]:
        """Return rows of enemy weapons with the side's men, which its record does not have."""
        rows = []
        for token in tokens:
            by = maker.nearest(token)
            if not by:
                self.scene.leave_out(token.piece, token.spot.at, "a weapon of the other side")
                continue
            options = {"yes": f"taken by {maker.label_of(by)}", "no": "no"}
            why = f"a weapon of the other side, with {maker.label_of(by)}; captured?"
            if self.findings.ask(token.key, token.piece.name, why, options, "yes", token.spot.at) == "yes":
                rows.append({"type": token.named.type, "by": by, "marks": maker.marks(token)})
        return rows

    # The rest -------------------------------------------------------------------------------------

    def _pass_over(self) -> None:
        """Count pieces that the report has no use for; ask about unknown ones that may be units."""
        for piece in self.scene.pieces:
            if piece.kind in UNIT_KINDS or piece.kind in GROUND_KINDS or piece.id in self.marked.units:
                continue
            on_board = piece.place.hex is not None
            if piece.concealed_by is not None and piece.unit == MASKED:
                own = self.scene.side_of(piece) == "own"
                self.findings.pass_over(_NOT_CERTAIN if own else "pieces of the other side")
            elif piece.kind is CounterKind.UNKNOWN and piece.on_map and on_board:
                self.scene.leave_out(piece, self.scene.spot(piece).at, "a piece of a kind that is not known here")
            elif piece.kind is CounterKind.STATUS and ("POW" in piece.basic or "Prisoner" in piece.name) and on_board:
                why = "stands for prisoners; if they are yours, which are they?"
                self.scene.leave_out(piece, self.scene.spot(piece).at, why)
            elif not self._is_about_unit(piece):
                self.findings.pass_over(f"counters of this kind: {piece.kind.value}")
        if _NOT_CERTAIN in self.findings.passed_over:
            self.findings.doubts.append(f"there are {_NOT_CERTAIN}: say which owner you are, if some are yours")

    def _is_about_unit(self, piece: Piece) -> bool:
        """True if a counter shows the state of a unit in its stack, and so has been read."""
        if piece.kind not in (CounterKind.STATUS, CounterKind.CONCEALMENT, CounterKind.CLOAK):
            return False
        return any(other.kind in UNIT_KINDS or other.concealed_by for other in self.scene.stack(piece))

    def _without_refused(self, report: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
        """Return the report without the rows of the ground that its checks refuse, and the rest."""
        while True:
            problems = problems_of(self.question, report)
            bad: dict[str, set[int]] = {}
            for problem in problems:
                part, _, rest = problem.field.partition("[")
                if part in _GROUND and rest:
                    place = int(rest.partition("]")[0]) - 1
                    bad.setdefault(part, set()).add(place)
                    self._note_refused(part, report[part][place], problem)
            if not bad:
                return report, problems
            for part, places in bad.items():
                report[part] = [row for i, row in enumerate(report[part]) if i not in places]

    def _note_refused(self, part: str, row: Mapping[str, Any], problem: Problem) -> None:
        """Note a row that was taken out because the report's checks refuse it."""
        at = row.get("location") or row.get("at") or row.get("fort") or ""
        findings = self.findings
        findings.certain[:] = [
            finding for finding in findings.certain if finding.where != at or not finding.key.startswith(f"{part}:")
        ]
        why = f"{problem.what}; {problem.right}".rstrip("; ")
        findings.leave_out(f"refused:{part}:{at}", part, why, at)


def problems_of(question: Question, report: Mapping[str, Any]) -> list[Problem]:
    """Return the problems that the question's own checks have with an answer."""
    try:
        question.accept(dict(report))
    except DataError as err:
        return list(err.problems)
    return []
