"""Options that many commands have in common, and the groups in which help shows commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PLAY, LOOK, READ, HOST = "Playing", "Looking", "Rules, cards and files", "Hosting a server"
"""The groups of commands, in the order in which help shows them."""

HELP_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def group(name: str, about: str) -> typer.Typer:
    """Return a group of commands, such as `laager dyo`."""
    return typer.Typer(
        name=name, help=about, no_args_is_help=True, rich_markup_mode=None, context_settings=HELP_SETTINGS
    )


def rulesets() -> list[str]:
    """Return the names of the installed rule systems."""
    from importlib.metadata import entry_points

    return sorted({point.name for point in entry_points(group="laager.rulesets")})


def examples(*lines: str) -> str:
    """Return examples for the end of a command's help, each on a line of its own."""
    return "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))


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
RulesetName = Annotated[
    str, typer.Argument(metavar="RULES", help="The rule system, such as pl.", autocompletion=rulesets)
]
Defaults = Annotated[
    int,
    typer.Option("--defaults", min=0, metavar="N", show_default=False, help="First take that many proposals unasked."),
]
Solo = Annotated[
    bool,
    typer.Option(
        "--solo", envvar="LAAGER_SOLO", help="One person plays both sides: nothing is hidden, the screen never cleared."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="If left out, printed.")]
EnteredDice = Annotated[bool, typer.Option("--entered-dice", help="The players roll their own dice and type them.")]
Reading = Annotated[
    list[str] | None,
    typer.Option(
        "--reading",
        "-r",
        metavar="ID=OPTION",
        help="How to read a rule where groups differ (laager rules pl --readings); can be repeated.",
    ),
]

HouseFile = Annotated[Path | None, typer.Option("--house", metavar="FILE", help="A file of house rules that hold.")]

SaveBoards = Annotated[
    Path | None,
    typer.Option("--boards", metavar="FOLDER", help="With a save: where the boards are, if some aren't ordinary."),
]
SaveOwner = Annotated[
    int | None,
    typer.Option("--owner", metavar="N", help="With a save: you are this owner of hidden and concealed pieces."),
]
SaveChoices = Annotated[
    list[str] | None, typer.Option("--choose", metavar="KEY=VALUE", help="With a save: settle what it leaves open.")
]
TerrainRules = Annotated[
    list[str] | None, typer.Option(metavar="RULE", help="A scenario's terrain change: NAME or BOARD:NAME.")
]
Overlays = Annotated[list[str] | None, typer.Option(metavar="OVERLAY", help="BOARD:NAME:HEX or BOARD:NAME:HEX:HEX.")]
OverlayFolder = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Where overlays are; else the folder overlays by the boards.")
]
Then = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT",
        help="With --days: what happens then. remind; umpire or sensible: besides, the umpire, or the other side "
        "too, can let the sensible commander answer.",
    ),
]
Agree = Annotated[bool, typer.Option("--agree", help="Agree to the other side's request.")]
Refuse = Annotated[bool, typer.Option("--refuse", help="Refuse it, or withdraw your own.")]
