"""The commands for reading: cards, rules, tables, and files that users write."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laager.cli.options import READ, AsJson, RulesetName, examples

app = typer.Typer()
"""`laager.cli.app` takes these commands over as its own."""


def _kinds() -> list[str]:
    from laager.cli.reading.files import CHECKERS

    return list(CHECKERS)


@app.command(rich_help_panel=READ, short_help="the campaigns that come with Laager")
def cards(json: AsJson = False) -> None:
    """List the campaigns that come with Laager."""
    from laager.cli.reading import reference

    reference.cards(json)


@app.command(
    rich_help_panel=READ,
    short_help="the rules, clause by clause",
    epilog=examples(
        "laager rules pl                      all clauses",
        "laager rules pl 3.47",
        'laager rules pl --search "no man\'s land"',
    ),
)
def rules(
    ruleset: RulesetName,
    clause: Annotated[list[str] | None, typer.Argument(metavar="CLAUSE", help="A clause, such as 3.47.")] = None,
    code: Annotated[bool, typer.Option("--code", help="With a clause: where the code that carries it out is.")] = False,
    coverage: Annotated[bool, typer.Option("--coverage", help="How each clause is handled, and by what.")] = False,
    search: Annotated[str | None, typer.Option(metavar="WORDS", help="Clauses that speak of this.")] = None,
    readings: Annotated[bool, typer.Option("--readings", help="Where groups read the rules differently.")] = False,
    card: Annotated[
        Path | None,
        typer.Option("--card", metavar="FILE", help="With --coverage: as it is with the charts of this card."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Browse the rules: a clause, a search, the readings, or what Laager does about each clause."""
    from laager.cli.reading import reference

    reference.rules(ruleset, " ".join(clause or []), code, coverage, search, readings, card, json)


@app.command(
    rich_help_panel=READ,
    short_help="a table with its odds",
    epilog=examples("laager table pl                          all tables", "laager table pl cp-replenishment --drm +2"),
)
def table(
    ruleset: RulesetName,
    name: Annotated[str | None, typer.Argument(metavar="TABLE", help="The table; if left out, their list.")] = None,
    drm: Annotated[int, typer.Option(min=-99, max=99, metavar="N", help="Sum of the modifiers.")] = 0,
    json: AsJson = False,
) -> None:
    """Print a table with the exact odds of each row."""
    from laager.cli.reading import reference

    reference.table(ruleset, name, drm, json)


@app.command(
    rich_help_panel=READ, short_help="check a file that you wrote", epilog=examples("laager check my-card.yaml")
)
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A card, map, catalogue, tables or answers file …")],
    json: AsJson = False,
) -> None:
    """Check a file that you wrote, and tell everything that is wrong with it."""
    from laager.cli.reading import files

    files.check(file, json)


@app.command(
    rich_help_panel=READ,
    short_help="JSON Schemas, for your editor",
    epilog=examples("laager schema", "laager schema pl-card > pl-card.schema.json"),
)
def schema(
    kind: Annotated[
        str | None, typer.Argument(metavar="KIND", help="Which; if left out, their list.", autocompletion=_kinds)
    ] = None,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="FOLDER", help="Write all schemas into this folder.")
    ] = None,
) -> None:
    """Print the JSON Schema of a kind of file, for your editor."""
    from laager.cli.reading import files

    files.schema(kind, write)
