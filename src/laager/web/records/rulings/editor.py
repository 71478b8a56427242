"""The record in the editor of rulings: what stands in a hex, the lines of the sheets; what a form changes of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from laager.base import LaagerError, Refusal, RefusedError
from laager.campaign import UMPIRE
from laager.catalogue import load_fortifications
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.names import UnitNames
from laager.rules.board.record import parts
from laager.rules.board.report.marks import FITS
from laager.rules.board.rulings.lines import FIXED, WRITABLE
from laager.rules.board.rulings.proposing import check_has_record
from laager.rules.board.rulings.ruling import base_contexts
from laager.rules.board.units import Fort, Mark, Place, Unit
from laager.web.campaigns.tables import Table
from laager.web.records.rulings.fields import FieldView, LineView, fields_of, read_fields
from laager.web.shared.counters import CounterSheet, draw_for_page
from laager.web.shared.translation import language

SHEETS = ("sides", "fight", "scenario", "groups", "areas", "campaign", "past")
"""The parts that are edited beside the map, in their order."""
FATES = (Place.ELIMINATED, Place.CAPTURED, Place.EVACUATED, Place.RECALLED, Place.REMOVED)
PLACES = (Place.MAP, Place.OFF_MAP, Place.POOL, Place.PATROL)


@dataclass(frozen=True)
class Editor:
    """What a seat can put right: the record that the step under way began with, and the seat's draft of a ruling."""

    table: Table
    draft: dict[str, Any]

    @cached_property
    def cg(self) -> CardContext:
        """The campaign as the seat knows it. Raises RefusedError if it keeps no record."""
        check_has_record(self.table.campaign)
        return base_contexts(self.table.campaign, self.table.seat.viewer)[1]

    @cached_property
    def names(self) -> UnitNames:
        """What the seat calls units."""
        return UnitNames(self.cg.state, language(), self.table.view.named)

    @cached_property
    def counters(self) -> CounterSheet:
        """The counters of all lines, the enemy's as the seat sees them."""
        return CounterSheet(self.cg, self.table.view.named)

    @property
    def viewer(self) -> str:
        """Who writes the ruling."""
        return self.table.seat.viewer

    def _find_draft(self, part: str, key: str) -> Mapping[str, Any]:
        lines = self.draft.get(part, {})
        held = lines.get(key, {}) if key else lines
        return held if isinstance(held, dict) else {}

    # A hex ----------------------------------------------------------------------------------------

    def units_in(self, hex_: str) -> list[LineView]:
        """Return the units in a hex, as lines."""
        return [self.unit_line(unit) for unit in self.cg.state.units.values() if unit.on_map and unit.hex == hex_]

    def units_elsewhere(self) -> list[LineView]:
        """Return the units that aren't on the map, those that are gone last."""
        units = [unit for unit in self.cg.state.units.values() if not unit.on_map]
        return [self.unit_line(unit) for unit in sorted(units, key=lambda unit: not unit.in_play)]

    def forts_in(self, hex_: str) -> list[LineView]:
        """Return the fortifications in a hex, as lines."""
        return [self.fort_line(fort) for fort in self.cg.state.forts.values() if fort.hex == hex_]

    def forts_elsewhere(self) -> list[LineView]:
        """Return the fortifications whose place isn't chosen yet."""
        return [self.fort_line(fort) for fort in self.cg.state.forts.values() if fort.at is None]

    def unit_line(self, unit: Unit) -> LineView:
        """Return a unit as a line of the editor."""
        fields = tuple(self._unit_fields(unit))
        counter = draw_for_page(**self.counters.unit(unit))
        return LineView("units", unit.id, self.names.name(unit, place=False), fields, unit.side, counter)

    def _unit_fields(self, unit: Unit) -> Iterator[FieldView]:
        drafted = self._find_draft("units", unit.id)

        def view(name: str, label: str, kind: str, now: Any, **more: Any) -> FieldView:
            return FieldView(name, label, kind, drafted.get(name, now), now, **more)

        yield view("at", _("Location"), "text", unit.at or "")
        places = tuple((place.value, place.value) for place in PLACES)
        yield view("place", _("where"), "select", unit.place.value, options=_with_now(places, unit.place.value))
        yield view("gone", _("gone"), "select", "", options=(("", "–"), *((fate.value, fate.value) for fate in FATES)))
        yield view("cvp", _("CVP for it"), "number", None, hint=_("empty: by the rules"))
        marks = sorted(mark.value for mark in unit.marks)
        fitting = [mark.value for mark in Mark if unit.kind in FITS.get(mark, ()) or mark in unit.marks]
        yield view("marks", _("markers"), "several", marks, options=tuple((mark, mark) for mark in fitting))
        company = [other for other in self.cg.state.units.values() if other.in_play and other.id != unit.id]
        options = (("", _("nobody")), *((other.id, self.names.name(other)) for other in company))
        yield view("with", _("with"), "select", unit.with_unit, options=_with_now(options, unit.with_unit))
        yield view("type", _("type"), "select", unit.type, options=self._types(unit))
        yield view("name", _("name"), "text", unit.name)
        if self.viewer in (UMPIRE, unit.side):
            yield view("known", _("the enemy knows it"), "check", unit.known)
            groups = tuple((group.id, group.id) for group in self.cg.state.groups_of(unit.side))
            yield view("group", _("group"), "select", unit.group, options=_with_now((("", "–"), *groups), unit.group))
            yield view("area", _("area"), "text", unit.area)
            yield view("fought", _("took part"), "check", unit.fought)

    def _types(self, unit: Unit) -> tuple[tuple[str, str], ...]:
        try:
            nation = self.cg.nation_of(unit)
            kind = nation.unit(unit.type).kind
            types = nation.types(kind)
        except LaagerError:
            types = ()
        return _with_now(tuple((type_, type_) for type_ in types), unit.type)

    def fort_line(self, fort: Fort) -> LineView:
        """Return a fortification as a line of the editor."""
        drafted = self._find_draft("forts", fort.id)

        def view(name: str, label: str, kind: str, now: Any) -> FieldView:
            return FieldView(name, label, kind, drafted.get(name, now), now)

        fields = [
            view("at", _("Location"), "text", fort.at or ""),
            view("gone", _("gone"), "check", False),
            view("size", _("size"), "text", fort.size),
            view("count", _("count"), "number", fort.count),
            view("factors", _("factors"), "number", fort.factors),
            view("hexside", _("hexside"), "text", fort.hexside),
        ]
        if self.viewer in (UMPIRE, fort.side):
            fields.append(view("hidden", _("hidden"), "check", fort.hidden))
        counter = draw_for_page(**self.counters.fort(fort))
        return LineView("forts", fort.id, fort.label, tuple(fields), fort.side, counter)

    def ground_line(self, hex_: str) -> LineView:
        """Return Control, fires and changes of a hex as a line."""
        ground, drafted = self.cg.state.ground, self._find_draft("ground", "")
        sides = (("nobody", _("nobody")), *((side, self.cg.people_of(side)) for side in SIDES))
        fields = []
        for at in self.cg.map.locations(hex_):
            now = ground.control.get(at, "nobody")
            value = _mapping(drafted.get("control")).get(at) or now
            fields.append(FieldView(f"control[{at}]", _("Control of %s") % at, "select", value, now, sides))
        for name, label in (("flames", _("Flame")), ("blazes", _("Blaze")), ("burnt", _("burnt down"))):
            burning = hex_ in getattr(ground, name)
            signs = _signs(drafted.get(name))
            value = (burning or f"+{hex_}" in signs) and f"-{hex_}" not in signs
            fields.append(FieldView(name, label, "check", value, burning))
        for at in self.cg.map.locations(hex_):
            held = sorted(ground.changes.get(at, ()))
            value = _mapping(drafted.get("changes")).get(at, held)
            label = _("rubble and the like in %s") % at
            fields.append(FieldView(f"changes[{at}]", label, "list", value, held))
        return LineView("ground", "", hex_, tuple(fields))

    # The sheets -----------------------------------------------------------------------------------

    def sheets(self) -> list[tuple[str, list[LineView]]]:
        """Return the lines of the record sheets that the seat can put right, part by part."""
        names = parts.parts_of(type(self.cg.state))
        sheets = ((name, list(self._sheet(names[name]))) for name in SHEETS if name in names)
        return [(name, lines) for name, lines in sheets if lines]

    def _sheet(self, part: parts.Part) -> Iterator[LineView]:
        for key, line in part.lines(self.cg.state).items():
            now = {
                name: parts.to_plain(getattr(line, name)) for name in part.fields if self._may_write(part, key, name)
            }
            fields = tuple(fields_of(part.name, part.fields, now, self._find_draft(part.name, key)))
            if fields:
                title = self.cg.people_of(key) if part.name == "sides" else key.partition(":")[2] or key
                yield LineView(part.name, key, title, fields, key.partition(":")[0] if ":" in key else "")

    def _may_write(self, part: parts.Part, key: str, field: str) -> bool:
        if field in FIXED and (part.name, field) not in WRITABLE:
            return False
        known = parts.who_knows(self.cg.state, parts.Ref(part.name, key, field))
        return known is None or self.viewer in (UMPIRE, *known)

    # Reading a form -------------------------------------------------------------------------------

    def find_line(self, part: str, key: str, hex_: str) -> LineView:
        """Return a line of the editor. Raises RefusedError if the seat has none such."""
        state = self.cg.state
        if part == "units" and key in state.units:
            return self.unit_line(state.units[key])
        if part == "forts" and key in state.forts:
            return self.fort_line(state.forts[key])
        if part == "ground" and hex_ in self.cg.map:
            return self.ground_line(self.cg.map.main(hex_))
        for name, lines in self.sheets():
            for line in lines:
                if (name, line.key) == (part, key):
                    return line
        raise RefusedError(Refusal.NO_SUCH, "the record has no such line", "look at the page again")

    def take_line(self, given: QueryDict) -> dict[str, Any]:
        """Return the draft with what a form says of one line. Raises RefusedError."""
        part, key, hex_ = (given.get(name, "") for name in ("part", "key", "hex"))
        line = self.find_line(part, key, hex_)
        changes = read_fields(given, line.fields)
        if part == "ground":
            return self._take_ground(changes, line)
        if part == "units":
            _settle_place(changes, line)
        draft = dict(self.draft)
        lines = dict(draft.get(part, {}))
        if key:
            lines[key] = changes
            draft[part] = {name: value for name, value in lines.items() if value}
        else:
            draft[part] = changes
        return draft

    def _take_ground(self, changes: dict[str, Any], line: LineView) -> dict[str, Any]:
        ground = dict(self.draft.get("ground", {}))
        hex_, locations = line.title, self.cg.map.locations(line.title)
        for name in ("control", "changes"):
            kept = {at: value for at, value in _mapping(ground.get(name)).items() if at not in locations}
            ground[name] = kept | changes.get(name, {})
        for name in ("flames", "blazes", "burnt"):
            signs = [text for text in _signs(ground.get(name)) if text[1:] != hex_]
            if name in changes:
                signs.append(f"{'+' if changes[name] else '-'}{hex_}")
            ground[name] = signs
        return {**self.draft, "ground": ground}

    def take_new(self, given: QueryDict) -> dict[str, Any]:
        """Return the draft with a new unit or fortification. Raises RefusedError."""
        kind = given.get("part", "")
        if kind not in ("units", "forts"):
            raise RefusedError(Refusal.BAD_ANSWER, "only units and fortifications can be added here")
        names = ("side", "type", "at", "with", "name") if kind == "units" else ("side", "kind", "size", "at", "hexside")
        texts = {name: given.get(name, "").strip() for name in names}
        line: dict[str, Any] = {name: text for name, text in texts.items() if text}
        line["known" if kind == "units" else "hidden"] = "shown" in given if kind == "units" else "shown" not in given
        marks = [mark for mark in given.getlist("marks") if mark]
        line |= {"marks": marks} if marks else {}
        new = dict(self.draft.get("new", {}))
        return {**self.draft, "new": {**new, kind: [*new.get(kind, []), line]}}

    def strike(self, given: QueryDict) -> dict[str, Any]:
        """Return the draft without one of its lines."""
        draft = dict(self.draft)
        part, key = given.get("part", ""), given.get("key", "")
        if part == "new":
            kind, _dot, place = key.partition(".")
            lines = list(draft.get("new", {}).get(kind, []))
            if place.isdecimal() and int(place) < len(lines):
                del lines[int(place)]
            draft["new"] = {**draft.get("new", {}), kind: lines}
        elif key and isinstance(draft.get(part), dict):
            draft[part] = {name: value for name, value in draft[part].items() if name != key}
        else:
            draft.pop(part, None)
        return draft

    # Choices --------------------------------------------------------------------------------------

    def types_of(self) -> dict[str, list[str]]:
        """Return the types of units that a side can have, by side: for new units."""
        types_by_side = {}
        for side in self.sides():
            nation = self.cg.nation(side)
            kinds = sorted({unit.kind for unit in self.cg.state.units_of(side)} | {"squad", "half-squad", "sw"})
            types: list[str] = []
            for kind in kinds:
                try:
                    types += nation.types(_kind(kind))
                except (LaagerError, ValueError):
                    continue
            types_by_side[side] = list(dict.fromkeys(types))
        return types_by_side

    def sides(self) -> tuple[str, ...]:
        """Return the sides to whose record the seat can add."""
        return tuple(SIDES) if self.viewer == UMPIRE else (self.viewer,)

    def fort_kinds(self) -> list[tuple[str, str]]:
        """Return the kinds of fortifications, with their names."""
        return [(kind, fort.name) for kind, fort in load_fortifications().items()]


def _mapping(value: Any) -> Mapping[str, Any]:
    """Return a part of a draft that should be a mapping; an empty one if somebody wrote otherwise."""
    return value if isinstance(value, dict) else {}


def _signs(value: Any) -> list[str]:
    """Return a list of a draft with + and -; nothing if somebody wrote otherwise."""
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _kind(name: str) -> Any:
    from laager.catalogue import Kind

    return Kind(name)


def _with_now(options: tuple[tuple[str, str], ...], now: str) -> tuple[tuple[str, str], ...]:
    """Return options with what holds now, which may be none of them."""
    return options if any(value == now for value, _title in options) else ((now, now), *options)


def _settle_place(changes: dict[str, Any], line: LineView) -> None:
    """Make place and Location agree where a form says only one of them."""
    now = {field.name: field.now for field in line.fields}
    if changes.get("gone"):
        changes.pop("at", None)
        changes.pop("place", None)
    if changes.get("place") not in (None, Place.MAP.value) and changes.get("at", now["at"]) == now["at"]:
        changes.pop("at", None)
    if changes.get("at"):
        changes.pop("place", None)
    for name in ("gone", "cvp", "at"):
        if changes.get(name) in ("", None):
            changes.pop(name, None)
