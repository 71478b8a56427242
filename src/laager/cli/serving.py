"""`laager serve`: what the command line knows of it. The server is found by its entry point."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Annotated, Any

import typer

from laager.base import Refusal, RefusedError
from laager.cli.examples import examples
from laager.cli.options import PLAY

app = typer.Typer()

GROUP = "laager.commands"
"""The group of entry points in which commands are looked for that lie above the command line."""


def command(name: str) -> Any:
    """Return what carries a command out. Raises RefusedError if nothing here does."""
    for point in entry_points(group=GROUP, name=name):
        return point.load()
    raise RefusedError(
        Refusal.NO_SUCH, f"nothing installed here can {name}; install laager as a whole"
    )


@app.command(
    rich_help_panel=PLAY,
    short_help="play in the browser: serve the pages",
    epilog=examples(
        "laager serve",
        "laager serve --host 0.0.0.0 --port 8080",
        "DATABASE_URL=postgresql://laager@db/laager laager serve --workers 4",
        "laager serve --check",
    ),
)
def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 for other machines.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, metavar="N", help="Which port.")] = 8000,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=64, metavar="N", help="How many processes; else LAAGER_WORKERS, or one."
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only say whether all is well (else exit code 4).")
    ] = False,
    owner_link: Annotated[
        bool, typer.Option("--owner-link", help="Only print a new one-time link for the owner.")
    ] = False,
) -> None:
    """Serve Laager's pages: campaigns for two sides on two computers, or for one person.

    Without any setting it keeps its data in a folder of yours, prints its address, and the first
    time a link by which its owner makes the first account. Settings are environment variables.
    """
    code = command("serve")(host, port, workers, check=check, owner_link=owner_link)
    raise typer.Exit(code)
