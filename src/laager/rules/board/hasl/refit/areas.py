"""Setup Area Determination: Control of Blocks, listed areas, Isolation, and Escape from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Placing,
    Procedure,
    Record,
    Rows,
    SecretQuestion,
    Several,
    Text,
    YesNo,
    ask_all,
    at_once,
    implements,
    step,
)
from laager.hexmap.coords import LIST_EXAMPLE, as_ranges
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import change_marks, holders, reveal, sort_by_holder
from laager.rules.board.facts import Agreed
from laager.rules.board.hasl import areas as grounds
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import AreasDetermined, UnitRetained
from laager.rules.board.hasl.public import could_have_guns
from laager.rules.board.hasl.setup.oba import retain_radios
from laager.rules.board.hasl.state import Area
from laager.rules.board.markers import MarkEnd, marks_ended_by
from laager.rules.board.places import parse_hexes
from laager.rules.board.units import Mark, Place, Unit

NOBODY = "nobody"


@implements("ABtF 9.605", "ER 1.505")
@step("HASL 5", "Setup Areas", edition=3)
def setup_areas(cg: Hasl) -> Procedure[None]:
    """The Setup Areas of both sides, which of them are Isolated, and which units are in them."""
    yield from old_marks_off(cg)
    if cg.blocks:
        yield from _declare_guns(cg)
        control = yield from block_control(cg)
        areas: Sequence[Area] = grounds.block_areas(cg, control)
        isolated = yield from _isolated_areas(cg, areas)
        areas = [area.but(isolated=_key(area) in isolated) for area in areas]
    else:
        control = {}
        areas = yield from _listed_areas(cg)
    yield AreasDetermined(areas=tuple(areas), block_control=dict(control))
    yield from retain_units(cg)


def areas_at_once(cg: Hasl) -> Procedure[None]:
    """The same as the step, with what doesn't hang together asked at once: Guns, and who Controls the Blockhouse."""
    if not cg.blocks or cg.charts.block_control is None:
        yield from setup_areas.run(cg)
        return
    yield from old_marks_off(cg)
    controllers: dict[str, str] = {}
    yield from at_once(_declare_guns(cg), _ask_blockhouse(cg, controllers))
    control = yield from _settle_blocks(cg, grounds.tallies(cg), controllers)
    areas: Sequence[Area] = grounds.block_areas(cg, control)
    isolated = yield from _isolated_areas(cg, areas)
    areas = [area.but(isolated=_key(area) in isolated) for area in areas]
    yield AreasDetermined(areas=tuple(areas), block_control=dict(control))
    yield from retain_units(cg)


def control_at_the_end(cg: Hasl) -> Procedure[None]:
    """At CG End Blocks and areas are determined once more, as victory may depend on them."""
    if cg.blocks:
        control = yield from block_control(cg)
        areas: Sequence[Area] = grounds.block_areas(cg, control)
    else:
        control = {}
        areas = yield from _listed_areas(cg)
    yield AreasDetermined(areas=tuple(areas), block_control=dict(control))


def old_marks_off(cg: Hasl) -> Iterator[Fact]:
    """Yield that units which Escaped or Shifted in the last Refit Phase are ordinary units again."""
    for unit in list(cg.state.units.values()):
        yield from change_marks(unit, remove=marks_ended_by(MarkEnd.NEXT_REFIT), why="another Refit Phase")


# Strategic Locations by Guns --------------------------------------------------------------------


def _declare_guns(cg: Hasl) -> Procedure[None]:
    """Each side says, all at once, which Locations it declares strategic by a Gun alone."""
    sides = [side for side in SIDES if could_have_guns(cg, side)]
    answers = yield from ask_all(_guns_question(cg, side) for side in sides)
    declared: dict[str, str] = {}
    for side in sides:
        manned = {gun.id for gun in grounds.declarable_guns(cg, side)}
        for name in answers[side]:
            gun = cg.state.units[name]
            if name not in manned or gun.at is None:
                # What was told at the same time has cost the side this Gun, or its crew.
                continue
            declared[name] = gun.at
            for unit in sort_by_holder(cg, (gun, *holders(cg, gun))):
                yield from reveal(unit, f"{gun.at} is declared a Strategic Location")
    if declared or cg.state.agreed.get(grounds.DECLARED):
        why = "each must be manned and set up there in the next scenario; it can't Shift"
        said = ", ".join(f"{cg.state.units[name].label} in {at}" for name, at in declared.items())
        yield Agreed(about=grounds.DECLARED, value=declared, said=said, why=why)


def _guns_question(cg: Hasl, side: str) -> SecretQuestion:
    guns = grounds.declarable_guns(cg, side)
    options = {gun.id: f"{gun.label} in {gun.at}" for gun in guns}

    def check(chosen: list[str]) -> list[Problem]:
        places = [cg.state.units[name].at for name in chosen]
        return [
            Problem(f"two Guns are declared in {at}", "one of them makes the Location strategic")
            for at in dict.fromkeys(places)
            if places.count(at) > 1
        ]

    return SecretQuestion(
        key="declared-guns",
        side=side,
        text="Which Locations do you declare Strategic Locations by a Gun alone?",
        form=Several.of_labels(options),
        check=check,
        help="Only Guns that a qualified crew mans. Gun and crew are revealed and can't Shift; manned, the Gun "
        "must set up in that very Location in the next scenario.",
    )


# Control of Blocks --------------------------------------------------------------------------------


@implements("HASL 6", "ABtF GEO-4")
def block_control(cg: Hasl) -> Procedure[Mapping[str, str]]:
    """Return who Controls which Block: by the chart's rule, else as the players say.

    The Blockhouse, if the map has one, is always asked for.
    """
    tallies = grounds.tallies(cg)
    fields: list[Field] = []
    if cg.charts.block_control is None:
        fields = [
            Field(
                name, _side_choice(cg), f"Block {name}: {tally.in_words(cg)}", cg.state.block_control.get(name, NOBODY)
            )
            for name, tally in tallies.items()
        ]
    controllers = yield from _ask_controllers(cg, [*fields, *_blockhouse(cg)])
    return (yield from _settle_blocks(cg, tallies, controllers))


def _blockhouse(cg: Hasl) -> Sequence[Field]:
    if not cg.map.blocks.blockhouses:
        return ()
    whose = next(iter(cg.blockhouse.values()), NOBODY)
    return (Field(grounds.BLOCKHOUSE, _side_choice(cg), "Blockhouse", whose),)


def _ask_blockhouse(cg: Hasl, controllers: dict[str, str]) -> Procedure[None]:
    controllers |= yield from _ask_controllers(cg, _blockhouse(cg))


def _settle_blocks(
    cg: Hasl, tallies: Mapping[str, grounds.BlockTally], controllers: Mapping[str, str]
) -> Procedure[Mapping[str, str]]:
    before, rule = cg.state.block_control, cg.charts.block_control
    houses = cg.map.in_order(cg.map.blocks.blockhouses)
    if houses:
        whose = controllers[grounds.BLOCKHOUSE]
        blockhouse = {} if whose == NOBODY else dict.fromkeys(houses, whose)
        if blockhouse != cg.blockhouse:
            yield Agreed(about=grounds.BLOCKHOUSE, value=blockhouse, why="as the players say")
    control = {}
    for name, tally in tallies.items():
        side = controllers[name] if rule is None else grounds.controller(rule, tally, before.get(name, ""))
        if side in SIDES:
            control[name] = side
    return control


def _ask_controllers(cg: Hasl, fields: Sequence[Field]) -> Procedure[Mapping[str, str]]:
    if not fields:
        return {}
    by_block: Mapping[str, str] = yield from ask_and_confirm(
        "block-control",
        SIDES[0],
        "Who Controls which Block?",
        Record.of(*fields),
        help="Each Block shows how many of its Strategic Locations each side Controls.",
        tell=lambda answer: ", ".join(f"{name} {cg.word_for(side)}" for name, side in answer.items()),
    )
    return by_block


def _side_choice(cg: Hasl) -> Choice:
    return Choice.of_labels({side: cg.side(side).name for side in SIDES} | {NOBODY: ""})


# Listed areas -------------------------------------------------------------------------------------


@implements("ER 1.2 Setup Area", "ER GEO-3")
def _listed_areas(cg: Hasl) -> Procedure[Sequence[Area]]:
    """Have the players list the areas of both sides; what they were is proposed."""
    form = Rows.of(
        Field("side", Choice.of(*SIDES), "Side"),
        Field("name", Text(40), "Name"),
        Field("hexes", Text(20000), f"Hexes, {LIST_EXAMPLE}"),
        Field("isolated", YesNo(), "Isolated", False),
    )
    default = [
        {"side": area.side, "name": area.name, "hexes": as_ranges(area.hexes), "isolated": area.isolated}
        for area in cg.state.areas
    ]
    rows = yield from ask_and_confirm(
        "setup-areas",
        SIDES[0],
        "Which are the Setup Areas of both sides now?",
        form,
        default,
        help=f"What is in none of them is Uncontrolled Territory. {_aid(cg, cg.state.areas)}",
        check=lambda rows: area_problems(cg, rows),
        tell=lambda rows: "; ".join(f"{cg.word_for(row['side'])} {row['name']}: {row['hexes']}" for row in rows),
        placing=Placing(lambda: {"hexes": cg.map.playable}),
    )
    return [
        Area(
            name=row["name"],
            side=row["side"],
            hexes=tuple(cg.map.in_order(_read_hexes(cg, row["hexes"])[0])),
            isolated=row["isolated"],
        )
        for row in rows
    ]


@implements("HASL 5")
def area_problems(cg: Hasl, rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return what is wrong with listed areas: names, hexes, and ground that is in two of them."""
    problems: list[Problem] = []
    held: dict[str, str] = {}
    names: set[tuple[str, str]] = set()
    for number, row in enumerate(rows, 1):
        where, shown = f"[{number}]", f"{row['side']} {row['name']}"
        if not row["name"] or (row["side"], row["name"]) in names:
            problems.append(
                Problem(
                    ("has no name" if not row["name"] else f"{shown} is there twice"),
                    "give each area of a side its own name",
                    f"{where}.name",
                )
            )
        names.add((row["side"], row["name"]))
        hexes, wrong = _read_hexes(cg, row["hexes"])
        problems += [problem.inside(f"{where}.hexes") for problem in wrong]
        taken = [name for name in hexes if name in held]
        if taken:
            problems.append(
                Problem(
                    f"{as_ranges(taken)} is in {held[taken[0]]} already", "no hex is in two areas", f"{where}.hexes"
                )
            )
        held |= dict.fromkeys(hexes, shown)
    return problems


def _read_hexes(cg: Hasl, text: str) -> tuple[list[str], list[Problem]]:
    names, wrong = parse_hexes(cg, text)
    if wrong:
        return [], wrong
    hexes = [name for name in dict.fromkeys(names) if name in cg.map.playable]
    if not hexes:
        return [], [Problem("no hex of it is in play", f"name its hexes, {LIST_EXAMPLE}")]
    return hexes, []


# Isolation ----------------------------------------------------------------------------------------


def _key(area: Area) -> str:
    return f"{area.side}-{area.name}"


@implements("HASL 13", "ABtF 9.6053", "ER 1.2 Isolated", "ER GEO-3")
def _isolated_areas(cg: Hasl, areas: Sequence[Area]) -> Procedure[frozenset[str]]:
    """Ask which areas are Isolated; those from which no way leads out are proposed."""
    if not areas:
        return frozenset()
    default = [_key(area) for area in areas if grounds.way_out(cg, areas, area) is None]
    options = {_key(area): f"{area.name} of the {cg.side(area.side).name}" for area in areas}
    chosen = yield from ask_and_confirm(
        "isolated",
        SIDES[0],
        "Which Setup Areas are Isolated?",
        Several.of_labels(options),
        default,
        help=_aid(cg, areas),
        tell=lambda keys: ", ".join(options[key] for key in keys),
    )
    return frozenset(chosen)


@implements("HASL 13", "ABtF GEO-12")
def _aid(cg: Hasl, areas: Sequence[Area]) -> str:
    """Say from which areas a way leads out; the module's own test of Isolation may differ."""
    parts = []
    for area in areas:
        way = grounds.way_out(cg, areas, area)
        name = f"{area.name} ({cg.side(area.side).name})"
        if way is None:
            parts.append(f"{name}: no way to an Entry Area that avoids Enemy Setup Areas")
        else:
            doubts = f", if {', '.join(way.doubts)} can be entered" if way.doubts else ""
            parts.append(f"{name}: a way by {way.hexes[0]} to {way.hexes[-1]}{doubts}")
    return "The module's test decides; ways that Laager finds: " + "; ".join(parts or ["none"])


def retain_units(cg: Hasl) -> Iterator[Fact]:
    """Yield that each unit is Retained in the area where it stands; mark those in an Isolated one.

    Radios and phones are where their holders are. Units outside all areas of their side are
    recorded in none; `escape` asks about them.
    """
    isolated = {(area.side, area.name) for area in cg.state.areas if area.isolated}
    for unit in list(cg.state.units.values()):
        if not unit.in_play:
            continue
        area = grounds.area_of_unit(cg.state.areas, cg, unit)
        if area != unit.area:
            yield UnitRetained(unit=unit.id, area=area, to=unit.audience)
        if (unit.side, area) in isolated:
            why = f"{area} is Isolated"
            yield from change_marks(unit, add=(Mark.ISOLATED,), why=why)
        else:
            yield from change_marks(unit, remove=(Mark.ISOLATED,), why="no longer Isolated")
    for side in SIDES:
        yield from retain_radios(cg, side)


def outside(cg: Hasl, side: str) -> list[Unit]:
    """Return a side's units on the map that are in no Setup Area of their side."""
    return [
        unit
        for unit in cg.state.units_of(side)
        if unit.place is Place.MAP and not unit.area and not unit.has(Mark.PRISONER, Mark.WRECK)
    ]
