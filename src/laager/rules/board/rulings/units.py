"""Units in a ruling: who joins and leaves, where they stand, what they are, with whom, under which markers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from laager.base import DataError, LaagerError, did_you_mean
from laager.base.files import Where
from laager.campaign import UMPIRE, Fact
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import (
    INFANTRY,
    carried_by,
    change_marks,
    eliminate,
    hide,
    holders,
    leave_alone,
    put_under_guard,
    remove_unit,
    reveal,
)
from laager.rules.board.facts import UnitAttached, UnitChanged, UnitHidden, UnitJoined, UnitMoved, UnitNamed
from laager.rules.board.moves import whole_load
from laager.rules.board.numbering import next_unit_id
from laager.rules.board.places import place_problem, unit_id
from laager.rules.board.report.marks import marks_replaced_by
from laager.rules.board.rulings.draft import WHY, RulingDraft, signed_change
from laager.rules.board.rulings.facts import LoadSettled, RecordChanged
from laager.rules.board.rulings.files import AddedUnit, RuledUnit
from laager.rules.board.units import HIDING, Mark, Place, Unit

OWN_FIELDS = ("group", "area", "mlr", "stood", "setup", "since", "fought")
"""What only a unit's own side has on record."""

KINDS = ("armor-leader", "commissar")
"""Kinds of units that their type alone doesn't say."""


class UnitRulings:
    """The units of one ruling, made into facts."""

    def __init__(self, draft: RulingDraft) -> None:
        self.draft = draft
        self.lines: dict[str, tuple[RuledUnit, Where]] = {}
        """Number of a unit -> its line, and where that stands in the file."""
        self.joined: dict[str, str] = {}
        """What the file calls a new unit -> its number."""

    def rule(self, known: Mapping[str, RuledUnit], new: tuple[AddedUnit, ...]) -> None:
        """Take what the file says of units, step by step: what they are, where, with whom, under which markers."""
        for name, line in known.items():
            self._take_line(name, line)
        for i, fresh in enumerate(new):
            self._join(fresh, ("new", "units", i))
        for step in (self._become, self._place, self._attach, self._mark, self._note, self._leave):
            for number, (line, where) in self.lines.items():
                step(number, line, where)

    # Which units ----------------------------------------------------------------------------------

    def _take_line(self, name: str, line: RuledUnit) -> None:
        where: Where = ("units", name)
        unit = self._find_unit(name)
        if unit is None:
            self.draft.refuse_unknown(where, name, unit_id(name), "unit", self.draft.seen.state.units)
        elif unit.id in self.lines:
            self.draft.refuse(where, f"{unit.id} stands here twice", "put both lines into one")
        else:
            self.lines[unit.id] = line, where

    def _find_unit(self, name: str) -> Unit | None:
        return self.draft.seen.state.units.get(self.joined.get(name, unit_id(name)))

    def _join(self, line: AddedUnit, where: Where) -> None:
        draft, side = self.draft, line.side
        if side not in SIDES:
            draft.refuse((*where, "side"), f"there is no side {side}", did_you_mean(side, SIDES))
            return
        if not draft.may_add_to(side, where):
            return
        kind = self._kind(line, where)
        if kind is None:
            return
        cg = draft.whole
        hides = any(mark.lstrip("+") in HIDING for mark in line.marks or ())
        known = bool(line.known) and not hides
        unit = Unit(
            id=next_unit_id(cg, side),
            side=side,
            nation=line.nation or cg.side(side).nation,
            type=line.type,
            kind=kind,
            known=known,
        )
        draft.take([UnitJoined(unit=unit, why=WHY, to=unit.audience)])
        self.joined[line.called or f"new {len(self.joined) + 1}"] = unit.id
        since = cg.state.number if line.since is None else line.since
        self.lines[unit.id] = line.model_copy(update={"type": None, "since": since}), where

    def _kind(self, line: AddedUnit, where: Where) -> str | None:
        """Return the kind of a new unit; None, with a problem noted, if its nation has no such type."""
        try:
            nation = self.draft.seen.catalogue.nation(line.nation or self.draft.seen.side(line.side).nation)
            kind = str(nation.unit(line.type).kind.value)
        except LaagerError as err:
            problem = err.problems[0] if isinstance(err, DataError) else err.problem  # type: ignore[attr-defined]
            self.draft.refuse((*where, "type"), problem.what, problem.right)
            return None
        if line.kind and line.kind not in (kind, *KINDS):
            self.draft.refuse((*where, "kind"), f"{line.type} is a {kind}, not a {line.kind}", "leave it out")
            return None
        return line.kind or kind

    # What becomes of them --------------------------------------------------------------------------

    def _become(self, number: str, line: RuledUnit, where: Where) -> None:
        """Its type and its name."""
        unit = self.draft.seen.state.units[number]
        if line.type is not None and line.type != unit.type:
            try:
                type_ = self.draft.seen.nation_of(unit).unit(line.type)
            except LaagerError as err:
                problem = err.problems[0] if err.problems else err.problem  # type: ignore[attr-defined]
                self.draft.refuse((*where, "type"), problem.what, problem.right)
                return
            kind = unit.kind if unit.kind in KINDS else type_.kind.value
            fact = UnitChanged(
                unit=number, type=line.type, kind_of_unit=kind, how="put right", why=WHY, to=unit.audience
            )
            self.draft.take([fact])
        if line.name is not None and line.name != unit.name:
            self.draft.take([UnitNamed(unit=number, name=line.name, why=WHY, to=unit.audience)])

    def _place(self, number: str, line: RuledUnit, where: Where) -> None:
        """Where it stands."""
        unit, draft = self.draft.seen.state.units[number], self.draft
        if line.at is None and line.place in (None, unit.place):
            return
        place, at = line.place or Place.MAP, None
        if place is Place.MAP:
            if line.at is None:
                draft.refuse((*where, "at"), "a unit on the map stands in a Location", "add at: with its Location")
                return
            wrong = place_problem(draft.seen, unit.side, line.at)
            if wrong is not None:
                draft.refuse((*where, "at"), *wrong)
                return
            at = draft.seen.map.main_location(line.at.strip())
        elif line.at is not None:
            draft.refuse((*where, "at"), f"a unit {place.value} stands in no Location", "leave one of the two out")
            return
        if (place, at) != (unit.place, unit.at):
            draft.take(self._moves(unit, place, at, line.mlr or ""))

    def _moves(self, unit: Unit, place: Place, at: str | None, mlr: str) -> Iterator[Fact]:
        """A unit stands elsewhere with its load, but for what the file has a line of its own for."""
        own = {number for number, (line, _) in self.lines.items() if line.at or line.place or line.gone}
        for mover in (unit, *whole_load(self.draft.seen, unit)):
            if mover.id == unit.id or (mover.id not in own and mover.spot == unit.spot):
                yield UnitMoved(unit=mover.id, at=at, place=place, mlr=mlr, why=WHY, to=mover.audience)
        left = [item for item in carried_by(self.draft.seen, unit) if (item.place, item.at) != (place, at)]
        for item in left:
            yield from leave_alone(item, WHY)
        yield from self._settle(unit)
        holder = self.draft.seen.state.units.get(unit.with_unit)
        if unit.with_unit and (holder is None or (holder.place, holder.at) != (place, at)):
            yield from leave_alone(self.draft.seen.state.units[unit.id], WHY)

    def _settle(self, unit: Unit) -> Iterator[Fact]:
        """What a unit has that only its own side knows of is settled with it."""
        if self.draft.by not in (UMPIRE, unit.side):
            yield LoadSettled(unit=unit.id, why=WHY)

    def _attach(self, number: str, line: RuledUnit, where: Where) -> None:
        """With whom it is."""
        if line.with_unit is None:
            return
        draft, unit = self.draft, self.draft.seen.state.units[number]
        if not line.with_unit:
            if unit.with_unit:
                draft.take(leave_alone(unit, WHY))
            return
        holder = self._find_unit(line.with_unit)
        if holder is None or not holder.in_play or holder.id == number:
            right = did_you_mean(unit_id(line.with_unit), (u.id for u in draft.seen.state.units.values() if u.in_play))
            draft.refuse((*where, "with"), f"there is no unit {line.with_unit} that could have it", right)
            return
        if unit in holders(draft.seen, holder):
            draft.refuse((*where, "with"), f"{holder.label} is with {unit.label} itself", "one of the two")
            return
        if (unit.place, unit.at) != (holder.place, holder.at):
            if line.at or line.place:
                draft.refuse((*where, "with"), f"{holder.label} stands elsewhere", "leave at: out")
                return
            moves = self._moves(unit.but(with_unit=""), holder.place, holder.at, holder.mlr)
            draft.take(moves)
            unit = draft.seen.state.units[number]
        if holder.side != unit.side and unit.kind not in INFANTRY:
            right = "gone: captured, and a new unit of its captor's side"
            draft.refuse((*where, "with"), f"{unit.label} can't be a prisoner of {holder.label}", right)
        elif holder.side != unit.side:
            draft.take(reveal(unit, WHY))
            draft.take(change_marks(draft.seen.state.units[number], add=[Mark.PRISONER], why=WHY))
            draft.take(put_under_guard(draft.seen.state.units[number], holder.id, WHY))
        elif holder.id != unit.with_unit:
            seen_by = None if unit.known and holder.known else (unit.side,)
            draft.take([UnitAttached(unit=number, to_unit=holder.id, why=WHY, to=seen_by)])

    # Markers ----------------------------------------------------------------------------------------

    def _mark(self, number: str, line: RuledUnit, where: Where) -> None:
        """Its markers, and if the enemy knows it."""
        draft, unit = self.draft, self.draft.seen.state.units[number]
        adding, removing = frozenset[Mark](), frozenset[Mark]()
        if line.marks is not None:
            known = {mark.value for mark in Mark}
            strange = [text for text in line.marks if text.lstrip("+-") not in known]
            if strange:
                draft.refuse((*where, "marks"), f"there is no marker {strange[0]}", did_you_mean(strange[0], known))
                return
            add, remove = signed_change(line.marks, (mark.value for mark in unit.marks))
            adding, removing = frozenset(map(Mark, add)), frozenset(map(Mark, remove))
            if line.marks and line.marks[0].startswith(("+", "-")):
                # As in play: a unit that breaks loses its "?".
                replaced = marks_replaced_by(unit.kind)
                removing |= unit.marks & frozenset[Mark]().union(*(replaced.get(mark, ()) for mark in adding))
        hidden = frozenset(unit.marks | adding) - removing & HIDING
        hidden &= HIDING
        if line.known and hidden:
            right = f"take {', '.join(sorted(hidden))} off its marks"
            draft.refuse((*where, "known"), "the enemy can't know a unit that is out of sight", right)
            return
        if draft.by not in (UMPIRE, unit.side) and (line.known is not None or (adding | removing) & HIDING):
            name = "marks" if line.known is None else "known"
            draft.refuse((*where, name), "what you know of the enemy follows from what is shown", "leave it out")
            return
        self._change_sight(unit, line.known, adding, removing, bool(hidden))
        now = draft.seen.state.units[number]
        draft.take(change_marks(now, add=adding - HIDING, remove=removing - HIDING, why=WHY))

    def _change_sight(
        self, unit: Unit, known: bool | None, adding: frozenset[Mark], removing: frozenset[Mark], hidden: bool
    ) -> None:
        """A unit comes into the enemy's sight, or out of it, with all that it carries."""
        draft = self.draft
        load = [item for item in whole_load(draft.seen, unit) if item.side == unit.side and not item.has(*HIDING)]
        if adding & HIDING:
            draft.take(hide(draft.seen.state.units[unit.id], min(adding & HIDING), WHY))
            known = False
        elif removing & HIDING and not hidden:
            known = unit.on_map if known is None else known
            draft.take(change_marks(unit, remove=removing & HIDING, why=WHY))
        elif removing & HIDING:
            draft.take(change_marks(unit, remove=removing & HIDING, why=WHY))
        for item in (draft.seen.state.units[unit.id], *load) if known is not None else ():
            if known and not item.known:
                draft.take(reveal(item, WHY))
            elif not known and item.known:
                draft.take([UnitHidden(unit=item.id, side=item.side, why=WHY)])

    # What only its own side has on record -----------------------------------------------------------

    def _note(self, number: str, line: RuledUnit, where: Where) -> None:
        draft, unit = self.draft, self.draft.seen.state.units[number]
        changes = {name: getattr(line, name) for name in OWN_FIELDS if getattr(line, name) is not None}
        if line.place is not None and "mlr" in changes:
            del changes["mlr"]
        changes = {name: value for name, value in changes.items() if value != getattr(unit, name)}
        if not changes:
            return
        if draft.by not in (UMPIRE, unit.side):
            for name in changes:
                draft.refuse((*where, name), "only its own side has this on record", "leave it out")
            return
        was = {name: getattr(unit, name) for name in changes}
        draft.take([RecordChanged(part="units", key=number, changes=changes, was=was, why=WHY, to=(unit.side,))])

    def _leave(self, number: str, line: RuledUnit, where: Where) -> None:
        """It's no longer in the OB; what it carried is left alone."""
        draft, unit = self.draft, self.draft.seen.state.units[number]
        if line.gone is None:
            if line.cvp is not None:
                draft.refuse((*where, "cvp"), "CVP are scored for a unit that is gone", "add gone:, or leave it out")
            return
        if line.at is not None or line.place is not None:
            draft.refuse((*where, "gone"), "what is gone stands nowhere", "leave one of the two out")
            return
        if line.gone is unit.place:
            return
        if line.gone is Place.ELIMINATED and line.cvp is None:
            draft.take(eliminate(draft.seen, unit, WHY))
        else:
            draft.take(remove_unit(draft.seen, unit, line.gone, WHY, cvp=line.cvp))
        draft.take(self._settle(unit))
