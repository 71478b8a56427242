"""`/metrics`: what Prometheus may know of the server, for who has the token.

Players often host their own server, so no figure may tell that somebody was asked or has answered just now. Figures by
page, and the numbers of answers, errors and failures, move on only in steps of `STEP` new ones; in between they stay as
they were published last. What is counted from the database belongs to the server: sizes, backups, simulations.

With several workers each counts in files of its own, in a folder that `laager serve` makes and removes.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from laager import __version__
from laager.base import disk
from laager.web.serving.backup.last import last_backup
from laager.web.serving.host import overview
from laager.web.shared.meters import Meters, load_meters

if TYPE_CHECKING:
    from prometheus_client import Metric
    from prometheus_client.samples import Sample

ADDRESS = "/metrics"
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which prometheus-client knows the folder of all workers' counts."""
STEP = 20
"""Steps in which the figures of requests, answers and failures move on."""
STEPPED = frozenset(
    {"laager_request_seconds", "laager_answers", "laager_server_errors", "laager_failed_mails", "laager_failed_notices"}
)
"""What could tell that somebody did something, or was told of it, just now."""
LONGEST_SECONDS = 30.0
"""What takes longer is shown as that long on the host's page."""
PUBLISHED = "published.json"
"""The file of the figures as they were published last, in the workers' folder."""

Figures = dict[str, list[tuple[str, dict[str, str], float]]]
"""Samples as name, labels and value, by what they count together."""


@contextmanager
def counting_workers() -> Iterator[None]:
    """Give all workers that are started inside one folder for their counts, if the server has a token for them."""
    if not settings.CONFIG.metrics_token:
        yield
        return
    with TemporaryDirectory(prefix="laager-metrics-") as folder:
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]


def answer_scrape(request: HttpRequest) -> HttpResponse | None:
    """Return the figures for who has the token; None if this server has none to give."""
    meters = load_meters()
    if meters is None:
        return None
    given = request.headers.get("Authorization", "").encode()
    if not secrets.compare_digest(given, f"Bearer {settings.CONFIG.metrics_token}".encode()):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

    registry = CollectorRegistry()
    registry.register(MetricsCollector(meters))
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class MetricsCollector:
    """Gathers what all workers have counted, in steps where it must be, and what the database says."""

    def __init__(self, meters: Meters) -> None:
        self._meters = meters

    def describe(self) -> Iterable[Metric]:
        """Return nothing: what there is is gathered when somebody asks."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield all figures."""
        yield from self.gather_stepped()
        yield from _of_server()

    def gather_stepped(self) -> list[Metric]:
        """Return what all workers have counted, in steps where it must be."""
        with _load_published() as published:
            return [
                step_family(family, published) if family.name in STEPPED else family for family in self._gather_counts()
            ]

    def _gather_counts(self) -> Iterable[Metric]:
        folder = os.environ.get(FOLDER)
        if folder is None:
            return list(self._meters.registry.collect())
        from prometheus_client import CollectorRegistry
        from prometheus_client.multiprocess import MultiProcessCollector

        _drop_dead(Path(folder))
        return list(MultiProcessCollector(CollectorRegistry(), folder).collect())  # type: ignore[no-untyped-call]


def _drop_dead(folder: Path) -> None:
    """Drop what workers that have ended held open; what they have counted stays."""
    for file in folder.glob("gauge_live*_*.db"):
        try:
            os.kill(int(file.stem.rpartition("_")[2]), 0)
        except ProcessLookupError:
            file.unlink(missing_ok=True)
        except OSError:
            continue


# Steps --------------------------------------------------------------------------------------------

_TURN = Lock()
_HERE: Figures = {}
"""What this process has published, if it is the only one."""


@contextmanager
def _load_published() -> Iterator[Figures]:
    """Give the figures as they were published last, and keep what is made of them, one scrape at a time."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        with _TURN:
            yield _HERE
        return
    from filelock import FileLock

    file = Path(folder) / PUBLISHED
    with FileLock(f"{file}.lock"):
        figures: Figures = {}
        with suppress(FileNotFoundError):
            figures = json.loads(file.read_bytes())
        yield figures
        disk.replace(file, json.dumps(figures).encode(), private=True)


def step_family(family: Metric, published: Figures) -> Metric:
    """Return a family whose figures have moved on only where enough has come; `published` is brought up to date."""
    groups: dict[str, list[Sample]] = {}
    for sample in family.samples:
        if not sample.name.endswith("_created"):
            groups.setdefault(_group_of(family.name, sample.labels), []).append(sample)
    for group, samples in groups.items():
        before = _total(published.get(group, ()))
        if _total((sample.name, sample.labels, sample.value) for sample in samples) - before >= STEP:
            published[group] = [(sample.name, dict(sample.labels), sample.value) for sample in samples]
    family.samples = []
    for group in sorted(groups):
        for name, labels, value in published.get(group, ()):
            family.add_sample(name, labels, value)
    return family


def _group_of(family: str, labels: Mapping[str, str]) -> str:
    return " ".join([family, *(value for label, value in sorted(labels.items()) if label != "le")])


def _total(samples: Iterable[tuple[str, Mapping[str, str], float]]) -> float:
    return sum(value for name, _labels, value in samples if name.endswith(("_count", "_total")))


# What belongs to the server -----------------------------------------------------------------------


def _of_server() -> Iterator[Metric]:
    from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily

    server = overview.describe_server(settings.CONFIG)
    yield InfoMetricFamily("laager", "The program", {"version": __version__, "database": server.database})
    values: dict[str, tuple[str, float]] = {
        "laager_database_bytes": ("Size of the database, in whole megabytes", server.megabytes * overview.MEGABYTE),
        "laager_accounts": ("Accounts", server.accounts),
        "laager_campaigns": ("Campaigns", server.campaigns),
    }
    backup = last_backup(settings.CONFIG)
    if backup is not None:
        values["laager_last_backup_timestamp_seconds"] = ("When the last good backup was made", backup.made.timestamp())
        values["laager_last_backup_there"] = ("1 if its file is still there", float(backup.is_there))
    for name, (text, value) in values.items():
        yield GaugeMetricFamily(name, text, value)
    runs = GaugeMetricFamily("laager_simulations", "Simulations by their state", labels=["state"])
    for state, number in overview.count_simulations().items():
        runs.add_metric([state], number)
    yield runs


def name_of(match: Any) -> str:
    """Return the name under which an address is counted; a dash for an unknown page."""
    return (match.view_name or "/" + match.route) if match else "-"


# For the host's page ------------------------------------------------------------------------------


@dataclass(frozen=True)
class PageLatency:
    """How long the requests for a page took, in milliseconds: half of them, and 95 of 100, no longer than that."""

    page: str
    count: int
    half: int
    most: int


@dataclass(frozen=True)
class Workload:
    """What the server has to do: the slowest pages first, jobs that wait, processes that draw."""

    pages: tuple[PageLatency, ...]
    waiting: int
    processes: int


def describe_workload(most: int = 12) -> Workload | None:
    """Return the same figures as for Prometheus; None if the server has no token for them, and doesn't count."""
    meters = load_meters()
    if meters is None:
        return None
    buckets: dict[str, dict[float, float]] = {}
    gauges: dict[str, float] = {}
    for family in MetricsCollector(meters).gather_stepped():
        for sample in family.samples:
            if sample.name == "laager_request_seconds_bucket":
                buckets.setdefault(sample.labels["page"], {})[float(sample.labels["le"])] = sample.value
            else:
                gauges[sample.name] = sample.value
    pages = [_latency_of(page, steps) for page, steps in buckets.items()]
    pages.sort(key=lambda latency: (-latency.most, latency.page))
    return Workload(
        pages=tuple(pages[:most]),
        waiting=int(gauges.get("laager_jobs_waiting", 0)),
        processes=int(gauges.get("laager_drawing_processes", 0)),
    )


def _latency_of(page: str, buckets: Mapping[float, float]) -> PageLatency:
    count = max(buckets.values())

    def quantile(share: float) -> int:
        bound = min(bound for bound, number in buckets.items() if number >= share * count)
        return round(1000 * min(bound, LONGEST_SECONDS))

    return PageLatency(page, int(count), quantile(0.5), quantile(0.95))
