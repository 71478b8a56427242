"""The commands of `laager vasl`: boards and saves of VASL."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laager.cli.options import AsJson, CampaignFile, examples

app = typer.Typer(
    name="vasl",
    help="VASL: make maps from boards, look into boards and saves.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.command(
    name="import",
    short_help="make a map from VASL boards",
    epilog=examples(
        "laager vasl import boards/bd01 -o map.yaml",
        "laager vasl import boards/bd02 boards/bd04 --layout '02 / r04' -o map.yaml",
        "laager vasl import boards/bd10 --layout '10[A-P]' -o half.yaml",
        "laager vasl import boards --from-save game.vsav -o game.yaml",
        "laager vasl import boards/bd10 --rule NoGrain --overlay 10:og1:H5:H6 -o map.yaml",
    ),
)
def import_boards(
    boards: Annotated[
        list[Path],
        typer.Argument(
            metavar="BOARD", help="A board archive out of VASL's boards folder; with --from-save also the folder."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The map file to be made.")] = Path(
        "map.yaml"
    ),
    layout: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Rows of boards, / between rows, r before a turned board; else one row."),
    ] = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="The map's title; else the boards' names.")] = "",
    cellars: Annotated[bool, typer.Option("--cellars", help="Larger buildings have cellars.")] = False,
    from_save: Annotated[
        Path | None, typer.Option(metavar="GAME", help="Lay boards as this save does, with its rules and overlays.")
    ] = None,
    rule: Annotated[
        list[str] | None, typer.Option(metavar="RULE", help="A scenario's terrain change: NAME or BOARD:NAME.")
    ] = None,
    overlay: Annotated[
        list[str] | None, typer.Option(metavar="OVERLAY", help="BOARD:NAME:HEX or BOARD:NAME:HEX:HEX.")
    ] = None,
    overlays: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where overlays are; else the folder overlays by the boards.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    json: AsJson = False,
) -> None:
    """Make a map file from one or more VASL board archives.

    Terrain, levels, buildings, roads, water and hexsides are read from the archive. Older
    archives tell only where the hexes are; their terrain is then not known, and you mark what
    matters with laager vasl mark. What a scenario changes is applied where the archives hold
    what it takes, and listed where not.
    """
    from laager.cli.vasl import importing as vasl_import

    scenario = vasl_import.Scenario(from_save, tuple(rule or ()), tuple(overlay or ()), overlays)
    vasl_import.import_boards(boards, out, layout, title, cellars, force, json, scenario)


@app.command(
    short_help="tell what hexes of a map are",
    epilog=examples(
        "laager vasl mark map.yaml",
        "laager vasl mark map.yaml C4-C9,D5=woods C6=stone:1 C4/C5=wall 'D5>D6>E7=paved'",
        "laager vasl mark map.yaml --from hexes.txt",
    ),
)
def mark(
    file: Annotated[Path, typer.Argument(metavar="MAP", help="A map file.")],
    changes: Annotated[
        list[str] | None,
        typer.Argument(metavar="HEX=TERRAIN", help="Hexes, and what they are; without: what is unknown."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="A file of such changes, by line.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write this file, leave MAP as it is.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Mark in a map file what hexes are, for boards whose archive does not tell.

    Left of = stand hexes (C4), ranges (C4-C9), hexsides (C4/C5) or ways (C4>C5>D5); right of it
    terrain, features, level:2, a building such as stone:1, a hexside, a road or a stream; several
    with + between them. Terrain replaces what was told of a hex. The rest of the file stays as it
    is, comments included.
    """
    from laager.cli.vasl import mark as vasl_mark

    vasl_mark.mark_map(file, changes or [], source, out, json)


@app.command(
    short_help="put a campaign's numbers on the map of a save",
    epilog=examples(
        "laager vasl labels game.vsav --out labelled.vsav", "laager vasl labels game.vsav --side axis --in-place"
    ),
)
def labels(
    game: Annotated[Path, typer.Argument(metavar="GAME", help="A save or a log of VASL.")],
    campaign: CampaignFile = None,
    # Not from the environment: what a side alone may know is written only if it is asked for.
    side: Annotated[
        str | None,
        typer.Option(
            "--side", "-s", metavar="SIDE", help="Say also what this side alone may know; if left out, what both may."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="The save to be made.")] = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Change GAME itself.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take these labels out.")] = False,
    json: AsJson = False,
) -> None:
    """Put labels on the map of a save: date, ELR, SAN; for a side also its points and setup.

    Labels of an earlier run are found again and renewed where they lie; those that are no longer
    wanted are taken out. Nothing else in the save changes. Without --side the labels say only
    what both sides may know.
    """
    from laager.cli.vasl import labels as vasl_labels

    vasl_labels.label_save(game, campaign, side, out, in_place, remove, json)


@app.command(
    short_help="what a board or a save contains",
    epilog=examples("laager vasl show boards/bd01", "laager vasl show game.vsav --boards boards --owner 1"),
)
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A board archive, a save or a log of VASL.")],
    boards: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="For saves: where the boards are, if not all are ordinary.")
    ] = None,
    owner: Annotated[
        int | None, typer.Option(metavar="N", help="For saves: show also what this owner has hidden or concealed.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="For saves: show what anybody has hidden or concealed.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Print what a VASL file contains: the hexes of a board, the pieces of a save."""
    from laager.vasl import open_archive

    archive = open_archive(file)
    if "savedGame" in archive:
        from laager.cli.vasl.show_save import show_save

        show_save(archive, boards, owner, everything, json)
    else:
        from laager.cli.vasl.show_board import show_board

        show_board(archive, json)
