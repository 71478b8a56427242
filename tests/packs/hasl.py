"""What must be true of every HASL campaign that ships, of all its files together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path

from laager.campaign.ruleset import find_ruleset
from laager.catalogue import Catalogue, Nation
from laager.catalogue import Kind as UnitKind
from laager.hexmap.areas.blocks import entry_areas, map_edge
from laager.hexmap.coords import expand_ranges
from laager.rules.board.card.files import card_nations
from laager.rules.board.card.parts import SIDES, UnitLine
from laager.rules.board.hasl.areas import initial_areas, strategic_locations
from laager.rules.board.hasl.buying.strength import leaders_in
from laager.rules.board.hasl.card.card import Given
from laager.rules.board.hasl.card.loading import LoadedHaslCard, load_card
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.ruleset import HaslRuleset
from laager.rules.board.hasl.state import HaslState
from laager.tables import TableSet, tables_of

PACKS = Path(str(files("laager"))) / "packs"


@dataclass(frozen=True)
class Shipped:
    """A campaign that ships."""

    loaded: LoadedHaslCard

    @property
    def nations(self) -> Catalogue:
        return card_nations(self.loaded.card.sides.values(), self.loaded.catalogue)

    def nation(self, side: str) -> Nation:
        """The nation of a side."""
        return self.nations[self.loaded.card.sides[side].nation]  # type: ignore[index]

    def lines(self, side: str) -> tuple[RgLine, ...]:
        """The RG chart of a side."""
        return self.loaded.charts.side(side).rg or ()

    def line(self, side: str, key: str) -> RgLine:
        """A line of it."""
        found = self.loaded.charts.side(side).line(key)
        assert found is not None, f"{side} has no {key}"
        return found

    @cached_property
    def tables(self) -> TableSet:
        """Its tables."""
        assert self.loaded.tables is not None
        return tables_of(self.loaded.tables)

    def context(self) -> Hasl:
        """The campaign before its first fact."""
        cg = Hasl(self.loaded.setting)
        cg.state = HaslState.empty("umpire")
        return cg

    def squads(self, side: str, lines: tuple[UnitLine, ...]) -> float:
        """How many squads these units are; crews count for nothing."""
        nation, total = self.nation(side), 0.0
        for line in lines:
            kind = nation.unit(line.type).kind
            total += line.count * {UnitKind.SQUAD: 1.0, UnitKind.HALF_SQUAD: 0.5}.get(kind, 0.0)
        return total

    def given_squads(self, side: str, given: Given) -> float:
        """How many squads the OB gives, all groups at Full Strength."""
        groups = (self.line(side, group.rg).full for group in given.groups)
        return self.squads(side, given.units) + sum(self.squads(side, full) for full in groups)


@cache
def shipped(pack: str, name: str) -> Shipped:
    """Return a campaign that ships."""
    rules = find_ruleset(pack)
    assert isinstance(rules, HaslRuleset)
    return Shipped(load_card(PACKS / pack / f"{name}.yaml", rules.system))


def faults(one: Shipped) -> Iterator[str]:
    """Yield everything that does not fit together; nothing if all does."""
    loaded = one.loaded
    yield from (str(problem) for problem in loaded.warnings)
    for side in SIDES:
        yield from _unit_faults(one, side)
        yield from _leader_faults(one, side)
        yield from _place_faults(one, side)
        yield from _price_faults(one, side)


def _unit_faults(one: Shipped, side: str) -> Iterator[str]:
    nation, card = one.nation(side), one.loaded.card
    known = {name for kind in UnitKind for name in nation.types(kind)}
    ob = [card.sides[side].ob, *(d.given[side] for d in card.dates if side in d.given)]  # type: ignore[index]
    named = [(f"{side} OB", line.type) for given in ob for line in given.units]
    for line in one.lines(side):
        for unit in (*line.full, *(line.depleted or ())):
            named.append((f"{side} {line.key}", unit.type))
        for sw in line.sw:
            if sw.type not in {*nation.types(UnitKind.SW), *nation.types(UnitKind.GUN)}:
                yield f"{side} {line.key}: {sw.type} is no SW of the nation"
        if line.kind is Kind.HEAVY_WEAPONS and sum(sw.count for sw in line.sw) < 2:
            yield f"{side} {line.key} can never have two SW"
        full, depleted = one.squads(side, line.full), one.squads(side, line.depleted or ())
        if line.kind is Kind.INFANTRY and not depleted < full and full:
            yield f"{side} {line.key} loses nothing by being Depleted"
    for where, type_ in named:
        if type_ not in known:
            yield f"{where}: the nation has no {type_}"


def _leader_faults(one: Shipped, side: str) -> Iterator[str]:
    """Every column that the chart names is there, and gives leaders whom the nation has."""
    nation = one.nation(side)
    table = one.tables.get("leaders")
    for line in one.lines(side):
        if table is None or not line.leader:
            continue
        if line.leader not in table.columns:
            yield f"{side} {line.key}: no column {line.leader}"
            continue
        armor = line.kind in (Kind.AFV, Kind.VEHICLE)
        able = nation.types(UnitKind.ARMOR_LEADER if armor else UnitKind.LEADER)
        for row in table.rows:
            given = row.results[line.leader]
            for leader in leaders_in(str(given)) if given is not None else ():
                if leader not in able:
                    yield f"{side} {line.key}: there is no leader {leader}"


def _place_faults(one: Shipped, side: str) -> Iterator[str]:
    """Setup Areas are not empty, arrows are those of the map, areas of groups are the side's."""
    card, map_ = one.loaded.card.sides[side], one.loaded.map  # type: ignore[index]
    cg = one.context()
    arrows, edge = {area.id for area in entry_areas(map_)}, map_edge(map_)
    named = [*card.arrows, *(a for f in card.formations for a in f.arrows)]
    named += [arrow for line in one.lines(side) for arrow in line.arrows]
    yield from (f"{side}: no arrow {name}" for name in named if name not in arrows | edge)
    areas = {area.name: area for area in initial_areas(cg) if area.side == side}
    if not areas:
        yield f"{side} has no Setup Area"
    yield from (f"{side}: {name} has no hexes" for name, area in areas.items() if not area.hexes)
    for group in card.ob.groups:
        if group.area and group.area not in areas and group.area not in named:
            yield f"{side}: {group.rg} is to be in {group.area}"
    for line in one.lines(side):
        if line.formation and card.formation(line.formation) is None:
            yield f"{side} {line.key}: no such formation"


def _price_faults(one: Shipped, side: str) -> Iterator[str]:
    for line in one.lines(side):
        if not line.cost:
            yield f"{side} {line.key} costs nothing"
        if line.per_date and line.total and line.per_date > line.total:
            yield f"{side} {line.key}: more for a date than in all"


def overlapping(one: Shipped) -> set[str]:
    """Hexes that are in Setup Areas of both sides at the start."""
    axis, allied = (
        {name for area in initial_areas(one.context()) if area.side == side for name in area.hexes} for side in SIDES
    )
    return axis & allied


def built_blocks(one: Shipped) -> dict[str, int]:
    """How many Strategic Locations each Block has at the start."""
    cg, blocks = one.context(), one.loaded.map.blocks.hexes
    found = [location.partition(".")[0] for location in strategic_locations(cg)]
    return {name: sum(at in own for at in found) for name, own in blocks.items()}


def hexes(*ranges: str) -> set[str]:
    """Hexes by ranges."""
    return set(expand_ranges(ranges))
