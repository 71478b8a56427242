"""A run on paper: its sheets and plots as a PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from laager.campaign.sheet import Sheet
from laager.sheets.paper import paper_named
from laager.sheets.pdf import story_pdf
from laager.simulation.plan import CLOCK, SimulationPlan
from laager.simulation.plots import titles_of


def results_pdf(
    plan: SimulationPlan, sheets: Sequence[Sheet], plots: Mapping[str, str], paper: str = "a4", language: str = "en"
) -> bytes:
    """Return the results as a PDF. Raises RefusedError if an extra isn't installed or the paper isn't known."""
    titles = titles_of(plots)
    blocks: list[dict[str, Any]] = []
    for sheet in sheets:
        blocks.append({"kind": "heading", "text": sheet.title})
        if sheet.id in plots:
            blocks.append({"kind": "picture", "name": sheet.id, "title": titles[sheet.id]})
        blocks.append(_grid(sheet))
        blocks += [{"kind": "paragraph", "text": note} for note in sheet.notes]
    beside = [name for name in plots if name not in {sheet.id for sheet in sheets}]
    blocks += [{"kind": "picture", "name": name, "title": titles[name]} for name in beside]
    commanders = ", ".join(f"{side} {name}" for side, name in plan.commanders.items())
    data = {
        "title": plan.title,
        "subtitle": f"Simulated campaigns: {commanders}; seed {plan.seed}; battles {plan.intensity}",
        "lang": language,
        "blocks": blocks,
    }
    return story_pdf(data, plots, paper_named(paper), CLOCK.isoformat())


def _grid(sheet: Sheet) -> dict[str, Any]:
    first = next((n for n, column in enumerate(sheet.columns) if column.align == "right"), len(sheet.columns))
    return {
        "kind": "grid",
        "title": "",
        "columns": [column.title for column in sheet.columns],
        "rows": [list(row) for row in sheet.rows],
        "figures": first,
    }
