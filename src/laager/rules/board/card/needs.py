"""What a card names on its map, and whether the map has it: for people who still draw the map.

The card is read as it stands, finished or not; what is wrong with it is its own check's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from laager.base import DataError
from laager.hexmap import HexMap, parse_name
from laager.hexmap.areas.card_hexes import find_hexes
from laager.rules.board.places import hex_of

HEXES, LOCATION, BLOCK, AREA, ARROW = "hexes", "location", "block", "area", "arrow"
"""What a card can name on a map."""


@dataclass(frozen=True)
class Need:
    """Something that a card names on its map: its kind, its name, the field that names it, what is missing of it.

    `missing` is empty if the map has it.
    """

    kind: str
    name: str
    field: str
    missing: str = ""

    @property
    def there(self) -> bool:
        """True if the map has it."""
        return not self.missing


def card_needs(card: Mapping[str, Any], map_: HexMap, charts: Mapping[str, Any] | None = None) -> tuple[Need, ...]:
    """Return everything that a card (the data of its file) and its charts name on a map, each once.

    What isn't of the form that a card has is left out.
    """
    needs: dict[tuple[str, str], Need] = {}
    for kind, name, where in _names_on_card(card, map_, charts or {}):
        needs.setdefault((kind, name), Need(kind, name, where, _missing(card, map_, kind, name)))
    return tuple(needs.values())


def _names_on_card(card: Mapping[str, Any], map_: HexMap, charts: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield what a card names: kind, name, field."""
    for side, half in _items(card, "sides"):
        where = f"sides.{side}"
        for field in ("setup", "entry_hexes"):
            yield from ((HEXES, name, f"{where}.{field}") for name in _texts(half, field))
        yield from (_place(card, map_, name, f"{where}.controls") for name in _texts(half, "controls"))
        for name, hexes in _items(half, "areas"):
            if not hexes:
                yield AREA, name, f"{where}.areas"
        yield from ((ARROW, name, f"{where}.arrows") for name in _texts(half, "arrows"))
        for formation in _list(half, "formations"):
            yield from ((ARROW, name, f"{where}.formations") for name in _texts(formation, "arrows"))
    for side, half in _items(charts, "sides"):
        for line in _list(half, "rg"):
            yield from ((ARROW, name, f"{side}.rg") for name in _texts(line, "arrows"))
    yield from ((HEXES, name, "strategic") for name in _texts(card, "strategic"))
    yield from ((LOCATION, str(name), "tvp") for name, _ in _items(card, "tvp"))
    for part, kinds in (("victory", ("sudden", "final")), ("objectives", ("initial", "sudden"))):
        holder = card.get(part)
        for kind in kinds:
            for goal in _list(holder, kind):
                yield from (_place(card, map_, name, f"{part}.{kind}") for name in _texts(goal, "controls"))


def _place(card: Mapping[str, Any], map_: HexMap, name: str, field: str) -> tuple[str, str, str]:
    """Return what a name of a Block, an area or a Location is."""
    if parse_name(hex_of(name)) is not None:
        return LOCATION, name, field
    return (BLOCK if card.get("areas") == "blocks" else AREA), name, field


def _missing(card: Mapping[str, Any], map_: HexMap, kind: str, name: str) -> str:
    """Return what the map lacks of something; "" if it has it."""
    if kind == BLOCK:
        if map_.blocks.lettered:
            return "no Block of the map has a name of its own"
        return "" if name in map_.blocks.hexes else "no Block has this name"
    if kind == AREA:
        listed = any(name in dict(_items(half, "areas")) and half["areas"][name] for _, half in _items(card, "sides"))
        return "" if name in map_.setup_areas or listed else "no Setup Area has this name"
    if kind == ARROW:
        return "" if name in {arrow.hex for arrow in map_.entry_arrows} else "no Entry Area has its arrow there"
    if kind == LOCATION:
        return _no_location(map_, name)
    try:
        strange = next((name_on_map for name_on_map in find_hexes(map_, name) if name_on_map not in map_), "")
    except DataError:
        strange = name
    return f"the map has no hex {strange}" if strange else ""


def _no_location(map_: HexMap, name: str) -> str:
    if hex_of(name) not in map_:
        return f"the map has no hex {hex_of(name)}"
    main = map_.main(hex_of(name))
    location = name.replace(hex_of(name), main, 1)
    there = map_.locations(main)
    return "" if location in there else f"there is no such level: {', '.join(there)}"


# Cards as they are typed ----------------------------------------------------------------------------


def _items(data: Any, field: str) -> list[tuple[str, Any]]:
    part = data.get(field) if isinstance(data, Mapping) else None
    return [(str(key), value) for key, value in part.items()] if isinstance(part, Mapping) else []


def _list(data: Any, field: str) -> list[Any]:
    part = data.get(field) if isinstance(data, Mapping) else None
    return list(part) if isinstance(part, list) else []


def _texts(data: Any, field: str) -> list[str]:
    return [text for text in _list(data, field) if isinstance(text, str)]
