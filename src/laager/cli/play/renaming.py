"""The command that gives a unit a name of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from laager.cli.options import PLAY, AsJson, CampaignFile, Side, examples
from laager.cli.play.session import session

app = typer.Typer()
"""`laager.cli.app` takes these commands over as its own."""


@app.command(
    rich_help_panel=PLAY,
    short_help="give a unit or leader a name",
    epilog=examples(
        "laager rename AX3 Kowalski --side axis", 'laager rename AL791 "" --side allied    take its name away'
    ),
)
def rename(
    unit: Annotated[str, typer.Argument(metavar="UNIT", help="The number of the unit, as in your roster.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name; empty: none of its own any more.")],
    campaign: CampaignFile = None,
    side: Side = None,
    json: AsJson = False,
) -> None:
    """Give one of your units a name of its own, by which it is called from now on.

    The enemy learns it only of units that it knows.
    """
    session(campaign, side).rename(unit, name).tell(json)
