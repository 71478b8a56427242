"""Work that takes seconds and memory, done in processes of their own: drawing, PDFs, checks of large files.

Such work would keep a worker's other requests waiting, as Python runs one thread at a time. Here it waits in a
queue in which people take turns, runs at low priority, and is stopped if it takes too long, needs too much memory,
or if its client has gone. What a process can do is in `jobs`.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from django.conf import settings

from laager.base import Refusal, RefusedError, disk
from laager.hexmap.draw import draw_svg
from laager.web.shared import jobs
from laager.web.shared.fair_queue import GLANCE, VISIT, BusyError, FairQueue, Visit, check_client, hold_nothing
from laager.web.shared.meters import count_process, waiting_job

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.hexmap.draw import Backdrop, Layers
    from laager.web.models import Player

T = TypeVar("T")

MOST_OF_ONE = 6
"""How many jobs one person may have in a queue, those that run included."""
MOST_WAITING = 32
"""How many jobs may wait in a queue."""
PRELOADED = [jobs.__name__]
"""Modules that are imported once for all processes; a room whose jobs need much adds theirs."""
PATIENCE = 60.0
"""Seconds that a job waits for its turn."""
BUSY = 2
"""A job that hasn't had its seconds of computing after this many times as long has met a busy server."""
JOBS_OF_A_PROCESS = 100
JOBS_OF_A_WARM_ONE = 5_000
"""Jobs after which a process ends, and gives its memory back."""


@dataclass
class _Worker:
    """A process that does one job at a time, and the pipe to it."""

    process: BaseProcess
    pipe: Connection
    done: int = 0

    @classmethod
    def start(cls) -> _Worker:
        here, there = _context().Pipe()
        limit = settings.CONFIG.heavy_megabytes * 2**20
        process = _context().Process(target=jobs.work, args=(there, limit), daemon=True)
        process.start()
        there.close()
        count_process(1)
        return cls(process, here)

    def computed_seconds(self) -> float:
        """Return the seconds that it has computed since some moment; where no system tells, those on the clock."""
        if not sys.platform.startswith("linux") or self.process.pid is None:
            return time.monotonic()
        try:
            # The number of a process's clock, as clock_getcpuclockid(3) makes it.
            return time.clock_gettime(~self.process.pid << 3 | 2)
        except OSError:
            # It has died: the pipe will say so.
            return 0.0

    def is_alive(self) -> bool:
        """True if it waits for a job; the pipe of one that died says so before the system does."""
        try:
            return self.process.is_alive() and not self.pipe.poll()
        except OSError:
            return False

    def stop(self) -> None:
        self.process.kill()
        count_process(-1)
        self.pipe.close()
        self.process.join()


def _context() -> Any:
    """Return how processes are started: from one that is prepared, where the system can do that."""
    if disk.WINDOWS:
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


class Processes:
    """Some processes, started when they are first needed, and what waits for them.

    Requests for `brief` work keep their places while they wait. A page that shows fifty small pictures gets them all:
    no more requests wait than the server works on. A `warm` process keeps what it has learnt: it finishes its job even
    if nobody waits for it any more, and lasts for many.
    """

    def __init__(self, places: Callable[[], int], *, brief: bool = False, warm: bool = False) -> None:
        self._brief = brief
        self._warm = warm
        self.queue = FairQueue(
            places,
            most_waiting=1000 if brief else MOST_WAITING,
            most_of_one=1000 if brief else MOST_OF_ONE,
            crowded="the server has too much to draw and to check",
            enough=f"{MOST_OF_ONE} pictures or checks of yours are being made already",
        )
        self._lock = Lock()
        self._idle: list[_Worker] = []

    def do(self, who: int, job: Callable[..., T], *args: Any) -> T:
        """Do a job of `jobs` for somebody and return what it returns; raises what it raises.

        Raises BusyError if too much waits already or the machine is busy, GoneError if the client goes away,
        RefusedError (bad-data) if the job takes too much time or memory.
        """
        visit = VISIT.get()
        with ExitStack() as turn:
            with waiting_job():
                turn.enter_context(self.queue.turn(who, patience=PATIENCE, keep_slot=self._brief))
            hold_nothing(keep_slot=self._brief)
            worker = self._free_worker()
            try:
                answer = self._run(worker, visit, job, args)
            except BaseException:
                # It may be in the middle of something.
                worker.stop()
                raise
            self._keep(worker)
        if visit is not None:
            visit.seconds += answer.seconds
        if answer.error is not None:
            raise answer.error
        value: T = answer.value
        return value

    def _free_worker(self) -> _Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                # A machine short of memory may have ended it; the next job isn't to blame for that.
                if worker.is_alive():
                    return worker
                worker.stop()
        try:
            return _Worker.start()
        except OSError:
            raise BusyError("the server can't start a process for this just now", 30) from None

    def _keep(self, worker: _Worker) -> None:
        worker.done += 1
        if worker.done >= (JOBS_OF_A_WARM_ONE if self._warm else JOBS_OF_A_PROCESS):
            worker.stop()
            return
        with self._lock:
            self._idle.append(worker)

    def _run(self, worker: _Worker, visit: Visit | None, job: Callable[..., Any], args: tuple[Any, ...]) -> jobs.Answer:
        limit = settings.CONFIG.heavy_seconds
        try:
            worker.pipe.send((job, args))
            begun, computed = time.monotonic(), worker.computed_seconds()
            while not worker.pipe.poll(GLANCE):
                if not self._warm:
                    check_client(visit)
                if worker.computed_seconds() - computed > limit:
                    raise RefusedError(
                        Refusal.BAD_DATA, f"this takes more than {limit} seconds", "ask for something smaller"
                    )
                if time.monotonic() - begun > limit * BUSY:
                    raise BusyError("the server is too busy for this just now", 30)
            answer: jobs.Answer = worker.pipe.recv()
        except (EOFError, ConnectionError):
            raise jobs.too_large() from None
        return answer

    def close(self) -> None:
        """End the processes that have nothing to do."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.stop()


QUICK = Processes(lambda: 1, brief=True)
"""For what takes a fraction of a second, such as the drawing of a usual map: it never waits behind the rest."""
SLOW = Processes(lambda: settings.CONFIG.heavy_at_once)
"""For what takes seconds: PNGs, PDFs, checks of large files, drawings of large maps, maps made of boards."""
SIGHT = Processes(lambda: 1, warm=True)
"""For looks along lines of sight (`campaigns.los_jobs`): the engine is loaded once, and boards are read once."""

USUAL_HEXES = 2000
"""Maps up to this size, in hexes, are drawn in less than half a second."""


def draw_map(reader: Player, map_: HexMap, layers: Layers, backdrop: Backdrop | None = None) -> str:
    """Draw a map for somebody, in a process of its own. Raises RefusedError as `Processes.do` does."""
    queue = QUICK if len(map_.hexes) <= USUAL_HEXES else SLOW
    return queue.do(reader.pk, draw_svg, map_, layers, backdrop)
