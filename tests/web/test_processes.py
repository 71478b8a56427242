"""Work in processes of its own: it takes turns, has limits, and ends with who asked for it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.web.library.files import checks
from laager.web.library.files import files as library
from laager.web.shared import processes
from laager.web.shared.fair_queue import VISIT, BusyError, GoneError, Visit
from laager.web.shared.processes import Processes
from tests.web import chores
from tests.web.serving import PATIENCE

if TYPE_CHECKING:
    from tests.web.conftest import People

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def hands() -> Iterator[Processes]:
    found = Processes(lambda: 1)
    yield found
    found.close()


def test_one_process_does_one_job_after_the_other(hands: Processes) -> None:
    first = hands.do(1, chores.who)
    assert first not in (os.getpid(), 0)
    assert hands.do(2, chores.who) == first


def test_a_process_that_died_while_it_had_nothing_to_do_is_replaced(hands: Processes) -> None:
    before = hands.do(1, chores.who)
    os.kill(before, signal.SIGKILL)
    # It has closed its pipe only when it is gone altogether.
    while Path(f"/proc/{before}").exists():
        time.sleep(0.001)
    assert hands.do(1, chores.who) != before


def test_errors_come_back_as_they_were_raised(hands: Processes) -> None:
    with pytest.raises(DataError) as caught:
        hands.do(1, chores.refuse, "data")
    assert caught.value.problems == (Problem("wrong", "right", "a.b", 3, "x.yaml"),)
    assert (caught.value.heading, caught.value.code) == ("Look", Refusal.BAD_DATA)
    with pytest.raises(RefusedError, match="there is none; take another") as refused:
        hands.do(1, chores.refuse, "")
    assert refused.value.code is Refusal.NO_SUCH


def test_too_much_time_or_memory_is_refused_and_the_next_job_is_done(
    hands: Processes, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands.close()
    monkeypatch.setattr(processes, "BUSY", PATIENCE)
    settings.CONFIG = settings.CONFIG.model_copy(update={"heavy_megabytes": 400})
    before = hands.do(1, chores.who)
    with pytest.raises(RefusedError, match="too much memory; ask for something smaller"):
        hands.do(1, chores.hoard, 600)
    assert hands.do(1, chores.hoard, 10) == 10 * 2**20
    assert hands.do(1, chores.who) == before
    settings.CONFIG = settings.CONFIG.model_copy(update={"heavy_seconds": 0.5})
    with pytest.raises(RefusedError, match=r"more than 0\.5 seconds; ask for something smaller"):
        hands.do(1, chores.compute, PATIENCE)
    settings.CONFIG = settings.CONFIG.model_copy(update={"heavy_seconds": PATIENCE})
    assert not Path(f"/proc/{before}").exists()
    with pytest.raises(RefusedError, match="too much memory"):
        hands.do(1, chores.die)
    assert hands.do(1, chores.who) != before
    hands.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux tells what a process has computed")
def test_a_busy_server_is_no_fault_of_what_it_is_asked_for(
    hands: Processes, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sleeps gets no computing done, as on a machine that has too much to do."""
    settings.CONFIG = settings.CONFIG.model_copy(update={"heavy_seconds": 0.5})
    with monkeypatch.context() as patch:
        patch.setattr(processes, "BUSY", PATIENCE)
        assert hands.do(1, chores.sleep, 0.8) == ""
    with pytest.raises(BusyError, match="too busy for this just now; try again in 30 seconds") as caught:
        hands.do(1, chores.sleep, PATIENCE)
    assert (caught.value.code, caught.value.seconds) == (Refusal.TOO_OFTEN, 30)


def test_what_nobody_waits_for_is_stopped(hands: Processes, tmp_path: Path) -> None:
    given_up = threading.Event()
    visit = Visit(given_up.set)
    process = hands.do(1, chores.who)
    mark = tmp_path / "begun"

    def ask() -> str:
        VISIT.set(visit)
        return hands.do(1, chores.sleep, 60, str(mark))

    with ThreadPoolExecutor() as threads:
        answer = threads.submit(ask)
        wait_for(mark.exists)
        visit.gone = True
        with pytest.raises(GoneError):
            answer.result(PATIENCE)
    assert given_up.is_set()
    assert not Path(f"/proc/{process}").exists()


def test_a_warm_process_finishes_what_nobody_waits_for_and_stays(tmp_path: Path) -> None:
    """It has read boards and loaded an engine: to end it would cost the next one more than to wait."""
    warm = Processes(lambda: 1, warm=True)
    visit = Visit(lambda: None)
    process = warm.do(1, chores.who)
    mark = tmp_path / "begun"

    def ask() -> str:
        VISIT.set(visit)
        return warm.do(1, chores.sleep, 0.5, str(mark))

    try:
        with ThreadPoolExecutor() as threads:
            answer = threads.submit(ask)
            wait_for(mark.exists)
            visit.gone = True
            answer.result(PATIENCE)
        assert warm.do(1, chores.who) == process
    finally:
        warm.close()


def test_what_a_job_computes_is_charged_to_its_request(hands: Processes) -> None:
    visit = Visit(lambda: None)
    told = VISIT.set(visit)
    try:
        hands.do(1, chores.compute, 0.05)
    finally:
        VISIT.reset(told)
    assert 0.05 <= visit.seconds < 1


def test_a_page_of_many_small_pictures_gets_them_all() -> None:
    brief, visit = Processes(lambda: 1, brief=True), Visit(lambda: given_up.append(1))
    given_up: list[int] = []

    def ask(_: int) -> int:
        VISIT.set(visit)
        return brief.do(1, chores.who)

    with ThreadPoolExecutor(40) as threads:
        assert len(set(threads.map(ask, range(40)))) == 1
    # Requests that wait for a moment only keep their places: no more of them wait than a server works on.
    assert given_up == []
    brief.close()


def test_a_large_file_is_checked_elsewhere_and_once(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def do(_who: int, job: Callable[..., Any], texts: dict[str, str], name: str) -> Any:
        asked.append(name)
        return job(texts, name)

    monkeypatch.setattr(processes.SLOW, "do", do)
    card = "laager: pl-card/1\nmap: big.yaml\n"
    library.check_text(people.anna, "small.yaml", card)
    assert asked == []
    library.save(people.anna, "big.yaml", "# " + "x" * library.LARGE + "\nlaager: map/1\n")
    # A small card that names a large map is as much work as the map.
    for _ in range(2):
        report = library.check_text(people.anna, "small.yaml", card)
        assert report == checks.check(library.texts_of(people.anna) | {"small.yaml": card}, "small.yaml")
    assert asked == ["small.yaml"]
    library.save(people.anna, "big.yaml", "# " + "y" * library.LARGE + "\nlaager: map/1\n")
    library.check_text(people.anna, "small.yaml", card)
    assert asked == ["small.yaml"] * 2


def wait_for(found: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end
        time.sleep(0.02)
