"""`laager vasl labels`: a campaign's numbers in a save, and for whose eyes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from laager.vasl import GAME, Archive, unveil

from ..vasl.save_writer import Counter, board, game, hidden, save_bytes
from .conftest import Laager

AGREED = """laager: answers/1
answers:
  - {side: axis, for: agreements, default: true}
  - {side: allied, for: agreements, default: true}
"""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Campaigns in their first purchase, by name: made once."""
    return {}


@pytest.fixture
def table(laager: Laager, begun: dict[str, bytes]) -> Laager:
    """A folder with a HASL campaign in its first purchase, and a save."""
    path = laager.folder / "r.laager"
    if not begun:
        laager.well("new", "rijnoord", "--file", "r.laager")
        (laager.folder / "a.yaml").write_text(AGREED)
        laager.well("answer", "a.yaml")
        begun["r"] = path.read_bytes()
    path.write_bytes(begun["r"])
    squad = Counter("1", "4-6-7 1sq", [hidden("hush hush")], at=(900, 900))
    data = save_bytes(game(squad.command(), boards=board(0, 0, "01")))
    (laager.folder / "g.vsav").write_bytes(data)
    return laager


def text_of(path: Path) -> str:
    return unveil(Archive(path.read_bytes(), path.name).read(GAME))[0]


def labels(laager: Laager, *words: str) -> dict[str, list[str]]:
    told: dict[str, Any] = json.loads(laager.well("vasl", "labels", "g.vsav", "--json", *words))
    return {one["topic"]: one["lines"] for one in told["labels"]}


def lines(found: dict[str, list[str]]) -> set[str]:
    return {line for own in found.values() for line in own}


def test_the_numbers_are_those_of_headline_and_roster(table: Laager) -> None:
    found = labels(table, "--side", "axis")
    status = json.loads(table.well("status", "--side", "axis", "--json"))
    roster = json.loads(table.well("sheet", "roster", "--side", "axis", "--json"))
    mine, theirs = roster if isinstance(roster, list) else roster["sheets"]
    assert found["campaign"] == status["headline"]
    last = mine["rows"][-1]
    assert found["ratings-axis"] == [f"ELR {last['ELR']}, SAN {last['SAN']}", *mine["notes"]]
    assert any(line.startswith("CPP ") for line in found["ratings-axis"])
    other = theirs["rows"][-1]
    assert found["ratings-allied"] == [f"ELR {other['ELR']}, SAN {other['SAN']}"]
    assert any(line.startswith("Setup Area ") for line in found["setup-axis"])
    assert not any("setup-allied" in topic for topic in found)


def test_points_and_setup_are_for_the_side_that_asks(table: Laager) -> None:
    common, axis = lines(labels(table)), lines(labels(table, "--side", "axis"))
    allied = lines(labels(table, "--side", "allied"))
    assert common < axis & allied | common
    assert not any("CPP" in line or "Setup Area" in line for line in common)
    secret = {line for line in axis if line.startswith("Setup Area")}
    assert secret
    assert secret.isdisjoint(allied | common)


def test_the_file_for_the_other_side_holds_no_secret(table: Laager) -> None:
    table.well("vasl", "labels", "g.vsav", "--side", "axis", "--in-place")
    path = table.folder / "g.vsav"
    assert "Setup Area" in text_of(path)
    out = table.well("vasl", "labels", "g.vsav", "--in-place")
    assert "1 renewed" in out
    assert "1 taken out" in out
    text = text_of(path)
    assert "Setup Area" not in text
    assert "CPP" not in text
    assert "ELR 3, SAN 3" in text


def test_a_side_has_to_be_named_each_time(table: Laager) -> None:
    told = table.well("vasl", "labels", "g.vsav", "--out", "b.vsav", LAAGER_SIDE="axis")
    assert "CPP" not in told
    assert "CPP" not in text_of(table.folder / "b.vsav")


def test_whoever_labels_for_a_side_is_warned(table: Laager) -> None:
    told = table.well("vasl", "labels", "g.vsav", "--side", "axis", "--out", "mine.vsav")
    assert "written: mine.vsav (labels: 5 new)" in told
    assert "anyone who opens the save can read" in " ".join(told.split())
    assert "hush" not in told
    assert "laager:label" not in text_of(table.folder / "g.vsav"), "the save itself is as it was"
    assert "anyone who opens" not in table.well("vasl", "labels", "g.vsav", "--out", "both.vsav")


def test_without_a_file_to_write_labels_are_shown(table: Laager) -> None:
    before = (table.folder / "g.vsav").read_bytes()
    told = table.well("vasl", "labels", "g.vsav")
    assert "nothing is written without --out FILE or --in-place" in told
    assert (table.folder / "g.vsav").read_bytes() == before
    assert {one.name for one in table.folder.iterdir()} >= {"g.vsav", "r.laager"}


def test_in_place_keeps_the_file_if_nothing_is_new(table: Laager) -> None:
    table.well("vasl", "labels", "g.vsav", "--in-place")
    path = table.folder / "g.vsav"
    before = path.stat().st_mtime_ns, path.read_bytes()
    table.well("vasl", "labels", "g.vsav", "--in-place")
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before
    table.well("vasl", "labels", "g.vsav", "--remove", "--in-place")
    assert "laager:label" not in text_of(path)
    assert not list(table.folder.glob(".g.vsav*")), "no scratch file stays"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("g.vsav", "--side", "allies"), "there is no side 'allies'"),
        (("g.vsav", "--side", "umpire"), "there is no side 'umpire'"),
        (("g.vsav", "--out", "r.laager"), "already exists"),
        (("g.vsav", "--out", "x.vsav", "--in-place"), "don't go together"),
        (("none.vsav",), "no such file"),
        (("r.laager",), "is not a ZIP archive"),
        (("g.vsav", "--out", "no/such/folder.vsav"), "be written"),
    ],
)
def test_what_will_not_do(table: Laager, words: tuple[str, ...], said: str) -> None:
    before = (table.folder / "r.laager").read_bytes()
    ended = table("vasl", "labels", *words)
    assert ended.code != 0
    assert said in ended.err
    assert "Traceback" not in ended.err
    assert (table.folder / "r.laager").read_bytes() == before
    assert not (table.folder / "x.vsav").exists()


def test_platoon_leader_and_a_purchase(laager: Laager) -> None:
    data = save_bytes(game())
    (laager.folder / "g.vsav").write_bytes(data)
    laager.well("new", "rzhavets", "--file", "p.laager")
    found = labels(laager, "--side", "allied", "--campaign", "p.laager")
    assert any(line.startswith("CP ") for line in found["ratings-allied"])
    assert "setup-allied" in found
    common = lines(labels(laager, "--campaign", "p.laager"))
    assert not any(line.startswith("CP ") for line in common)
    laager.well("new", "vistula", "--file", "d.laager")
    assert "campaign" in labels(laager, "--campaign", "d.laager", "--side", "axis")
