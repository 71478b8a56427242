"""The rows of a battle report about units, made from the pieces that were matched to them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from laager.rules.board.changes import INFANTRY, VEHICLES
from laager.rules.board.report.form import CAPTURED, ELIMINATED, GUARD, OFF_MAP, ON_MAP, RECALLED
from laager.rules.board.report.marks import WRECKAGE
from laager.rules.board.units import HIDING, Mark, Unit
from laager.vasl.report.counters import State, state_of
from laager.vasl.report.findings import AS_RECORDED, NOBODY, UPDATER, Doubt, Findings
from laager.vasl.report.matching import ITEMS, Pairs, Token
from laager.vasl.report.places import BESIDE, DEAD, NOWHERE, man_below

_FOR_GOOD = frozenset({Mark.DISABLED, Mark.MA_DISABLED})
"""Markers that are never repaired in play."""


@dataclass
class RowMaker:
    """Makes rows of units; notes questions where the save leaves something open."""

    pairs: Pairs
    fates: Mapping[str, str]
    guarded: frozenset[str]
    """Locations with men of the enemy that the side can see."""
    burning: frozenset[str]
    """Ids of wrecks on which a blaze lies."""
    untouched: bool = False
    """True if the save is the setup that Laager wrote: then all is still hidden that was to be."""

    @property
    def findings(self) -> Findings:
        """Where doubts are noted."""
        return self.pairs.findings

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Names of pieces in a report: the unit's id, for new ones fresh 1, fresh 2 ..."""
        by_piece = {token.piece.id: unit_id for unit_id, token in self.pairs.token_of.items()}
        return by_piece | {token.piece.id: f"fresh {number}" for number, (token, _) in enumerate(self.pairs.new, 1)}

    def row(self, unit: Unit, recorded: Mapping[str, Any]) -> dict[str, Any]:
        """Return a unit's row: by its piece, else by the choice about its fate."""
        token = self.pairs.token_of.get(unit.id)
        if token is None:
            return self._row_of_missing(unit, recorded)
        if token.wreck:
            marks = [Mark.WRECK, *([Mark.BURNING] if token.piece.id in self.burning else [])]
            names = [mark.value for mark in marks]
            return {"unit": unit.id, "fate": ELIMINATED, "at": token.spot.at, "marks": names}
        if token.spot.where == DEAD and token.marked and ELIMINATED in self.fates:
            self.findings.sure(f"unit:{unit.id}", unit.label, "lies in the casualties bin", taken=ELIMINATED)
            return self._row_of_lost(unit, ELIMINATED)
        if token.spot.where == DEAD:
            return self._ask_fate(unit, recorded, "lies in the casualties bin", ELIMINATED)
        if token.spot.where == BESIDE:
            if not unit.on_map:
                return dict(recorded)
            return self._ask_fate(unit, recorded, "lies next to the boards", AS_RECORDED)
        if token.spot.where == NOWHERE:
            return self._ask_fate(unit, recorded, token.spot.doubt or "lies on no map", AS_RECORDED)
        if self._is_captured(unit, token):
            return self._ask_fate(unit, recorded, "lies with men of the enemy alone", CAPTURED)
        return self._on_map(unit, token)

    # On the map -----------------------------------------------------------------------------------

    def _on_map(self, unit: Unit, token: Token) -> dict[str, Any]:
        state = state_of(token.piece, unit.kind, unit, token.stack)
        row: dict[str, Any] = {"unit": unit.id, "fate": ON_MAP, "at": self.location(unit, token)}
        row["type"] = self._type(unit, token)
        row["marks"] = self._marks(unit, token, state)
        holder = self._holder(unit, token, row)
        if holder or unit.with_unit:
            row["with"] = holder
        return row

    def _type(self, unit: Unit, token: Token) -> str:
        """Return a unit's type; asked of a half-squad that is a squad now, if none is gone that it can be made of."""
        squad = token.named.type
        if unit.id not in self._halves_made_squads:
            return squad
        why = f"was the half-squad {unit.type}, its piece is a squad, and no other half-squad is gone; {UPDATER}"
        options = {unit.type: f"still the half-squad {unit.type}", squad: f"Recombined, now {squad}"}
        return self.findings.ask(f"type:{unit.id}", unit.label, why, options, unit.type, token.spot.at)

    @cached_property
    def _halves_made_squads(self) -> frozenset[str]:
        """Half-squads whose pieces are squads, if there are more such squads than other half-squads are gone."""
        whole: dict[str, list[str]] = {}
        gone: dict[str, int] = {}
        units = self.pairs.cg.state.units
        for unit in (*self.pairs.free, *(units[unit_id] for unit_id in self.pairs.token_of)):
            if unit.kind != "half-squad":
                continue
            token, squad = self.pairs.token_of.get(unit.id), self.pairs.cg.nation_of(unit).recombined_type(unit.type)
            if token is not None and token.living and token.named.kind == "squad":
                whole.setdefault(token.named.type, []).append(unit.id)
            elif squad is not None and unit.on_map and (token is None or not token.living):
                gone[squad] = gone.get(squad, 0) + 1
        return frozenset(id_ for squad, ids in whole.items() if len(ids) > gone.get(squad, 0) for id_ in ids)

    def location(self, unit: Unit, token: Token) -> str:
        """Return the Location of a unit; asked if the map does not have it."""
        spot = token.spot
        if not spot.doubt:
            return spot.at
        options = {at: at for at in self.pairs.cg.map.locations(spot.at)}
        return self.findings.ask(f"at:{unit.id}", unit.label, spot.doubt, options, spot.at, spot.at)

    def _marks(self, unit: Unit, token: Token, state: State) -> list[str]:
        at = token.spot.at
        more = list(unit.marks & HIDING) if self.untouched else []
        for mark in state.perhaps:
            why = f"{mark} lies above another unit of its stack; is it about this one too?"
            if self.findings.confirm(f"{mark}:{unit.id}", unit.label, why, at, "no"):
                more.append(mark)
        for mark in () if token.marked else state.asked:
            why = f"the record has it {mark}, the save shows no counter; is it still?"
            proposed = "yes" if mark in _FOR_GOOD else "no"
            if self.findings.confirm(f"{mark}:{unit.id}", unit.label, why, at, proposed):
                more.append(mark)
        if token.marked:
            more += self._merge_with_record(unit, state, at)
        if token.spot.climbing:
            more.append(Mark.CLIMBING)
        if Mark.PRISONER in {*state.marks, *more} and at not in self.guarded:
            more.append(Mark.UNGUARDED)
        for word in state.left_out:
            self.findings.pass_over(f"status that the report does not ask for: {word}")
        kept = [mark.value for mark in Mark if mark in state.kept]
        if kept:
            note = f"still {', '.join(kept)} as recorded, though the save shows no counter"
            self.findings.sure(f"kept:{unit.id}", unit.label, note, at)
        return state.words(*more)

    def _merge_with_record(self, unit: Unit, state: State, at: str) -> list[Mark]:
        """Return the record's markers that last. On a piece that Laager wrote, a missing counter is an answer."""
        for mark in state.asked:
            if mark not in _FOR_GOOD:
                self.findings.sure(f"{mark}:{unit.id}", unit.label, f"not {mark} any more: its counter is gone", at)
        return [mark for mark in state.asked if mark in _FOR_GOOD]

    # Holders and vehicles -------------------------------------------------------------------------

    def _holder(self, unit: Unit, token: Token, row: Mapping[str, Any]) -> str:
        if Mark.PRISONER.value in row["marks"]:
            return GUARD if Mark.UNGUARDED.value not in row["marks"] else ""
        return self.holder(unit, token)

    def holder(self, unit: Unit, token: Token) -> str:
        """Return a weapon's possessor, or a man's vehicle; "" without one."""
        if unit.kind in ITEMS:
            return self._possessor(unit, token)
        if unit.kind in INFANTRY:
            return self._vehicle(unit, token)
        return ""

    def _stacked_with(self, token: Token, kinds: frozenset[str]) -> list[tuple[int, str]]:
        """Return the units of some kinds in the same stack: how much lower, and the name."""
        others = [
            (token.piece.height - other.piece.height, self.names[other.piece.id])
            for other, kind in self._stacks.get(token.piece.stack, ())
            if kind in kinds and other is not token and other.spot.at == token.spot.at
        ]
        return sorted(others, key=lambda pair: (pair[0] < 0, abs(pair[0])))

    @cached_property
    def _kinds(self) -> dict[Token, str]:
        """The pieces that are units, new ones too, with their kinds."""
        units = self.pairs.cg.state.units
        kinds = {token: units[unit_id].kind for unit_id, token in self.pairs.token_of.items()}
        return kinds | {token: token.named.kind for token, _ in self.pairs.new}

    @cached_property
    def _stacks(self) -> dict[str | None, list[tuple[Token, str]]]:
        """The same by stack; single pieces are left out."""
        by_stack: dict[str | None, list[tuple[Token, str]]] = {}
        for token, kind in self._kinds.items():
            if token.piece.stack is not None:
                by_stack.setdefault(token.piece.stack, []).append((token, kind))
        return by_stack

    def _possessor(self, unit: Unit, token: Token) -> str:
        """Return a weapon's possessor: the nearest man below it in the stack; a Gun's, its crew.

        A weapon under all men of its stack is nobody's, but this is asked.
        """
        men = [pair for pair in self._stacked_with(token, INFANTRY) if pair[1] in self._free_men]
        below = [name for depth, name in men if depth > 0]
        above = [name for depth, name in men if depth < 0]
        if below:
            return below[0]
        vehicles = [name for _, name in self._stacked_with(token, VEHICLES)]
        if not above and not vehicles:
            return ""
        if token.marked and unit.at == token.spot.at and self._is_apart(unit, token):
            # It lies where it lay: under nobody who had it, or with somebody who is hidden in another way.
            return unit.with_unit
        recorded = unit.with_unit if unit.with_unit in (*above, *vehicles) else ""
        if recorded or (unit.kind == "gun" and len(above) == 1):
            return recorded or above[0]
        return self._ask_holder(unit, token, "lies under all others of its stack; who has it?", (*above, *vehicles))

    def _is_apart(self, unit: Unit, token: Token) -> bool:
        """True if a weapon had no possessor, or its possessor is in its Location, in another stack."""
        holder = self.pairs.token_of.get(unit.with_unit)
        if holder is None:
            return not unit.with_unit
        return holder.spot.at == token.spot.at and holder.piece.stack != token.piece.stack

    def _ask_holder(self, unit: Unit, token: Token, why: str, names: Iterable[str]) -> str:
        """Ask for the unit's holder or vehicle; "" for nobody."""
        options = {NOBODY: "nobody", **{name: self.label_of(name) for name in names}}
        who = self.findings.ask(f"with:{unit.id}", unit.label, why, options, NOBODY, token.spot.at)
        return "" if who == NOBODY else who

    def nearest(self, token: Token) -> str:
        """Return the possessor of a weapon that is on no record: the nearest man below it, else above."""
        men = [name for _, name in self._stacked_with(token, INFANTRY) if name in self._free_men]
        return men[0] if men else ""

    def marks(self, token: Token) -> list[str]:
        """Return the markers of a weapon that is on no record."""
        return state_of(token.piece, token.named.kind, None, token.stack).words()

    @cached_property
    def _free_men(self) -> frozenset[str]:
        """The names of all men but prisoners, who possess nothing."""
        return frozenset(self.names[token.piece.id] for token in self._kinds if "prisoner" not in token.piece.status)

    def _vehicle(self, unit: Unit, token: Token) -> str:
        """Return the vehicle that a man is in; asked if he was in none, or is not stacked so."""
        vehicles = [name for _, name in self._stacked_with(token, VEHICLES)]
        if not vehicles:
            return ""
        if unit.with_unit in vehicles:
            return unit.with_unit
        if token.marked and unit.at == token.spot.at and not unit.with_unit and self._were_at(vehicles, token.spot.at):
            # They stood side by side.
            return ""
        if unit.kind == "armor-leader":
            return vehicles[0]
        return self._ask_holder(unit, token, "is stacked with a vehicle; is it aboard?", vehicles)

    def _were_at(self, names: Iterable[str], at: str) -> bool:
        """True if all of some units are on the record in a Location."""
        units = self.pairs.cg.state.units
        return all(name in units and units[name].at == at for name in names)

    def label_of(self, name: str) -> str:
        """Return the label of the unit to which a report refers by this name."""
        units = self.pairs.cg.state.units
        return units[name].label if name in units else name

    def _is_captured(self, unit: Unit, token: Token) -> bool:
        """True if a weapon lies with men of the enemy, and with none of its own side."""
        if unit.kind not in ITEMS or token.spot.at not in self.guarded:
            return False
        if token.marked and unit.at == token.spot.at and not unit.with_unit and not man_below(token.piece, token.stack):
            # Nobody had it, and it lies where it lay.
            return False
        here = [other for other, kind in self._kinds.items() if kind in INFANTRY]
        return not any(other.spot.at == token.spot.at for other in here)

    # Gone, or not found ---------------------------------------------------------------------------

    def _row_of_missing(self, unit: Unit, recorded: Mapping[str, Any]) -> dict[str, Any]:
        if not unit.on_map:
            self.findings.sure(f"unit:{unit.id}", unit.label, "is off the map, as recorded")
            return dict(recorded)
        holder = self.pairs.cg.state.units.get(unit.with_unit)
        why = "is nowhere in the save"
        if unit.has(Mark.HIP):
            why += "; was hidden, and may still be"
        elif holder is not None and holder.id not in self.pairs.token_of:
            why += f"; was with {holder.label}, who is not found either"
        return self._ask_fate(unit, recorded, why, AS_RECORDED, missing=True)

    def _ask_fate(
        self, unit: Unit, recorded: Mapping[str, Any], why: str, proposed: str, *, missing: bool = False
    ) -> dict[str, Any]:
        """Ask for the fate of a unit, and return its row."""
        options = {AS_RECORDED: f"as recorded ({unit.at or 'off the map'})"}
        options |= {fate: label for fate, label in self.fates.items() if self._is_possible_fate(unit, fate)}
        into: Doubt = "not_found" if missing else "to_confirm"
        fate = self.findings.ask(f"unit:{unit.id}", unit.label, why, options, proposed, unit.at or "", into)
        if fate == AS_RECORDED:
            return dict(recorded)
        return self._row_of_lost(unit, fate)

    def _row_of_lost(self, unit: Unit, fate: str) -> dict[str, Any]:
        row: dict[str, Any] = {"unit": unit.id, "fate": fate}
        if fate == ELIMINATED and unit.kind in VEHICLES and unit.at:
            row["at"] = unit.at
        return row

    def _is_possible_fate(self, unit: Unit, fate: str) -> bool:
        if fate in (ON_MAP, OFF_MAP):
            return False
        return fate != RECALLED or unit.kind in VEHICLES or unit.kind == "leader"

    # New ------------------------------------------------------------------------------------------

    def new_row(self, token: Token, parent: str, referenced: Container[object]) -> dict[str, Any]:
        """Return the row of a unit that came into being; with its name if others refer to it."""
        state = state_of(token.piece, token.named.kind, None, token.stack)
        drop = {mark.value for mark in WRECKAGE | {Mark.HIP, Mark.PRISONER, Mark.UNGUARDED}}
        row: dict[str, Any] = {"type": token.named.type, "at": token.spot.at}
        if token.named.kind in ("commissar", "armor-leader"):
            row["kind"] = token.named.kind
        row["marks"] = [word for word in state.words() if word not in drop]
        if self.names[token.piece.id] in referenced:
            row["name"] = self.names[token.piece.id]
        if parent:
            row["from"] = parent
        return row
