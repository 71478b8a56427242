"""LOS on a map as players ask for it, and the layer of the drawing that shows each.

from   what a Location sees, or dead ground    fire   how many of one's own units see each hex
       at a level above the ground             enemy  how many enemy units that are seen see each hex
to     from where a Location can be seen       best   the best places of one's own ground to look from
line   the thread from one to another          hull   how high something must be to be seen by an observer
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from laager.base import Refusal, RefusedError, did_you_mean
from laager.hexmap import HexMap, split_location
from laager.hexmap.draw import Layers, LosLayer
from laager.hexmap.draw.los import BLOCKED, CLEAR, HINDERED, UNKNOWN, UPPER
from laager.los.questions.engine import LosEngine
from laager.los.questions.requests import location_of
from laager.los.questions.visibility import (
    Lookout,
    SeenHex,
    best,
    counts,
    hull,
    in_reach,
    lowest,
    seeing,
    seen_at,
    seen_from,
)
from laager.los.result import MOST_ABOVE, Location, LosResult, location
from laager.rules.board.los_requests import enemy_watchers, lookouts, observers

FROM, TO, LINE, HULL, FIRE, ENEMY, BEST = "from", "to", "line", "hull", "fire", "enemy", "best"
MODES = (FROM, TO, LINE, HULL, FIRE, ENEMY, BEST)
ANYBODYS = (FROM, TO, LINE, HULL)
"""The modes that need no units and no ground of one's own."""
AT_FIRST = 16
"""Range in hexes if none is given, where many look."""
RANKED = 12
"""Most best places that are listed."""


@dataclass(frozen=True)
class LosWish:
    """A player's request: the mode, a Location or two as typed, the range (None: the whole map).

    `level` is for `from`: levels above the ground of each hex; None for its Locations from the ground up.
    """

    mode: str
    spot: str = ""
    other: str = ""
    range: int | None = None
    level: int | None = None

    @property
    def asked(self) -> dict[str, str]:
        """The wish as an address has it: `see`, `spot`, `other`, `range`, `level`, without what is left out."""
        address = {"see": self.mode, "spot": self.spot, "other": self.other, "range": str(self.range or "")}
        address["level"] = "" if self.level is None else str(self.level)
        return {name: value for name, value in address.items() if value}


@dataclass(frozen=True)
class LosKnowledge:
    """The viewer's knowledge: Locations of its own units, of its observers, of enemies seen, and its own ground."""

    own: tuple[str, ...] = ()
    observers: tuple[str, ...] = ()
    enemy: tuple[str, ...] = ()
    area: frozenset[str] = frozenset()


@dataclass(frozen=True)
class LosView:
    """The result of a request: the layer, how many hexes of each kind, the line's own answer, the best places."""

    wish: LosWish
    layer: LosLayer
    numbers: Mapping[str, int] = field(default_factory=dict)
    sight: LosResult | None = None
    places: tuple[Lookout, ...] = ()
    eyes: int = 0
    every: int = 1
    approximate: bool = False
    engine: str = ""
    boards: Mapping[str, str] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "hexes": {kind: sorted(names) for kind, names in self.layer.hexes.items()},
            "labels": dict(self.layer.labels),
            "spots": list(self.layer.spots),
            "sight": self.sight.describe() if self.sight is not None else None,
            "places": [{"at": str(place.at), "sees": place.sees, "free": place.free} for place in self.places],
            "approximate": self.approximate,
            "engine": self.engine,
            "boards": dict(self.boards),
            "eyes": self.eyes,
            "every": self.every,
        }


def make_los_wish(mode: str, spot: str, other: str, range_: int | None, level: int | None) -> LosWish:
    """Return a wish with what goes with its mode: looks of many begin with a range, only `from` has a level."""
    if range_ is None and mode in (FIRE, ENEMY, BEST):
        range_ = AT_FIRST
    return LosWish(mode, spot, other, range_, level if mode == FROM else None)


def los_knowledge(side: str, state: Any, layers: Layers) -> LosKnowledge:
    """Return what a side knows, from its own state and what is drawn of it; nothing for who has no side."""
    if not side:
        return LosKnowledge()
    held = layers.blocks.held if layers.blocks is not None else {}
    area = set(held.get(side, ()))
    if layers.front is not None:
        area |= {name for line in layers.front.lines.get(side, ()) for name in line.hexes}
    return LosKnowledge(lookouts(state, side), observers(state, side), enemy_watchers(state, side), frozenset(area))


def typed_location(map_: HexMap, text: str) -> Location:
    """Return the Location that somebody typed, as on the map (`H7.1`) or as in VASL (`H7 level 1`, `h7 roof`).

    Raises RefusedError for no such hex, DataError for no Location.
    """
    text = " ".join(text.split())
    typed = location(text) if " " in text or ":" in text else location_of(text) if text in map_ or "." in text else None
    name = typed.hex if typed else text
    if name not in map_:
        # In lower case, perhaps.
        name = next((hex_name for hex_name in map_.hexes if hex_name.lower() == name.lower()), name)
    main = map_.main(name)
    return Location(main) if typed is None else Location(main, typed.kind, typed.level, typed.vertex)


def view_los(map_: HexMap, eyes: LosEngine, wish: LosWish, known: LosKnowledge) -> LosView:
    """Return the result of a wish. Raises RefusedError or DataError, saying what is wrong with it."""
    if wish.mode not in MODES:
        raise RefusedError(Refusal.BAD_DATA, f"{wish.mode[:20]!r} is not a way to look", did_you_mean(wish.mode, MODES))
    if wish.level is not None and not 0 <= wish.level <= MOST_ABOVE:
        raise RefusedError(Refusal.BAD_DATA, f"{wish.level} is not a level to look at", f"0 to {MOST_ABOVE}")
    several = {FIRE: _fields, ENEMY: _fields, BEST: _best, LINE: _thread, HULL: _hulls}
    seen = several.get(wish.mode, _viewshed)(map_, eyes, wish, known)
    if wish.range is None or wish.mode in (LINE, BEST):
        return seen
    return replace(seen, layer=replace(seen.layer, reach=wish.range))


def _viewshed(map_: HexMap, eyes: LosEngine, wish: LosWish, known: LosKnowledge) -> LosView:
    spot = typed_location(map_, wish.spot)
    hexes = [name for name in in_reach(map_, [spot.hex], wish.range) if name != spot.hex]
    if wish.mode == TO:
        cells = seeing(eyes, spot, hexes)
    else:
        cells = seen_from(eyes, spot, hexes) if wish.level is None else seen_at(eyes, spot, hexes, wish.level)
    layer = cells_layer(cells, [spot.hex])
    rough = eyes.compute_los(spot, spot).approximate
    return LosView(wish, layer, _numbers(layer), approximate=rough, engine=eyes.version, boards=eyes.boards)


def _hulls(map_: HexMap, eyes: LosEngine, wish: LosWish, known: LosKnowledge) -> LosView:
    """Return how high something must be to be seen from the Location that is named, or from all own observers."""
    spots = [typed_location(map_, wish.spot)] if wish.spot else _places_of_units(map_, eyes, known.observers)
    if not spots:
        problem = "you see no observer of your own side on the map"
        raise RefusedError(Refusal.NO_SUCH, problem, "name the Location from which to look")
    hull_cells: dict[str, SeenHex] = {}
    for spot in spots:
        hexes = [name for name in in_reach(map_, [spot.hex], wish.range) if name != spot.hex]
        for name, cell in hull(eyes, spot, hexes).items():
            hull_cells[name] = lowest(cell, hull_cells.get(name))
    layer = cells_layer(
        {name: hull_cells[name] for name in map_.hexes if name in hull_cells}, [at.hex for at in spots], "↑"
    )
    rough = eyes.compute_los(spots[0], spots[0]).approximate
    several = 0 if wish.spot else len(spots)
    return LosView(
        wish, layer, _numbers(layer), eyes=several, approximate=rough, engine=eyes.version, boards=eyes.boards
    )


def _thread(map_: HexMap, eyes: LosEngine, wish: LosWish, known: LosKnowledge) -> LosView:
    start, end = typed_location(map_, wish.spot), typed_location(map_, wish.other)
    sight = eyes.compute_los(start, end)
    hindered = {h.hex: f"+{h.drm}" for h in sight.hindrances if h.hex in map_}
    block = sight.block.hex if sight.block is not None and sight.blocked else ""
    kinds = {HINDERED: frozenset(hindered), BLOCKED: frozenset(name for name in block.split("/") if name in map_)}
    layer = LosLayer("", kinds, hindered, (start.hex, end.hex), (start.hex, end.hex), block if kinds[BLOCKED] else "")
    return LosView(wish, layer, sight=sight, approximate=sight.approximate, engine=eyes.version, boards=eyes.boards)


def _fields(map_: HexMap, eyes: LosEngine, wish: LosWish, known: LosKnowledge) -> LosView:
    sources = _places_of_units(map_, eyes, known.own if wish.mode == FIRE else known.enemy)
    if not sources:
        whose = "your own side" if wish.mode == FIRE else "the enemy"
        raise RefusedError(Refusal.NO_SUCH, f"you see no units of {whose} on the map that could look")
    seen_by = counts(eyes, map_, sources, wish.range)
    layer = counts_layer(seen_by, [at.hex for at in sources])
    rough = eyes.compute_los(sources[0], sources[0]).approximate
    return LosView(
        wish, layer, _numbers(layer), eyes=len(sources), approximate=rough, engine=eyes.version, boards=eyes.boards
    )


def _best(map_: HexMap, eyes: LosEngine, wish: LosWish, known: LosKnowledge) -> LosView:
    if not known.area:
        raise RefusedError(Refusal.NO_SUCH, "you have no ground of your own on this map to choose from")
    places = _places_of_units(map_, eyes, map_.in_order(name for name in known.area if name in map_))
    every = [at for place in places for at in eyes.locations(place.hex) if at.kind in ("ground", "level")]
    targets = [name for name in map_.playable if name not in known.area]
    ranked, step = best(eyes, map_, every, wish.range, frozenset(targets))
    first = tuple(lookout for lookout in ranked[:RANKED] if lookout.sees)
    labels: dict[str, str] = {}
    for number, lookout in enumerate(first, 1):
        labels.setdefault(lookout.at.hex, str(number))
    layer = LosLayer("", {CLEAR: frozenset(labels)}, labels)
    rough = bool(first) and eyes.compute_los(first[0].at, first[0].at).approximate
    return LosView(wish, layer, places=first, every=step, approximate=rough, engine=eyes.version, boards=eyes.boards)


def _places_of_units(map_: HexMap, eyes: LosEngine, texts: Sequence[str]) -> list[Location]:
    """Return Locations of units that are on the map; a room in a hex counts as its ground."""
    locations = []
    for text in texts:
        name = split_location(text)[0]
        if name in map_:
            at = location_of(text)
            at = Location(map_.main(name), at.kind, at.level)
            locations.append(at if at in eyes.locations(at.hex) else Location(at.hex))
    return list(dict.fromkeys(locations))


# Layers -------------------------------------------------------------------------------------------


def cells_layer(cells: Mapping[str, SeenHex], spots: Sequence[str], up: str = "L") -> LosLayer:
    """Return the layer of a viewshed; `up` stands before a level in a hex."""
    kinds: dict[str, set[str]] = {}
    labels = {}
    for name, cell in cells.items():
        kinds.setdefault(_kind(cell), set()).add(name)
        if cell.clear and cell.level:
            labels[name] = f"{up}{cell.level}" + (f" +{cell.hindrance}" if cell.hindrance else "")
        elif cell.clear and cell.hindrance:
            labels[name] = f"+{cell.hindrance}"
    return LosLayer("", {kind: frozenset(names) for kind, names in kinds.items()}, labels, tuple(spots))


def _kind(cell: SeenHex) -> str:
    if not cell.clear:
        return UNKNOWN if cell.clear is None else BLOCKED
    return UPPER if cell.level else HINDERED if cell.hindrance else CLEAR


def counts_layer(numbers: Mapping[str, int], spots: Collection[str]) -> LosLayer:
    """Return the layer of fields of fire: how many see each hex."""
    seen = frozenset(name for name, number in numbers.items() if number)
    labels = {name: str(number) for name, number in numbers.items() if number}
    kinds = {CLEAR: seen, BLOCKED: frozenset(numbers) - seen}
    return LosLayer("", kinds, labels, tuple(dict.fromkeys(spots)))


def _numbers(layer: LosLayer) -> dict[str, int]:
    """Return how many hexes there are of each kind."""
    return {kind: len(names) for kind, names in layer.hexes.items() if names}
