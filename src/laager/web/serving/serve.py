"""`laager serve`: from nothing to pages that people can open.

The command line finds `serve` by its entry point (group `laager.commands`), so that it need not
know Django.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError, disk
from laager.web.serving.config import Config, keep_key, wake_django

if TYPE_CHECKING:
    from pathlib import Path

PORT = 8000
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
NOT_SOUND = 4
"""The exit code of `--check` when something is wrong."""
SECONDS_TO_END = 4
"""How long requests in progress can take when the server is stopped."""
SECONDS_OF_SILENCE = 60
"""Seconds after which a worker that says nothing is replaced. One that starts on a slow machine says nothing either:
with uvicorn's own five seconds it would be killed before it has begun, again and again."""
MOST_OPEN = 65_536
"""Files and connections that a worker may have open, if the system allows it."""
MIGRATING = 7_301_906_417
"""The number of the lock (PostgreSQL, advisory) that who migrates holds."""


def serve(
    host: str = "127.0.0.1",
    port: int = PORT,
    workers: int | None = None,
    check: bool = False,
    owner_link: bool = False,
    browser: bool | None = None,
    address: str | None = None,
) -> int:
    """Serve the pages until stopped; return the exit code.

    With `check`, only check the settings; with `owner_link`, only print a new one-time link. `browser` says whether the
    pages open in a browser once they are there; None: at a desk (`at_own_desk`). `address` is the one that others open.
    Raises DataError for settings that are not valid, RefusedError if the server cannot start.
    """
    if address is not None:
        _take_address(address)
    config = _prepare(host, port)
    if check:
        from laager.web.serving.readiness import findings

        results = list(findings(config))
        _say(*(f"{finding.grade:6} {finding.text}" for finding in results))
        return NOT_SOUND if any(finding.grade == "wrong" for finding in results) else 0
    if not owner_link:
        _free(host, port)
    migrate(config.data)
    if owner_link:
        _say(_owner_link(config))
        return 0
    _say(f"Laager serves {config.address or _address(host, port)}  (Ctrl-C ends it)")
    _say(f"  data: {_place(config)}", *(f"  {line}" for line in how_friends_reach(config.address, host, port)))
    from laager.web.campaigns import store
    from laager.web.seats import members
    from laager.web.shared import web_push

    web_push.keep_key()
    closed = store.renew_seals()
    if closed:
        _say(f"  {closed} campaigns cannot be opened: their dice are sealed with another key.")
        _say("  Put the old key into LAAGER_OLD_SECRET_KEYS and start again.")
    page = config.address or _address(host, port)
    if not members.has_owner():
        page = _owner_link(config)
        _say("  Nobody owns this server yet. Create the first account here (works once):", f"  {page}")
    if at_own_desk(host) if browser is None else browser:
        Thread(target=_show, args=(_address(host, port), page), daemon=True).start()
    _serve(config, host, port, workers or config.workers)
    return 0


def how_friends_reach(address: str, host: str, port: int) -> list[str]:
    """Return in plain words how somebody else can open the pages, if the address doesn't reach everybody."""
    from laager.web.shared.http import Reach, reach

    far = "Somebody elsewhere: put a tunnel or a proxy with https in front, and start laager serve --address https://…"
    listening = "" if port == PORT else f" --port {port}"
    match reach(address):
        case Reach.MACHINE:
            home = f"laager serve --host 0.0.0.0{listening} --address http://{_own_address()}:{port}"
            return [f"Only this machine can open it. Somebody in your network: {home}", far]
        case Reach.NETWORK if host in LOOPBACK:
            return [f"Nobody else can open it: start it with --host 0.0.0.0 to listen at {address}", far]
        case Reach.NETWORK:
            return [
                f"Everybody in your network can open {address}, if this machine's firewall lets port {port} in.",
                far,
            ]
        case _:
            return []


def _own_address() -> str:
    """Return the address of this machine in its network, or one as an example; nothing is sent."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        # An address for documentation (RFC 5737): the system only chooses by which of its own it would go there.
        trial.connect(("192.0.2.1", 9))
        return str(trial.getsockname()[0])
    return "192.168.1.20"


def at_own_desk(host: str) -> bool:
    """True if whoever types `laager serve` sits at this machine's screen, and serves nobody else."""
    with suppress(ValueError):
        if not ipaddress.ip_address(host).is_loopback:
            return False
    screen = disk.WINDOWS or sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
    return bool(screen) and "SSH_CONNECTION" not in os.environ and sys.stdout.isatty()


def _show(address: str, page: str) -> None:
    """Open a page in the browser as soon as the server answers."""
    import webbrowser

    import httpx

    for _ in range(300):
        with suppress(httpx.TransportError):
            httpx.get(f"{address}/health")
            webbrowser.open(page)
            return
        time.sleep(0.1)


def _take_address(address: str) -> None:
    """Let links begin with an address, as `LAAGER_ADDRESS` does. Raises RefusedError if it isn't one."""
    scheme, _colon, rest = address.partition("://")
    if scheme not in ("http", "https") or not rest.strip("/"):
        right = "write it as https://laager.example or http://192.168.1.20:8000"
        raise RefusedError(Refusal.BAD_DATA, f"{address!r} isn't an address that others can open", right)
    # The workers read the same environment.
    os.environ["LAAGER_ADDRESS"] = address
    if scheme == "https":
        os.environ.setdefault("LAAGER_HTTPS", "yes")


def _prepare(host: str, port: int) -> Config:
    """Read the settings, make what the server keeps its data in, and wake Django."""
    config = Config.of(os.environ)
    # What the server writes nobody else on the machine may read.
    os.umask(0o077)
    if config.makes_folder:
        config.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        keep_key(config.data)
    # The workers read the same environment. Links in mails need an address to begin with.
    os.environ.setdefault("LAAGER_ADDRESS", _address(host, port))
    wake_django()
    return Config.of(os.environ)


def _address(host: str, port: int) -> str:
    """Return the address to open in a browser on this machine."""
    name = host
    with suppress(ValueError):
        given = ipaddress.ip_address(host)
        if given.is_unspecified:
            name = "localhost"
        elif given.version == 6:
            name = f"[{given}]"
    return f"http://{name}:{port}"


def _free(host: str, port: int) -> None:
    """Raise RefusedError if the server could not listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as trial:
        if not disk.WINDOWS:
            # There it would let two servers listen on one port.
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as err:
            raise RefusedError(
                Refusal.LOCKED,
                f"cannot listen on {host}, port {port}: {err.strerror or err}",
                "choose another with --host and --port",
            ) from None


def migrate(data: Path) -> None:
    """Bring the database up to date. Of several servers that start at once, one does it.

    Raises RefusedError if a newer Laager made it, or if it doesn't answer.
    """
    from django.core.management import call_command
    from django.db import DatabaseError, connection
    from django.db.migrations.loader import MigrationLoader

    from laager.web.serving.backup.rows import check_not_newer

    try:
        with alone_with_database(data):
            check_not_newer(MigrationLoader(connection))
            call_command("migrate", verbosity=0, interactive=False)
    except DatabaseError as err:
        kind = type(err).__name__
        raise RefusedError(
            Refusal.LOCKED,
            f"the database doesn't answer as expected ({kind})",
            "look at DATABASE_URL, and try laager serve --check",
        ) from None


@contextmanager
def alone_with_database(data: Path) -> Iterator[None]:
    """Hold the lock that one of several servers has while it changes the database's tables."""
    from django.db import connection
    from filelock import FileLock

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATING])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATING])
    else:
        with FileLock(data / "migrating.lock"):
            yield


def _owner_link(config: Config) -> str:
    from django.urls import reverse

    from laager.web.seats import members

    return config.address.rstrip("/") + reverse("invitation", args=[members.owner_key()])


def _place(config: Config) -> str:
    from django.db import connection

    if connection.vendor == "sqlite":
        return str(config.data)
    # Never the URL: it holds the password.
    given = connection.settings_dict
    return f"PostgreSQL database {given['NAME']!r} on {given['HOST'] or 'this machine'}"


def _serve(config: Config, host: str, port: int, workers: int) -> None:
    import uvicorn
    from django.db import connections
    from uvicorn.supervisors import multiprocess

    from laager.web.serving.handover import meeting
    from laager.web.serving.header_limits import SECONDS_IDLE, HeaderLimits
    from laager.web.serving.metrics import counting_workers
    from laager.web.serving.workers import Worker

    # This is what its supervisor makes workers of; it has no setting for that.
    multiprocess.Process = Worker  # type: ignore[misc]
    connections.close_all()
    _open_many()
    with meeting(workers), counting_workers():
        uvicorn.run(
            "laager.web.serving.asgi:application",
            host=host,
            port=port,
            workers=workers,
            http=HeaderLimits,
            ws="none",
            access_log=False,
            log_config=config.logging,
            server_header=False,
            lifespan="off",
            forwarded_allow_ips=config.proxies,
            timeout_keep_alive=SECONDS_IDLE,
            timeout_graceful_shutdown=SECONDS_TO_END,
            timeout_worker_healthcheck=SECONDS_OF_SILENCE,
        )


def _open_many() -> None:
    """Let the workers hold as many connections as the system allows: it often begins with a thousand."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most == resource.RLIM_INFINITY or most > MOST_OPEN:
            most = MOST_OPEN
        if now != resource.RLIM_INFINITY and now < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def _say(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()
