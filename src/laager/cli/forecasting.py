"""`laager forecast`: what a side can expect of a campaign under way, by what it knows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from laager.cli.options import LOOK, AsCsv, AsJson, examples

app = typer.Typer()
"""`laager.cli.app` takes this command over as its own."""


@app.command(
    rich_help_panel=LOOK,
    short_help="what a side can expect",
    epilog=examples("laager forecast --side axis", "laager forecast tuesday.laager --side axis -n 100"),
)
def forecast(
    side: Annotated[str, typer.Option("--side", "-s", metavar="SIDE", help="By whose knowledge, and for whom.")],
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A campaign file; if left out, the only one in this folder.")
    ] = None,
    campaigns: Annotated[
        int | None,
        typer.Option("--campaigns", "-n", min=1, metavar="N", help="How often it is played on, for each setting."),
    ] = None,
    json: AsJson = False,
    csv: AsCsv = False,
) -> None:
    """Say how likely each ending is, and what a side will be able to spend, by what that side knows.

    The campaign is played on many times from that side's record. What only the other side knows is drawn, never read.
    """
    from laager.base import Refusal, RefusedError, did_you_mean
    from laager.campaign.engine import Campaign
    from laager.campaign.log import FileStore
    from laager.cli.out import print_sheets
    from laager.cli.play.campaign_file import campaign_path
    from laager.cli.simulating import ProgressLine
    from laager.simulation.forecast import CAMPAIGNS
    from laager.simulation.forecast import forecast as make_forecast

    campaign = Campaign(FileStore(campaign_path(file)))
    sides = campaign.ruleset.sides
    if side not in sides:
        raise RefusedError(Refusal.NO_SUCH, f"there is no side {side!r}", did_you_mean(side, sides, "the sides are"))
    progress = ProgressLine() if sys.stderr.isatty() else None
    print_sheets(make_forecast(campaign, side, campaigns or CAMPAIGNS, progress).sheets(), json, csv)
