"""`laager serve` as people start it, on the kind of database that the tests run on."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import pytest
import uvicorn
from django.db import connection
from django.test import Client
from django.urls import reverse
from uvicorn.supervisors import multiprocess

from laager.base import DataError, LaagerError
from laager.campaign.audit import audit
from laager.web.campaigns import tables
from laager.web.models import EntryLine, Game
from laager.web.serving import serve
from laager.web.serving.config import Config, keep_key
from laager.web.serving.readiness import findings
from tests.web.conftest import seat
from tests.web.serving import PATIENCE, Served, run_laager, server_of_tests, serving, serving_tests_database

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Begin, People

WORD = "quiet-river-9"


def _typed(page: httpx.Response, **fields: str) -> dict[str, str]:
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert found
    return {"csrfmiddlewaretoken": found[1], **fields}


@pytest.mark.once
def test_from_nothing_to_the_owners_account(tmp_path: Path, new_database: str) -> None:
    data = tmp_path / "new" / "data"
    data.parent.mkdir()
    with serving(data, new_database) as served:
        link = served.owner_link
        assert served.url in link
        with httpx.Client(base_url=served.url, follow_redirects=True) as visitor:
            assert visitor.get("/health").json() == {"health": "good", "from": "127.0.0.1"}
            assert visitor.get("/ready").json() == {"ready": True}
            assert visitor.get("/").url.path == "/login/"
            page = visitor.get(link)
            fields = _typed(page, username="olga", email="", password1=WORD, password2=WORD)
            page = visitor.post("/register/", data=fields)
            assert page.url.path == "/"
            assert "olga" in page.text
            assert visitor.get("/static/laager/play/table/live.js").status_code == 200
            assert visitor.get(link).status_code == 404
        assert served.end(signal.SIGINT) == 0
        key = link.rstrip("/").rpartition("/")[2]
        assert key not in "".join(served.err)
        routes = {line.get("route") for line in served.logs}
        assert {"/invitation/<str:key>/", "/register/", "/login/"} <= routes
    assert stat.S_IMODE((data / "secret-key").stat().st_mode) == 0o600
    assert "nobody owns" not in run_laager(data, new_database, "serve", "--check").stdout
    answer = run_laager(data, new_database, "serve", "--owner-link")
    assert answer.returncode == 0
    assert re.fullmatch(r"http://\S+/invitation/\S+\n", answer.stdout)
    # Nothing that people keep there may be read by others on the machine.
    assert all(not path.stat().st_mode & 0o077 for path in data.iterdir())


def test_check_looks_and_changes_nothing(tmp_path: Path, new_database: str) -> None:
    answer = run_laager(tmp_path / "data", new_database, "serve", "--check", LAAGER_SECRET_KEY="k" * 50)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "the database answers" in answer.stdout
    assert "migrations are missing" in answer.stdout
    assert "wrong" not in answer.stdout
    assert "kkkk" not in answer.stdout


def _grades(**changes: str) -> dict[str, str]:
    config = Config.of({"LAAGER_DATA": "/", "LAAGER_SECRET_KEY": "k" * 50, **changes})
    return {finding.text: finding.grade for finding in findings(config)}


WRONG = {
    "short key": ({"LAAGER_SECRET_KEY": "short"}, "LAAGER_SECRET_KEY is too short"),
    "https without an address": ({"LAAGER_HTTPS": "yes"}, "LAAGER_HTTPS is set, but"),
    "https address alone": ({"LAAGER_ADDRESS": "https://laager.example"}, "the address is https"),
    "any host": ({"LAAGER_HOSTS": "*"}, "LAAGER_HOSTS is *"),
    "no folder": ({"LAAGER_DATA": "/proc/none"}, "the data folder /proc/none cannot be written"),
}


@pytest.mark.parametrize("what", WRONG)
def test_check_says_what_is_wrong(what: str, db: None) -> None:
    changes, said = WRONG[what]
    wrong = [text for text, grade in _grades(**changes).items() if grade == "wrong"]
    assert [text for text in wrong if text.startswith(said)], wrong
    assert len(wrong) == 1


def test_check_finds_nothing_wrong_with_good_settings(db: None) -> None:
    https = {"LAAGER_ADDRESS": "https://laager.example", "LAAGER_HTTPS": "yes"}
    for changes in ({}, https, https | {"LAAGER_SMTP_HOST": "mail.example"}):
        assert "wrong" not in _grades(**changes).values()


@pytest.mark.parametrize(
    ("answer", "grade", "said"),
    [
        ({"from": "203.0.114.7"}, "good", "seems to come from 203.0.114.7"),
        ({"from": "172.30.77.1"}, "hint", "put it into LAAGER_PROXIES"),
        ({"health": "good"}, "hint", "no Laager answers at https://laager.example now"),
        (None, "hint", "no Laager answers at https://laager.example now"),
    ],
)
def test_check_says_where_visitors_seem_to_come_from(
    answer: Any, grade: str, said: str, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def get(url: str, timeout: float) -> httpx.Response:
        assert url == "https://laager.example/health"
        if answer is None:
            raise httpx.ConnectError("nobody")
        return httpx.Response(200, json=answer)

    monkeypatch.setattr(httpx, "get", get)
    grades = _grades(LAAGER_ADDRESS="https://laager.example/", LAAGER_HTTPS="yes")
    assert [given for text, given in grades.items() if said in text] == [grade]


def test_check_finds_a_key_that_others_can_read(tmp_path: Path, db: None) -> None:
    keep_key(tmp_path)
    config = Config.of({"LAAGER_DATA": str(tmp_path)})
    assert "wrong" not in {finding.grade for finding in findings(config)}
    (tmp_path / "secret-key").chmod(0o644)
    assert "wrong" in {finding.grade for finding in findings(config)}


def test_a_key_is_made_once(tmp_path: Path) -> None:
    keep_key(tmp_path)
    first = (tmp_path / "secret-key").read_text()
    keep_key(tmp_path)
    assert (tmp_path / "secret-key").read_text() == first
    assert Config.of({"LAAGER_DATA": str(tmp_path)}).secret_key == first


@pytest.mark.parametrize(("option", "code"), [("--check", 4), ("--owner-link", 1)])
def test_a_database_that_does_not_answer_is_no_bug(option: str, code: int, tmp_path: Path) -> None:
    dead = "postgresql://olga:pass-word-7@127.0.0.1:1/none"
    answer = run_laager(tmp_path / "data", dead, "serve", option)
    text = answer.stdout + answer.stderr
    assert answer.returncode == code
    assert "the database doesn't answer" in text
    assert "pass-word-7" not in text


def test_bad_settings_are_a_bad_file(tmp_path: Path) -> None:
    answer = run_laager(tmp_path / "data", "nonsense://x:pass-word-7@y", "serve", LAAGER_SMTP_PORT="many")
    assert answer.returncode == 3
    assert "DATABASE_URL" in answer.stderr
    assert "LAAGER_SMTP_PORT" in answer.stderr
    assert "pass-word-7" not in answer.stderr


def test_a_port_in_use_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        answer = run_laager(tmp_path / "two", "", "serve", "--port", port)
    assert answer.returncode == 1
    assert f"port {port}" in answer.stderr
    assert "--port" in answer.stderr


# Several workers ----------------------------------------------------------------------------------


def test_two_servers_that_start_at_once_make_one_database(tmp_path: Path, new_database: str) -> None:
    found: list[subprocess.CompletedProcess[str]] = []

    def start() -> None:
        found.append(run_laager(tmp_path / "data", new_database, "serve", "--owner-link"))

    threads = [threading.Thread(target=start) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.returncode for answer in found] == [0, 0], [one.stderr for one in found]


ANSWERS, KILLS = 5, 2
"""How many answers each side gives, and how many workers are killed meanwhile."""


class Player:
    """Somebody who answers with the proposals, as fast as the server lets them, whatever breaks."""

    def __init__(self, served: Served, game: Game, name: str, client: Client) -> None:
        self.url = served.url
        self.game, self.name = game, name
        self.cookies = {"sessionid": client.cookies["sessionid"].value}
        self.confirmed = 0
        self.troubles = 0

    def play(self, seat: Any, most: int) -> None:
        """Answer what is asked until `most` answers of this side are confirmed."""
        end = time.monotonic() + PATIENCE
        try:
            with httpx.Client(base_url=self.url, cookies=self.cookies, timeout=PATIENCE) as http:
                while self.confirmed < most and time.monotonic() < end:
                    self._answer(http, seat)
        finally:
            connection.close()

    def _answer(self, http: httpx.Client, seat: Any) -> None:
        try:
            with tables.look(seat) as table:
                asked = next(iter(table.asked), None)
        except Exception:
            # The database's connections are broken on purpose, the tests' own among them.
            connection.close()
            self.troubles += 1
            return
        if asked is None:
            time.sleep(0.02)
            return
        question = asked.pending.question
        fields: dict[str, Any] = {"do": "roll"}
        if question is not None:
            fields = {"do": "give", "view": "text", "text": json.dumps(question.default)}
        address = reverse("ask", args=[self.game.pk, self.name, asked.mark])
        try:
            http.get(address)
            fields["csrfmiddlewaretoken"] = http.cookies["csrftoken"]
            answer = http.post(address, data=fields)
        except (httpx.TransportError, KeyError):
            self.troubles += 1
            return
        if answer.status_code == 302:
            self.confirmed += 1
        elif answer.status_code >= 500:
            self.troubles += 1


def _until(true: Callable[[], bool]) -> bool:
    """Tell whether something comes true at last."""
    end = time.monotonic() + PATIENCE
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    return true()


@pytest.mark.soak
def test_workers_may_take_long_to_start(tmp_path: Path, new_database: str) -> None:
    """On a slow or busy machine; uvicorn would take them for dead."""
    slow = "import sys, time\nif 'spawn_main' in str(sys.orig_argv):\n    time.sleep(12)\n"
    (tmp_path / "sitecustomize.py").write_text(slow)
    with serving(tmp_path / "data", new_database, "--workers", "2", PYTHONPATH=str(tmp_path)) as served:
        assert _until(lambda: len(served.workers) == 2)
    assert "died" not in "".join(served.err)


@pytest.mark.once
def test_workers_end_when_the_server_itself_is_killed(tmp_path: Path, new_database: str) -> None:
    with serving(tmp_path / "data", new_database, "--workers", "2") as served:
        assert _until(lambda: len(served.workers) == 2)
        served.process.kill()
        served.process.wait()
        assert _until(lambda: not served.workers), "workers were left over"


@pytest.mark.once
def test_the_supervisor_hears_at_once_of_a_worker_that_dies_before_it_has_answered(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    heard: list[bool] = []

    def run(app: str, **options: Any) -> None:
        assert options["timeout_keep_alive"] > 60, "proxies keep idle connections for a minute"
        worker = multiprocess.Process(uvicorn.Config(app), [])
        worker.start()
        worker.process.kill()
        worker.process.join()
        # uvicorn waits as long for one that says nothing.
        heard.append(worker.parent_conn.poll(serve.SECONDS_OF_SILENCE))
        assert not worker.ping()
        worker.kill()

    monkeypatch.setattr(uvicorn, "run", run)
    monkeypatch.setattr(multiprocess, "Process", multiprocess.Process)
    serve._serve(settings.CONFIG, "127.0.0.1", 0, 2)
    assert heard == [True]


@pytest.mark.django_db(transaction=True)
@pytest.mark.soak  # A small load of the same kind is in every run on SQLite, in the soak on PostgreSQL (test_load).
def test_killed_workers_and_broken_connections_lose_nothing_confirmed(
    people: People, begin: Begin, tmp_path: Path
) -> None:
    game = begin("rijnoord")
    with serving_tests_database(tmp_path / "data", "--workers", "2", LAAGER_WRITES_A_MINUTE="100000") as served:
        players = [
            Player(served, game, "axis", people.client(people.anna)),
            Player(served, game, "allied", people.client(people.bert)),
        ]
        seats = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
        threads = [
            threading.Thread(target=player.play, args=(one, ANSWERS))
            for player, one in zip(players, seats, strict=True)
        ]
        assert _until(lambda: len(served.workers) == 2)
        for thread in threads:
            thread.start()
        killed = _break_things(served, threads)
        for thread in threads:
            thread.join()
        assert killed
        assert served.process.poll() is None
    assert [player.confirmed for player in players] == [ANSWERS, ANSWERS]
    _verify(game, players)


def _break_things(served: Served, threads: list[threading.Thread]) -> list[int]:
    """Kill a worker, and all connections to the database, again and again while they play."""
    killed: list[int] = []
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.3)
        if len(killed) < KILLS and len(served.workers) > 1:
            killed.append(served.workers[0])
            os.kill(killed[-1], signal.SIGKILL)
        if connection.vendor == "postgresql" and len(killed) < KILLS:
            with psycopg.connect(f"{server_of_tests()}/postgres", autocommit=True) as server:
                server.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = %s AND pid <> pg_backend_pid()",
                    [connection.settings_dict["NAME"]],
                )
    return killed


def _verify(game: Game, players: list[Player]) -> None:
    """Prove the log from the database alone: whole, derivable, each confirmed answer in it once."""
    connection.close()
    tables.SHELF.clear()
    game.refresh_from_db()
    rows = list(EntryLine.objects.filter(game=game).values_list("number", flat=True))
    assert rows == list(range(1, game.length + 1))
    with tables.look(seat(game, game.owner, "axis")) as table:
        assert audit(table.campaign).sound
        for player in players:
            given = sum(
                entry.type == "answer" and entry.body["side"] == player.name for entry in table.campaign.history.counted
            )
            # What broke on the way back was stored all the same, and is not given twice.
            assert player.confirmed <= given <= player.confirmed + player.troubles


# Settings -----------------------------------------------------------------------------------------


def test_the_docs_list_every_setting_with_its_default() -> None:
    text = (Path(__file__).parents[2] / "docs/serving/settings.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]*) \|", text, re.M))
    fields = {
        f"LAAGER_{name.upper()}": field
        for name, field in Config.model_fields.items()
        if name not in {"database_url", "given_key"}
    }
    assert set(rows) == {*fields, "DATABASE_URL"}
    for name, field in fields.items():
        default = field.default
        if isinstance(default, tuple):
            default = ", ".join(default)
        if isinstance(default, bool):
            default = "yes" if default else "no"
        if name not in {"LAAGER_DATA", "LAAGER_SECRET_KEY", "LAAGER_ADDRESS"}:
            assert rows[name].strip().strip("`") == str(default or ("0" if default == 0 else "")), name


def test_every_bad_setting_is_named_at_once(tmp_path: Path) -> None:
    environ = {
        "LAAGER_DATA": str(tmp_path),
        "LAAGER_HTTPS": "perhaps",
        "LAAGER_SMTP_PORT": "many",
        "LAAGER_LOGIN_TRIES": "x",
    }
    with pytest.raises(DataError) as err:
        Config.of(environ)
    assert {problem.field for problem in err.value.problems} == {*environ} - {"LAAGER_DATA"}


def test_a_bad_key_is_not_shown() -> None:
    with pytest.raises(LaagerError) as err:
        Config.of({"LAAGER_SMTP_PASSWORD": "pass-word-7", "LAAGER_SMTP_PORT": "pass-word-8"})
    assert "pass-word-7" not in str(err.value)


def test_the_server_answers_to_the_name_in_its_address() -> None:
    config = Config.of({"LAAGER_ADDRESS": "https://laager.example:8443/"})
    assert "laager.example" in config.hosts
    assert "localhost" in config.hosts
