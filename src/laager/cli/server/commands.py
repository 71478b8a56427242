"""`laager serve`: what the command line knows of it. The server is found by its entry point."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from laager.base import Refusal, RefusedError
from laager.cli.options import PLAY, AsJson, examples

app = typer.Typer()

GROUP = "laager.commands"
"""The group of entry points in which commands are looked for that lie above the command line."""


def command(name: str) -> Any:
    """Return what carries a command out. Raises RefusedError if nothing here does."""
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP, name=name):
        return point.load()
    raise RefusedError(Refusal.NO_SUCH, f"nothing installed here can {name}", "install laager as a whole")


@app.command(
    rich_help_panel=PLAY,
    short_help="play in the browser: serve the pages",
    epilog=examples(
        "laager serve",
        "laager serve --host 0.0.0.0 --port 8080",
        "DATABASE_URL=postgresql://laager@db/laager laager serve --workers 4",
        "laager serve --host 0.0.0.0 --address http://192.168.1.20:8000",
        "laager serve --check",
    ),
)
def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 for other machines.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, metavar="N", help="Which port.")] = 8000,
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, metavar="N", help="How many processes; else LAAGER_WORKERS, or one.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Only check if all is well (if not, exit code 4).")] = False,
    address: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The address that others open; links begin with it. Else LAAGER_ADDRESS."),
    ] = None,
    owner_link: Annotated[
        bool, typer.Option("--owner-link", help="Only print a new one-time link for the owner.")
    ] = False,
    browser: Annotated[
        bool | None, typer.Option(help="Open the pages in a browser; if left out, at your own desk only.")
    ] = None,
) -> None:
    """Serve Laager's pages: campaigns for two sides on two computers, or for one person.

    Without any settings it keeps its data in a folder of yours, prints its address, and the first
    time a link with which you make the owner's account. Settings are environment variables.
    """
    code = command("serve")(host, port, workers, check=check, owner_link=owner_link, browser=browser, address=address)
    raise typer.Exit(code)


@app.command(
    rich_help_panel=PLAY,
    short_help="take a token for a server",
    epilog=examples("laager login https://laager.example.org", "laager --server https://laager.example.org status"),
)
def login(
    url: Annotated[str, typer.Argument(metavar="URL", help="The server's address.")], json: AsJson = False
) -> None:
    """Take your token for a server and keep it, so that you can play there.

    Make the token on the server's page, under Account. Type it when asked, or give it through a pipe
    or LAAGER_TOKEN. It is kept in a file that only you can read.
    """
    from laager.cli.play.session import NAMED
    from laager.cli.server import login as server_login

    server_login.login(url, NAMED.get().token, json)


@app.command(
    rich_help_panel=PLAY,
    short_help="forget the token for a server",
    epilog=examples("laager logout https://laager.example.org"),
)
def logout(
    url: Annotated[str, typer.Argument(metavar="URL", help="The server's address.")], json: AsJson = False
) -> None:
    """Forget the token that is kept for a server."""
    from laager.cli.server import login as server_login

    server_login.logout(url, json)
