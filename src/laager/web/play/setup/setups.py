"""Setups on the map: what the page needs to show a draft, and what the rules say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from laager.base import DataError
from laager.campaign import Question, Record, Spot
from laager.rules.board.changes import MMC
from laager.rules.board.places import ITEMS
from laager.rules.board.state import BoardState
from laager.web.campaigns.scenes import Scene
from laager.web.play.asking import checks
from laager.web.shared.translation import translate_form

if TYPE_CHECKING:
    from laager.campaign import Choice, Field
    from laager.rules.board.units import Unit
    from laager.web.campaigns.tables import Asked


def judge_setup(question: Question, value: Any) -> dict[str, Any]:
    """Return what is wrong with a setup, and where it puts each unit, as plain values."""
    return {
        "problems": checks.problems_json(checks.find_problems(question, value)),
        "placed": places_of(question, value),
    }


def places_of(question: Question, value: Any) -> Mapping[str, Spot]:
    """Return where an answer puts each unit; nothing while it can't be read."""
    if question.placing is None or question.placing.placed is None:
        return {}
    try:
        return question.placing.placed(question.form.parse(value))
    except DataError:
        return {}


def board(shown: Scene, asked: Asked, value: Any) -> dict[str, Any]:
    """Return a setup with everything that the map page needs besides it, from the view of its side."""
    question, state, side = asked.need_question(), shown.state, asked.pending.side
    assert isinstance(question.form, Record), "a setup is a form of several parts"
    assert isinstance(state, BoardState), "only campaigns on a board set up"
    named = {field.name: _options(field) for field in _first_fields(question.form)}
    units = [state.units[name] for name in named.get("units", {}) if name in state.units]
    forts = named.get("forts", {})
    counts = {fort.id: fort.count for fort in state.forts.values()}
    own = {unit.id for unit in units}
    entries = question.placing.entries() if question.placing else {}
    return {
        "side": side,
        "value": value if isinstance(value, Mapping) else question.default,
        "default": question.default,
        "form": translate_form(question.form.describe()),
        "units": [_unit(unit, _group(state, unit)) | {"entries": entries.get(unit.id, ())} for unit in units],
        "forts": [
            {"id": name, "label": label, "type": label, "kind": "fort", "fort": True, "count": counts.get(name, 99)}
            for name, label in forts.items()
        ],
        "others": [
            {"id": unit.id, "label": unit.label, "type": unit.type, "kind": unit.kind, "at": unit.at}
            for unit in state.units_of(side)
            if unit.on_map and unit.id not in own
        ],
        "items": sorted(ITEMS),
        "troops": sorted(MMC),
        "locations": {name: places for name in shown.map.hexes if len(places := shown.map.locations(name)) > 1},
        **checks.grounds(question),
        **judge_setup(question, value),
        # Until an answer can be read, units are where the proposal has them.
        "placed": {**places_of(question, question.default), **places_of(question, value)},
    }


def _first_fields(form: Record) -> list[Field]:
    """Return the parts that are lists of rows which name a piece."""
    return [part for part in form.fields if part.name in {"units", "forts"}]


def _options(part: Field) -> dict[str, str]:
    form: Any = part.form
    names: Choice = form.row.fields[0].form
    return {option.value: option.label or option.value for option in names.options}


def _group(state: BoardState, unit: Unit) -> str:
    groups: Mapping[tuple[str, str], Any] = getattr(state, "groups", {})
    name = getattr(groups.get((unit.side, unit.group)), "name", "")
    return f"{unit.group} {name}".strip()


def _unit(unit: Unit, group: str) -> dict[str, Any]:
    return {"id": unit.id, "label": unit.label, "type": unit.type, "kind": unit.kind, "group": group}
