"""Finds a PostgreSQL for the tests, or starts one, and runs a command against it.

`python -m tests.web.postgres pytest tests/web` takes, in this order: `DATABASE_URL_TEST`; a server
on 127.0.0.1:5432 that trusts the user `postgres`; PostgreSQL's programs on this machine, started on
a folder that is thrown away afterwards; the same, installed before.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.web import machine

WHEEL = "pgserver==0.1.4"
"""PostgreSQL's programs as a wheel, for who may not install packages of the system."""
WHEEL_FOLDER = machine.ENVIRONMENT / "share" / "postgresql"
PATIENCE = 60
"""Seconds that a server may take to start."""
NEIGHBOUR = "postgresql://postgres@127.0.0.1:5432"


@contextmanager
def server() -> Iterator[str]:
    """Give the address of a server, without a database, that lets us make databases."""
    given = os.environ.get("DATABASE_URL_TEST", "").rstrip("/")
    if given:
        parts = urlsplit(given)
        yield f"{parts.scheme}://{parts.netloc}"
    elif answers(NEIGHBOUR):
        yield NEIGHBOUR
    else:
        with started(programs() or installed()) as address:
            yield address


def answers(address: str) -> bool:
    """Tell whether a server lets us in and make databases."""
    try:
        with psycopg.connect(f"{address}/postgres", connect_timeout=3) as connection:
            row = connection.execute(
                "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
    except psycopg.Error:
        return False
    return bool(row and row[0])


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest one; None if there is none."""
    found = [*Path("/usr/lib/postgresql").glob("*/bin/initdb"), *WHEEL_FOLDER.rglob("bin/initdb")]
    found.sort(key=lambda path: [int(part) for part in path.parts if part.isdigit()])
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(on_path).resolve().parent if on_path else None


def installed() -> Path:
    """Install PostgreSQL and return the folder of its programs."""
    if machine.root():
        machine.system_package("postgresql")
    else:
        machine.wheel(WHEEL, WHEEL_FOLDER)
    found = programs()
    if found is None:
        raise SystemExit("no PostgreSQL: install one, or name one in DATABASE_URL_TEST")
    return found


@contextmanager
def started(folder: Path) -> Iterator[str]:
    """Start a server on a new data folder; both are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="laager-postgresql-") as place:
        data = Path(place) / "data"
        user = _user(Path(place))
        groups: list[str] | None = [] if user is not None else None
        subprocess.run(
            [folder / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
             "--no-sync", "--locale=C"],
            check=True, stdout=subprocess.DEVNULL, cwd=place, user=user, extra_groups=groups,
        )  # fmt: skip
        port = free_port()
        process = subprocess.Popen(
            [folder / "postgres", "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", place,
             "-c", "fsync=off", "-c", "max_connections=200"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=place,
            user=user, extra_groups=groups,
        )  # fmt: skip
        try:
            address = f"postgresql://postgres@127.0.0.1:{port}"
            _wait(address, process)
            yield address
        finally:
            # Not the gentle end, which waits for who is connected.
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)


def _user(place: Path) -> str | None:
    """Return as whom the server runs: PostgreSQL refuses to be root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    name = "postgres" if "postgres" in names else "nobody"
    shutil.chown(place, name)
    return name


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while not answers(address):
        if process.poll() is not None or time.monotonic() > end:
            raise SystemExit("the PostgreSQL of the tests did not start")
        time.sleep(0.1)


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def main() -> int:
    """Run a command with DATABASE_URL set; return its exit code."""
    with server() as address:
        # The process' number keeps runs beside one another apart; xdist adds its worker's.
        url = f"{address}/laager_{os.getpid()}"
        sys.stderr.write(f"PostgreSQL: {address.rpartition('@')[2]}\n")
        environ = {**os.environ, "DATABASE_URL": url}
        return subprocess.run(sys.argv[1:], check=False, env=environ).returncode


if __name__ == "__main__":
    sys.exit(main())
