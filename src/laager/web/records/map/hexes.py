"""What a viewer may know of a hex: its ground, who Controls it and why, what stands in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from laager.campaign import UMPIRE
from laager.hexmap import split_location
from laager.hexmap.draw.grid import describe_hex
from laager.rules.board.state import BoardState
from laager.rules.board.units import HIDING, Fort, Mark, Unit
from laager.web.campaigns.scenes import Scene
from laager.web.models import Note
from laager.web.shared.counters import CounterSheet

if TYPE_CHECKING:
    from laager.hexmap import Hex, HexMap
    from laager.web.campaigns.tables import Table


@dataclass(frozen=True)
class ShownUnit:
    """A unit as the viewer sees it: "?" if it is concealed and not the viewer's own."""

    id: str
    side: str
    label: str
    kind: str
    marks: tuple[str, ...]
    with_unit: str = ""
    count: int = 1
    face: str = ""
    letter: str = ""
    company: str = ""
    """What the unit that it is with is called."""


@dataclass(frozen=True)
class ShownLocation:
    """A Location of a hex: who Controls it and by what entry, and what stands there."""

    name: str
    strategic: bool = False
    control: str = ""
    why: str = ""
    entry: int | None = None
    units: tuple[ShownUnit, ...] = ()
    forts: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


@dataclass(frozen=True)
class HexContent:
    """All that a viewer may know of a hex. `about` is its ground in words."""

    name: str
    about: str
    aliases: tuple[str, ...]
    playable: bool
    terrain: str
    level: int
    building: str
    hexsides: Mapping[str, tuple[str, ...]]
    """What runs along its sides, by the neighbour beyond."""
    standing: tuple[str, ...]
    """How it stands in the campaign, in sentences: No Man's Land, Block, Entry Area ..."""
    locations: tuple[ShownLocation, ...]
    notes: tuple[str, ...] = field(default=())


def describe_content(hex_content: HexContent) -> dict[str, Any]:
    """Return what a hex holds as plain values, without what only pages draw."""
    described = asdict(hex_content)
    for location in described["locations"]:
        for unit in location["units"]:
            for drawn in ("face", "letter", "company"):
                del unit[drawn]
    return described


def hex_content(table: Table, scene: Scene, name: str, sheet: CounterSheet | None = None) -> HexContent:
    """Return what the seat may know of a hex. Raises RefusedError if there is no such hex."""
    hex_ = scene.map.hex(_as_written(scene.map, name))
    around = {
        other: tuple(sorted(scene.map.hexside_features(hex_.name, other))) for other in scene.map.neighbours(hex_.name)
    }
    notes = Note.objects.filter(game=table.seat.game, seat=table.seat.name, about=hex_.name)
    return HexContent(
        name=hex_.name,
        about=describe_hex(hex_).partition(": ")[2],
        aliases=hex_.aliases,
        playable=hex_.name in scene.map.playable,
        terrain=hex_.terrain,
        level=hex_.level,
        building=_building(hex_),
        hexsides={other: kinds for other, kinds in around.items() if kinds},
        standing=tuple(_standing(scene, hex_.name)),
        locations=tuple(_spots(table, scene, hex_, sheet)),
        notes=tuple(note.text for note in notes),
    )


def _as_written(map_: HexMap, text: str) -> str:
    """Return the hex of what somebody typed, in upper or lower case; the text itself if it isn't one."""
    text = text.strip()
    if text in map_:
        return text
    low = text.partition(".")[0].lower()
    names = (name for hex_ in map_.hexes.values() for name in (hex_.name, *hex_.aliases))
    return next((name for name in names if name.lower() == low), text)


def _building(hex_: Hex) -> str:
    """Return what else there is to say about a building; "" for nothing."""
    if hex_.building is None:
        return ""
    words = [hex_.building.name]
    upper = hex_.building.levels_in(hex_.name)
    words += [f"{upper} upper level{'s' * (upper > 1)}"] if upper else []
    words += ["cellar"] if hex_.building.cellar else []
    return ", ".join(word for word in words if word)


# How it stands ------------------------------------------------------------------------------------


def _standing(scene: Scene, name: str) -> Iterator[str]:
    layers, called = scene.layers, scene.layers.sides
    if name in scene.map.names:
        yield scene.map.names[name]
    if name not in scene.map.playable:
        yield "not in play"
    yield from _front(scene, name)
    yield from _block(scene, name)
    for side, hexes in layers.entry.items():
        if name in hexes:
            yield f"Friendly Map Edge of {called.get(side, side)}"
    for mark in layers.entry_areas:
        if name in mark.hexes:
            owner = f" of {called.get(mark.owner, mark.owner)}" if mark.owner else ""
            yield f"Entry Area {mark.arrow}{owner}"
    if layers.tvp.get(name):
        yield f"worth {layers.tvp[name]} TVP"


def _front(scene: Scene, name: str) -> Iterator[str]:
    front = scene.layers.front
    if front is None:
        return
    for side in front.sides:
        who = scene.layers.sides.get(side, side)
        for line in front.lines.get(side, ()):
            if name in line.hexes:
                yield f"inside {who} MLR {line.letter}"
        if name in front.isolated.get(side, ()):
            yield f"{who} Isolated Area"
    if name in front.no_mans_land:
        yield "No Man's Land"
    if name in front.uncontrolled:
        yield "Uncontrolled"


def _block(scene: Scene, name: str) -> Iterator[str]:
    blocks = scene.layers.blocks
    if blocks is None:
        return
    called = scene.layers.sides
    for block, hexes in blocks.blocks.items():
        if name in hexes:
            holder = blocks.control.get(block)
            held = f", Controlled by {called.get(holder, holder)}" if holder else ""
            yield f"Block {block}{held}" if block in scene.map.blocks.hexes else f"{block}{held}"
    for side, hexes in blocks.held.items():
        if name in hexes:
            yield f"in a Setup Area of {called.get(side, side)}"
    for side, hexes in blocks.line.items():
        if name in hexes:
            yield f"on the Front Line of {called.get(side, side)}"


# Locations ----------------------------------------------------------------------------------------


def _spots(table: Table, scene: Scene, hex_: Hex, sheet: CounterSheet | None) -> Iterator[ShownLocation]:
    control = {scene.map.main_location(where): side for where, side in scene.layers.control.items()}
    strategic = {scene.map.main_location(where) for where in scene.layers.strategic}
    units, forts = units_by_location(table, scene, sheet), _forts(scene)
    changes = _changes(scene)
    names = dict.fromkeys(scene.map.locations(hex_.name))
    for known in (control, strategic, units, forts, changes):
        names |= dict.fromkeys(_in_hex(known, hex_.name))
    for name in names:
        why, entry = _reason(table, scene, name) if name in control else ("", None)
        yield ShownLocation(
            name=name,
            strategic=name in strategic,
            control=control.get(name, ""),
            why=why,
            entry=entry,
            units=tuple(units.get(name, ())),
            forts=tuple(forts.get(name, ())),
            changes=tuple(changes.get(name, ())),
        )


def _in_hex(locations: Iterable[str], name: str) -> list[str]:
    return sorted(where for where in locations if split_location(where)[0] == name)


def _reason(table: Table, scene: Scene, location: str) -> tuple[str, int | None]:
    """Return by what the present Control came about: the viewer's entry in words, its number."""
    until = scene.at or table.view.version
    for line in reversed(table.log[:until]):
        if not line.counts or line.entry.type != "fact":
            continue
        fact = line.entry.body["fact"]
        if "side" in fact and location in fact.get("locations", ()):
            return f"{fact.get('why', '')} [{fact.get('rule', '')}]".strip(), line.number
    return "since the campaign began", None


def knows_secrets_of(viewer: str, side: str) -> bool:
    """True if a viewer can see a side's secrets."""
    return viewer in (UMPIRE, side)


def seen_unit(sheet: CounterSheet, viewer: str, unit: Unit) -> ShownUnit:
    """Return a unit as a viewer sees it: of a concealed one of the enemy only that it is there."""
    looks = sheet.unit(unit)
    if unit.has(*HIDING) and not knows_secrets_of(viewer, unit.side):
        return ShownUnit("", unit.side, "?", "", (Mark.CONCEALED.value,), face=looks["face"])
    marks = tuple(mark.value for mark in Mark if mark in unit.marks)
    name, company = sheet.names.name(unit, place=False), sheet.names.name_of(unit.with_unit)
    drawn = {"face": looks["face"], "letter": looks["letter"], "company": company}
    return ShownUnit(unit.id, unit.side, name, unit.kind, marks, unit.with_unit, **drawn)


def counter_sheet(table: Table, scene: Scene) -> CounterSheet:
    """Return a sheet for the counters of a scene."""
    return CounterSheet.of(table.campaign, scene.state, table.view.named)


def units_by_location(table: Table, scene: Scene, sheet: CounterSheet | None = None) -> Mapping[str, list[ShownUnit]]:
    """Return the units on the map that the seat may know of, by Location."""
    units_at: dict[str, list[ShownUnit]] = {}
    if isinstance(scene.state, BoardState):
        sheet = sheet or counter_sheet(table, scene)
        for unit in scene.state.units.values():
            if unit.on_map and unit.at:
                at = scene.map.main_location(unit.at)
                units_at.setdefault(at, []).append(seen_unit(sheet, table.view.eyes, unit))
        return {where: _join_alike(there) for where, there in units_at.items()}
    for mark in scene.layers.units:
        label = "?" if mark.concealed and not mark.own else mark.label
        marks = (Mark.CONCEALED.value,) if mark.concealed else ()
        seen = ShownUnit("", mark.side, label, "", marks, count=mark.count)
        units_at.setdefault(scene.map.main_location(mark.hex), []).append(seen)
    return units_at


def _join_alike(units: list[ShownUnit]) -> list[ShownUnit]:
    """Return units; those that look the same are joined."""
    counts = Counter(units)
    return [replace(unit, count=count) for unit, count in counts.items()]


def _forts(scene: Scene) -> Mapping[str, list[str]]:
    forts: dict[str, list[str]] = {}
    if isinstance(scene.state, BoardState):
        for fort in scene.state.forts.values():
            if fort.at is not None:
                forts.setdefault(scene.map.main_location(fort.at), []).append(_fort(scene, fort))
    return forts


def _fort(scene: Scene, fort: Fort) -> str:
    words = [str(fort.count) if fort.count > 1 else "", fort.kind, fort.size]
    text = " ".join(word for word in words if word)
    if fort.hexside:
        text += f" toward {fort.hexside}"
    hidden = ", hidden" if fort.hidden else ""
    return f"{text} ({scene.layers.sides.get(fort.side, fort.side)}{hidden})"


def _changes(scene: Scene) -> Mapping[str, list[str]]:
    changes: dict[str, list[str]] = {}
    if isinstance(scene.state, BoardState):
        ground = scene.state.ground
        for where, kinds in ground.changes.items():
            changes.setdefault(where, []).extend(sorted(kinds))
        for word, hexes in (
            ("Flame", ground.flames), ("Blaze", ground.blazes), ("burnt down", ground.burnt),
            ("rubble cleared", ground.cleared),
        ):  # fmt: skip
            for where in hexes:
                changes.setdefault(where, []).append(word)
    return changes


# The whole map as a table -------------------------------------------------------------------------


@dataclass(frozen=True)
class HexLine:
    """A hex that holds something, for the list next to the picture."""

    name: str
    about: str
    control: tuple[str, ...]
    units: tuple[str, ...]
    others: tuple[str, ...]


def list_occupied(table: Table, scene: Scene) -> list[HexLine]:
    """Return all hexes in which something is Controlled or stands, in the stated order."""
    units, forts, changes = units_by_location(table, scene), _forts(scene), _changes(scene)
    control = {scene.map.main_location(where): side for where, side in scene.layers.control.items()}
    called = scene.layers.sides
    names = {split_location(where)[0] for where in (*units, *forts, *changes, *control)}
    rows = []
    for name in scene.map.in_order(names):
        held = [f"{where}: {called.get(control[where], control[where])}" for where in _in_hex(control, name)]
        there = [
            f"{called.get(unit.side, unit.side)}: {unit.label}" + (f" x{unit.count}" * (unit.count > 1))
            for where in _in_hex(units, name)
            for unit in units[where]
        ]
        other = [text for known in (forts, changes) for where in _in_hex(known, name) for text in known[where]]
        about = describe_hex(scene.map.hex(name)).partition(": ")[2]
        rows.append(HexLine(name, about, tuple(held), tuple(there), tuple(other)))
    return rows
