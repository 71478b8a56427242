"""Upgrading a server: a database as an earlier Laager left it, then this one starts, and every campaign verifies.

`upgrades/server-0010.zip` is a backup that the Laager of migration 0010 made, the first that could. Three people had
played four campaigns there, each of another rule system, for 20 to 40 answers.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from django.db.migrations.loader import MigrationLoader

from laager.web.serving.backup.archive import reading
from tests.web.serving import PATIENCE, environment, run_laager, serving

if TYPE_CHECKING:
    from laager.web.serving.backup.archive import OpenBackup

OLD = Path(__file__).parent / "upgrades" / "server-0010.zip"
KEY = {"LAAGER_SECRET_KEY": "the key of a server that was upgraded, fifty letters"}
FILL = """
import sys
from pathlib import Path
from laager.web.serving.config import wake_django
wake_django()
from laager.web.serving.backup import rows
from laager.web.serving.backup.archive import reading
with reading(Path(sys.argv[1])) as archive:
    rows.load(archive)
"""
"""Makes the old database: its tables by the migrations that the old Laager had, and its rows."""
NEWER = """
from laager.web.serving.config import wake_django
wake_django()
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
MigrationRecorder(connection).record_applied("web", "9999_better")
"""
"""Lets a database say that a newer Laager has brought it up to date."""

pytestmark = pytest.mark.django_db


def games_of(archive: OpenBackup) -> dict[str, str]:
    """Return the campaigns in a backup: title by id."""
    columns = archive.columns("web.game")
    return {row[columns.index("id")]: row[columns.index("title")] for row in archive.rows("web.game")}


def test_a_server_of_an_earlier_laager_goes_on(tmp_path: Path, new_database: str) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with reading(OLD) as archive:
        had = set(archive.manifest.migrations)
        games = games_of(archive)
    assert len(games) == 4
    assert any(key not in had for key in MigrationLoader(None).graph.nodes if key[0] == "web")
    subprocess.run(
        [sys.executable, "-c", FILL, str(OLD)],
        env=environment(data, new_database, **KEY), check=True, timeout=PATIENCE, cwd=tmp_path,
    )  # fmt: skip
    before = run_laager(data, new_database, "serve", "--check", **KEY)
    assert re.search(r"\d+ migrations are missing", before.stdout), before

    with (
        serving(data, new_database, forked=True, **KEY) as served,
        httpx.Client(base_url=served.url, timeout=PATIENCE) as anna,
    ):
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', anna.get("/login/").text)
        assert token
        sent = {"csrfmiddlewaretoken": token[1], "username": "anna", "password": "anna-secret-word"}
        assert anna.post("/login/", data=sent).status_code == 302
        home = anna.get("/").text
        for game, title in games.items():
            assert title in home
            assert anna.get(f"/campaign/{game}/axis/").status_code == 200
        assert "Hold the mill" in "".join(anna.get(f"/campaign/{game}/axis/notes").text for game in games)
        # The one who owned the server still does.
        assert anna.get("/host/").status_code == 200
    assert not [line for line in served.logs if line["level"] == "error"]

    after = run_laager(data, new_database, "serve", "--check", **KEY)
    assert "the database is up to date" in after.stdout
    saved = run_laager(data, new_database, "backup", "upgraded.zip", "--json", **KEY)
    assert saved.returncode == 0, saved
    report = json.loads(saved.stdout)
    assert (report["good"], report["campaigns"], report["people"], report["problems"]) == (True, 4, 3, [])
    with reading(OLD) as old, reading(tmp_path / "upgraded.zip") as new:
        # Not a byte of a log has changed.
        assert list(new.rows("web.entryline")) == list(old.rows("web.entryline"))


def test_an_older_laager_does_not_start_on_a_newer_database(tmp_path: Path, new_database: str) -> None:
    data = tmp_path / "data"
    assert run_laager(data, new_database, "serve", "--owner-link", **KEY).returncode == 0
    subprocess.run(
        [sys.executable, "-c", NEWER],
        env=environment(data, new_database, **KEY), check=True, timeout=PATIENCE, cwd=tmp_path,
    )  # fmt: skip
    refused = run_laager(data, new_database, "serve", "--owner-link", **KEY)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "a newer Laager made this database (web 9999_better)" in refused.stderr
