"""The command line at a table on a server: what it says there, and what goes wrong on the way."""

from __future__ import annotations

import io
import json
import re
import socket
import stat
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.forms import Choice, Number, Option, Record, Rows, Several, Text, YesNo
from laager.campaign.forms import Field as Part
from laager.cli import main
from laager.cli.server.line import tidy_address
from laager.cli.server.seats import form_of
from laager.web.campaigns import tables
from laager.web.models import Game
from laager.web.shared import tokens
from tests.cli.running import Ended
from tests.tries import tries
from tests.web.conftest import seat
from tests.web.fielded import fielded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django.live_server_helper import LiveServer

    from laager.web.models import Player
    from tests.web.conftest import Begin, People

    Run = Callable[..., Ended]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `laager` in a folder of its own, with notes of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("LAAGER_SERVER", "LAAGER_TOKEN", "LAAGER_CAMPAIGN", "LAAGER_SIDE"):
        monkeypatch.delenv(name, raising=False)

    def go(*words: str, stdin: str = "", **env: str) -> Ended:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["laager", *words])
            patch.setattr(sys, "stdin", io.StringIO(stdin))
            for name, value in env.items():
                patch.setenv(name, value)
            capsys.readouterr()
            code: Any = 0
            try:
                main()
            except SystemExit as end:
                code = end.code
        out, err = capsys.readouterr()
        return Ended(code, out, err)

    return go


class Sitter:
    """Somebody at the command line, who plays on the server."""

    def __init__(self, run: Run, url: str, user: Player) -> None:
        self.run, self.url, self.key = run, url, tokens.make(user, "cli")
        self.heard = ""

    def __call__(self, *words: str, stdin: str = "") -> Ended:
        ended = self.run(*words, stdin=stdin, LAAGER_SERVER=self.url, LAAGER_TOKEN=self.key)
        self.heard += ended.text
        assert self.key not in ended.text
        return ended

    def well(self, *words: str, stdin: str = "") -> str:
        ended = self(*words, stdin=stdin)
        assert (ended.code, ended.err) == (0, ""), ended
        return ended.out


@pytest.fixture
def game(begin: Begin) -> Game:
    return begin()


@pytest.fixture
def anna(run: Run, live_server: LiveServer, people: People) -> Sitter:
    return Sitter(run, live_server.url, people.anna)


@pytest.fixture
def bert(run: Run, live_server: LiveServer, people: People) -> Sitter:
    return Sitter(run, live_server.url, people.bert)


# Playing ------------------------------------------------------------------------------------------


def test_two_command_lines_play_against_one_another(
    game: Game, anna: Sitter, bert: Sitter, people: People, tmp_path: Path
) -> None:
    assert "axis is asked [agreements]" in anna.well("status")
    assert "waiting for allied" in anna.well("next", stdin="\n")
    template = bert.well("answer", "--template")
    (tmp_path / "bert.yaml").write_text(template)
    told = bert.well("answer", "bert.yaml")
    assert "the campaign begins" in told
    cart = {"groups": [{"rg": "HW1", "setup": "reserve", "count": 2}], "attack": False}
    anna("next", stdin=f"{json.dumps(cart)}\nq\n")
    until = "laager: answers/1\nanswers:\n  - {until: battle-report}\n"
    (tmp_path / "until.yaml").write_text(until)
    for _ in range(12):
        anna("answer", "until.yaml")
        bert("answer", "until.yaml")
        if "battle-report" in anna.well("status") and "battle-report" in bert.well("status"):
            break
    report = anna.well("report", "--template")
    (tmp_path / "report.yaml").write_text(report)
    assert "waiting for allied" in anna.well("report", "report.yaml")
    log = json.loads(anna.well("log", "--json"))
    with tables.look(seat(game, people.anna, "axis")) as table:
        assert [one["number"] for one in log] == list(range(1, table.view.version + 1))
        secret = {one.id for one in table.view.state.units.values() if one.side == "axis"}
    known = bert.well("export")
    hidden = {name for name in secret if not re.search(rf"\b{name}\b", known)}
    assert hidden, "there must be something to hide"
    bert.well("log", "--full")
    bert.well("sheet")
    assert not {name for name in hidden if re.search(rf"\b{name}\b", bert.heard)}


def test_what_is_said_of_a_server_is_what_is_said_of_a_file(
    game: Game, anna: Sitter, bert: Sitter, run: Run, people: People, tmp_path: Path
) -> None:
    anna.well("next", "--defaults", "1", stdin="")
    bert.well("next", "--defaults", "1", stdin="")
    from laager.web.campaigns.store import text_of

    (tmp_path / "same.laager").write_bytes(text_of(game.pk))
    for words in (
        ["log"], ["log", "--full"], ["log", "--last", "3", "--json"], ["why", "5"], ["sheet"],
        ["why", "5", "--json"], ["sheet", "roster", "--csv"], ["sheet", "--list"], ["export"],
    ):  # fmt: skip
        there = anna.well(*words)
        here = run(*words, "--side", "axis", "-c", "same.laager")
        assert (here.code, there) == (0, here.out), words
    anna.well("map", "--out", "there.svg")
    assert run("map", "--side", "axis", "-c", "same.laager", "--out", "here.svg").code == 0
    assert (tmp_path / "there.svg").read_text().startswith("<svg")
    anna.well("sheet", "roster", "--pdf", "roster.pdf")
    assert (tmp_path / "roster.pdf").read_bytes().startswith(b"%PDF")


def test_lines_of_sight_are_looked_along_on_the_server(people: People, run: Run, live_server: LiveServer) -> None:
    game = fielded(people, "rijnoord", ("headquarters",))
    bert = Sitter(run, live_server.url, people.bert)
    told = bert("next", "-c", str(game.pk), stdin="q\n").out
    assert "  LOS: " in told
    told = bert.well("map", "-c", str(game.pk), "--see", "R10", "--to", "H4", "-o", "seen.svg")
    assert re.search(r"R10 (sees|doesn't see) H4 \(range 11\)", told)
    assert 'id="layer-sight"' in Path("seen.svg").read_text(encoding="utf-8")
    told = bert.well("map", "-c", str(game.pk), "--see", "R10", "--hull", "--range", "4", "-o", "seen.svg")
    assert "approximate" in told


def test_taking_back_and_ending_go_by_consent(game: Game, anna: Sitter, bert: Sitter) -> None:
    anna.well("next", "--defaults", "1")
    bert.well("next", "--defaults", "1")
    assert "allied answers with: laager undo --agree" in anna.well("undo")
    assert "is asked" in bert.well("undo", "--agree")
    assert "allied answers with: laager redo --agree" in anna.well("redo")
    assert "brought back" in bert.well("redo", "--agree")
    asked = anna.well("patience", "--days", "7", "--then", "umpire")
    assert "allied answers with: laager patience --agree" in asked
    assert "from now on: 7 days for a move" in bert.well("patience", "--agree")
    assert anna.well("patience") == "7 days for a move, then the umpire can let the sensible commander answer\n"
    assert json.loads(bert.well("patience", "--json")) == {"days": 7, "then": "umpire", "late": []}
    assert "can't let the commander answer" in bert("patience", "--answer-for", "axis").err
    assert "proposes a draw" in anna.well("end", "--side", "axis", "--draw")
    refused = anna("verify")
    assert (refused.code, "when the campaign is over" in refused.err) == (1, True)
    told = json.loads(bert.well("end", "--side", "allied", "--draw", "--json"))
    assert told["waiting_for"] == []
    assert anna.well("verify").endswith("sound\n")


def test_rulings_are_asked_for_and_agreed_to_on_the_server(
    game: Game, anna: Sitter, bert: Sitter, tmp_path: Path
) -> None:
    anna.well("next", "--defaults", "1", stdin="")
    bert.well("next", "--defaults", "1", stdin="")
    assert "# sides:" in anna.well("ruling", "--template")
    file = tmp_path / "ruling.yaml"
    file.write_text("laager: ruling/1\nwhy: agreed by mail\nsides:\n  axis: {elr: 9, cp: 30}\n")
    assert "ruling.yaml:4: sides.axis.elr: ELR is 9" in anna("ruling", "ruling.yaml").err
    file.write_text("laager: ruling/1\nwhy: agreed by mail\nsides:\n  axis: {elr: 3, cp: 30}\n")
    assert "Germans: ELR: 4 → 3" in anna.well("ruling", "ruling.yaml", "--check")
    assert "laager ruling --agree" in anna.well("ruling", "ruling.yaml")
    asked = bert.well("ruling")
    assert "Germans: ELR: 4 → 3" in asked
    assert "correction of the secret record (axis): 1 entry" in asked
    assert "agreed by mail" in bert.well("ruling", "--agree")
    assert "no ruling is asked for" in anna.well("ruling")


def test_a_file_that_is_named_is_a_file_wherever_one_plays(game: Game, anna: Sitter, run: Run, tmp_path: Path) -> None:
    assert run("new", "rzhavets", "--file", "tuesday.laager").code == 0
    assert "tuesday.laager" in anna.well("status", "-c", "tuesday.laager")
    assert anna.well("verify", "tuesday.laager").endswith("sound\n")
    assert anna.well("verify", "-c", "tuesday").endswith("sound\n")
    assert anna("status", "-c", "wednesday.laager").code != 0
    assert "this campaign file doesn't exist" in anna.heard
    assert "axis is asked" in anna.well("status", "-c", str(game.pk))
    # A server that is typed is meant.
    there = run("--server", anna.url, "--token", anna.key, "status", "-c", "tuesday.laager")
    assert "is not a campaign on a server" in there.err


def test_a_campaign_is_begun_on_the_server_and_played_alone(anna: Sitter) -> None:
    told = anna.well("new", "rzhavets")
    assert "/campaign/" in told
    assert "choose with --side axis or allied" in anna("status").err
    anna.well("next", "--defaults", "2")
    assert "purchases" in anna.well("status", "--side", "allied")
    address = told.split(": ", 1)[1].splitlines()[0]
    assert "axis is asked" in anna.well("status", "-c", address)
    anna.well("new", "rzhavets", "--seat", "umpire", "--days", "7", "--then", "sensible")
    (begun,) = Game.objects.exclude(pk=address.rsplit("/", 3)[1])
    agreed = anna.well("patience", "-c", str(begun.pk), "--json")
    assert json.loads(agreed) == {"days": 7, "then": "sensible", "late": []}
    assert "did you mean umpire?" in anna("new", "rzhavets", "--days", "7", "--then", "umpir").err
    assert "several campaigns" in anna("status").err
    assert "nonsense: this campaign file doesn't exist" in anna("status", "-c", "nonsense").err


def test_a_purchase_is_begun_and_made_on_the_server(anna: Sitter, tmp_path: Path) -> None:
    anna.well("new", "rzhavets")
    assert "is a campaign of pl, not a purchase" in anna("dyo", "buy").err
    assert "is a campaign of pl, not a purchase" in anna("dyo", "roster", "--side", "axis").err
    told = anna.well(
        "dyo", "new", "-m", "1944-09", "-p", "1000/900", "--axis", "german", "--allied", "russian",
        "--weather", "Clear", "-o", "vistula",
    )  # fmt: skip
    assert [path.name for path in tmp_path.glob("vistula*")] == ["vistula.yaml"]
    campaign = re.findall(r"next -c (\S+)", told)[0]
    assert "What Infantry do you buy?" in anna.well("dyo", "buy", "-c", campaign, stdin="q\n")
    assert "1000" in anna.well("dyo", "roster", "--side", "axis", "-c", campaign)
    refused = anna("dyo", "odds", "--side", "axis", "-c", campaign)
    assert (refused.code, "this needs a campaign in a file; on a server you can use" in refused.err) == (2, True)


def test_refused_answers_leave_what_was_given_before(game: Game, anna: Sitter, tmp_path: Path) -> None:
    text = "laager: answers/1\nanswers:\n  - {side: axis, for: agreements, answer: {balance: 7}}\n"
    (tmp_path / "bad.yaml").write_text(text)
    ended = anna("answer", "bad.yaml")
    assert ended.code == 1
    assert "bad.yaml:3" in ended.err
    (tmp_path / "other.yaml").write_text(text.replace("axis", "allied"))
    assert "you play axis" in anna("answer", "other.yaml").err
    two = "laager: answers/1\nanswers:\n  - {side: axis, for: agreements, default: true}\n"
    (tmp_path / "two.yaml").write_text(two + "  - {side: axis, for: nothing, answer: 1}\n")
    assert "1 of 2 answers were given; the next one was refused" in anna("answer", "two.yaml").err


# Tokens -------------------------------------------------------------------------------------------


def test_login_keeps_the_token_for_its_owner_alone(
    run: Run, live_server: LiveServer, people: People, game: Game, tmp_path: Path
) -> None:
    url, key = live_server.url, tokens.make(people.anna, "cli")
    assert "there is no token" in run("--server", url, "status").err
    wrong = run("login", url, stdin="laager_wrong\n")
    assert (wrong.code, "does not know your token" in wrong.err) == (1, True)
    assert "laager_wrong" not in wrong.text
    told = run("login", url, stdin=f"{key}\n")
    assert "you are anna" in told.out
    assert key not in told.text
    kept = tmp_path / "config" / "laager" / "servers.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "is asked" in run("--server", url, "status").out
    assert "is asked" in run("--server", f"{url}/", "status", "-c", str(game.pk)).out
    assert run("logout", url).code == 0
    assert "there is no token" in run("--server", url, "status").err
    assert run("logout", url).code == 1
    kept.write_text("nonsense")
    assert "cannot be read" in run("--server", url, "status").err


def test_a_bug_report_does_not_hold_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    from laager.cli import bugs

    for words in (["--token", "laager_secret", "status"], ["--token=laager_secret", "status"]):
        monkeypatch.setattr(sys, "argv", ["laager", *words])
        assert "laager_secret" not in bugs._details(ValueError("x"))


# What goes wrong on the way -----------------------------------------------------------------------


class Stranger(BaseHTTPRequestHandler):
    """A server that is no Laager server: it answers whatever it was told to."""

    def do_GET(self) -> None:
        status, kind, body = self.server.answer  # type: ignore[attr-defined]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Location", "https://elsewhere.example.org/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def stranger() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), Stranger)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((200, "text/html", b"<html>"), "does not answer as a Laager server"),
        ((200, "application/json", b"[" * 100_000), "does not answer as a Laager server"),
        ((302, "text/html", b""), "sends elsewhere"),
        ((500, "text/html", b"oops"), "does not answer as a Laager server"),
        ((404, "application/json", b'{"refused": "no-such"}'), "does not answer as"),
        ((409, "application/json", b'{"refused": "new-code", "text": "no"}'), "laager: no"),
        ((409, "application/json", b"[]"), "does not answer as a Laager server"),
        ((401, "application/json", b'{"refused": "log-in", "text": "x"}'), "does not know your"),
    ],
)  # fmt: skip
def test_strangers_are_told_from_servers(
    answer: tuple[int, str, bytes], said: str, stranger: HTTPServer, run: Run
) -> None:
    stranger.answer = answer  # type: ignore[attr-defined]
    url = f"http://127.0.0.1:{stranger.server_port}"
    ended = run("--server", url, "--token", "laager_k", "status")
    assert ended.code == 1
    assert said in ended.err
    assert "laager_k" not in ended.text
    assert "Traceback" not in ended.text


def test_a_server_that_is_not_there_is_told(run: Run) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ended = run("--server", f"http://127.0.0.1:{port}", "--token", "k", "status")
    assert (ended.code, "nothing answers" in ended.err) == (1, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--server", "laager.example.org", "status"], "isn't a server's address"),
        (["--server", "ftp://x", "status"], "isn't a server's address"),
        (["--server", "https://me:pw@x", "status"], "do not belong into the address"),
        (["--server", "http://x", "status", "-c", "http://y/campaign/z"], "name one of them"),
        (["new", "rzhavets", "--seat", "axis"], "--seat is for campaigns on a server"),
    ],
)
def test_wrong_use_is_told(words: list[str], said: str, run: Run) -> None:
    ended = run(*words)
    assert (ended.code, said in ended.err) == (2, True), ended


def test_tokens_that_are_none_never_leave(run: Run) -> None:
    ended = run("--server", "http://127.0.0.1:1", "--token", "a\nb", "status")
    assert "isn't a token" in ended.err


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("https://x.org/", "https://x.org"),
        ("http://127.0.0.1:8000/campaign/abc/axis/", "http://127.0.0.1:8000"),
        ("https://x.org/laager/api/v1/docs", "https://x.org/laager"),
    ],
)
def test_addresses_are_tidied(given: str, made: str) -> None:
    assert tidy_address(given) == made


# Forms made anew ----------------------------------------------------------------------------------

WORDS = st.text("abcxyz", min_size=1, max_size=4)
OPTIONS = st.lists(
    st.builds(Option, WORDS, WORDS, st.sampled_from(["", "gone"])), max_size=4,
    unique_by=lambda one: one.value,
).map(tuple)  # fmt: skip
LEAVES = st.one_of(
    st.just(YesNo()),
    st.builds(Number, st.integers(-5, 0), st.integers(1, 9)),
    st.builds(Choice, OPTIONS),
    st.builds(Several, OPTIONS, st.integers(0, 1), st.integers(1, 3)),
    st.just(Text()),
)
FIELDS = st.lists(
    st.builds(Part, WORDS, LEAVES, WORDS) | st.builds(Part, WORDS, LEAVES, WORDS, st.none()),
    max_size=3, unique_by=lambda one: one.name,
).map(tuple)  # fmt: skip
RECORDS = st.builds(Record, FIELDS)
FORMS = LEAVES | RECORDS | st.builds(Rows, RECORDS, st.integers(1, 5))


@tries(60)
@given(form=FORMS)
def test_a_form_made_anew_is_described_as_before(form: Any) -> None:
    told = json.loads(json.dumps(form.describe()))
    assert form_of(told).describe() == form.describe()
