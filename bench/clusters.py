"""A PostgreSQL of the load's own, that may be killed: set as a real one, to lose nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import psycopg
from tests.web import postgres

DATABASE = "laager"


class Cluster:
    """A server on a folder that is thrown away afterwards."""

    def __init__(self, programs: Path, place: Path) -> None:
        self.programs, self.place = programs, place
        self.user = postgres._user(place)
        self.port = postgres.free_port()
        self.address = f"postgresql://postgres@127.0.0.1:{self.port}"
        self.url = f"{self.address}/{DATABASE}"
        options = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C")
        self._run("initdb", "-D", str(place / "data"), *options)
        self._start()
        with psycopg.connect(f"{self.address}/postgres", autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{DATABASE}"')

    @classmethod
    @contextmanager
    def started(cls) -> Iterator[Self]:
        """Start a server; end it afterwards."""
        with tempfile.TemporaryDirectory(prefix="laager-cluster-") as place:
            cluster = cls(postgres.programs() or postgres.installed(), Path(place))
            try:
                yield cluster
            finally:
                cluster._end(signal.SIGINT)

    def crash(self) -> None:
        """Let the server die at once, without writing anything more, and start it again."""
        self._end(signal.SIGQUIT)
        (self.place / "data" / "postmaster.pid").unlink(missing_ok=True)
        self._start()

    def cpu(self) -> float:
        """Return the CPU time of all its processes so far, in seconds."""
        mine = [int(path.name) for path in Path("/proc").glob("[0-9]*") if parent_of(path) == self.process.pid]
        return sum(map(cpu_time, [self.process.pid, *mine]))

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            [self.programs / program, *words], check=True, stdout=subprocess.DEVNULL,
            cwd=self.place, user=self.user, extra_groups=self._groups,
        )  # fmt: skip

    @property
    def _groups(self) -> list[str] | None:
        return [] if self.user is not None else None

    def _start(self) -> None:
        # Unlike the tests' own, this one waits until what it confirms is on the disk.
        self.process = subprocess.Popen(
            [self.programs / "postgres", "-D", self.place / "data", "-p", str(self.port),
             "-h", "127.0.0.1", "-k", str(self.place)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.place,
            user=self.user, extra_groups=self._groups,
        )  # fmt: skip
        postgres._wait(self.address, self.process)

    def _end(self, how: int) -> None:
        self.process.send_signal(how)
        self.process.wait(postgres.PATIENCE)


def cpu_time(pid: int) -> float:
    """Return the CPU time of a process and of its children that have ended, in seconds; 0 if it has gone."""
    return sum(map(int, _stat(Path(f"/proc/{pid}"))[11:15])) / os.sysconf("SC_CLK_TCK")


def parent_of(process: Path) -> int:
    """Return the number of a process's parent; 0 if it has gone."""
    return int(next(iter(_stat(process)[1:2]), 0))


def _stat(process: Path) -> list[str]:
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
