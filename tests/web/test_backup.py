"""`laager backup` and `laager restore` as people run them: from the tests' database into a new one."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import zipfile
from contextlib import closing
from datetime import date
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

from laager.web.models import (
    Draft,
    EntryLine,
    ErrorPlace,
    Game,
    Note,
    OwnBoard,
    OwnFile,
    Player,
    SimulatedPart,
    Simulation,
    Throttle,
)
from laager.web.serving.backup import rows
from laager.web.serving.backup.archive import TableSummary, reading
from laager.web.serving.serve import NOT_SOUND
from laager.web.shared import tokens
from tests.web.conftest import seat, take_defaults
from tests.web.serving import LAAGER, PATIENCE, database_of_tests, environment, run_laager, serving

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

pytestmark = pytest.mark.django_db(transaction=True)

WORD = "quiet-river-9"
PHRASE = "nine quiet rivers run east"
NOT_KEPT = {"django_session", "web_throttle", "django_migrations"}
BYTES = bytes(range(256)) * 40


def _backup(data: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Back the tests' database up, with its key."""
    key = {"LAAGER_SECRET_KEY": settings.SECRET_KEY}
    return run_laager(data, database_of_tests(), "backup", *words, **(key | more))


def _well(ended: subprocess.CompletedProcess[str]) -> Any:
    assert ended.returncode == 0, ended
    return json.loads(ended.stdout) if ended.stdout.startswith("{") else ended.stdout


def _tables(data: Path, database: str) -> dict[str, list[str]]:
    """Return all rows of a database as they lie in it, by table."""
    found: dict[str, list[str]] = {}
    if not database or database.startswith("sqlite"):
        file = Path(database.removeprefix("sqlite:///")) if database else data / "laager.sqlite3"
        with closing(sqlite3.connect(file)) as opened:
            names = opened.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            for (name,) in names.fetchall():
                found[name] = sorted(map(repr, opened.execute(f'SELECT * FROM "{name}"')))
    else:
        with psycopg.connect(database) as server:
            tables = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
            for (name,) in tables:
                found[name] = sorted(map(repr, server.execute(f'SELECT * FROM "{name}"')))
    return {name: table for name, table in found.items() if name not in NOT_KEPT}


@pytest.fixture
def game(begin: Begin, people: People, settings: Any) -> Game:
    """A campaign under way, and something of all else that a server keeps."""
    # A server that runs knows this hash alone.
    settings.PASSWORD_HASHERS = ["laager.web.accounts.hashing.OneAtATime"]
    people.anna.set_password(WORD)
    people.anna.save()
    game = begin()
    take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], 12)
    Note.objects.create(game=game, seat="axis", by=people.anna, about="A1", text="Größe: 10 Züge\n\tand “more”")
    Draft.objects.create(game=game, seat="axis", asked="x" * 64, value={"b": [1, None, "ü"], "a": 2.5})
    OwnFile.objects.create(owner=people.bert, name="card.yaml", text="laager: card/1\n", before=["YQ=="])
    OwnBoard.objects.create(owner=people.bert, name="bd01", sha256="0" * 64, size=len(BYTES), data=BYTES)
    run = Simulation.objects.create(
        owner=people.cleo, title="ten", card="rzhavets", ruleset="pl", plan=BYTES, commanders={}, intensity="usual",
        campaigns=10, seconds=1.25,
    )  # fmt: skip
    SimulatedPart.objects.create(simulation=run, change=0, first=1, data=BYTES[:77])
    Throttle.objects.create(what="login", window=1, count=2)
    people.client(people.dora).get("/account/")
    assert Player.objects.get(pk=people.dora.pk).seen
    ErrorPlace.objects.create(place="laager.web:1", kind="ValueError", count=2, seen=date(2026, 5, 17))
    return game


@pytest.fixture
def token(people: People) -> str:
    return tokens.make(people.cleo, "verify")


def test_everything_comes_back_after_all_was_lost(
    game: Game, token: str, people: People, tmp_path: Path, new_database: str
) -> None:
    before = _tables(tmp_path, database_of_tests())
    assert all(
        before[f"web_{name}"] for name in ("entryline", "note", "draft", "ownboard", "simulatedpart", "apitoken")
    )
    report = _well(_backup(tmp_path / "old", "all.zip", "--json"))
    assert set(report) == {*("file", "bytes", "made", "people", "campaigns", "good", "problems", "key", "removed")}
    assert report["good"]
    assert (report["people"], report["campaigns"], report["key"]) == (4, 1, "apart")
    call_command("flush", verbosity=0, interactive=False)
    assert not Player.objects.exists()
    connections.close_all()

    data = tmp_path / "data"
    data.mkdir()
    (data / "secret-key").write_text(settings.SECRET_KEY)
    (data / "secret-key").chmod(0o600)
    restored = _well(run_laager(data, new_database, "restore", str(tmp_path / "all.zip"), "--json"))
    assert set(restored) == {*("file", "restored", "made", "version", "people", "campaigns", "good", "problems")}
    assert (restored["restored"], restored["good"], restored["campaigns"]) == (True, True, 1)
    assert _tables(data, new_database) == before
    with (
        serving(data, new_database, forked=True) as served,
        httpx.Client(base_url=served.url, follow_redirects=True) as visitor,
    ):
        page = visitor.get("/login/")
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        assert found
        visitor.post("/login/", data={"csrfmiddlewaretoken": found[1], "username": "anna", "password": WORD})
        page = visitor.get(f"/campaign/{game.pk}/axis/")
        assert page.status_code == 200
        assert page.url.path == f"/campaign/{game.pk}/axis/"
        proof = httpx.get(
            f"{served.url}/api/v1/campaigns/{game.pk}/umpire/verify", headers={"Authorization": f"Bearer {token}"}
        ).json()
        assert proof["sound"]


def test_a_restored_database_goes_on_counting(game: Game, tmp_path: Path, new_database: str) -> None:
    _well(_backup(tmp_path / "old", "all.zip"))
    data = tmp_path / "data"
    key = {"LAAGER_SECRET_KEY": settings.SECRET_KEY}
    _well(run_laager(data, new_database, "restore", "all.zip", **key))
    # A link for the owner is a new row.
    assert "/invitation/" in _well(run_laager(data, new_database, "serve", "--owner-link", **key))


def test_nothing_is_overwritten(game: Game, tmp_path: Path, new_database: str) -> None:
    _well(_backup(tmp_path / "old", "all.zip"))
    data = tmp_path / "data"
    key = {"LAAGER_SECRET_KEY": settings.SECRET_KEY}
    _well(run_laager(data, new_database, "restore", "all.zip", **key))
    before = _tables(data, new_database)
    again = run_laager(data, new_database, "restore", "all.zip", **key)
    assert (again.returncode, again.stdout) == (1, "")
    assert "this database isn't empty" in again.stderr
    assert _tables(data, new_database) == before
    twice = _backup(tmp_path / "old", "all.zip")
    assert twice.returncode == 1
    assert "all.zip exists already" in twice.stderr
    _well(_backup(tmp_path / "old", "all.zip", "--force"))


def _rewritten(source: Path, target: Path, name: str, old: bytes, new: bytes) -> None:
    """Copy a backup with other words in one of its parts."""
    with zipfile.ZipFile(source) as whole, zipfile.ZipFile(target, "w") as copy:
        for part in whole.namelist():
            content = whole.read(part)
            if part == name:
                assert old in content
                content = content.replace(old, new, 1)
            copy.writestr(part, content)


@pytest.mark.once
@pytest.mark.parametrize(
    ("part", "old", "new", "says"),
    [
        ("rows/web.player.jsonl", b"anna", b"anne", "the backup is damaged"),
        ("manifest.json", b"backup/1", b"backup/9", "this isn't a backup that this Laager can read"),
        ("manifest.json", b"web.entryline", b"web.entry", "this isn't a backup that this Laager can read"),
        ("manifest.json", b"0010_simulations", b"0999_news", "this one doesn't know all of it (web 0999_news)"),
    ],
)
def test_what_is_wrong_with_a_backup_is_said_and_nothing_is_restored(
    part: str, old: bytes, new: bytes, says: str, game: Game, tmp_path: Path, new_database: str
) -> None:
    _well(_backup(tmp_path / "old", "all.zip"))
    _rewritten(tmp_path / "all.zip", tmp_path / "bad.zip", part, old, new)
    data = tmp_path / "data"
    ended = run_laager(data, new_database, "restore", "bad.zip", LAAGER_SECRET_KEY=settings.SECRET_KEY)
    assert ended.returncode in (1, 3)
    assert ended.stdout == ""
    assert says in ended.stderr
    assert not (data / "laager.sqlite3").exists() or not _tables(data, "")
    assert not new_database or not _tables(data, new_database)


def test_a_row_that_the_database_refuses_leaves_it_empty(game: Game, tmp_path: Path, new_database: str) -> None:
    _well(_backup(tmp_path / "old", "all.zip"))
    with zipfile.ZipFile(tmp_path / "all.zip") as whole:
        note = whole.read("rows/web.note.jsonl")
    twice = note + note.splitlines(keepends=True)[1]
    _rewritten(tmp_path / "all.zip", tmp_path / "one.zip", "rows/web.note.jsonl", note, twice)
    table = TableSummary(rows=1, sha256=sha256(note).hexdigest())
    wrong = TableSummary(rows=2, sha256=sha256(twice).hexdigest())
    with reading(tmp_path / "one.zip") as archive:
        manifest = archive.manifest
    assert manifest.tables["web.note"] == table
    changed = manifest.model_copy(update={"tables": manifest.tables | {"web.note": wrong}})
    texts = [one.model_dump_json(indent=1).encode() for one in (manifest, changed)]
    _rewritten(tmp_path / "one.zip", tmp_path / "bad.zip", "manifest.json", *texts)
    data = tmp_path / "data"
    ended = run_laager(data, new_database, "restore", "bad.zip", LAAGER_SECRET_KEY=settings.SECRET_KEY)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert "web.note" in ended.stderr
    assert "the database doesn't take a row (IntegrityError)" in ended.stderr
    assert "Größe" not in ended.stderr
    assert not _tables(data, new_database)
    _well(run_laager(data, new_database, "restore", "all.zip", LAAGER_SECRET_KEY=settings.SECRET_KEY))


@pytest.mark.once
def test_without_its_key_a_campaign_is_restored_and_stays_closed(game: Game, tmp_path: Path, new_database: str) -> None:
    _well(_backup(tmp_path / "old", "all.zip"))
    data = tmp_path / "data"
    none = run_laager(data, new_database, "restore", "all.zip")
    assert none.returncode == 1
    assert "the server's key isn't in the backup, and there is none here" in none.stderr
    other = run_laager(data, new_database, "restore", "all.zip", LAAGER_SECRET_KEY="other" * 10)
    assert other.returncode == NOT_SOUND
    assert f"{game.pk}: its dice are sealed with a key that isn't here" in other.stdout
    keys = {"LAAGER_SECRET_KEY": "other" * 10, "LAAGER_OLD_SECRET_KEYS": settings.SECRET_KEY}
    assert run_laager(data, new_database, "restore", "all.zip", "--check", **keys).returncode == 0


def test_a_campaign_that_was_changed_in_the_database_is_named(game: Game, tmp_path: Path) -> None:
    line = EntryLine.objects.filter(game=game).order_by("-number")[0]
    EntryLine.objects.filter(pk=line.pk).update(line=line.line.replace('"at":"2', '"at":"1'))
    ended = _backup(tmp_path / "old", "all.zip")
    assert ended.returncode == NOT_SOUND
    assert f"{game.pk}: its log can't be read" in ended.stdout
    assert (tmp_path / "all.zip").exists()
    # It isn't a good backup.
    assert not (tmp_path / "old" / "last-backup.json").exists()


def test_a_backup_is_of_one_moment(game: Game) -> None:
    def write() -> None:
        Throttle.objects.create(what="meanwhile", window=1)
        connections.close_all()

    with rows.one_moment():
        before = Throttle.objects.count()
        writer = Thread(target=write)
        writer.start()
        writer.join(PATIENCE)
        assert not writer.is_alive()
        assert Throttle.objects.count() == before
    assert Throttle.objects.count() == before + 1


OLDER = """
import sys
from django.core.management import call_command
from laager.web.serving.config import wake_django
wake_django()
call_command("migrate", "web", "0005", verbosity=0)
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
state = MigrationExecutor(connection).loader.project_state([("web", "0005_zones_of_browsers")])
Player = state.apps.get_model("web", "Player")
olga = Player.objects.create(username="olga", email="olga@example.org", password="!")
Player.objects.filter(pk=olga.pk).update(date_joined="2020-01-02T03:04:05Z")
"""


def test_an_older_backup_is_brought_up_to_date(tmp_path: Path, new_database: str) -> None:
    old = tmp_path / "old"
    old.mkdir()
    (old / "secret-key").write_text("k" * 50)
    subprocess.run([sys.executable, "-c", OLDER], env=environment(old, ""), check=True, cwd=tmp_path)
    assert _well(run_laager(old, "", "backup", "old.zip", "--json"))["people"] == 1
    shutil.rmtree(old)
    data = tmp_path / "data"
    key = {"LAAGER_SECRET_KEY": "k" * 50}
    _well(run_laager(data, new_database, "restore", "old.zip", **key))
    checked = run_laager(data, new_database, "serve", "--check", **key)
    assert "the database is up to date" in checked.stdout
    assert "'olga@example.org'" in _tables(data, new_database)["web_player"][0]
    assert "2020" in _tables(data, new_database)["web_player"][0]
    assert connection.vendor != "sqlite" or "2020-01-02 03:04:05" in _tables(data, new_database)["web_player"][0]


def test_a_folder_without_a_database_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    ended = run_laager(tmp_path / "data", "", "backup", "x.zip")
    assert ended.returncode == 1
    assert "there is no database" in ended.stderr
    assert list((tmp_path / "data").iterdir()) == []
    ended = run_laager(tmp_path / "data", "", "backup", "nowhere")
    assert ended.returncode == 3
    assert "nowhere: this folder doesn't exist; make it first, or name a file that ends in .zip" in ended.stderr


# The key and the folder ---------------------------------------------------------------------------


@pytest.mark.once
def test_the_key_goes_along_behind_a_pass_phrase(game: Game, tmp_path: Path, new_database: str) -> None:
    (tmp_path / "phrase").write_text(PHRASE + "\n")
    report = _well(_backup(tmp_path / "old", "all.zip", "--json", "--passphrase", "phrase"))
    assert report["key"] == "inside"
    with zipfile.ZipFile(tmp_path / "all.zip") as whole:
        assert not [part for part in whole.namelist() if settings.SECRET_KEY.encode() in whole.read(part)]
    assert (tmp_path / "all.zip").stat().st_mode & 0o777 == 0o600
    data = tmp_path / "data"
    locked = run_laager(data, new_database, "restore", "all.zip")
    assert locked.returncode == 1
    assert "the server's key is in the backup, locked; unlock it with --passphrase FILE" in locked.stderr
    for phrase in (PHRASE + "s", "short"):
        (tmp_path / "wrong").write_text(phrase)
        wrong = run_laager(data, new_database, "restore", "all.zip", "--passphrase", "wrong")
        assert wrong.returncode == 1
        assert "this isn't the pass phrase of this backup" in wrong.stderr
    assert "the pass phrase is too short" in _backup(tmp_path / "old", "other.zip", "--passphrase", "wrong").stderr
    assert not (tmp_path / "other.zip").exists()
    assert not data.exists()
    _well(run_laager(data, new_database, "restore", "all.zip", "--passphrase", "phrase"))
    key = data / "secret-key"
    assert key.read_text() == settings.SECRET_KEY
    assert key.stat().st_mode & 0o777 == 0o600
    checked = run_laager(data, new_database, "serve", "--check")
    assert checked.returncode == 0, checked.stdout
    assert "sealed with a key" not in checked.stdout


@pytest.mark.once
def test_a_server_with_a_key_of_its_own_seals_the_dice_again(game: Game, tmp_path: Path, new_database: str) -> None:
    (tmp_path / "phrase").write_text(PHRASE)
    _well(_backup(tmp_path / "old", "all.zip", "--passphrase", "phrase"))
    data, own = tmp_path / "data", {"LAAGER_SECRET_KEY": "own" * 20}
    _well(run_laager(data, new_database, "restore", "all.zip", "--passphrase", "phrase", **own))
    assert not (data / "secret-key").exists()
    checked = run_laager(data, new_database, "serve", "--check", **own)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.once
def test_a_folder_keeps_the_newest_good_backups(game: Game, tmp_path: Path) -> None:
    folder, old = tmp_path / "backups", tmp_path / "old"
    folder.mkdir()
    names = [f"laager-2026-01-{day:02}T03-00-00Z.zip" for day in range(1, 6)]
    for name in (*names, "laager-before.zip", "holiday.zip"):
        (folder / name).write_bytes(b"")
    report = _well(_backup(old, str(folder), "--keep", "3", "--json"))
    assert sorted(report["removed"]) == names[:3]
    kept = {path.name for path in folder.iterdir()}
    assert kept == {*names[3:], "laager-before.zip", "holiday.zip", Path(report["file"]).name}
    # The campaign is broken: nothing older goes.
    EntryLine.objects.filter(game=game, number=3).delete()
    time.sleep(1.1)
    assert _backup(old, str(folder), "--keep", "1").returncode == NOT_SOUND
    assert {path.name for path in folder.iterdir()} > kept
    ended = _backup(old, "one.zip", "--keep", "3")
    assert ended.returncode == 1
    assert "--keep can't remove older backups beside one.zip; name a folder" in ended.stderr


@pytest.mark.once
def test_check_says_when_the_last_good_backup_was(game: Game, tmp_path: Path) -> None:
    def check() -> str:
        return run_laager(old, database_of_tests(), "serve", "--check", LAAGER_SECRET_KEY=settings.SECRET_KEY).stdout

    old = tmp_path / "old"
    assert "hint   no backup was made here yet" in check()
    _well(_backup(old, "all.zip"))
    assert "good   the last good backup is of 20" in check()
    note = old / "last-backup.json"
    last = json.loads(note.read_text())
    note.write_text(json.dumps(last | {"made": "2026-01-01T00:00:00Z"}))
    assert "hint   the last good backup is of 2026-01-01 00:00 UTC" in check()
    note.write_text(json.dumps(last))
    (tmp_path / "all.zip").unlink()
    assert "which isn't there any more; make another if it lies nowhere else" in check()


def test_a_backup_moves_between_the_two_databases(game: Game, tmp_path: Path, new_database: str) -> None:
    """From the tests' database to SQLite, and from there to a new one of the tests' kind."""
    before = _tables(tmp_path, database_of_tests())
    key = {"LAAGER_SECRET_KEY": settings.SECRET_KEY}
    _well(_backup(tmp_path / "old", "first.zip"))
    middle = tmp_path / "middle"
    _well(run_laager(middle, "", "restore", "first.zip", **key))
    _well(run_laager(middle, "", "backup", "second.zip", **key))
    with zipfile.ZipFile(tmp_path / "first.zip") as first, zipfile.ZipFile(tmp_path / "second.zip") as second:
        for part in first.namelist():
            if part.startswith("rows/"):
                assert sorted(first.read(part).splitlines()) == sorted(second.read(part).splitlines())
    data = tmp_path / "data"
    _well(run_laager(data, new_database, "restore", "second.zip", **key))
    assert _tables(data, new_database) == before
    assert "/invitation/" in _well(run_laager(data, new_database, "serve", "--owner-link", **key))


@pytest.mark.once
def test_a_backup_counts_also_where_it_cannot_be_noted(game: Game, tmp_path: Path) -> None:
    (tmp_path / "old").write_text("a file where the data folder should be")
    ended = _backup(tmp_path / "old", "all.zip")
    assert ended.returncode == 0, ended
    assert "all.zip: 4 people, 1 campaign (" in ended.stdout
    assert "The data folder can't be written: laager serve --check won't know of this backup." in ended.stdout


@pytest.mark.once
def test_an_older_backup_stays_as_it_is_when_the_disk_is_full(game: Game, tmp_path: Path) -> None:
    _well(_backup(tmp_path / "old", "all.zip"))
    before = (tmp_path / "all.zip").read_bytes()
    # A file may have two blocks of 512 bytes: the backup needs more.
    limited = ["sh", "-c", 'ulimit -f 2; trap "" XFSZ; exec "$0" "$@"', str(LAAGER)]
    ended = subprocess.run(
        [*limited, "backup", "all.zip", "--force"],
        env=environment(tmp_path / "old", database_of_tests(), LAAGER_SECRET_KEY=settings.SECRET_KEY),
        capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert ended.returncode == 3, ended
    assert "all.zip: can't be written (File too large)" in ended.stderr
    assert (tmp_path / "all.zip").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
