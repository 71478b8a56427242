"""Backups in a bucket: against a small server that speaks S3 (`buckets`), which refuses as a real one does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from laager.base import DataError, LaagerError, RefusedError
from laager.web.campaigns import tables
from laager.web.serving.backup.bucket import Bucket
from tests.web.buckets import BucketServer, bucket_server
from tests.web.conftest import seat, take_defaults
from tests.web.postgres import free_port
from tests.web.serving import database_of_tests, run_laager

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.conftest import Begin, People

SECRET = "a-secret-that-nobody-sees"
OLD = [f"laager/laager-2026-01-{day:02}T03-00-00Z.zip" for day in range(1, 6)]
MEBIBYTE = 2**20


@pytest.fixture
def server() -> Iterator[BucketServer]:
    with bucket_server() as started:
        yield started


@pytest.fixture
def keys(server: BucketServer) -> dict[str, str]:
    return {"AWS_ACCESS_KEY_ID": server.key, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_EC2_METADATA_DISABLED": "true"}


def _laager(data: Path, database: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return run_laager(data, database, *words, LAAGER_SECRET_KEY=settings.SECRET_KEY, **more)


@pytest.mark.django_db(transaction=True)
def test_a_backup_goes_into_a_bucket_and_comes_back(
    server: BucketServer, keys: dict[str, str], begin: Begin, people: People, tmp_path: Path, new_database: str
) -> None:
    game = begin()
    take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], 5)
    tables.SHELF.clear()
    server.buckets["club"] = dict.fromkeys([*OLD, "laager/holiday.zip", "other/laager-2020-01-01T03-00-00Z.zip"], b"")
    where = ("--endpoint", server.url)
    old = tmp_path / "old"
    words = ("backup", "s3://club/laager", "--keep", "3", "--json", *where)
    done = _laager(old, database_of_tests(), *words, **keys)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["good"]
    assert [f"laager/{name}" for name in sorted(report["removed"])] == OLD[:3]
    path = report["file"].removeprefix("s3://club/")
    assert set(server.buckets["club"]) == {
        *OLD[3:], path, "laager/holiday.zip", "other/laager-2020-01-01T03-00-00Z.zip",
    }  # fmt: skip
    assert len(server.buckets["club"][path]) == report["bytes"]
    checked = _laager(old, database_of_tests(), "serve", "--check").stdout
    assert f"good   the last good backup is of {report['made'][:10]}" in checked
    assert report["file"] in checked
    # A file isn't overwritten, and the folder is no backup.
    again = _laager(old, database_of_tests(), "backup", report["file"], *where, **keys)
    assert (again.returncode, again.stdout) == (1, "")
    assert f"{report['file']} exists already" in again.stderr
    folder = _laager(tmp_path / "data", new_database, "restore", "s3://club/laager/", *where, **keys)
    assert folder.returncode == 3
    assert f"s3://club/laager: this is a folder; the newest backup there is {report['file']}" in folder.stderr
    # The endpoint from the environment, as other programs take it.
    restored = _laager(
        tmp_path / "data", new_database, "restore", report["file"], "--json", AWS_ENDPOINT_URL=server.url, **keys
    )
    assert restored.returncode == 0, restored.stderr
    assert json.loads(restored.stdout) | {"file": "", "version": ""} == {
        **{"file": "", "version": "", "made": report["made"], "restored": True, "good": True, "problems": []},
        **{"people": 4, "campaigns": 1},
    }
    said = "".join(done.stdout + done.stderr + checked for done in (done, again, folder, restored))
    assert SECRET not in said + "".join(server.heads)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("address", "endpoint", "key", "says"),
    [
        ("s3://club/laager", "", "", "there are no keys for the bucket; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACC"),
        ("s3://club/laager", "", "wrong-key", "the keys don't open the bucket club at "),
        ("s3://none/laager", "", "club-key", "there is no bucket none at "),
        ("s3://club/laager", "http://127.0.0.1:{port}", "club-key", "can't be reached; look at the network and --endp"),
        ("s3://club/laager", "http://olga:pass-word-7@host", "club-key", "the endpoint isn't the address of a server"),
        ("s3://olga:pass-word-7@club/laager", "", "club-key", "this isn't the address of a bucket; write it as s3://"),
        ("s3:///laager", "", "club-key", "this isn't the address of a bucket"),
        ("folder", "", "club-key", "--endpoint is for backups in a bucket"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_made(
    address: str, endpoint: str, key: str, says: str, server: BucketServer, tmp_path: Path
) -> None:
    keys = {"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": SECRET} if key else {}
    endpoint = endpoint.format(port=free_port()) or server.url
    for command in ("backup", "restore"):
        words = (command, address, "--endpoint", endpoint)
        done = _laager(tmp_path / "data", database_of_tests(), *words, **keys)
        assert done.returncode in {1, 3}, done
        assert done.stdout == ""
        # In one line, however wide the terminal is.
        assert says in " ".join(done.stderr.split())
        assert not [secret for secret in (SECRET, "pass-word-7", "wrong-key") if secret in done.stderr]
    assert server.buckets == {"club": {}}


def test_large_files_go_in_parts_and_arrive_whole(
    server: BucketServer, keys: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in keys.items():
        monkeypatch.setenv(name, value)
    # What is typed goes before what is set.
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1")
    large, small, back = (tmp_path / name for name in ("large", "small", "back"))
    large.write_bytes(os.urandom(12 * MEBIBYTE))
    small.write_bytes(b"0123456789")
    bucket = Bucket.open("s3://club", server.url)
    bucket.upload(large, "large.zip")
    assert any("partNumber=3" in head for head in server.heads)
    Bucket.open("s3://club/large.zip", server.url).download(back)
    assert back.read_bytes() == large.read_bytes()
    server.loses = 3
    with pytest.raises(RefusedError, match=r"s3://club/small\.zip arrived incomplete"):
        bucket.upload(small, "small.zip")


def test_no_other_word_of_a_server_is_repeated(
    server: BucketServer, keys: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in keys.items():
        monkeypatch.setenv(name, value)
    bucket = Bucket.open("s3://club/a.zip", server.url)
    with pytest.raises(LaagerError) as err:
        bucket.download(tmp_path / "a.zip")
    assert str(err.value) == f"there is no file s3://club/a.zip at {server.url}; look into the bucket"
    assert err.value.__suppress_context__


def test_without_the_extra_it_says_what_to_install(keys: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "obstore.store", None)
    with pytest.raises(RefusedError, match=r"Backups in a bucket need a part of Laager.*laager\[s3\]"):
        Bucket.open("s3://club/laager", None, keys)
    with pytest.raises(DataError):
        Bucket.open("s3://club?laager", None, keys)
