"""Boards read by their colours: what the colours mean, and what a person should look at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laager.cli.options import AsJson, Force, examples
from laager.cli.out import say, say_wrapped, show_json, show_sheets
from laager.cli.writing import OR_FORCE, check_free, put

if TYPE_CHECKING:
    from laager.vasl import Doubt

app = typer.Typer()
"""`laager.cli.vasl.commands` takes the commands over as its own."""

SHOWN = 40
"""How many groups of doubts are printed if nobody asks for more."""
LISTED = 6
"""How many hexes of a group are printed."""


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
    epilog=examples(
        "laager vasl doubts map.yaml", "laager vasl doubts map.yaml --all", "laager vasl doubts map.yaml --singly"
    ),
)
def doubts(
    file: Annotated[Path, typer.Argument(metavar="MAP", help="A map file.")],
    everything: Annotated[bool, typer.Option("--all", help=f"All of them, not only the first {SHOWN}.")] = False,
    singly: Annotated[bool, typer.Option("--singly", help="Each hex and hexside for itself, not in groups.")] = False,
    json: AsJson = False,
) -> None:
    """List hexes and hexsides that were read from colours with doubt, the worst first.

    Those that look alike and were taken for the same are a group. Settle it with laager vasl mark:
    alike:1=woods says what all its hexes are, alike:1=right that the map is right. C4=woods and C4=right
    settle one hex, rest=right says that the map is right wherever a doubt is left.
    """
    from laager.base.files import parse_document, read_text
    from laager.campaign import Column, Sheet
    from laager.hexmap import map_from_document
    from laager.vasl import doubts_in, group_alike, reading_of

    document = parse_document(read_text(file), str(file))
    map_ = map_from_document(document)
    finds = doubts_in(document.data)
    if json:
        fields = ("where", "score", "why", "alike")
        show_json([{field: getattr(doubt, field) for field in fields} for doubt in finds])
        return
    if not finds:
        say("Nothing on this map is in doubt.")
        return
    groups = tuple((doubt,) for doubt in finds) if singly else group_alike(finds)
    shown = groups if everything else groups[:SHOWN]
    rows = tuple((*_group_row(group), reading_of(map_, group[0].where)) for group in shown)
    columns = ("where", "score", "why", "taken for")
    show_sheets([Sheet("doubts", "Doubts", tuple(map(Column, columns)), rows)])
    if len(shown) < len(groups):
        say(f"{len(groups) - len(shown)} more: --all")
    name = _name_of_group(groups[0])
    say_wrapped(
        f"Settle them with laager vasl mark {file}: {name}=… says what is there, {name}=right that "
        "the map is right, rest=right that it is right everywhere else."
    )


def _name_of_group(group: tuple[Doubt, ...]) -> str:
    """Return what changes call a group of doubts."""
    return group[0].where if len(group) == 1 else f"alike:{group[0].alike}"


def _group_row(group: tuple[Doubt, ...]) -> tuple[str, str, str]:
    worst = max(group, key=lambda doubt: doubt.score)
    where = _name_of_group(group)
    if len(group) > 1:
        more = ", …" if len(group) > LISTED else ""
        where += f" ({len(group)}: {', '.join(doubt.where for doubt in group[:LISTED])}{more})"
    return where, str(worst.score), worst.why
