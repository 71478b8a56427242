"""A run on paper: its sheets and plots as a PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from laager.campaign.sheet import Sheet
from laager.campaign.speech import say
from laager.sheets.paper import paper_named
from laager.sheets.pdf import story_pdf
from laager.simulation.plan import CLOCK, SimulationPlan
from laager.simulation.plots import titles_of
from laager.simulation.sheets import context_of, name_of


def results_pdf(
    plan: SimulationPlan, sheets: Sequence[Sheet], plots: Mapping[str, str], paper: str = "a4", language: str = "en"
) -> bytes:
    """Return the results as a PDF. Raises RefusedError if an extra isn't installed or the paper isn't known."""
    titles = {name: say(title, language) for name, title in titles_of(plots).items()}
    blocks: list[dict[str, Any]] = []
    for sheet in sheets:
        blocks.append({"kind": "heading", "text": say(sheet.title, language)})
        if sheet.id in plots:
            blocks.append({"kind": "picture", "name": sheet.id, "title": titles[sheet.id]})
        blocks.append(_grid(sheet, language))
        blocks += [{"kind": "paragraph", "text": say(note, language)} for note in sheet.notes]
    beside = [name for name in plots if name not in {sheet.id for sheet in sheets}]
    blocks += [{"kind": "picture", "name": name, "title": titles[name]} for name in beside]
    context = context_of(plan)
    commanders = ", ".join(f"{name_of(context, side)}: {name}" for side, name in plan.commanders.items())
    about = f"Simulated campaigns; commanders: {commanders}; seed {plan.seed}; battles {plan.intensity}"
    data = {"title": say(plan.title, language), "subtitle": say(about, language), "lang": language, "blocks": blocks}
    return story_pdf(data, plots, paper_named(paper), CLOCK.isoformat())


def _grid(sheet: Sheet, language: str) -> dict[str, Any]:
    first = next((n for n, column in enumerate(sheet.columns) if column.align == "right"), len(sheet.columns))
    return {
        "kind": "grid",
        "title": "",
        "columns": [say(column.title, language) for column in sheet.columns],
        "rows": [[say(cell, language) for cell in row] for row in sheet.rows],
        "figures": first,
    }
