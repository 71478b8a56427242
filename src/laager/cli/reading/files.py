"""Commands for files that users write: checking them, and their JSON Schemas for editors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from laager.base.blanks import BlanksError
from laager.cli.ending import WrongUseError
from laager.cli.options import READ, AsJson, examples
from laager.cli.out import say, show, show_json
from laager.cli.writing import write_texts
from laager.kinds import CHECKERS, add_kind, kind_of, schema_of

app = typer.Typer()
"""`laager.cli.app` takes these commands over as its own."""

add_kind("answers", "laager.cli.play.answers", "AnswersFile")


@app.command(
    rich_help_panel=READ, short_help="check a file that you wrote", epilog=examples("laager check my-card.yaml")
)
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A card, map, catalogue, tables or answers file …")],
    json: AsJson = False,
) -> None:
    """Check a file that you wrote, and list everything that is wrong with it."""
    from laager.base.files import read_document
    from laager.cli.play.campaign_file import SUFFIX

    if file.suffix == SUFFIX:
        raise WrongUseError(f"{file} is a campaign; prove it with laager verify -c {file}")
    kind = kind_of(read_document(file))
    warnings, left = checked_with_blanks(CHECKERS[kind], file)
    report = {"file": str(file), "kind": kind, "good": True, "warnings": warnings}
    if left is None:
        show(json, report, *(f"note: {warning}" for warning in warnings), f"{file}: a good {kind} file")
        return
    blanks = [str(blank.problem) for blank in left.blanks]
    last = f"{file}: nothing is wrong with this {kind} file so far. {left.told}"
    show(json, {**report, "blanks": blanks}, *blanks, *(f"note: {warning}" for warning in warnings), last)


def checked_with_blanks(check: Callable[[Path], list[str]], file: Path) -> tuple[list[str], BlanksError | None]:
    """Check a file; return the warnings, and what is left to fill in. Raises DataError."""
    try:
        return check(file), None
    except BlanksError as left:
        return list(left.warnings), left


@app.command(
    rich_help_panel=READ,
    short_help="JSON Schemas, for your editor",
    epilog=examples("laager schema", "laager schema pl-card > pl-card.schema.json"),
)
def schema(
    kind: Annotated[
        str | None,
        typer.Argument(metavar="KIND", help="Which; if left out, their list.", autocompletion=lambda: list(CHECKERS)),
    ] = None,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="FOLDER", help="Write all schemas into this folder.")
    ] = None,
) -> None:
    """Print the JSON Schema of a kind of file, for your editor."""
    if write is not None:
        write.mkdir(parents=True, exist_ok=True)
        write_texts({write / name: text for name, text in schema_files().items()}, force=True, quiet=True)
        say(f"{len(CHECKERS)} schemas in {write}")
    elif kind is None:
        say(*CHECKERS)
    else:
        show_json(schema_of(kind))


def schema_files() -> dict[str, str]:
    """Return the schema of every kind of file as text, by the name of its file."""
    import json

    return {
        f"{kind}.schema.json": json.dumps(schema_of(kind), indent=2, ensure_ascii=False) + "\n" for kind in CHECKERS
    }
