"""Many campaigns, one after the other or on several processes: the same results either way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from laager.base.extras import extra
from laager.campaign.sheet import Sheet
from laager.campaign.speech import ENGLISH
from laager.simulation.compare import Comparison, Winners, compare
from laager.simulation.outcome import CampaignOutcome
from laager.simulation.plan import SimulationPlan
from laager.simulation.play import play_campaign
from laager.simulation.store import ResultsFile
from laager.simulation.tally import RunTally

CHUNK = 5
"""Campaigns that a worker gets at a time."""

AHEAD = 3
"""Chunks for each worker that are under way or wait to be taken, so that memory stays flat."""

Progress = Callable[[int, int], None]
"""Called with how many campaigns have been played, and of how many; first with those that a file had, if any."""


@dataclass
class SimulationRun:
    """What a run gave: its tally, the comparisons with what was changed, whether it was broken off."""

    plan: SimulationPlan
    tally: RunTally = field(default_factory=RunTally)
    comparisons: list[Comparison] = field(default_factory=list)
    stopped: bool = False

    def sheets(self) -> list[Sheet]:
        """Return what came out as sheets: who wins, slots, figures over time, groups, clauses, what-ifs."""
        from laager.simulation.compare import comparison_sheet
        from laager.simulation.sheets import result_sheets

        sheets = result_sheets(self.plan, self.tally)
        return [*sheets, comparison_sheet(self.plan, self.comparisons)] if self.comparisons else sheets

    def plots(self, language: str = ENGLISH) -> dict[str, str]:
        """Return plots as SVG, by name."""
        from laager.simulation.plots import plots_of

        return plots_of(self.plan, self.tally, self.comparisons, language=language)


@dataclass(frozen=True)
class Means:
    """With what a run is played: processes of this machine, or the Dask scheduler at an address."""

    workers: int = 1
    dask: str = ""

    def play(self, plan: SimulationPlan, numbers: Iterable[int]) -> Iterator[CampaignOutcome]:
        """Yield the outcomes of these campaigns in their order, as they come."""
        if self.dask:
            return _on_dask(plan, numbers, self.dask)
        return outcomes_of(plan, numbers, self.workers)


def run_plan(
    plan: SimulationPlan,
    campaigns: int,
    changes: Sequence[str] = (),
    *,
    means: Means | None = None,
    results: Path | None = None,
    progress: Progress | None = None,
) -> SimulationRun:
    """Play the campaigns 1 to `campaigns` of a plan, and again with each change; return what came out.

    `results` is a Parquet file that keeps each campaign as it comes, and from which a run goes on. Ctrl-C ends the
    run; what is done counts. Raises RefusedError or DataError before anything is played.
    """
    changed = [plan.with_change(text) for text in changes]
    run, base = SimulationRun(plan), Winners()
    counter = _Counter(campaigns * (1 + len(changed)), progress)
    try:
        _play_base(run, base, campaigns, means or Means(), results, counter)
        for other in changed:
            winners = Winners()
            for outcome in (means or Means()).play(other, range(1, campaigns + 1)):
                winners.add(outcome)
                counter.count()
            run.comparisons.append(compare(other.change, base, winners, list(plan.commanders)))
    except KeyboardInterrupt:
        run.stopped = True
    return run


@dataclass
class _Counter:
    """Counts the campaigns of a run, and tells how far it is."""

    total: int
    progress: Progress | None
    done: int = 0

    def count(self, campaigns: int = 1) -> None:
        """Count campaigns that came together."""
        self.done += campaigns
        if self.progress is not None and campaigns:
            self.progress(self.done, self.total)


def _play_base(
    run: SimulationRun, base: Winners, campaigns: int, means: Means, results: Path | None, counter: _Counter
) -> None:
    with ExitStack() as stack:
        file = stack.enter_context(ResultsFile(results, run.plan)) if results is not None else None
        for outcome in file.earlier() if file is not None else ():
            if outcome.number <= campaigns:
                base.add(outcome)
                run.tally.add(outcome)
        counter.count(run.tally.campaigns)
        missing = (n for n in range(1, campaigns + 1) if n not in base.by_number)
        for outcome in means.play(run.plan, missing):
            if file is not None:
                file.add(outcome)
            base.add(outcome)
            run.tally.add(outcome)
            counter.count()


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
    return play_numbers(_PLANS[0], numbers)


# Dask ---------------------------------------------------------------------------------------------


def _on_dask(plan: SimulationPlan, numbers: Iterable[int], address: str) -> Iterator[CampaignOutcome]:
    """Have the workers of a Dask scheduler play.

    A chunk whose worker is gone is played again elsewhere: by its seed it comes out the same, and it counts once.
    """
    with extra("dask"):
        import distributed
    connect: Any = distributed.Client
    with connect(address, set_as_default=False) as client:
        sent = client.scatter(plan, broadcast=True, hash=False)
        waiting: deque[Any] = deque()
        chunks = _chunks(numbers)
        while True:
            ahead = max(1, len(client.ncores())) * AHEAD
            for chunk in islice(chunks, max(0, ahead - len(waiting))):
                waiting.append(client.submit(play_numbers, sent, chunk, pure=False, retries=RETRIES))
            if not waiting:
                return
            for text in waiting.popleft().result():
                yield CampaignOutcome.model_validate_json(text)


RETRIES = 5
"""Most times a chunk is played again on other workers before the run ends with an error."""


def play_numbers(plan: SimulationPlan, numbers: Sequence[int]) -> list[str]:
    """Return the outcomes of some campaigns as JSON: what a worker anywhere does."""
    return [play_campaign(plan, number).outcome.model_dump_json() for number in numbers]
