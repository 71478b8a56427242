"""LOS in the rules of campaigns on a board: who of the enemy can look, and from where; what concealment asks.

Everything about the enemy comes from the state as the asked side sees it: a unit that it doesn't know never counts, so
that no proposal can tell where one hides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from laager.campaign import SightAsked
from laager.rules.board.places import ITEMS
from laager.rules.board.state import BoardState
from laager.rules.board.units import HIDING, Mark, Unit

if TYPE_CHECKING:
    from laager.hexmap import HexMap

BLIND = (Mark.BROKEN, Mark.PRISONER, Mark.WRECK, Mark.ABANDONED)
"""Units with one of these markers take no concealment away (A12.12) and fire at nobody."""

WATCHED_FROM = "unbroken enemy ground units that you see on the map"
ROOFTOP = "roof"


def enemy_watchers(seen: Any, side: str) -> tuple[str, ...]:
    """Return the Locations of the unbroken enemy ground units that a side sees; none if it sees no units at all."""
    if not isinstance(seen, BoardState):
        return ()
    return _locations_of(unit for unit in seen.units.values() if unit.side != side and not unit.has(*HIDING))


def lookouts(seen: Any, side: str) -> tuple[str, ...]:
    """Return the Locations of a side's own units that look, hidden ones too; none without a list of units."""
    if not isinstance(seen, BoardState):
        return ()
    return _locations_of(unit for unit in seen.units.values() if unit.side == side)


def observers(seen: Any, side: str) -> tuple[str, ...]:
    """Return the Locations of a side's own units that have a radio or field phone, and so direct OBA (C1.2)."""
    if not isinstance(seen, BoardState):
        return ()
    holders = {getattr(group, "holder", "") for group in seen.groups_of(side)} - {""}
    holders |= {
        unit.with_unit for unit in seen.units.values() if unit.side == side and _directs(unit) and unit.with_unit
    }
    return _locations_of(unit for unit in seen.units.values() if unit.side == side and unit.id in holders)


def _directs(unit: Unit) -> bool:
    return any(word in unit.type.lower() for word in ("radio", "phone"))


def _locations_of(units: Iterable[Unit]) -> tuple[str, ...]:
    """Return the Locations of those units on the map that look, each once."""
    able = (unit for unit in units if unit.on_map and unit.kind not in ITEMS and not unit.has(*BLIND))
    return tuple(dict.fromkeys(unit.at for unit in able if unit.at))


def ask_concealment(
    units: Iterable[tuple[Unit, str, bool]], sources: tuple[str, ...], counting: str = WATCHED_FROM
) -> Iterator[SightAsked]:
    """Yield for each unit whether it is out of LOS where it stands (A12.12); `True`: it goes under a "?" there."""
    for unit, at, concealed in units:
        says = False if concealed else None
        yield SightAsked(unit.id, f"{unit.label} in {at}", sources, (at,), "A12.12", says=says, counting=counting)


def locations_in(map_: HexMap, hexes: Iterable[str], *, rooftops: bool = False) -> Iterator[str]:
    """Yield the Locations of hexes that are on the map: every level but the cellar, rooftops too if wanted."""
    for name in hexes:
        if name not in map_:
            continue
        hex_ = map_.hex(name)
        yield from (at for at in map_.locations(hex_.name) if not at.endswith(".c"))
        if rooftops and hex_.building is not None:
            yield f"{hex_.name}.{ROOFTOP}"


def ask_noted(
    side: str, able: Sequence[Unit], rows: Sequence[Mapping[str, Any]], seen: Any, within: int, rule: str
) -> tuple[SightAsked, ...]:
    """Return for each piece whose state is noted in secret whether an enemy within range sees it, so that it shows.

    The rule holds once the piece is unconcealed, which the owner knows: the answer says nothing of LOS.
    """
    sources = enemy_watchers(seen, side)
    noted = {row["unit"] for row in rows}
    return tuple(
        SightAsked(piece.id, f"{piece.label} in {piece.at}", sources, (piece.at,), rule, within, counting=WATCHED_FROM)
        for piece in able
        if piece.id in noted and piece.at
    )
