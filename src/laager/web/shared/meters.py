"""What a worker counts for `/metrics`: nothing, unless the server has a token for it (`LAAGER_METRICS_TOKEN`).

Nothing is counted by campaign, side, seat or person. `serving.metrics` tells what of it is published, and when.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram

UNTIMED = frozenset({"events", "wait"})
"""Addresses that answer when there is news: how long they take says nothing of the server."""
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Up to how many seconds a request took."""


class Meters:
    """The counts of this worker. Those of all workers lie in one folder, if the server has several."""

    def __init__(self) -> None:
        # It takes 50 ms, and most servers are asked for no metrics.
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        self.requests: Histogram = Histogram(
            "laager_request_seconds", "How long requests took, by page", ["page"], registry=self.registry,
            buckets=BUCKETS,
        )  # fmt: skip
        self.answers: Counter = Counter("laager_answers", "Answers in all campaigns", registry=self.registry)
        self.errors: Counter = Counter(
            "laager_server_errors", "Requests that ended with an error of the server", registry=self.registry
        )
        self.mails: Counter = Counter("laager_failed_mails", "Mails that couldn't be sent", registry=self.registry)
        self.notices: Counter = Counter(
            "laager_failed_notices", "Tries to reach webhooks and devices that failed", ["kind"], registry=self.registry
        )
        self.waiting: Gauge = Gauge(
            "laager_jobs_waiting", "Drawings and checks that wait for a process", registry=self.registry,
            multiprocess_mode="livesum",
        )  # fmt: skip
        self.processes: Gauge = Gauge(
            "laager_drawing_processes", "Processes that draw, check and look along lines of sight",
            registry=self.registry, multiprocess_mode="livesum",
        )  # fmt: skip


@cache
def load_meters() -> Meters | None:
    """Return this worker's counts; None if the server has no token for them."""
    return Meters() if settings.CONFIG.metrics_token else None


def observe_request(name: str, seconds: float, status: int) -> None:
    """Count a request by the name of its address."""
    if meters := load_meters():
        if name.rpartition(":")[2] not in UNTIMED:
            meters.requests.labels(name).observe(seconds)
        if status >= 500:
            meters.errors.inc()


def count_answers(number: int) -> None:
    """Count answers that are about to be stored."""
    if number and (meters := load_meters()):
        meters.answers.inc(number)


def count_failed_mail() -> None:
    """Count a mail that couldn't be sent."""
    if meters := load_meters():
        meters.mails.inc()


def count_failed_notice(kind: str) -> None:
    """Count a try to tell a `webhook` or a `device` that failed."""
    if meters := load_meters():
        meters.notices.labels(kind).inc()


def count_process(change: int) -> None:
    """Count a process that has begun (1) or ended (-1)."""
    if meters := load_meters():
        meters.processes.inc(change)


def waiting_job() -> AbstractContextManager[object]:
    """Count a job as waiting as long as this is entered."""
    meters = load_meters()
    return meters.waiting.track_inprogress() if meters else nullcontext()
