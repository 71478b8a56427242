"""The commands of `laager vasl`: boards and saves of VASL."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.cli.ending import WrongUseError
from laager.cli.options import AsJson, CampaignFile, examples, group
from laager.cli.out import say, say_wrapped, show_json
from laager.cli.play.session import in_file
from laager.cli.vasl.colours import app as colours_commands
from laager.cli.vasl.importing import app as import_command
from laager.cli.vasl.making import app as board_command
from laager.cli.vasl.recording import app as record_command
from laager.cli.vasl.setup import app as setup_commands
from laager.cli.vasl.watching import app as watch_command
from laager.cli.writing import check_free, put

if TYPE_CHECKING:
    from laager.vasl import LabelledSave, MapLabel

app = group("vasl", "VASL: make maps from boards, look into saves, set battles up.")
app.registered_commands += import_command.registered_commands + colours_commands.registered_commands
app.registered_commands += setup_commands.registered_commands + record_command.registered_commands
app.registered_commands += watch_command.registered_commands + board_command.registered_commands


@app.command(
    short_help="say what hexes of a map are",
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
        typer.Argument(metavar="HEX=TERRAIN", help="Hexes, and what they are; if left out, prints what is unknown."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="A file of changes, one per line.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write this file and leave MAP as it is.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Say in a map file what hexes are, for boards whose archive doesn't.

    Left of = write hexes (C4), ranges (C4-C9), hexsides (C4/C5) or ways (C4>C5>D5). Right of it write
    terrain, features, level:2, a building such as stone:1, a hexside, a road or a stream; join
    several with +. C4>C5=slope is a slope of C4, the upper hex. Terrain replaces what was said about a hex.
    The rest of the file stays as it is, comments included.

    For a campaign: C4=setup:North, C4=block:Mill, C4=no-block, C4=strategic, C4=blockhouse, C4=name:Church; the arrow
    of an Entry Area A5=arrow:red, with A5=owner:British, A5=single, A5=same-edge.

    rest=open is for all hexes that are still unknown, woods=jungle for a terrain wherever it is, C4=right,
    alike:1=right and rest=right settle doubts. A minus takes away: C4=-bridge, A5=-arrow. setup:North=South,
    block:Mill=Church and arrow:A5=A7 rename and move.
    """
    from laager.base.files import parse_document, read_text
    from laager.hexmap import map_from_document
    from laager.hexmap.terrain import describe_unknown, unknown_hexes
    from laager.vasl import mark as marked
    from laager.vasl import read_changes

    if out is not None and out.exists() and out.resolve() != file.resolve():
        check_free(out)
    listed = list(changes or ())
    if source is not None:
        listed += read_changes(read_text(source))
    text = read_text(file, as_is=True)
    new = marked(text, listed, str(file))
    target = out or file
    if new != text or out is not None:
        put(target, new.encode())
    map_ = map_from_document(parse_document(new, str(file)))
    if json:
        show_json({"file": str(target), "changes": len(listed), "unknown": list(unknown_hexes(map_))})
        return
    if listed:
        say(f"written: {target} ({len(listed)} changes)" if len(listed) > 1 else f"written: {target}")
    unknown = describe_unknown(map_) or "every hex in play is known"
    say_wrapped(f"{unknown[0].upper()}{unknown[1:]}.")


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
            "--side", "-s", metavar="SIDE", help="Include what only this side may know; if left out, what both may."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="The save to be made.")] = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Change GAME itself.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove these labels.")] = False,
    json: AsJson = False,
) -> None:
    """Put labels on the map of a save: date, ELR, SAN; for a side also its points and setup.

    Labels of an earlier run are updated where they are; those that no longer apply are removed.
    Nothing else in the save changes. Without --side the labels hold only what both sides may know.
    """
    from laager.base.files import read_bytes
    from laager.cli.play.campaign_file import looked_at
    from laager.vasl import MAX_FILE, label_save, labels_of

    if out is not None and in_place:
        raise WrongUseError("--out and --in-place don't go together; choose one")
    if out is not None:
        check_free(out, or_else=", or use --in-place")
    texts: Sequence[MapLabel] = ()
    if not remove:
        at = in_file(campaign, side, "leave out --server and LAAGER_SERVER, or name the file with -c")
        texts = labels_of(looked_at(at.file), side)
    data = read_bytes(game, MAX_FILE)
    made = label_save(data, game.name, texts)
    target = game if in_place else out
    if target is not None and (target != game or made.data != data):
        put(target, made.data)
    if json:
        show_json(_labels_json(target, made, texts))
    else:
        _say_labels(target, made, texts, side)


@app.command(
    short_help="what a board or a save contains",
    epilog=examples("laager vasl show boards/bd01", "laager vasl show game.vsav --boards boards --owner 1"),
)
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A board archive, a save or a log of VASL.")],
    boards: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="For saves: where the boards are, if some aren't ordinary.")
    ] = None,
    owner: Annotated[
        int | None, typer.Option(metavar="N", help="For saves: show also what this owner has hidden or concealed.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="For saves: show what anybody has hidden or concealed.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Print what a VASL file contains: the hexes of a board, the pieces of a save.

    Of a log it prints the state after its last step.
    """
    from laager.cli.vasl.showing import show_board, show_save
    from laager.vasl import open_archive

    archive = open_archive(file)
    if "savedGame" in archive:
        show_save(archive, boards, owner, everything, json)
    else:
        show_board(archive, json)


@app.command(
    short_help="the dice in a log",
    epilog=examples("laager vasl dice game.vlog", "laager vasl dice game.vlog --who Ann --json"),
)
def dice(
    file: Annotated[Path, typer.Argument(metavar="LOG", help="A log of VASL (.vlog).")],
    who: Annotated[str | None, typer.Option(metavar="NAME", help="Only what this player rolled.")] = None,
    json: AsJson = False,
) -> None:
    """List the rolls in a log: who rolled, what for, the faces (coloured die first)."""
    from laager.cli.vasl.rolling import show_rolls
    from laager.vasl import read_save

    show_rolls(read_save(file), who, json)


def _labels_json(target: Path | None, made: LabelledSave, labels: Sequence[MapLabel]) -> dict[str, Any]:
    kinds = ("added", "updated", "unchanged", "removed")
    file = None if target is None else str(target)
    report = {"file": file, "labels": [label.describe() for label in labels]}
    return report | {kind: list(getattr(made, kind)) for kind in kinds}


def _say_labels(target: Path | None, made: LabelledSave, labels: Sequence[MapLabel], side: str | None) -> None:
    for label in labels:
        say(label.title, *(f"  {line}" for line in label.lines))
    counts = [
        f"{len(topics)} {word}"
        for word, topics in (
            ("new", made.added),
            ("renewed", made.updated),
            ("as before", made.unchanged),
            ("taken out", made.removed),
        )
        if topics
    ]
    counted = ", ".join(counts) or "none"
    if target is None:
        say_wrapped(f"labels: {counted}; nothing is written without --out FILE or --in-place")
    else:
        say(f"written: {target} (labels: {counted})")
    if side is not None and labels:
        say_wrapped(
            f"These labels show what {side} alone may know, and anyone who opens the save can read "
            "them. Before you give it to the other side, label it again without --side."
        )
