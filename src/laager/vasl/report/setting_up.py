"""From a save to the answer of the setup question, for players who place their counters in VASL.

Only pieces of the asked side are read. Where units of one type differ by nothing that VASL shows, they are taken in the
order of the record: the answer can be changed like any other. The question's own checks say what is illegal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from laager.rules.board.changes import VEHICLES
from laager.rules.board.setup.hiding import CLOAKED, CONCEALED, HIDDEN, NONE, QUESTION_MARK
from laager.rules.board.units import HIDING, Fort, Mark, Unit
from laager.vasl.report.counters import state_of
from laager.vasl.report.findings import LEAVE_OUT
from laager.vasl.report.ground import same_work, work_of
from laager.vasl.report.matching import Pairs, Token
from laager.vasl.report.places import BESIDE, DEAD, ON_MAP
from laager.vasl.report.proposal import Proposal, SaveReading, problems_of
from laager.vasl.report.rows import RowMaker
from laager.vasl.saves.counters import CounterKind
from laager.vasl.saves.game import Piece

Row = dict[str, Any]

_HOW: Mapping[Mark, str] = {Mark.HIP: HIDDEN, Mark.CONCEALED: CONCEALED, Mark.CLOAKED: CLOAKED}
_STATES: Mapping[str, str] = {
    "limbered": "limbered",
    "dismantled": "dm",
    "buttoned up": "bu",
    "crew exposed": "ce",
    "abandoned": "abandoned",
}
"""VASL's words for the state of a weapon or vehicle, and the question's."""
_OFF, _PROPOSED = "off", "proposed"
_NOT_TOLD = "how your OBA modules are used: that is as proposed"


class SetupPairs(Pairs):
    """Matches pieces to units before any battle: nothing is new, and no unit has become another."""

    def match(self) -> None:
        """Match the pieces to the units, round by round."""
        self._apply_choices()
        self._match_marked()
        self._match_labelled()
        self._match_same_type(lambda candidate: candidate.living)
        self._match_same_type(lambda candidate: candidate.spot.where == BESIDE)
        for token in self.left:
            self._ask_unmatched(token)

    def _pair_same_type(self, units: list[Unit], tokens: list[Token]) -> None:
        why = "the only one it can be" if len(units) == 1 else "one of several alike"
        for unit, token in list(self._nearest_pairs(units, tokens)):
            self._sure(unit, token, "", why)

    def _ask_unmatched(self, token: Token) -> None:
        if token.spot.where in (BESIDE, DEAD):
            self.findings.pass_over("pieces beside the boards that are not units of yours")
            return
        why = token.spot.doubt or "you have no such unit, or no other one, to set up"
        self.findings.leave_out(token.key, token.piece.name, why, token.spot.at)


class SetupReading(SaveReading):
    """One save, read for one side's setup."""

    def proposal(self) -> Proposal:
        """Return the answer that the save proposes."""
        answer: Row = dict(self.question.default or {})
        tokens = self._tokens()
        self._check_map(tokens)
        if self.scene.has("units"):
            answer["units"] = list(self._rows(tokens))
        if self.scene.has("forts"):
            answer["forts"] = list(self._forts())
        self._pass_over()
        self.findings.check_choices()
        proposal = self._make_proposal(answer, problems_of(self.question, answer))
        return replace(proposal, not_told=(_NOT_TOLD,) if self.scene.has("modules") else ())

    # Units ------------------------------------------------------------------------------------------

    def _rows(self, tokens: list[Token]) -> Iterator[Row]:
        unit_ids = self.scene.options("units", "unit")
        units = [unit for unit in self.cg.state.units_of(self.side) if unit.id in unit_ids]
        pairs = SetupPairs(self.cg, self.findings, list(units), tokens)
        pairs.match()
        maker = RowMaker(pairs, {}, frozenset(), frozenset())
        proposed = {row["unit"]: row for row in (self.question.default or {}).get("units", ())}
        for unit in units:
            token = pairs.token_of.get(unit.id)
            if token is not None and token.spot.where == ON_MAP:
                yield self._placed_row(unit, token, maker)
            else:
                yield self._waiting_row(unit, token, proposed.get(unit.id))

    def _blank(self, unit: Unit) -> Row:
        """Return a unit's row that puts it nowhere, with the fields that the question has."""
        fields = {"at": "", "entry": "", "hide": NONE, "with": "", "state": []}
        known = {name: value for name, value in fields.items() if self.scene.has_field("units", name)}
        return {"unit": unit.id, **known}

    def _placed_row(self, unit: Unit, token: Token, maker: RowMaker) -> Row:
        holder = maker.holder(unit, token)
        row = self._blank(unit) | {"with": holder}
        if holder:
            # What is with somebody goes where he goes, and hides as he does.
            maker.location(unit, token)
        else:
            row |= {"at": maker.location(unit, token), "hide": self._hiding(unit, token)}
        if "state" in row:
            allowed = self.scene.options("units", "state")
            words = (_STATES.get(word, "") for word in token.piece.status)
            towed = unit.kind == "gun" and holder and self.cg.state.units[holder].kind in VEHICLES
            row["state"] = [word for word in dict.fromkeys((*words, *["hooked"] * bool(towed))) if word in allowed]
        return row

    def _hiding(self, unit: Unit, token: Token) -> str:
        marks = state_of(token.piece, unit.kind, None, token.stack).marks & HIDING
        return next((how for mark, how in _HOW.items() if mark in marks), NONE)

    def _waiting_row(self, unit: Unit, token: Token | None, proposed: Row | None) -> Row:
        """Return the row of a unit that isn't on the map: it waits, or enters where that was proposed."""
        blank = self._blank(unit)
        if proposed is not None and not proposed["at"]:
            blank = dict(proposed)
        if token is not None:
            place = "lies beside the boards" if token.spot.where == BESIDE else token.spot.doubt or "lies on no board"
            self.findings.sure(f"unit:{unit.id}", unit.label, place)
            return blank
        if proposed is None or not proposed["at"]:
            return blank
        options = {_OFF: "not on the map", _PROPOSED: f"as proposed, in {proposed['at']}"}
        why = "is nowhere in the save"
        chosen = self.findings.ask(f"unit:{unit.id}", unit.label, why, options, _OFF, into="not_found")
        return dict(proposed) if chosen == _PROPOSED else blank

    # Fortifications ---------------------------------------------------------------------------------

    def _forts(self) -> Iterator[Row]:
        """Yield rows of fortifications by their counters; those hidden by the side and in its own hexes first."""
        unplaced = [
            self.cg.state.forts[name] for name in self.scene.options("forts", "fort") if name in self.cg.state.forts
        ]
        own_places = {self.scene.spot(piece).at for piece in self.scene.pieces if self.scene.side_of(piece) == "own"}
        lying = [
            (piece, self.scene.spot(piece)) for piece in self.scene.pieces if piece.kind is CounterKind.FORTIFICATION
        ]
        lying = [(piece, spot) for piece, spot in lying if spot.where == ON_MAP]
        lying.sort(key=lambda candidate: (candidate[0].hidden_by is None, candidate[1].at not in own_places))
        for piece, spot in lying:
            kind, size = work_of(piece.unit)
            fort = next((candidate for candidate in unplaced if same_work(candidate, kind, size)), None)
            if fort is None:
                self.findings.pass_over("fortifications that you have none of to place")
                continue
            unplaced.remove(fort)
            name_of_fort = f"{fort.kind} {fort.size}".strip()
            self.findings.sure(f"forts:{fort.id}", name_of_fort, "a counter lies there", spot.at, fort.id)
            yield self._site(fort, spot.at, piece)
        yield from self._dummies(unplaced)

    def _site(self, fort: Fort, at: str, piece: Piece | None, count: int = 1) -> Row:
        hexside = ""
        if piece is not None and piece.place.hexside:
            ends = piece.place.hexside.split("/")
            hexside = next((end for end in ends if end != piece.place.hex), "")
        show = piece is not None and piece.hidden_by is None
        row = {"fort": fort.id, "at": at, "hexside": hexside, "count": count, "show": show, "dc": "", "cloaking": False}
        return {name: value for name, value in row.items() if self.scene.has_field("forts", name)}

    def _dummies(self, unplaced: list[Fort]) -> Iterator[Row]:
        """Yield rows of "?" that lie on one another with nothing beneath."""
        marks = [fort for fort in unplaced if fort.kind == QUESTION_MARK]
        counts: Counter[str] = Counter()
        for piece in self.scene.pieces:
            alone = all(other.kind is CounterKind.CONCEALMENT for other in self.scene.stack(piece))
            spot = self.scene.spot(piece)
            if (
                piece.kind is CounterKind.CONCEALMENT
                and alone
                and self.scene.side_of(piece) == "own"
                and spot.where == ON_MAP
            ):
                counts[spot.at] += 1
        free = {fort.id: fort.count for fort in marks}
        for at, count in counts.items():
            fort = next((candidate for candidate in marks if free[candidate.id] >= count), None)
            if fort is None:
                why = 'you have not so many "?" to place as Dummies'
                self.findings.ask(f"dummies:{at}", f'{count} "?"', why, LEAVE_OUT, "leave", at, "unknown")
                continue
            free[fort.id] -= count
            yield self._site(fort, at, None, count)
