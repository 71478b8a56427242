"""The campaign of the worked example, and scenes of it made by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from laager.base.files import read_document
from laager.campaign.facts import UMPIRE, Fact
from laager.hexmap import load_map
from laager.rules.board.hasl.areas import initial_areas
from laager.rules.board.hasl.facts import (
    AreasDetermined,
    CampaignBegun,
    ChitsRevealed,
    DateBegun,
    PlayEnded,
    RoundBegun,
    ScenarioDetermined,
)
from laager.rules.board.hasl.state import Round
from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.state import AbtfState
from tests.historical.small import add, merged

__all__ = ["CARD", "add", "apply", "at_date", "campaign", "changed_map", "chits", "opening", "part", "scene"]

FOLDER = Path(__file__).parent / "cards"
CARD = FOLDER / "arnhem.yaml"


@cache
def data(name: str) -> Any:
    """Return a file of `cards` as plain data."""
    if name.endswith("map"):
        return load_map(FOLDER / f"{name}.yaml").to_data()
    return read_document(FOLDER / f"{name}.yaml").data


def changed_map(**parts: Any) -> dict[str, Any]:
    """Return the map with some parts of its file changed."""
    file = {**read_document(FOLDER / "arnhem-map.yaml").data, **parts}
    with NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as made:
        json.dump(file, made, default=str)
        made.flush()
        return load_map(Path(made.name)).to_data()


def part(name: str) -> list[Any]:
    """Return a part of the map's file."""
    return list(read_document(FOLDER / "arnhem-map.yaml").data[name])


def opening(
    card: Mapping[str, Any] | None = None,
    charts: Mapping[str, Any] | None = None,
    *,
    readings: Mapping[str, str] | None = None,
    tables: bool = True,
    map_: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return what the log of the worked example opens with; changes are merged into its data."""
    found: dict[str, Any] = {
        "card": merged(data("arnhem"), card or {}),
        "charts": merged(data("arnhem-charts"), charts or {}),
        "map": map_ or data("arnhem-map"),
        "readings": dict(readings or {}),
    }
    if tables:
        found["tables"] = data("arnhem-tables")
    return found


def campaign(card: Mapping[str, Any] | None = None, charts: Mapping[str, Any] | None = None, **more: Any) -> Abtf:
    """Return the worked example before its first fact."""
    cg = Abtf(opening(card, charts, **more))
    cg.state = AbtfState.empty(UMPIRE)
    return cg


def apply(cg: Abtf, *facts: Fact) -> Abtf:
    """Apply facts to the state of a scene, as they are read back from a log."""
    for fact in facts:
        cg.state = type(fact).model_validate(fact.body()).apply(cg.state)
    return cg


def scene(card: Mapping[str, Any] | None = None, charts: Mapping[str, Any] | None = None, **more: Any) -> Abtf:
    """Return the worked example begun: Block W is British, NE German, SE nobody's."""
    cg = campaign(card, charts, **more)
    sides = cg.card.sides
    begun = CampaignBegun(
        elr={side: half.elr for side, half in sides.items()},
        san={side: half.san for side, half in sides.items()},
        cpp={side: half.cpp for side, half in sides.items()},
        ammunition={side: half.ammunition for side, half in sides.items()},
    )
    control = {"W": "allied", "NE": "axis"}
    areas = AreasDetermined(areas=initial_areas(cg), block_control=control)
    return apply(cg, begun, areas)


def chits(cg: Abtf, axis: str, allied: str) -> Abtf:
    """Reveal chits and determine the scenario that they make."""
    idle = axis == allied == "idle"
    kind = ScenarioDetermined(kind_of_scenario="x", idle=idle, sets_up_first="allied", moves_first="axis")
    return apply(cg, ChitsRevealed(chits={"axis": axis, "allied": allied}), kind)


def at_date(cg: Abtf, name: str, *, idle: tuple[str, ...] = ()) -> Abtf:
    """Go on to a CG Date; dates before it were played unless they are named in `idle`."""
    while cg.date.id != name:
        here = cg.date.id
        if here in idle:
            chits(cg, "idle", "idle")
            apply(cg, RoundBegun(round=Round.IDLE))
        else:
            chits(cg, "attack", "idle")
            apply(cg, PlayEnded(turn=6), RoundBegun(round=Round.REFIT))
        apply(cg, DateBegun(number=cg.state.number + 1))
    return cg
