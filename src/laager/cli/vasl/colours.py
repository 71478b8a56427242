"""Boards read by their colours: what the colours mean, and what a person should look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laager.cli.options import AsJson, Force, examples
from laager.cli.out import say, say_wrapped, show_json, show_sheets
from laager.cli.writing import OR_FORCE, check_free, put

app = typer.Typer()
"""`laager.cli.vasl.commands` takes the commands over as its own."""

SHOWN = 40
"""How many doubts are printed if nobody asks for more."""


@app.command(
    short_help="list the colours of a board, to say what they mean",
    epilog=examples(
        "laager vasl legend boards/bdABTF -o legend.yaml",
        "laager vasl import boards/bdABTF --legend legend.yaml -o map.yaml",
    ),
)
def legend(
    board: Annotated[Path, typer.Argument(metavar="BOARD", help="A board archive without LOS data.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The legend to be made.")] = Path(
        "legend.yaml"
    ),
    force: Force = False,
) -> None:
    """Write the commonest colours of a board's picture with some of their hexes, for you to fill in.

    For each colour the file says what it is taken for now. Where that is wrong, write what it is, and
    give the file to laager vasl import with --legend.
    """
    from laager.vasl import board_of, legend_text, open_archive

    check_free(out, force=force, or_else=OR_FORCE)
    archive = open_archive(board)
    put(out, legend_text(archive, board_of(archive)).encode())
    say(f"written: {out}")
    say_wrapped(f"Fill in what the colours are, then: laager vasl import {board} --legend {out}")


@app.command(
    short_help="what to look at on a map that was read by colours",
    epilog=examples("laager vasl doubts map.yaml", "laager vasl doubts map.yaml --all"),
)
def doubts(
    file: Annotated[Path, typer.Argument(metavar="MAP", help="A map file.")],
    everything: Annotated[bool, typer.Option("--all", help=f"All doubts, not only the first {SHOWN}.")] = False,
    json: AsJson = False,
) -> None:
    """List hexes and hexsides that were read from colours with doubt, the worst first.

    Settle one with laager vasl mark: C4=woods says what it is, C4=right that the map is right, rest=right
    that it is right wherever a doubt is left.
    """
    from laager.base.files import parse_document, read_text
    from laager.campaign import Column, Sheet
    from laager.hexmap import map_from_document
    from laager.vasl import doubts_in

    document = parse_document(read_text(file), str(file))
    map_from_document(document)
    finds = doubts_in(document.data)
    if json:
        show_json([{"where": doubt.where, "score": doubt.score, "why": doubt.why} for doubt in finds])
        return
    if not finds:
        say("Nothing on this map is in doubt.")
        return
    shown = finds if everything else finds[:SHOWN]
    rows = tuple((doubt.where, str(doubt.score), doubt.why) for doubt in shown)
    show_sheets([Sheet("doubts", "Doubts", tuple(map(Column, ("where", "score", "why"))), rows)])
    if len(shown) < len(finds):
        say(f"{len(finds) - len(shown)} more: --all")
    say_wrapped(
        f"Settle them with laager vasl mark {file}: {finds[0].where}=… says what is there, {finds[0].where}=right that "
        "the map is right, rest=right that it is right everywhere else."
    )
