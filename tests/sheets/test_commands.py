"""`laager sheet`: what there is, PDF on either paper, and what is said of wrong use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from laager.campaign.log import MemoryStore
from tests.cli.conftest import Laager

from .campaigns import played
from .reading import pages, sizes, whole


def stored(folder: Path, card: str) -> Path:
    """A campaign as its demo leaves it, in a file."""
    store = played(card).store
    assert isinstance(store, MemoryStore)
    path = folder / f"{card}.laager"
    path.write_bytes(store.data)
    return path


def test_the_list_names_what_can_be_printed(laager: Laager, tmp_path: Path) -> None:
    stored(tmp_path, "vistula")
    text = laager.well("sheet", "--list", "--side", "axis")
    assert "purchase-roster-axis  DYO Purchase Roster: German (axis)" in text
    assert "allied" not in text
    found = json.loads(laager.well("sheet", "--list", "--side", "axis", "--json"))
    assert found[-1] == {"id": "diary", "title": "War diary", "side": "", "kinds": ["pdf"]}


def test_all_sheets_into_one_file(laager: Laager, tmp_path: Path) -> None:
    stored(tmp_path, "vistula")
    assert laager.well("sheet", "--pdf", "all.pdf", "--side", "axis") == "printed: all.pdf\n"
    data = (tmp_path / "all.pdf").read_bytes()
    assert sizes(data) == {(595.3, 841.9)}
    assert pages(data)[0].startswith("DYO Purchase Roster: German (axis)")


def test_named_sheets_on_letter_in_german(laager: Laager, tmp_path: Path) -> None:
    path = stored(tmp_path, "rzhavets")
    words = ["--pdf", "a.PDF", "--paper", "letter", "--language", "de", "--json"]
    said = laager.well("sheet", "setup", "rules", *words, "-c", path, "--side", "allied")
    data = (tmp_path / "a.PDF").read_bytes()
    assert json.loads(said) == {"file": "a.PDF", "bytes": len(data)}
    assert sizes(data) == {(612.0, 792.0)}
    assert "Aufstellungsblatt:Sowjets" in whole(data)


def test_the_setup_sheet_at_the_terminal(laager: Laager, tmp_path: Path) -> None:
    stored(tmp_path, "rijnoord")
    text = laager.well("sheet", "setup", "--side", "axis")
    assert "Sets up first  British" in text
    rows = laager.well("sheet", "roster-axis", "--csv", "--side", "axis").splitlines()
    assert rows[0].startswith("CG Date,Scenario")


def test_rules_of_others_are_printed_too(evening: Laager, tmp_path: Path) -> None:
    evening.well("sheet", "wide", "points", "--pdf", "e.pdf")
    text = whole((tmp_path / "e.pdf").read_bytes())
    assert all(f"cell{i}" in text for i in range(30))
    assert "reference" in evening.well("sheet", "--list")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ("--pdf x.txt", 2, "x.txt does not end in .pdf; name the file such as sheets.pdf"),
        ("--pdf x.pdf --csv", 2, "--pdf and --csv don't go together; choose one"),
        ("--list --pdf x.pdf", 2, "--list and --pdf don't go together; choose one"),
        ("--list roster", 2, "--list and NAME don't go together; choose one"),
        ("--paper a4", 2, "--paper goes with --pdf FILE"),
        ("--language de", 2, "--language goes with --pdf FILE"),
        ("--pdf x.pdf --paper a5", 1, "there is no paper 'a5'; there are a4, letter"),
        ("--pdf x.pdf --language fr", 1, "there is no language 'fr'; there are en, de"),
        ("rostre --pdf x.pdf", 1, "there is no sheet 'rostre'"),
        ("diary", 1, "the sheet 'diary' comes as PDF only"),
    ],
)
def test_wrong_use(laager: Laager, tmp_path: Path, words: str, code: int, sentence: str) -> None:
    stored(tmp_path, "vistula")
    ended = laager("sheet", *words.split())
    assert ended.code == code
    assert ended.err.startswith(f"laager: {sentence}")
    assert not list(tmp_path.glob("x.*"))


def test_a_folder_that_is_not_there_is_named(laager: Laager, tmp_path: Path) -> None:
    stored(tmp_path, "vistula")
    ended = laager("sheet", "--pdf", "no/such/x.pdf")
    assert ended.code == 3
    assert "no/such/x.pdf: can't be written" in ended.err
