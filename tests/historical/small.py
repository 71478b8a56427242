"""A small campaign of the HASL family on the synthetic map of the walkthrough, for tests.

All figures are made up for tests. `small_cg` is the campaign before its first fact; `scene` has
it begun, with Setup Areas: Block W is the allied side's, NE the axis', SE nobody's.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from laager.base.files import read_document
from laager.campaign.facts import UMPIRE
from laager.hexmap import load_map
from laager.rules.board.facts import UnitJoined
from laager.rules.board.hasl.card.card import Card
from laager.rules.board.hasl.charts import HaslCharts
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import AreasDetermined, CampaignBegun
from laager.rules.board.hasl.state import Area, HaslState
from laager.rules.board.units import Mark, Place, Unit

CARDS = Path(__file__).parent / "cards"

NATIONS = {"axis": "german", "allied": "british"}


def merged(base: Any, changes: Any) -> Any:
    """Return `base` with `changes` put over it, mapping by mapping."""
    if not (isinstance(base, Mapping) and isinstance(changes, Mapping)):
        return deepcopy(changes)
    return {**base, **{key: merged(base.get(key), value) for key, value in changes.items()}}


@cache
def data(name: str) -> Any:
    """Return a file of `cards` as plain data."""
    return read_document(CARDS / f"{name}.yaml").data


@cache
def map_data() -> dict[str, Any]:
    """Return the map as plain data."""
    return load_map(CARDS / "small-town-map.yaml").to_data()


def small_opening(
    card: Mapping[str, Any] | None = None,
    charts: Mapping[str, Any] | None = None,
    *,
    tables: bool | Mapping[str, Any] = True,
    map_: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return what the log of the small campaign opens with; changes are merged into its data.

    `tables` False: the owner has filled in none.
    """
    opening: dict[str, Any] = {
        "card": merged(data("small-town"), card or {}),
        "charts": merged(data("small-town-charts"), charts or {}),
        "map": map_ or map_data(),
        "readings": dict(readings or {}),
    }
    Card.model_validate(opening["card"])
    HaslCharts.model_validate(opening["charts"])
    if tables:
        opening["tables"] = data("small-town-tables") if tables is True else tables
    return opening


def small_cg(
    card: Mapping[str, Any] | None = None,
    charts: Mapping[str, Any] | None = None,
    *,
    context: type[Hasl] = Hasl,
    state: Any = None,
    **more: Any,
) -> Any:
    """Return the small campaign before its first fact."""
    cg = context(small_opening(card, charts, **more))
    cg.state = state if state is not None else HaslState.empty(UMPIRE)
    return cg


def scene(card: Mapping[str, Any] | None = None, charts: Mapping[str, Any] | None = None, **more: Any) -> Any:
    """Return the small campaign begun, with Setup Areas W (allied) and NE (axis)."""
    cg = small_cg(card, charts, **more)
    sides = cg.card.sides
    begun = CampaignBegun(
        elr={side: half.elr for side, half in sides.items()},
        san={side: half.san for side, half in sides.items()},
        cpp={side: half.cpp for side, half in sides.items()},
        ammunition={side: half.ammunition for side, half in sides.items()},
    )
    blocks = cg.map.blocks.hexes
    areas = AreasDetermined(
        areas=(
            Area(name="W", side="allied", hexes=cg.map.in_order(blocks["W"])),
            Area(name="NE", side="axis", hexes=cg.map.in_order(blocks["NE"])),
        ),
        block_control={"W": "allied", "NE": "axis"},
    )
    for fact in (begun, areas):
        cg.state = fact.apply(cg.state)
    return cg


def add(cg: Any, side: str, type_: str, kind: str, at: str | None = None, *marks: Mark, **more: Any) -> Unit:
    """Add a unit to the scene and return it."""
    number = cg.state.side(side).next_unit
    made = Unit(
        id=f"{side[:2].upper()}{number}",
        side=side,
        nation=more.pop("nation", NATIONS[side]),
        type=type_,
        kind=kind,
        at=at,
        place=more.pop("place", Place.MAP if at else Place.OFF_MAP),
        marks=frozenset(marks),
        **more,
    )
    cg.state = UnitJoined(unit=made).apply(cg.state)
    return made
