"""Changes of charts: figures of the rules that no dice are rolled on, in the data of their file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.base import did_you_mean
from laager.base.files import Where
from laager.campaign.house.cells import Complain

NAMED_BY = ("id", "kind", "type", "letter", "level", "result", "name")
"""The fields by which rows of a chart are called, the best first."""
FIXED = frozenset({"rule", "laager", "source", "notes"})
"""What no house changes."""
SCALES = ("periods", "years")
"""The lists in a chart that name the figures of its rows."""


def parts_of(data: Mapping[str, Any], clause: str, chart: str | None) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a file of charts that belong to a clause, or are the chart that its index entry names."""
    for name, part in data.items():
        if (chart is not None and name == chart) or (isinstance(part, dict) and part.get("rule") == clause):
            yield name, part


def limits_of(data: Mapping[str, Any], clause: str) -> dict[str, dict[str, Any]]:
    """Return the limits of a clause by their ids."""
    return {limit["id"]: limit for limit in data.get("limits", ()) if limit.get("rule") == clause}


def names_of(row: Mapping[str, Any]) -> list[str]:
    """Return what a row of a chart can be called, the best name first."""
    names = [str(row[field]) for field in NAMED_BY if row.get(field) not in (None, "")]
    size, formation = row.get("size"), row.get("formation")
    if size:
        names.insert(0, f"{row.get('kind', '')} {size}")
    if formation:
        names.insert(0, f"{formation}-{row.get('id', '')}")
    return names


def find_row(part: Any, name: str) -> dict[str, Any] | None:
    """Return the row of a chart, or of a list in it, with this name; None if there is none."""
    for rows in row_lists(part):
        for rank in range(len(NAMED_BY)):
            named = [row for row in rows if name in names_of(row)[rank : rank + 1]]
            if len(named) == 1:
                return named[0]
    return None


def row_lists(part: Any) -> Iterator[list[dict[str, Any]]]:
    """Yield the lists of rows in a part of a chart."""
    lists = [part] if isinstance(part, list) else part.values() if isinstance(part, dict) else ()
    for rows in lists:
        if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
            yield rows


def change_figures(part: Any, key: str, value: Any, where: Where, complain: Complain, root: Any = None) -> bool:
    """Change the figure, or the figures in a row, that `key` names; False if there is none of that name."""
    held = part.get(key) if isinstance(part, dict) else None
    if isinstance(part, dict) and key in part and key not in FIXED:
        part[key] = _change_figure(held, value, (*where, key), complain, root if root is not None else part)
        return True
    row = find_row(part, key)
    if row is None and isinstance(part, dict) and isinstance(part.get("rows"), dict):
        return change_figures(part["rows"], key, value, where, complain, part)
    if row is None:
        return False
    if not isinstance(value, Mapping):
        complain((*where, key), "is a row of the chart", f"say which figure: {{{_figure(row)}: …}}")
        return True
    _change_row(part, row, value, (*where, key), complain)
    return True


def _figure(row: Mapping[str, Any]) -> str:
    return next((name for name, value in row.items() if isinstance(value, int)), next(iter(row)))


def _change_row(part: Any, row: dict[str, Any], change: Mapping[str, Any], where: Where, complain: Complain) -> None:
    # A row may lack what other rows of the chart have: the price of something that the rules don't price.
    known = {name for rows in row_lists(part) if row in rows for other in rows for name in other} - FIXED
    for key, value in change.items():
        here = (*where, key)
        if key not in known:
            complain(here, f"the row has no “{key}”", did_you_mean(key, known))
        else:
            row[key] = _change_figure(row.get(key), value, here, complain, part)


def _change_figure(held: Any, value: Any, where: Where, complain: Complain, root: Any) -> Any:
    """Return what becomes of a figure; a mapping changes single figures in a mapping or list."""
    if isinstance(held, dict) and isinstance(value, Mapping):
        made = dict(held)
        for key, inner in value.items():
            if key not in made and find_row(made, key) is None:
                complain((*where, key), f"there is no “{key}” here", did_you_mean(key, made))
            elif key in made:
                made[key] = _change_figure(made[key], inner, (*where, key), complain, root)
            else:
                change_figures(made, key, inner, where, complain, root)
        return made
    if isinstance(held, list) and isinstance(value, Mapping):
        return _change_list(held, value, where, complain, root)
    if isinstance(value, Mapping) or isinstance(held, list) != isinstance(value, list) or isinstance(held, dict):
        complain(where, "is not what stands here", f"the rules have {_short(held)}")
        return held
    return value


def column_names(chart: Any, cells: list[Any]) -> list[str]:
    """Return what the columns of a chart are called, in which the cells of a row lie; none if they lie in none."""
    scales = [chart[name] for name in SCALES if isinstance(chart, dict) and name in chart]
    if any(isinstance(cell, dict) for cell in cells):
        return []
    named = (scale for scale in scales if len(scale) == len(cells))
    return [str(period["name"]) for period in next(named, [])]


def _change_list(held: list[Any], change: Mapping[str, Any], where: Where, complain: Complain, root: Any) -> list[Any]:
    names = column_names(root, held)
    made = list(held)
    for key, value in change.items():
        if key in names:
            made[names.index(key)] = value
        elif (row := find_row(made, key)) is not None and isinstance(value, Mapping):
            _change_row(made, row, value, (*where, key), complain)
        else:
            known = names or [name for row in made if isinstance(row, dict) for name in names_of(row)[:1]]
            complain((*where, key), f"there is no “{key}” here", did_you_mean(key, known))
    return made


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "…"
