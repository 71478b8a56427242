"""Obstacles on a Laager map: heights of the ground and of what is on it, hex by hex, hexside by hexside.

Heights are in half levels, so that they are whole numbers: the half-level obstacles of the rulebook are 1 higher than
the ground. What is where comes from the map file's words alone (`laager.hexmap.terrain`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from laager.hexmap import HexMap
from laager.hexmap.terrain import BUILDING_REACH, TERRAIN_REACH, UNKNOWN, bed_level, is_depression
from laager.hexmap.values import Hex

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cover:
    """The effect of a kind of terrain on a line.

    `height` is that of its top above the ground, in half levels. It is an obstacle, or hinders by `drm`. A line that
    passes the hex's centre at more than `reach` half hex heights misses it: VASL's drawings leave corners free.
    A `split` one is an obstacle by its crown, and a hindrance for a line below it between ends on its own ground.
    """

    name: str
    height: int
    reach: float
    drm: int = 0
    built: bool = False
    split: bool = False


_WHOLE = 2.0
"""A reach beyond every corner: the whole hex counts, as the rulebook says of inherent terrain."""

COVERS: Mapping[str, Cover] = {
    "woods": Cover("woods", 2, TERRAIN_REACH),
    "forest": Cover("forest", 4, TERRAIN_REACH),
    "jungle": Cover("jungle", 4, TERRAIN_REACH),
    "dense-jungle": Cover("dense jungle", 4, _WHOLE),
    "swamp": Cover("swamp", 4, TERRAIN_REACH),
    "bamboo": Cover("bamboo", 2, _WHOLE),
    "rubble": Cover("rubble", 1, _WHOLE),
    "orchard": Cover("orchard", 2, _WHOLE, 1, split=True),
    "palm": Cover("palm", 2, _WHOLE, 1, split=True),
    "brush": Cover("brush", 1, TERRAIN_REACH, 1),
    "grain": Cover("grain", 1, TERRAIN_REACH, 1),
    "marsh": Cover("marsh", 1, TERRAIN_REACH, 1),
    "kunai": Cover("kunai", 1, TERRAIN_REACH, 1),
    "crag": Cover("crag", 1, _WHOLE, 1),
    "graveyard": Cover("graveyard", 1, _WHOLE, 1),
    "vineyard": Cover("vineyard", 1, _WHOLE, 1),
}
"""The effect of each kind of terrain and feature; all others leave a line alone."""

GROUND_REACH = 1.0
"""The reach of a hex's level: contour lines cut its corners."""
HUT = Cover("huts", 2, BUILDING_REACH, 1, built=True)
WALL, BOCAGE = 1, 2
"""The heights of walls, hedges and roadblocks, and of bocage (half levels)."""
LOW_SIDES = frozenset({"wall", "hedge", "roadblock"})
ONLY_FIRST_HINDERS = frozenset({"brush", "grain"})
"""Cover of which only the first hex hinders a line down a slope."""
ONLY_FIRST_IS_LOW = frozenset({"wall", "hedge"})
"""Hexsides of which a line along a slope passes over the first (F6.4)."""
ROWHOUSE = "rowhouse"


@dataclass(frozen=True, slots=True)
class Plot:
    """A hex as a line meets it: `base` in half levels, its covers, and what kind of hex it is.

    `floor`: it is a depression (A6.3) and not bridged; `base` is then that of its floor. `roof` is the height of a
    building's top above the ground, `levels` its storeys above the ground; 0 without one.
    """

    name: str
    at: Place
    base: int
    covers: tuple[Cover, ...] = ()
    floor: bool = False
    unknown: bool = False
    levels: int = 0
    roof: int = 0


class Ground:
    """All plots of a map and what lies between them, with what was changed since the map was drawn.

    `changed` gives what has become of a hex (`rubble`, `burnt`, `cleared`), as campaigns keep it: rubble takes
    the place of the building, and what burnt or was cleared away is no cover.
    """

    def __init__(self, map_: HexMap, changed: Mapping[str, Iterable[str]] | None = None) -> None:
        self.map = map_
        gained = {map_.main(name): frozenset(changes) for name, changes in (changed or {}).items() if name in map_}
        self._deep = frozenset(hex_.name for hex_ in map_.hexes.values() if is_depression(hex_))
        self.plots: dict[Place, Plot] = {}
        for name, hex_ in map_.hexes.items():
            self.plots[hex_.q, hex_.r] = self._plot(hex_, gained.get(name, frozenset()))
        places = {name: (hex_.q, hex_.r) for name, hex_ in map_.hexes.items()}
        self.sides: dict[tuple[Place, Place], frozenset[str]] = {}
        for (here, there), terrains in map_.hexsides.items():
            if here in places and there in places:
                self.sides[places[here], places[there]] = self.sides[places[there], places[here]] = terrains
        self.linked = frozenset(self._links(places))
        self.joined = frozenset(self._joins(places, gained))
        self.slopes = {(places[name], places[other]) for name, beyond in map_.slopes.items() for other in beyond}

    def _plot(self, hex_: Hex, changed: frozenset[str]) -> Plot:
        deep = hex_.name in self._deep
        storeys = 0 if hex_.building is None else hex_.building.levels_in(hex_.name)
        height = 0 if hex_.building is None else 2 * storeys + 1 if storeys else 2
        covers = [COVERS[hex_.terrain]] if hex_.terrain in COVERS else []
        covers += [COVERS[feature] for feature in hex_.features if feature in COVERS]
        if hex_.building is not None:
            covers.append(
                HUT if hex_.building.material == "hut" else Cover("a building", height, BUILDING_REACH, built=True)
            )
        if changed:
            # What is left of a building or woods hides nobody; rubble does, half a level high.
            covers = [COVERS["rubble"]] if "rubble" in changed else []
            storeys = height = 0
        return Plot(
            hex_.name, (hex_.q, hex_.r), 2 * (bed_level(self.map, hex_) if deep else hex_.level), tuple(covers), deep,
            UNKNOWN in hex_.contents, storeys, height,
        )  # fmt: skip

    def _links(self, places: Mapping[str, Place]) -> Iterable[tuple[Place, Place]]:
        """Yield the hexsides over which a depression goes on, both ways."""
        for name in self._deep:
            for beside in self.map.neighbours(name):
                if beside in self._deep:
                    yield places[name], places[beside]

    def _joins(
        self, places: Mapping[str, Place], changed: Mapping[str, Iterable[str]]
    ) -> Iterable[tuple[Place, Place]]:
        """Yield the hexsides over which a building goes on, both ways."""
        for building in self.map.buildings:
            standing = [name for name in building.hexes if name in places and not changed.get(name)]
            for name in standing:
                for beside in self.map.neighbours(name):
                    if beside in standing:
                        yield places[name], places[beside]
