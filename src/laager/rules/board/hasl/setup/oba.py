"""OBA at setup: which modules are used, which units have their radios and phones; Security Areas (C1.23)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Option, Record, Rows, Text, YesNo, implements
from laager.hexmap import PathTerms, enterable_path, path_problems
from laager.hexmap.coords import WAY_EXAMPLE, parse_way
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import INFANTRY
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.buying.groups import line_of
from laager.rules.board.hasl.buying.offers import OBSERVER, PHONE, RADIO, modules_of
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.setup.plan import HaslPlan, ModuleRow, Setting, is_isolated
from laager.rules.board.hasl.state import Group
from laager.rules.board.places import Fault, hex_of
from laager.rules.board.setup.placements import SetupPlace
from laager.rules.board.units import Mark, Unit


def modules_at_setup(setting: Setting) -> tuple[Group, ...]:
    """Return the modules whose equipment is placed now: with what is not Isolated, at the end."""
    if setting.isolated:
        return ()
    return tuple(modules_of(setting.cg, setting.side))


def module_fields(setting: Setting) -> Iterator[Field]:
    """Yield the field for the modules of a side, if it has any."""
    modules = modules_at_setup(setting)
    if not modules:
        return
    options = tuple(Option(group.id, f"{group.id} {group.name}".rstrip()) for group in modules)
    row = Record.of(
        Field("module", Choice(options), "Module"),
        Field("use", YesNo(), "Used in this scenario", True),
        Field("equipment", Choice.of(RADIO, PHONE, OBSERVER), "By"),
        Field("with", Text(limit=20), "Unit with the radio or phone", ""),
        Field("way", Text(limit=400), f"Security Area of a phone, {WAY_EXAMPLE}", ""),
    )
    yield Field("modules", Rows(row), "OBA modules", [])


@implements("HASL 28")
def module_problems(plan: HaslPlan) -> Iterator[Problem]:
    """Yield what is wrong with the OBA of a plan: limits, the unit that has it, a phone's Security Area."""
    groups = {group.id: group for group in modules_at_setup(plan.setting)}
    names = [row["module"] for row in plan.modules]
    for number, row in enumerate(plan.modules, 1):
        if names.count(row["module"]) > 1:
            yield Problem(f"{row['module']} is there twice", "once each", f"modules[{number}]")
        elif row["use"]:
            for fault, right, field in module_faults(plan, groups[row["module"]], row):
                yield Problem(fault, right, f"modules[{number}].{field}")
    wanted = [row["module"] for row in plan.modules if row["use"]]
    for problem in plan.cg.variant.module_problems(plan.cg, plan.side, wanted):
        yield problem.inside("modules")


def equipments(cg: Hasl, group: Group) -> tuple[str, ...]:
    """Return what can direct a module: an Offboard Observer that it has, else radio or phone."""
    if group.equipment == OBSERVER:
        return (OBSERVER,)
    return cg.variant.equipment(cg, group.side, line_of(cg, group))


def module_faults(plan: HaslPlan, group: Group, row: ModuleRow) -> Iterator[Fault]:
    """Yield why a module can't be used so: what, what would be right, which field."""
    able = equipments(plan.cg, group)
    if row["equipment"] not in able:
        yield f"{row['equipment']} can't direct {group.id}", f"{' or '.join(able)}", "equipment"
        return
    if row["equipment"] == OBSERVER:
        if row["with"] or row["way"]:
            yield "an Offboard Observer is not with a unit", "leave it out", "with"
        return
    holder = find_bearer(plan, row["with"])
    if holder is None:
        right = "personnel of yours that set up or enter"
        yield f"nobody has the {row['equipment']} of {group.id}", right, "with"
        return
    yield from _bearer_faults(plan, group, holder)
    if row["equipment"] == PHONE:
        yield from _phone_faults(plan, holder, row["way"])
    elif row["way"]:
        yield "a radio has no Security Area", "leave it out", "way"


def find_bearer(plan: HaslPlan, name: str) -> SetupPlace | None:
    """Return the Personnel with this id that take part in the scenario; None if there are none."""
    unit = plan.cg.state.units.get(name)
    if unit is None or unit.side != plan.side or unit.kind not in INFANTRY:
        return None
    placement = plan.placed.get(name) or SetupPlace(unit, plan.location_of_unit(name))
    return placement if placement.somewhere and not unit.has(Mark.PRISONER) else None


@implements("ABtF CG6d", "ER CG12(1)")
def _bearer_faults(plan: HaslPlan, group: Group, holder: SetupPlace) -> Iterator[Fault]:
    cg, unit = plan.cg, holder.unit
    kept, area = radio_keeper(cg, group), area_of(cg, holder)
    if kept is not None and kept.hex is not None and not kept.area:
        # Outside all areas it has nowhere to be relocated to: it stays where it is.
        if kept.id != unit.id and kept.at != unit.at:
            yield f"{unit.label} is elsewhere", f"{group.id} is with {kept.label}", "with"
        return
    if group.area:
        yield from _area_faults(plan, group, area or holder.at, unit.label)
    elif not cg.variant.isolated_oba and is_isolated(cg, unit):
        yield f"{unit.label} is Isolated", "a unit that is not", "with"
    if holder.at and hex_of(holder.at) not in cg.state.friendly(plan.side) | plan.setting.home:
        yield f"{holder.at} is not in a Friendly Setup Area", "a unit in one, or entering", "with"


def _area_faults(plan: HaslPlan, group: Group, area: str, name: str) -> Iterator[Fault]:
    """Yield that a Retained radio or phone must stay in its area, except a phone that is Eliminated there."""
    cut_off = plan.cg.variant.phones_replaced and is_phone_cut_off(plan.cg, group)
    if cut_off and area == group.area:
        yield (
            f"the phone of {group.id} is Eliminated: no Security Area leads out of {area}",
            "a radio or phone in another area",
            "with",
        )
    elif area != group.area and not cut_off:
        yield f"{name} is in {area}", f"{group.id} is in {group.area}", "with"


def is_phone_cut_off(cg: Hasl, group: Group) -> bool:
    """True if no Security Area can be traced from anywhere in the Setup Area of a phone."""
    area = cg.state.area(group.side, group.area) if group.equipment == PHONE else None
    return area is not None and not some_way(cg, group.side, *area.hexes)


def area_of(cg: Hasl, holder: SetupPlace) -> str:
    """Return the Setup Area in which a unit sets up, or the arrow hex by which it enters."""
    if holder.entry:
        return holder.entry
    area = cg.state.area_at(hex_of(holder.at))
    return area.name if area is not None and area.side == holder.unit.side else ""


@implements("ER CG12(2)")
def _phone_faults(plan: HaslPlan, holder: SetupPlace, text: str) -> Iterator[Fault]:
    if not holder.at:
        yield "a field phone sets up on the map", "a radio, or a unit on the map", "with"
        return
    way = read_way(plan.cg, text)
    if way is None:
        yield f"{text!r} are not hexes of the map", f"hexes {WAY_EXAMPLE}", "way"
        return
    if way and way[0] != hex_of(holder.at):
        yield f"the Security Area begins in {way[0]}", f"in {hex_of(holder.at)}", "way"
    for problem in plan.cg.variant.security_problems(plan.cg, plan.side, way):
        yield problem.what, problem.right, "way"


def read_way(cg: Hasl, text: str) -> list[str] | None:
    """Return the hexes of a way as written, in order; None if a word is not a hex of the map."""
    names = parse_way(text)
    if any(name not in cg.map for name in names):
        return None
    return [cg.map.main(name) for name in names]


# What follows -------------------------------------------------------------------------------------


def modules_settled(plan: HaslPlan) -> Iterator[Fact]:
    """Record for each module which unit has its radio or phone; an owner's secret."""
    groups = {group.id: group for group in modules_at_setup(plan.setting)}
    for row in plan.modules:
        group = groups[row["module"]]
        changes: dict[str, Any] = {"holder": "", "security": ()}
        if row["use"] and row["equipment"] != OBSERVER:
            holder = find_bearer(plan, row["with"])
            assert holder is not None, "the checks ask for a unit"
            way = read_way(plan.cg, row["way"]) or ()
            changes = {"holder": holder.unit.id, "security": tuple(way)}
            changes |= {"area": area_of(plan.cg, holder), "equipment": row["equipment"]}
        new = {key: value for key, value in changes.items() if getattr(group, key) != value}
        if new:
            yield GroupChanged.of(group, f"the {row['equipment']} of {group.id} at setup", **new)


# What is proposed ---------------------------------------------------------------------------------


def proposed_modules(plan: HaslPlan) -> list[ModuleRow]:
    """Return a legal use of the modules that a plan leaves open: as many as possible.

    Each goes with a unit that can have it; a module without one is not used.
    """
    setting, rows = plan.setting, list[ModuleRow]()
    named = {row["module"] for row in plan.modules}
    wanted = [row["module"] for row in plan.modules if row["use"]]
    for group in modules_at_setup(setting):
        if group.id in named:
            continue
        row = _first_row(plan, group)
        more = [*wanted, group.id]
        barred = any(setting.cg.variant.module_problems(setting.cg, setting.side, more))
        if row is None or barred:
            row = _unused_row(setting.cg, group)
        else:
            wanted = more
        rows.append(row)
    return rows


def _unused_row(cg: Hasl, group: Group) -> ModuleRow:
    by = group.equipment or equipments(cg, group)[0]
    return {"module": group.id, "use": False, "equipment": by, "with": "", "way": ""}


def _first_row(plan: HaslPlan, group: Group) -> ModuleRow | None:
    possible = equipments(plan.cg, group)
    by = [option for option in possible if option == group.equipment] + [
        option for option in possible if option != group.equipment
    ]
    for equipment in by:
        for name, way in _bearers(plan, equipment):
            row: ModuleRow = {
                "module": group.id,
                "use": True,
                "equipment": equipment,
                "with": name,
                "way": ", ".join(way),
            }
            if not any(module_faults(plan, group, row)):
                return row
    return None


def _bearers(plan: HaslPlan, equipment: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the units that can have a radio or phone, on the map first, with a way for the phone."""
    if equipment == OBSERVER:
        yield "", ()
        return
    bearers = [placement for placement in plan.placed.values() if find_bearer(plan, placement.unit.id) is not None]
    bearers.sort(key=lambda placement: not placement.at)
    for placement in bearers:
        phone = equipment == PHONE and placement.at
        yield placement.unit.id, some_way(plan.cg, plan.side, hex_of(placement.at)) if phone else ()


# Between scenarios -------------------------------------------------------------------------------


def radios(cg: Hasl, side: str) -> list[Group]:
    """Return the Retained OBA modules of a side that a radio or phone directs."""
    directed = (group for group in cg.state.groups_of(side) if group.equipment in (RADIO, PHONE))
    return [group for group in directed if not group.lost]


def radio_keeper(cg: Hasl, group: Group) -> Unit | None:
    """Return the unit that has had the radio or phone of a module since setup; None if it is gone."""
    unit = cg.state.units.get(group.holder)
    return unit if unit is not None and unit.in_play and not unit.has(Mark.PRISONER) else None


@implements("HASL 9")
def retain_radios(cg: Hasl, side: str) -> Iterator[Fact]:
    """Yield that radios and phones are Retained in the areas of their holders; one without a holder stays.

    If its side no longer has that area, it is in no area, and any unit can have it at setup.
    """
    places = {"", *(area.name for area in cg.state.areas_of(side)), *cg.all_arrows(side)}
    for group in radios(cg, side):
        holder = radio_keeper(cg, group)
        area = holder.area if holder is not None else group.area
        area = area if area in places else ""
        if area != group.area:
            with_ = f"with {holder.label}" if holder is not None else f"{group.area} is gone"
            yield GroupChanged.of(group, f"the {group.equipment} of {group.id}: {with_}", area=area)


def pass_on_radios(cg: Hasl, had: Unit, heir: Unit) -> Iterator[Fact]:
    """Yield that another unit has the radios and phones of a unit now."""
    for group in radios(cg, had.side):
        if group.holder == had.id:
            yield GroupChanged.of(group, f"the {group.equipment} of {group.id}: with {heir.label}", holder=heir.id)


# Security Areas -----------------------------------------------------------------------------------


def closed_hexes(cg: Hasl, side: str) -> PathTerms:
    """Return the hexes that no Security Area leads through: Enemy Setup Areas and terrain Blazes."""
    enemy = cg.state.friendly(other_side(side))
    # Players can name an upper Location for a Blaze: it bars the whole hex.
    blazes = frozenset(hex_of(name) for name in cg.state.ground.blazes)
    return PathTerms(barred=enemy | blazes)


def way_ends(cg: Hasl, side: str) -> frozenset[str]:
    """Return the hexes of the side's Entry Areas."""
    return frozenset(name for arrow in cg.arrows(side) for name in cg.entry_hexes(arrow))


def security_problems(cg: Hasl, side: str, way: Sequence[str]) -> tuple[Problem, ...]:
    """Return what is wrong with a Security Area: hexes in order, from the phone to the edge."""
    problems = list(path_problems(cg.map, way, closed_hexes(cg, side)))
    if way and cg.map.main(way[-1]) not in way_ends(cg, side):
        problems.append(Problem(f"{way[-1]} is in no Friendly Entry Area", "lead it to one"))
    return tuple(problems)


def some_way(cg: Hasl, side: str, *starts: str) -> tuple[str, ...]:
    """Return the first way for a Security Area from one of these hexes; empty if there is none."""
    ends = way_ends(cg, side)
    path = enterable_path(cg.map, starts, cg.map.in_order(ends), closed_hexes(cg, side))
    return path.hexes if path is not None else ()
