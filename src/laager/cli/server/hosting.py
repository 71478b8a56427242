"""`laager backup`, `laager restore` and `laager doctor`: what the command line knows of them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from laager.cli.ending import NOT_SOUND, WELL
from laager.cli.options import HOST, AsJson, Force, examples
from laager.cli.out import show
from laager.cli.server.commands import command

app = typer.Typer()

Endpoint = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The server of a bucket, if it isn't Amazon's; without it, AWS_ENDPOINT_URL."),
]


def end_with_report(report: Any, as_json: bool) -> None:
    """Print the result, and end with the exit code that says whether all is good."""
    show(as_json, report.describe(), *report.lines())
    raise typer.Exit(WELL if report.is_good else NOT_SOUND)


@app.command(
    rich_help_panel=HOST,
    short_help="save all that a server knows in one file",
    epilog=examples(
        "laager backup /var/backups/laager --keep 14",
        "laager backup before-the-upgrade.zip",
        "laager backup /mnt/stick --passphrase -",
        "laager backup s3://club-backups/laager --keep 14 --endpoint https://s3.example.org",
    ),
)
def backup(
    target: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER|FILE.zip",
            help="In a folder, each backup gets a name with its time. Either may lie in a bucket: s3://bucket/folder.",
        ),
    ],
    keep: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Remove all but the N newest backups of the folder, once the new one is good."
        ),
    ] = None,
    passphrase: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Put the server's key into it, locked with the pass phrase in this file; - asks or reads a pipe.",
        ),
    ] = None,
    endpoint: Endpoint = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Save everything that a server knows in one file: people, campaigns, libraries, simulations.

    The server can go on running. Run it with the server's own settings (LAAGER_DATA, DATABASE_URL). The backup is
    opened again, and every campaign in it is verified; if one doesn't, the exit code is 4. Without --passphrase the
    server's key isn't in it: keep a copy of the key in another place. A bucket needs the extra s3, and its keys in
    AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
    """
    end_with_report(command("backup")(target, keep, passphrase, force, endpoint), json)


@app.command(
    rich_help_panel=HOST,
    short_help="restore a backup into an empty database",
    epilog=examples(
        "laager restore laager-2026-05-01T03-00-00Z.zip",
        "DATABASE_URL=postgresql://laager@db/laager laager restore before.zip",
        "laager restore before.zip --check",
        "laager restore s3://club-backups/laager/laager-2026-05-01T03-00-00Z.zip",
    ),
)
def restore(
    source: Annotated[str, typer.Argument(metavar="FILE.zip", help="What laager backup made, here or in a bucket.")],
    passphrase: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Unlock the key in the backup with the pass phrase in this file; - asks or reads a pipe.",
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Only check if the backup is whole and its campaigns verify; restore nothing."),
    ] = False,
    endpoint: Endpoint = None,
    json: AsJson = False,
) -> None:
    """Restore a backup into an empty database, SQLite or PostgreSQL, whichever it came from.

    Set LAAGER_DATA or DATABASE_URL to where the server will be. Nothing is ever overwritten, and if anything is
    wrong, nothing is restored. Give the server its key first, or unlock the one in the backup. Backups of older
    versions are brought up to date. If a campaign in it doesn't open, it is restored as it is, and the exit code is 4.
    """
    end_with_report(command("restore")(source, passphrase, check, endpoint), json)


@app.command(
    rich_help_panel=HOST,
    short_help="what is wrong with a server, and what to do",
    epilog=examples("laager doctor", "laager doctor --port 8080", "LAAGER_DATA=/var/lib/laager laager doctor --json"),
)
def doctor(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where the server listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, metavar="N", help="On which port.")] = 8000,
    json: AsJson = False,
) -> None:
    """Examine a server from all sides, and say what to do about each thing.

    It looks at versions, disk, data folder, key, database, clock, port, address, what an invitation reaches with
    its certificate, proxies, mail server and the last backup. It changes nothing and sends no mail. Run it with the
    server's own settings, best while it serves. If something is wrong, the exit code is 4.
    """
    end_with_report(command("doctor")(host, port), json)
