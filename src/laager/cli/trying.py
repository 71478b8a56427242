"""`laager try`: whether a card plays at all, and what never happens in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laager.cli.options import PLAY, AsCsv, AsJson, Reading, examples

app = typer.Typer()
"""`laager.cli.app` takes this command over as its own."""

TRIED = 10
"""Campaigns that are played."""


@app.command(
    "try",
    rich_help_panel=PLAY,
    short_help="play a card ten times, to see what happens",
    epilog=examples("laager try my-card.yaml", "laager try my-card.yaml --maps maps", "laager try sorgiva --json"),
)
def try_card(
    card: Annotated[str, typer.Argument(metavar="CARD", help="A file, or the name of a shipped card.")],
    maps: Annotated[
        Path | None,
        typer.Option("--maps", metavar="FOLDER", help="Draw plots there, and the map at the start of each battle."),
    ] = None,
    reading: Reading = None,
    json: AsJson = False,
    csv: AsCsv = False,
) -> None:
    """Let sensible commanders play a card ten times, with battles settled by the model, and show what happened.

    Who won, what was bought, what never happened: groups that nobody bought, battles that nobody fought, rules that
    never came up; and what was refused.
    """
    from laager.cli.simulating import RunWishes, plan_of, play_many

    plan = plan_of(card, reading or ())
    play_many(plan, RunWishes(TRIED, plots=maps, as_json=json, as_csv=csv, whole=True, all_maps=True))
