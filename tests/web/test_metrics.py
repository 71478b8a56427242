"""`/metrics`: for whom it is, what all workers have counted, and that it tells of nobody's single step."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from laager.base import DataError
from laager.web.campaigns import actions, tables
from laager.web.models import Device, DeviceNotices, Outgoing, Webhook
from laager.web.play.short_way import front
from laager.web.seats import outgoing
from laager.web.serving import metrics
from laager.web.serving.backup.last import note_backup
from laager.web.serving.config import Config
from laager.web.shared import meters, receivers, tokens
from tests.web.conftest import seat, take_defaults
from tests.web.serving import client, serving_tests_database

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

TOKEN = "a-token-of-many-letters"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
DASHBOARD = Path(__file__).parents[2] / "deploy" / "grafana-dashboard.json"
DOCS = Path(__file__).parents[2] / "docs" / "serving" / "metrics.md"


def values(text: str) -> dict[str, float]:
    """Return the samples of a scrape, as `name{label=value}`."""
    return {
        one.name + "".join(f"{{{label}={value}}}" for label, value in sorted(one.labels.items())): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


@pytest.fixture
def counting(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process count, from nothing."""
    settings.CONFIG = settings.CONFIG.model_copy(update={"metrics_token": TOKEN, "data": tmp_path})
    meters.load_meters.cache_clear()
    monkeypatch.setattr(metrics, "_HERE", {})


@pytest.fixture(autouse=True)
def _counts_of_others() -> Any:
    yield
    meters.load_meters.cache_clear()


# A real server ------------------------------------------------------------------------------------


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_prometheus_scrapes_a_server_of_several_workers(people: People, begin: Begin, tmp_path: Path) -> None:
    game = begin()
    key = tokens.make(people.anna, "scrape")
    with serving_tests_database(tmp_path, "--workers", "2", forked=False, LAAGER_METRICS_TOKEN=TOKEN) as served:
        served.wait_for_workers(2)
        assert note_backup(Config.of({"LAAGER_DATA": str(tmp_path)}), datetime(2026, 5, 17, tzinfo=UTC), str(tmp_path))
        # A new connection each time: both workers answer.
        with client(base_url=served.url, headers={"Connection": "close"}) as visitor:
            for _ in range(30):
                visitor.get("/login/")
                visitor.get(f"/api/v1/campaigns/{game.pk}/axis", headers={"Authorization": f"Bearer {key}"})
            for _ in range(5):
                visitor.get("/register/")
            for wrong in ({}, {"Authorization": f"Bearer {TOKEN}x"}, {"Authorization": f"Bearer {key}"}):
                assert visitor.get("/metrics", headers=wrong).status_code == 401
            answer = visitor.get("/metrics", headers=BEARER)
            found = values(answer.text)
            again = values(visitor.get("/metrics", headers=BEARER).text)
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    assert found["laager_request_seconds_count{page=login}"] == 30
    assert found["laager_request_seconds_count{page=api:status}"] == 30
    assert found["laager_request_seconds_bucket{le=+Inf}{page=login}"] == 30
    assert not any("page=register" in name for name in found)
    assert found["laager_campaigns"] == 1
    assert found["laager_database_bytes"] % 2**20 == 0
    assert found["laager_last_backup_timestamp_seconds"] == datetime(2026, 5, 17, tzinfo=UTC).timestamp()
    assert {name: again[name] for name in found if "request" in name} == {
        name: value for name, value in found.items() if "request" in name
    }
    assert str(game.pk) not in answer.text
    assert key not in answer.text
    assert not re.search(r"anna|axis|allied", answer.text)


# For whom -----------------------------------------------------------------------------------------


def test_without_a_token_it_does_not_exist(people: People) -> None:
    meters.load_meters.cache_clear()
    assert people.client(None).get("/metrics", headers=BEARER).status_code == 404
    meters.observe_request("login", 1.0, 500)
    assert meters.load_meters() is None


def test_a_token_that_can_be_guessed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="this can be guessed"):
        Config.of({"LAAGER_DATA": str(tmp_path), "LAAGER_METRICS_TOKEN": "short"})


def test_the_short_way_counts_under_the_same_names() -> None:
    from django.urls import resolve

    at = "/api/v1/campaigns/8a9d57f8-41a1-4e6e-9d3c-0a6f5b1f4f00/axis"
    paths = {"status": at, "asked": f"{at}/asked", "wait": f"{at}/wait", "answer": f"{at}/asked/{'a' * 32}/answer"}
    assert {kind: resolve(path).view_name for kind, path in paths.items()} == front.NAMES


# Steps and secrets --------------------------------------------------------------------------------


def test_figures_move_on_in_steps(counting: None) -> None:
    loaded = meters.load_meters()
    assert loaded is not None
    published: metrics.Figures = {}

    def figures() -> dict[str, float]:
        registry = CollectorRegistry()
        registry.register(_Stepped(loaded, published))
        return values(generate_latest(registry).decode())

    for _ in range(metrics.STEP - 1):
        meters.observe_request("table", 0.02, 200)
        meters.count_answers(1)
    assert figures() == {}
    meters.observe_request("table", 0.3, 200)
    first = figures()
    assert first["laager_request_seconds_count{page=table}"] == metrics.STEP
    assert first["laager_request_seconds_bucket{le=0.025}{page=table}"] == metrics.STEP - 1
    assert "laager_answers_total" not in first
    meters.observe_request("table", 20.0, 200)
    meters.observe_request("wait", 20.0, 200)
    assert figures() == first
    meters.count_answers(1)
    assert figures() == first | {"laager_answers_total": metrics.STEP}


class _Stepped:
    def __init__(self, loaded: meters.Meters, published: metrics.Figures) -> None:
        self.loaded, self.published = loaded, published

    def describe(self) -> Any:
        return ()

    def collect(self) -> Any:
        for family in self.loaded.registry.collect():
            if family.name in metrics.STEPPED:
                yield metrics.step_family(family, self.published)


def _without_sizes(content: bytes) -> list[bytes]:
    return [line for line in content.splitlines() if b"processes" not in line and b"laager_database_bytes" not in line]


def _megabytes(content: bytes) -> int:
    """Return the size of the database that is published: whole megabytes, nothing finer."""
    (line,) = [line for line in content.splitlines() if line.startswith(b"laager_database_bytes ")]
    whole, rest = divmod(float(line.split()[1]), 2**20)
    assert rest == 0
    return int(whole)


def test_what_a_side_does_changes_no_byte(counting: None, people: People, begin: Begin) -> None:
    """Two worlds: in one the other side has looked, drawn its map and answered, in the other it hasn't."""
    game = begin()
    one, other = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    take_defaults([one, other], until="purchases")
    client = people.client(None)
    for _ in range(metrics.STEP):
        client.get("/login/")
    before = client.get("/metrics", headers=BEARER).content
    with tables.look(other) as table:
        [asked] = table.asked
    assert asked.pending.question is not None
    theirs = people.client(people.bert)
    for page in ("", f"ask/{asked.mark}/", "map.svg", "units"):
        assert theirs.get(f"/campaign/{game.pk}/allied/{page}").status_code == 200
    actions.answer(other, asked.mark, asked.pending.question.default)
    after = client.get("/metrics", headers=BEARER).content
    # The drawing process stays for whoever draws next; of whom it is nobody can tell. What is stored may bring the
    # database to its next megabyte.
    counted = [_without_sizes(content) for content in (before, after)]
    assert counted[0] == counted[1]
    assert _megabytes(after) - _megabytes(before) in (0, 1)
    assert b'page="login"' in after


def test_errors_and_failures_are_counted_in_steps(counting: None, people: People) -> None:
    from laager.web.shared import mails

    def failures() -> dict[str, float]:
        scraped = values(people.client(None).get("/metrics", headers=BEARER).content.decode())
        return {name: value for name, value in scraped.items() if re.match("laager_(failed|server)_", name)}

    def fail(times: int) -> None:
        for _ in range(times):
            meters.observe_request("login", 0.1, 500)
            meters.count_failed_notice("webhook")
            assert not mails.deliver("anna@example.org", "x", "x")

    settings.EMAIL_BACKEND, before = "no.such.backend", settings.EMAIL_BACKEND
    try:
        fail(metrics.STEP - 1)
        meters.count_failed_notice("device")
        assert failures() == {}
        fail(1)
    finally:
        settings.EMAIL_BACKEND = before
    names = ("laager_server_errors_total", "laager_failed_mails_total", "laager_failed_notices_total{kind=webhook}")
    assert failures() == dict.fromkeys(names, metrics.STEP)


def test_failed_tries_to_reach_a_receiver_are_counted_by_kind(counting: None, people: People, begin: Begin) -> None:
    member = seat(begin(), people.anna, "axis").member
    hook = Webhook.objects.create(member=member, url="https://example.org/hook")
    device = Device.objects.create(user=people.anna, endpoint="https://example.org/push", p256dh="x", auth="x")
    for row in (hook, DeviceNotices.objects.create(member=member, device=device)):
        outgoing.settle(row, (), None)
        outgoing.settle(row, (), receivers.Delivery(status=200))
        outgoing.settle(row, (), receivers.Delivery(trouble=Outgoing.Trouble.ANSWER, status=500))
    loaded = meters.load_meters()
    assert loaded is not None
    counted = values(generate_latest(loaded.registry).decode())
    assert {name: value for name, value in counted.items() if "notices" in name} == {
        f"laager_failed_notices_total{{kind={kind}}}": 1 for kind in ("webhook", "device")
    }


# Dashboard and docs -------------------------------------------------------------------------------


def test_dashboard_and_docs_name_what_there_is(counting: None, people: People) -> None:
    for _ in range(metrics.STEP):
        people.client(None).get("/login/")
    meters.count_answers(metrics.STEP)
    for _ in range(metrics.STEP):
        meters.observe_request("login", 0.1, 500)
        meters.count_failed_mail()
        meters.count_failed_notice("device")
    assert note_backup(settings.CONFIG, datetime(2026, 5, 17, tzinfo=UTC), str(DOCS))
    text = people.client(None).get("/metrics", headers=BEARER).content.decode()
    families = {one.name for one in text_string_to_metric_families(text)}
    samples = {re.split(r"[{ ]", line)[0] for line in text.splitlines() if not line.startswith("#")}
    named = set(re.findall(r"`(laager_\w+)`", DOCS.read_text(encoding="utf-8")))
    assert {name.removesuffix("_total") for name in named} == families
    board = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    asked = {
        name
        for panel in board["panels"]
        for target in panel["targets"]
        for name in re.findall(r"laager_\w+", target["expr"])
    }
    assert asked <= samples
    assert {"laager_request_seconds_bucket", "laager_last_backup_timestamp_seconds", "laager_jobs_waiting"} <= asked
