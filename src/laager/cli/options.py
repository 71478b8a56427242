"""Options that many commands have in common, and the groups in which help shows commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PLAY, LOOK, READ = "Playing", "Looking", "Rules, cards and files"
"""The groups of commands, in the order in which help shows them."""


def rulesets() -> list[str]:
    """Return the names of the installed rule systems."""
    from importlib.metadata import entry_points

    return sorted({point.name for point in entry_points(group="laager.rulesets")})


CampaignFile = Annotated[
    Path | None,
    typer.Option(
        "--campaign",
        "-c",
        metavar="FILE",
        envvar="LAAGER_CAMPAIGN",
        help="The campaign file; if left out, the only one in this folder.",
    ),
]
Side = Annotated[
    str | None,
    typer.Option(
        "--side",
        "-s",
        metavar="SIDE",
        envvar="LAAGER_SIDE",
        help="See and do only what this side may; if left out, everything (the umpire).",
    ),
]


def examples(*lines: str) -> str:
    """Return examples for the end of a command's help, each on a line of its own."""
    return "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
RulesetName = Annotated[
    str, typer.Argument(metavar="RULES", help="The rule system, such as pl.", autocompletion=rulesets)
]
