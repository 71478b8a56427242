"""Battle reports by map: what a page needs to show one, and what a VASL save proposes for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from laager.campaign import Record
from laager.hexmap import split_location
from laager.rules.board.report.marks import FITS, NEEDS, marks_replaced_by
from laager.rules.board.report.outcome import common_types
from laager.rules.board.state import BoardState
from laager.rules.board.units import HIDING
from laager.web.campaigns.scenes import Scene
from laager.web.campaigns.tables import Asked, Table
from laager.web.records.map.hexes import mine
from laager.web.shared.translation import translate_form

if TYPE_CHECKING:
    from laager.rules.board.units import Fort, Unit

# What the page works with -------------------------------------------------------------------------


def board(table: Table, shown: Scene, asked: Asked, value: Any) -> dict[str, Any]:
    """Return a report with everything that the map page needs besides it, as plain values.

    Everything is from the view of the side: its own units, the enemy's that it knows.
    """
    question = asked.pending.question
    assert question is not None
    assert isinstance(question.form, Record), "a report is a form of several parts"
    state, side = shown.state, asked.pending.side
    parts = {part.name for part in question.form.fields}
    assert isinstance(state, BoardState), "only campaigns with a board ask for reports"
    units = list(state.units_of(side)) if "units" in parts else []
    places = {name: shown.map.locations(name) for name in shown.map.hexes if len(shown.map.locations(name)) > 1}
    strategic: dict[str, list[str]] = {}
    for where in shown.layers.strategic:
        strategic.setdefault(split_location(where)[0], []).append(where)
    return {
        "key": question.key,
        "side": side,
        "sides": dict(shown.layers.sides) or {name: name for name in table.ruleset.sides},
        "value": value if isinstance(value, Mapping) else question.default,
        "default": question.default,
        "form": translate_form(question.form.describe()),
        "units": [_unit(table.campaign.context, unit) for unit in units],
        "enemies": [
            {"id": unit.id, "label": unit.label, "at": unit.at}
            for unit in state.units.values()
            if unit.side != side and unit.known and unit.on_map and not unit.has(*HIDING)
        ],
        "fits": {mark.value: sorted(kinds) for mark, kinds in FITS.items()},
        "replaces": {kind: _replaced_marks(kind) for kind in sorted({unit.kind for unit in units})},
        "needs": {mark.value: base.value for mark, base in NEEDS.items()},
        "locations": places,
        "strategic": strategic,
        "control": dict(state.ground.control),
        "fires": {**dict.fromkeys(state.ground.flames, "flame"), **dict.fromkeys(state.ground.blazes, "blaze")},
        "forts": [_fort(fort) for fort in state.forts.values() if _knows_fort(side, fort)],
    }


def _knows_fort(side: str, fort: Fort) -> bool:
    return fort.at is not None and (mine(side, fort.side) or not fort.hidden)


def _replaced_marks(kind: str) -> dict[str, list[str]]:
    return {mark.value: sorted(others) for mark, others in marks_replaced_by(kind).items()}


def _unit(cg: Any, unit: Unit) -> dict[str, Any]:
    return {
        "id": unit.id,
        "label": unit.label,
        "type": unit.type,
        "kind": unit.kind,
        "name": unit.name,
        "at": unit.at or "",
        "on_map": unit.on_map,
        "with": unit.with_unit,
        "group": unit.group,
        "becomes": common_types(cg, unit),
    }


def _fort(fort: Fort) -> dict[str, Any]:
    label = f"{fort.kind} {fort.size}".rstrip()
    return {"id": fort.id, "side": fort.side, "label": label, "at": fort.at}
