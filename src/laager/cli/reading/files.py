"""Commands for files that users write: checking them, and their JSON Schemas for editors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from laager.base import Refusal, RefusedError
from laager.base.blanks import BlanksError
from laager.cli.ending import WrongUseError
from laager.cli.options import READ, AsJson, examples
from laager.cli.out import say, show, show_json
from laager.cli.writing import write_texts
from laager.kinds import CHECKERS, KIND_NAMES, add_kind, kind_of, schema_of

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
        show(json, report, *(f"note: {warning}" for warning in warnings), f"{file} is valid: {KIND_NAMES[kind]}")
        return
    blanks = [str(blank.problem) for blank in left.blanks]
    last = f"{file}: {KIND_NAMES[kind]}; nothing is wrong so far. {left.told}"
    show(json, {**report, "blanks": blanks}, *blanks, *(f"note: {warning}" for warning in warnings), last)


def checked_with_blanks(check: Callable[[Path], list[str]], file: Path) -> tuple[list[str], BlanksError | None]:
    """Check a file; return the warnings, and what is left to fill in. Raises DataError."""
    try:
        return check(file), None
    except BlanksError as left:
        return list(left.warnings), left


TO_TAKE_IT = (
    "A campaign under way keeps the card that it began with. To go on with this one, both sides agree on it, keep the "
    "record (laager export --record > record.yaml) and begin from there: laager new {new} --from record.yaml"
)


@app.command(
    rich_help_panel=READ,
    short_help="what differs between two versions of a card",
    epilog=examples("laager diff my-card-1.yaml my-card.yaml"),
)
def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A card, charts or tables: a file, or a shipped card.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its other version.")],
    json: AsJson = False,
) -> None:
    """Say in words what differs between two versions of a card, of its charts, of its tables."""
    from dataclasses import asdict

    from laager.base.files import read_document
    from laager.rules.board.hasl.grids.difference import differs_elsewhere, find_changes
    from laager.rules.board.hasl.grids.sheets import GRIDS

    before, after = (read_document(_find_file(name)) for name in (old, new))
    kind = kind_of(before)
    if kind not in GRIDS or kind_of(after) != kind:
        wrong = f"{new} is of another kind than {old}" if kind in GRIDS else f"{old} has no charts"
        raise RefusedError(Refusal.BAD_DATA, wrong, f"two files of one kind: {', '.join(GRIDS)}")
    changes = find_changes(kind, before.data, after.data)
    others = differs_elsewhere(kind, before.data, after.data)
    lines = [str(each) for each in changes]
    lines += ["What no chart shows differs, too, such as texts for players."] if others else []
    lines += [TO_TAKE_IT.format(new=new)] if changes and kind.endswith("-card") else []
    lines = lines or [f"{old} and {new} say the same"]
    show(json, {"differences": [asdict(each) for each in changes], "others": others}, *lines)


def _find_file(name: str) -> Path:
    """Return the file of a name, which is a path or the id of a shipped card. Raises RefusedError."""
    from laager.campaign.cards import find_card

    return Path(name) if Path(name).suffix or Path(name).is_file() else find_card(name, None)[0]


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


@app.command(
    rich_help_panel=READ,
    short_help="help your editor while you type a file",
    epilog=examples("laager lsp                   as the command of a language server for YAML files"),
)
def lsp() -> None:
    """Speak with an editor (Language Server Protocol, over standard input and output).

    While you type a card, a map or charts it completes names, shows what each field means, and marks all that laager
    check would say. Your editor starts it; the guide has the settings for VS Code and Neovim.
    """
    from laager.base.extras import extra

    with extra("editor"):
        from laager.cli.editor.server import serve_editor
    serve_editor()
