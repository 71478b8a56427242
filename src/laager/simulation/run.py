"""Many campaigns, one after the other or on several processes: the same results either way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing import get_context

from laager.simulation.outcome import CampaignOutcome
from laager.simulation.plan import SimulationPlan
from laager.simulation.play import play_campaign

CHUNK = 5
"""Campaigns that a worker gets at a time."""

AHEAD = 3
"""Chunks for each worker that are under way or wait to be taken, so that memory stays flat."""

Progress = Callable[[int], None]


def outcomes_of(plan: SimulationPlan, numbers: Iterable[int], workers: int = 1) -> Iterator[CampaignOutcome]:
    """Yield the outcomes of these campaigns in their order, as they come."""
    if workers <= 1:
        for number in numbers:
            yield play_campaign(plan, number).outcome
        return
    yield from _on_workers(plan, numbers, workers)


def _on_workers(plan: SimulationPlan, numbers: Iterable[int], workers: int) -> Iterator[CampaignOutcome]:
    from concurrent.futures import Future, ProcessPoolExecutor

    # Spawned, not forked: a server that simulates has threads.
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_take_plan, initargs=(plan,))
    waiting: deque[Future[list[str]]] = deque()
    chunks = _chunks(numbers)
    try:
        while True:
            for chunk in islice(chunks, max(0, workers * AHEAD - len(waiting))):
                waiting.append(pool.submit(_play_chunk, chunk))
            if not waiting:
                return
            for text in waiting.popleft().result():
                yield CampaignOutcome.model_validate_json(text)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _chunks(numbers: Iterable[int]) -> Iterator[list[int]]:
    rest = iter(numbers)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


_PLANS: list[SimulationPlan] = []
"""The plan of a worker process."""


def _take_plan(plan: SimulationPlan) -> None:
    import signal

    # Ctrl-C reaches the whole group of processes; who began the run decides what happens.
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    _PLANS[:] = [plan]


def _play_chunk(numbers: Sequence[int]) -> list[str]:
    return [play_campaign(_PLANS[0], number).outcome.model_dump_json() for number in numbers]
