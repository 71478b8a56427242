"""From a save to the battle report that a campaign asks for: a proposal, with all its doubts.

The procedure is described in `matching` (units) and `ground` (the ground). What comes
out is the same report as the form gives; the same checks apply to it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.campaign import Question, Record, find_ruleset
from laager.campaign.table_dice import TableRoll
from laager.campaign.views import View
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.context import CardContext
from laager.rules.board.places import ROOMS
from laager.rules.board.report import REPORT_KEYS
from laager.rules.board.report.form import GUARD, unit_row
from laager.rules.board.units import Mark, Unit
from laager.vasl.archive import MAX_FILE, Archive
from laager.vasl.report.counters import Named, named, state_of
from laager.vasl.report.findings import Findings, SaveFinding
from laager.vasl.report.ground import GROUND_KINDS, GroundReader, burns_wreck
from laager.vasl.report.marked import marked_in
from laager.vasl.report.matching import Pairs, Token
from laager.vasl.report.modules import artillery_rows
from laager.vasl.report.places import (
    ARMS,
    CODES,
    NOWHERE,
    ON_MAP,
    PERSONNEL,
    Nations,
    Scene,
    board_doubts,
    boards_of,
    man_below,
    visible,
)
from laager.vasl.report.rows import RowMaker
from laager.vasl.saves.counters import Kind
from laager.vasl.saves.game import Piece, Save, doubts
from laager.vasl.saves.marks import Marks, marks_of
from laager.vasl.saves.placing import Shapes, usual_shape
from laager.vasl.saves.rolls import LoggedRoll
from laager.vasl.saves.save import save_of

SETUP = "setup"
"""The question for a side's setup, in all campaigns on boards."""
MASKED = "?"
"""What a concealed piece is called of which the side may not know more."""
MAX_TOKENS = 1500
"""How many pieces of one side a save may have."""

UNIT_KINDS = frozenset({*PERSONNEL, *ARMS, Kind.WRECK})
_GROUND = ("control", "fires", "terrain", "forts", "works")
"""The parts of a report that are about the ground: a refused row is taken out and reported."""
_HATCHES = frozenset({Mark.BUTTONED_UP, Mark.CREW_EXPOSED})
"""What a vehicle's counter shows one way or the other."""
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
    """A report made from a save, and all that must be looked at before it is given.

    `report` answers the question `key` as it stands. `certain` is what was taken without a doubt,
    `to_confirm` what is proposed, `unknown` what matched nothing and is left out, `not_found`
    units that the save does not have. `problems` are the report's own, by the usual checks.
    `not_told` is what no save can tell, `passed_over` counts what the report does not ask for.
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

    @property
    def table_rolls(self) -> tuple[TableRoll, ...]:
        """The dice of the battle as they are recorded with its report; none with a setup."""
        rolls = self.rolls if self.key != "setup" else ()
        return tuple(TableRoll(one.who, one.what, one.kind, one.faces) for one in rolls)

    @property
    def open(self) -> tuple[SaveFinding, ...]:
        """All that a choice can settle, in the order in which it is asked."""
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
            **{name: [one.describe() for one in getattr(self, name)] for name in lists},
            "problems": [{part: getattr(one, part) for part in parts} for one in self.problems],
            "not_told": list(self.not_told),
            "passed_over": dict(self.passed_over),
            "doubts": list(self.doubts),
            "rolls": [one.describe() for one in self.rolls],
        }


def propose(
    seen: View,
    save: bytes | Archive,
    file: str = "",
    *,
    shapes: Shapes = usual_shape,
    owner: int | None = None,
    choices: Mapping[str, str] | None = None,
) -> Proposal:
    """Return the report that a save proposes for the viewer's side, or the setup if that is asked.

    `save` is a save, or a log of which the state after its last step counts; `file` is the name of bytes, as
    it may be shown. `shapes` gives the sizes of boards, `owner` is the owner number that the side
    says is its own, `choices` settle doubts: a finding's key with a value of its candidates.

    Raises RefusedError (NOT_ASKED) if neither is asked of the side, DataError if the file isn't
    a save to trust or lies on other boards, or if there is no such choice.
    """
    question = asked_of_save(seen)
    if isinstance(save, bytes):
        if len(save) > MAX_FILE:
            raise DataError([Problem(f"{len(save)} bytes is too large", f"{MAX_FILE} at most", file=file)])
        save = Archive(save, file or "the save")
    read = save_of(save, shapes)
    context = find_ruleset(seen.opening["ruleset"]).context(seen.opening)
    assert isinstance(context, CardContext), "only campaigns with cards ask for reports"
    return proposed(context.with_state(seen.state), question, read, owner, choices or {}, marks_of(seen))


def asked_report(seen: View) -> Question:
    """Return the report that is asked of the viewer. Raises RefusedError (NOT_ASKED) if none is."""
    return _asked(seen, REPORT_KEYS, "battle report")


def asked_of_save(seen: View) -> Question:
    """Return the question of the viewer that a save answers: for a report, or for a setup.

    Raises RefusedError (NOT_ASKED) if none is asked.
    """
    return _asked(seen, (*REPORT_KEYS, SETUP), "battle report or setup")


def _asked(seen: View, keys: Collection[str], what: str) -> Question:
    if seen.viewer not in SIDES:
        raise RefusedError(Refusal.NOT_YOURS, f"say whose {what} it is: a side reports and sets up, no umpire")
    mine = [one for one in seen.pending if one.side == seen.viewer]
    for pending in mine:
        if pending.key in keys and pending.question is not None:
            return pending.question
    asked = ", ".join(one.key for one in mine) or "nothing"
    raise RefusedError(Refusal.NOT_ASKED, f"no {what} is wanted of {seen.viewer} just now", f"asked is {asked}")


def proposed(
    cg: CardContext,
    question: Question,
    save: Save,
    owner: int | None = None,
    choices: Mapping[str, str] | None = None,
    marks: Marks | None = None,
) -> Proposal:
    """Return the report that a save proposes as answer to a question.

    `cg` must have the state of the view of the question's side: more than that is not known here. By `marks` the pieces
    are known that Laager wrote.
    """
    from laager.vasl.report.setting_up import SetupReading

    kind = SetupReading if question.key == SETUP else Reading
    return kind(cg, question, save, owner, Findings(dict(choices or {})), marks).proposal()


class Reading:
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
        nations = Nations(own, enemy)
        rooms = {fort.at for fort in cg.state.forts.values() if fort.at and fort.kind in ROOMS}
        pieces = visible(save, nations, owner)
        boards = boards_of(save.boards, cg.map, rooms, save.file)
        self.marked = marked_in(pieces, frozenset(one.id for one in save.pieces), cg, self.side, marks)
        self.signs = [one for one in pieces if one.id in self.marked.signs]
        self.scene = Scene(cg, self.side, question.form, boards, pieces, nations, findings, self.marked)

    def proposal(self) -> Proposal:
        """Return the report that the save proposes."""
        report: dict[str, Any] = dict(self.question.default or {})
        tokens = self._tokens()
        self._right_map(tokens)
        if self.scene.has("units"):
            report |= self._units(tokens)
        own_at = frozenset(one.spot.at for one in tokens if one.spot.where == ON_MAP)
        report |= GroundReader(self.scene, own_at, self.untouched).rows()
        report |= artillery_rows(self.scene, self.question)
        self._pass_over()
        report, problems = self._checked(report)
        self.findings.check_choices()
        return self._made(report, problems)

    def _made(self, report: Mapping[str, Any], problems: Sequence[Problem]) -> Proposal:
        found = self.findings
        told = {"lost_works"} if self.marked.secret else set[str]()
        doubtful = [*board_doubts(self.save.boards, self.cg.map), *found.doubts]
        doubtful += [one for one in doubts(self.save, self.scene.pieces) if one.startswith("traits ")]
        return Proposal(
            key=self.question.key,
            side=self.side,
            file=self.save.file,
            report=report,
            certain=tuple(found.certain),
            to_confirm=tuple(found.to_confirm),
            unknown=tuple(found.unknown),
            not_found=tuple(found.not_found),
            problems=tuple(problems),
            not_told=tuple(text for part, text in _NOT_TOLD.items() if self.scene.has(part) and part not in told),
            passed_over=dict(sorted(found.passed_over.items())),
            doubts=tuple(doubtful),
            rolls=self.save.rolls,
        )

    # Pieces ---------------------------------------------------------------------------------------

    def _tokens(self) -> list[Token]:
        """Return the pieces that can be units of the side; what nobody knows is asked."""
        tokens = (
            self._marked(piece)
            if piece.id in self.marked.units
            else self._theirs(piece)
            if piece.id in self.marked.theirs
            else self._token(piece)
            for piece in self.scene.pieces
            if piece.kind in UNIT_KINDS or piece.id in self.marked.units
        )
        found = [token for token in tokens if token is not None]
        if len(found) > MAX_TOKENS:
            what = f"has {len(found)} pieces that could be units of yours"
            raise DataError([Problem(what, f"{MAX_TOKENS} at most", file=self.save.file)])
        return found

    def _marked(self, piece: Piece) -> Token:
        """Return a piece of which its number tells which unit it is."""
        unit = self.cg.state.units[self.marked.units[piece.id]]
        what = named(piece, self.cg.nation_of(unit))
        # A counter that the module lacked is a label; of any other the name must tell the type.
        doubt = f"its counter is called {piece.name}" if what is None and piece.kind in UNIT_KINDS else ""
        what = what or Named(unit.type, unit.kind)
        foreign = unit.nation != self.cg.side(self.side).nation
        wreck = piece.kind is Kind.WRECK
        stack, spot = self.scene.stack(piece), self.scene.spot(piece)
        beside = [one for one in self.signs if (one.map, one.x, one.y) == (piece.map, piece.x, piece.y)]
        piece = self.marked.told(piece, unit.id, stack, beside)
        return Token(piece, what, spot, stack, wreck, foreign, doubt, marked=unit.id)

    def _theirs(self, piece: Piece) -> Token | None:
        """Return a piece that the enemy had when Laager wrote it, if it's a weapon that the side may have by now."""
        unit = self.cg.state.units[self.marked.theirs[piece.id]]
        stack, spot = self.scene.stack(piece), self.scene.spot(piece)
        if piece.kind in ARMS and spot.where == ON_MAP and self._won(piece, unit, stack, spot.at):
            what = named(piece, self.cg.nation_of(unit)) or Named(unit.type, unit.kind)
            return Token(piece, what, spot, stack, foreign=True, theirs=True)
        self.findings.pass_over("pieces of the other side")
        return None

    def _won(self, piece: Piece, unit: Unit, stack: Sequence[Piece], at: str) -> bool:
        """True if a weapon of the enemy's may be the side's now; one that just lies where it lay is not."""
        holder = man_below(piece, stack)
        if holder is not None:
            return piece.kind is not Kind.VEHICLE and self.scene.whose(holder) == "own"
        lay_there = unit.at == at and not unit.with_unit
        return (not lay_there or "abandoned" in piece.status) and self._only_own(stack)

    def _token(self, piece: Piece) -> Token | None:
        own = named(piece, self.cg.nation(self.side))
        enemy = named(piece, self.cg.nation(other_side(self.side)))
        whose = self.scene.whose(piece)
        if not whose and (own is None) != (enemy is None):
            whose = "own" if own else "enemy"
        stack, spot = self.scene.stack(piece), self.scene.spot(piece)
        wreck = piece.kind is Kind.WRECK
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
            what = "your nation does not have this type" if whose else "nothing tells whose it is"
            self.scene.leave_out(piece, spot.at, spot.doubt or what)
        return None

    def _recorded_wreck(self, what: Named, at: str) -> bool:
        return any(
            unit.type == what.type and unit.hex == at and unit.has(Mark.WRECK)
            for unit in self.cg.state.units.values()
            if unit.side == self.side and not unit.in_play
        )

    def _holds(self, stack: Sequence[Piece], what: Named, at: str) -> bool:
        """True if a weapon of the enemy's nation is the side's: with its men, or on its record."""
        if any(one.kind in PERSONNEL for one in stack):
            return self._only_own(stack)
        return any(
            unit.type == what.type and unit.nation != self.cg.side(self.side).nation
            for unit in self.cg.state.units_of(self.side)
            if unit.at == at
        )

    def _only_own(self, stack: Sequence[Piece]) -> bool:
        """True if there are men in a stack, all of the side."""
        return {self.scene.whose(one) for one in stack if one.kind in PERSONNEL} == {"own"}

    def _right_map(self, tokens: Sequence[Token]) -> None:
        """Raise DataError if most of the side's pieces lie on hexes that the map does not have."""
        strays = [one for one in tokens if one.spot.where == NOWHERE and one.spot.doubt]
        placed = [one for one in tokens if one.spot.where == ON_MAP]
        if len(strays) > len(placed):
            what = f"most of your pieces are not on the campaign's map: {strays[0].spot.doubt}"
            right = f"a save on the map {self.cg.map.title}; for boards whose size is not known, "
            right += "the folder of the board archives"
            raise DataError([Problem(what, right, file=self.save.file)])

    # Units ----------------------------------------------------------------------------------------

    def _units(self, tokens: list[Token]) -> dict[str, Any]:
        units = list(self.cg.state.units_of(self.side))
        captured = [one for one in tokens if one.foreign]
        known = [unit for unit in units if unit.nation != self.cg.side(self.side).nation]
        fresh = [one for one in captured if not (one.marked or any(u.type == one.named.type for u in known))]
        fresh += [one for one in tokens if one.theirs and one not in fresh]
        pairs = Pairs(self.cg, self.findings, list(units), [one for one in tokens if one not in fresh])
        pairs.match()
        self.untouched = self._untouched(pairs)
        fates = self.scene.options("units", "fate")
        maker = RowMaker(pairs, fates, self._enemies(), self._burning(), self.untouched)
        told = {row["unit"]: row for row in (self.question.default or {}).get("units", ())}
        rows = [maker.row(unit, told.get(unit.id) or self._recorded(unit)) for unit in units]
        taken = self._taken(maker, fresh)
        named_ = {row.get("with") for row in rows} | {row["by"] for row in taken}
        new = [maker.new_row(token, parent, named_) for token, parent in pairs.new]
        return {"units": rows, "new": new, "taken": taken}

    def _untouched(self, pairs: Pairs) -> bool:
        """True if all units are still as Laager set them up: then what isn't hidden yet will be, before play."""
        for unit in self.cg.state.units_of(self.side):
            token = pairs.token_of.get(unit.id)
            if token is None or not token.marked:
                return False
            at = token.spot.at if token.spot.where == ON_MAP else None
            told = state_of(token.piece, unit.kind, unit, token.stack).marks if unit.on_map else frozenset()
            if at != unit.at or token.named.type != unit.type or not told <= unit.marks | _HATCHES:
                return False
        return True

    def _recorded(self, unit: Unit) -> dict[str, Any]:
        """Return a unit's row as the record has it, without the name of a guard not known."""
        row, guard = unit_row(unit), self.cg.state.units.get(unit.with_unit)
        if unit.has(Mark.PRISONER) and unit.with_unit and (guard is None or not guard.known):
            row["with"] = GUARD
        return row

    def _enemies(self) -> frozenset[str]:
        """Return the Locations with men of the enemy that the side can see."""
        men = (one for one in self.scene.pieces if one.kind in PERSONNEL and "prisoner" not in one.status)
        return frozenset(self.scene.spot(one).at for one in men if self.scene.whose(one) == "enemy") - {""}

    def _burning(self) -> frozenset[str]:
        found = set()
        for fire in self.scene.pieces:
            stack = self.scene.stack(fire)
            if fire.kind is Kind.FIRE and burns_wreck(stack, fire):
                wrecks = [one for one in stack if one.kind is Kind.WRECK]
                found.add(max(wrecks, key=lambda one: one.height).id)
        return frozenset(found)

    def _taken(self, maker: RowMaker, tokens: Sequence[Token]) -> list[dict[str, Any]]:
        """Return rows of enemy weapons with the side's men, which its record does not have."""
        rows = []
        for token in tokens:
            by = maker.nearest(token)
            if not by:
                self.scene.leave_out(token.piece, token.spot.at, "a weapon of the other side")
                continue
            options = {"yes": f"taken by {maker.called(by)}", "no": "no"}
            why = f"a weapon of the other side, with {maker.called(by)}; captured?"
            if self.findings.ask(token.key, token.piece.name, why, options, "yes", token.spot.at) == "yes":
                rows.append({"type": token.named.type, "by": by, "marks": maker.marks(token)})
        return rows

    # The rest -------------------------------------------------------------------------------------

    def _pass_over(self) -> None:
        """Count what the report has no use for; ask about what nobody knows and may be a unit."""
        for piece in self.scene.pieces:
            if piece.kind in UNIT_KINDS or piece.kind in GROUND_KINDS or piece.id in self.marked.units:
                continue
            on_board = piece.place.hex is not None
            if piece.concealed_by is not None and piece.unit == MASKED:
                own = self.scene.whose(piece) == "own"
                self.findings.pass_over(_NOT_CERTAIN if own else "pieces of the other side")
            elif piece.kind is Kind.UNKNOWN and piece.on_map and on_board:
                self.scene.leave_out(piece, self.scene.spot(piece).at, "a piece of a kind that is not known here")
            elif piece.kind is Kind.STATUS and ("POW" in piece.basic or "Prisoner" in piece.name) and on_board:
                why = "stands for prisoners; if they are yours, which are they?"
                self.scene.leave_out(piece, self.scene.spot(piece).at, why)
            elif not self._about_a_unit(piece):
                self.findings.pass_over(f"counters of this kind: {piece.kind.value}")
        if _NOT_CERTAIN in self.findings.passed_over:
            self.findings.doubts.append(f"there are {_NOT_CERTAIN}: say which owner you are, if some are yours")

    def _about_a_unit(self, piece: Piece) -> bool:
        """True if a counter tells the state of a unit in its stack, and so has been read."""
        if piece.kind not in (Kind.STATUS, Kind.CONCEALMENT, Kind.CLOAK):
            return False
        return any(one.kind in UNIT_KINDS or one.concealed_by for one in self.scene.stack(piece))

    def _checked(self, report: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
        """Return the report without the rows of the ground that its checks refuse, and the rest."""
        while True:
            problems = problems_of(self.question, report)
            bad: dict[str, set[int]] = {}
            for problem in problems:
                part, _, rest = problem.field.partition("[")
                if part in _GROUND and rest:
                    place = int(rest.partition("]")[0]) - 1
                    bad.setdefault(part, set()).add(place)
                    self._refused(part, report[part][place], problem)
            if not bad:
                return report, problems
            for part, places in bad.items():
                report[part] = [row for i, row in enumerate(report[part]) if i not in places]

    def _refused(self, part: str, row: Mapping[str, Any], problem: Problem) -> None:
        """Note a row that was taken out because the report's checks refuse it."""
        at = row.get("location") or row.get("at") or row.get("fort") or ""
        found = self.findings
        found.certain[:] = [one for one in found.certain if one.where != at or not one.key.startswith(f"{part}:")]
        why = f"{problem.what}; {problem.right}".rstrip("; ")
        found.leave_out(f"refused:{part}:{at}", part, why, at)


def problems_of(question: Question, report: Mapping[str, Any]) -> list[Problem]:
    """Return what the question's own checks have against an answer."""
    try:
        question.accept(dict(report))
    except DataError as err:
        return list(err.problems)
    return []
