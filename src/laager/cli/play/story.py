"""The command that tells the story: the report on a battle, or the whole campaign."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from laager.cli.ending import WrongUseError
from laager.cli.options import LOOK, AsJson, CampaignFile, Side, examples
from laager.cli.out import listing, say, say_wrapped, show_json, show_sheets
from laager.cli.play.session import session
from laager.cli.writing import write_bytes

app = typer.Typer()
"""`laager.cli.app` takes these commands over as its own."""

ENDINGS = {".md": "md", ".txt": "bbcode", ".html": "html", ".pdf": "pdf"}
"""The format of a file by how its name ends; BBCode is for forums."""


@app.command(
    rich_help_panel=LOOK,
    short_help="the report on a battle, or the whole story",
    epilog=examples(
        "laager story last",
        "laager story 2 --side axis --out battle-2.txt",
        "laager story --out story.pdf",
        "laager story --result result.png",
    ),
)
def story(
    battle: Annotated[
        str | None, typer.Argument(metavar="BATTLE", help="Its number, or last; if left out, the whole story.")
    ] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="An .md, .txt (BBCode), .html or .pdf file; if left out, printed."
        ),
    ] = None,
    paper: Annotated[str, typer.Option("--paper", metavar="SIZE", help="Of a PDF: a4 or letter.")] = "a4",
    result: Annotated[
        Path | None,
        typer.Option("--result", metavar="FILE", help="A .png file: the result of a campaign that is over, to share."),
    ] = None,
    language: Annotated[str, typer.Option("--language", metavar="CODE", help="In en or de.")] = "en",
    json: AsJson = False,
) -> None:
    """Tell what happened: losses by group, ground won, points, rolls of note with their odds; for forums too.

    With Markdown and BBCode each picture is a PNG file next to the text.
    """
    if result is not None:
        if battle is not None or out is not None:
            raise WrongUseError("--result stands alone; it is of the whole campaign, without BATTLE and --out")
        if result.suffix.lower() != ".png":
            raise WrongUseError(f"{result} is not a .png file; name the result such as result.png")
        write_bytes(result, session(campaign, side).story_result(language), "drawn", json)
        return
    number = _number(battle)
    if out is None:
        document = session(campaign, side).story(number, language)
        if json:
            show_json(document)
        else:
            _say(document)
        return
    format_ = ENDINGS.get(out.suffix.lower())
    if format_ is None:
        raise WrongUseError(f"{out} is not an .md, .txt, .html or .pdf file; name the story such as story.pdf")
    data, beside = session(campaign, side).story_file(number, format_, paper, language)
    write_bytes(out, data, "told", json)
    for name, picture in beside.items():
        write_bytes(out.with_name(name), picture, "drawn", json)


def _number(battle: str | None) -> int | None:
    """Return the number of a battle: 0 for the last, None for the whole story. Raises WrongUseError."""
    if battle is None:
        return None
    if battle == "last":
        return 0
    if not battle.isdecimal() or not 0 < int(battle[:9]) < 10_000:
        raise WrongUseError(f"{battle!r} is not a battle; give its number, or last")
    return int(battle)


def _say(document: Mapping[str, Any]) -> None:
    """Print a story as text; pictures are only named."""
    say(document["title"], document["subtitle"], "")
    for block in document["blocks"]:
        match block["kind"]:
            case "heading":
                say(block["text"], "-" * len(block["text"]))
            case "paragraph":
                say_wrapped(block["text"])
            case "listing":
                for item in block["items"]:
                    say_wrapped(item, "  ", "* ")
            case "grid":
                show_sheets([listing(block["title"], block["columns"], block["rows"])])
            case "picture":
                continue
        say("")
