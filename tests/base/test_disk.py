"""Files on the disk: whole or not at all, and on Windows too."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from laager.base import RefusedError, disk
from laager.base.files import decode_text, read_document
from laager.campaign.engine import Campaign
from laager.campaign.log import FileStore
from laager.campaign.opening import opening_entries
from laager.rules.platoon_leader.ruleset import RULESET

from .windows import WindowsDisk, windows

__all__ = ["windows"]


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    disk.replace(path, b"one")
    disk.replace(path, b"two")
    assert path.read_bytes() == b"two"
    assert [one.name for one in tmp_path.iterdir()] == ["map.yaml"]


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "map.yaml"
    disk.replace(path, b"one")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        disk.replace(path, b"two")
    assert path.read_bytes() == b"one"
    assert [one.name for one in tmp_path.iterdir()] == ["map.yaml"]


def test_a_file_keeps_its_permissions_and_a_private_one_is_its_owners(tmp_path: Path) -> None:
    shared, secret = tmp_path / "shared", tmp_path / "secret"
    shared.write_bytes(b"")
    shared.chmod(0o640)
    secret.write_bytes(b"")
    secret.chmod(0o644)
    disk.replace(shared, b"x")
    disk.replace(secret, b"x", private=True)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o640
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert disk.open_to_others(shared)
    assert not disk.open_to_others(secret)


def test_a_campaign_begins_goes_on_and_opens_again_on_windows(tmp_path: Path, windows: WindowsDisk) -> None:
    made = RULESET.read_card(RULESET.shipped_cards()["training"], {})
    path = tmp_path / "training.laager"
    with FileStore(path) as store:
        store.create(opening_entries("pl", made.title, made.setting, True, bytes(32)))
        campaign = Campaign(store)
        (one, _) = campaign.advance()
        assert one.question is not None
        campaign.answer(one.side, one.key, one.question.default)
        entries = len(campaign.entries)
    with FileStore(path) as store:
        assert len(Campaign(store).entries) == entries


def test_a_file_that_a_scanner_has_open_is_replaced_a_moment_later(tmp_path: Path, windows: WindowsDisk) -> None:
    path = tmp_path / "map.yaml"
    windows.open_for["map.yaml"] = 3
    disk.replace(path, b"one")
    assert path.read_bytes() == b"one"
    assert windows.slept == [0.05, 0.2, 0.5]


def test_a_file_that_stays_open_is_refused_and_nothing_is_left_behind(tmp_path: Path, windows: WindowsDisk) -> None:
    path = tmp_path / "map.yaml"
    path.write_bytes(b"old")
    windows.open_for["map.yaml"] = 99
    with pytest.raises(PermissionError):
        disk.replace(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["map.yaml"]


@pytest.mark.parametrize(
    "name", ["con.laager", "NUL", "Aux.laager", "com1.laager", "a:b.laager", "what?.laager", "x. "]
)
def test_names_that_windows_keeps_are_refused_there(tmp_path: Path, windows: WindowsDisk, name: str) -> None:
    made = RULESET.read_card(RULESET.shipped_cards()["training"], {})
    with FileStore(tmp_path / name) as store, pytest.raises(RefusedError, match="Windows"):
        store.create(opening_entries("pl", made.title, made.setting, True, bytes(32)))


def test_a_path_that_is_too_long_for_windows_is_named(tmp_path: Path, windows: WindowsDisk) -> None:
    deep = tmp_path / ("campaigns-" * 12) / ("of-the-club-" * 10)
    deep.mkdir(parents=True)
    with pytest.raises(RefusedError, match="folder nearer to the drive"), FileStore(deep / "mill.laager"):
        pass
    assert not any(deep.iterdir())


@pytest.mark.parametrize("name", ["consul.laager", "evening.laager", "com.laager", ".laager", "Köln 1.laager"])
def test_ordinary_names_are_no_trouble_on_windows(windows: WindowsDisk, name: str) -> None:
    assert disk.unusable_name(name) == ""


def test_elsewhere_every_name_will_do() -> None:
    assert disk.unusable_name("con.laager") == ""


def test_permission_bits_say_nothing_on_windows(tmp_path: Path, windows: WindowsDisk) -> None:
    (tmp_path / "key").write_bytes(b"")
    assert not disk.open_to_others(tmp_path / "key")


@pytest.mark.parametrize(
    "data",
    [
        "a: Köln\nb: 2\n".encode(),
        "a: Köln\r\nb: 2\r\n".encode(),
        "a: Köln\r\nb: 2\r\n".encode("utf-8-sig"),
        "a: Köln\r\nb: 2\r\n".encode("utf-16"),
    ],
)
def test_files_of_windows_editors_and_shells_are_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.yaml"
    path.write_bytes(data)
    assert read_document(path).data == {"a": "Köln", "b": 2}
    assert decode_text(data) == "a: Köln\nb: 2\n"
