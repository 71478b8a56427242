"""What of a file's forms stands in charts: it is filled in there alone, and a form shows the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from laager.rules.board.hasl.grids.grid import ChartGrid
from laager.rules.board.hasl.grids.sheets import grids_of
from laager.web.library.editor.schema_form import FormSheet, steps_of

Steps = tuple[str, ...]


@dataclass(frozen=True)
class Charts:
    """The charts of a file by what they hold: whole lists, and single values."""

    lists: Mapping[Steps, ChartGrid]
    values: Mapping[Steps, ChartGrid]

    def holding(self, way: str) -> ChartGrid | None:
        """Return the chart that holds a part, if one does."""
        steps = tuple(steps_of(way))
        return next((grid for held, grid in self.lists.items() if steps[: len(held)] == held), None)

    def below(self, way: str) -> list[ChartGrid]:
        """Return the charts of a part and of what is in it."""
        steps = tuple(steps_of(way))
        grids = [grid for held, grid in [*self.lists.items(), *self.values.items()] if held[: len(steps)] == steps]
        return list({grid.id: grid for grid in grids}.values())

    def rest_of(self, sheet: FormSheet) -> FormSheet:
        """Return a form without what stands in charts."""
        here = tuple(steps_of(sheet.way))

        def is_held(name: str) -> bool:
            return (*here, name) in self.lists or (*here, name) in self.values

        fields = tuple(part for part in sheet.form.fields if not is_held(part.name))
        branches = tuple(part for part in sheet.branches if not is_held(part.name))
        return replace(sheet, form=replace(sheet.form, fields=fields), branches=branches)


def charts_of(kind: str, data: Any) -> Charts:
    """Return the charts of a file; none for kinds without any."""
    lists: dict[Steps, ChartGrid] = {}
    values: dict[Steps, ChartGrid] = {}
    for grid in grids_of(kind, data):
        way = tuple(str(step + 1) if isinstance(step, int) else step for step in grid.way)
        if not grid.keys:
            lists[way] = grid
        for key in grid.keys:
            values |= {(*way, *([key] if key else []), *column.way): grid for column in grid.columns}
    return Charts(lists, values)
