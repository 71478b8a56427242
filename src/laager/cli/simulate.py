"""`laager simulate`: whole campaigns played by the thousand, and what comes out of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laager.cli.ending import WrongUseError
from laager.cli.options import PLAY, AsCsv, AsJson, Reading, examples

app = typer.Typer()
"""`laager.cli.app` takes this command over as its own."""


@app.command(
    rich_help_panel=PLAY,
    short_help="play whole campaigns by the thousand",
    epilog=examples(
        "laager simulate rzhavets",
        "laager simulate rzhavets --campaigns 1000 --axis bold --allied sensible",
        "laager simulate rzhavets --what-if axis.cp+2 --what-if axis.cp-2",
        "laager simulate rzhavets --what-if setting=mild --what-if setting=bloody",
        "laager simulate rzhavets -n 10000 --workers 2 --out rzhavets.parquet     goes on where it was",
        "laager simulate --calibrate *.laager         how well the model tells what campaigns had",
        "laager simulate rzhavets --keep 7            write campaign 7 as a file",
    ),
)
def simulate(
    cards: Annotated[
        list[str], typer.Argument(metavar="CARD", help="A file, or the name of a shipped card; or with --calibrate.")
    ],
    campaigns: Annotated[
        int, typer.Option("--campaigns", "-n", min=1, metavar="N", help="How many campaigns are played.")
    ] = 100,
    axis: Annotated[str, typer.Option("--axis", metavar="NAME", help="Who commands the Axis.")] = "sensible",
    allied: Annotated[str, typer.Option("--allied", metavar="NAME", help="Who commands the Allies.")] = "sensible",
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The same seed plays the same campaigns.")] = 1,
    setting: Annotated[
        str, typer.Option("--setting", metavar="WORD", help="How hard battles are: mild, usual or bloody.")
    ] = "usual",
    battles: Annotated[
        str, typer.Option("--battles", metavar="MODEL", help="The model of battles: a name, or a file of figures.")
    ] = "stated",
    workers: Annotated[int, typer.Option("--workers", min=1, metavar="N", help="Processes that play.")] = 1,
    dask: Annotated[
        str, typer.Option("--dask", metavar="ADDRESS", help="Play on the workers of this Dask scheduler instead.")
    ] = "",
    what_if: Annotated[
        list[str] | None,
        typer.Option(
            "--what-if",
            metavar="CHANGE",
            help="Play it all again with a change: a figure of the card, such as axis.cp+2, or setting=bloody; can be "
            "repeated.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Keep each campaign in this Parquet file; goes on from it."),
    ] = None,
    plots: Annotated[Path | None, typer.Option("--plots", metavar="FOLDER", help="Draw plots there, as SVG.")] = None,
    pdf: Annotated[Path | None, typer.Option("--pdf", metavar="FILE", help="Print everything, with plots.")] = None,
    keep: Annotated[
        int | None, typer.Option("--keep", min=1, metavar="N", help="Write campaign N of the run as a file, and end.")
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", metavar="FILE", help="With --keep: the file.")] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="Show everything: figures over time, rules that never came up.")
    ] = False,
    calibrate: Annotated[
        bool,
        typer.Option("--calibrate", help="Play nothing: compare the model with these finished campaigns, and fit it."),
    ] = False,
    reading: Reading = None,
    json: AsJson = False,
    csv: AsCsv = False,
) -> None:
    """Play whole campaigns: who wins how often, what is bought, how many battles are fought.

    Commanders decide for both sides, by the real rules; battles are settled by a stated model, which doesn't claim to
    play ASL. Each campaign has its own seed, made from --seed and its number, and can be kept and looked at.
    """
    if calibrate:
        from laager.cli.simulating import calibrate_model

        calibrate_model([Path(name) for name in cards], battles, json, csv)
        return
    if len(cards) != 1:
        raise WrongUseError("name one card; several files go with --calibrate")
    card = cards[0]
    if file is not None and keep is None:
        raise WrongUseError("--file goes with --keep N")
    from laager.cli.simulating import RunWishes, keep_one, plan_of, play_many

    plan = plan_of(card, reading or (), axis=axis, allied=allied, seed=seed, battles=battles, intensity=setting)
    if keep is not None:
        keep_one(plan, keep, file, json)
    else:
        wishes = RunWishes(campaigns, tuple(what_if or ()), workers, dask, out, plots, pdf, json, csv, whole)
        play_many(plan, wishes)
