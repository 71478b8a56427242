"""`laager vasl module` and `laager vasl setup` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from laager.campaign.log import FileStore
from laager.vasl.saves.save import read_save

from ..vasl.fields import CODE, board_under, first_battle
from ..vasl.module_writer import small
from .conftest import Laager

SETUP = ("vasl", "setup", "--module", "counters.gz", "--layout", CODE, "--boards", ".")


@pytest.fixture
def table(laager: Laager) -> Laager:
    """A folder with a campaign whose battle is set up, the board under its map, and counters."""
    campaign = first_battle("rzhavets")
    with FileStore(laager.folder / "r.laager") as store:
        store.create(campaign.entries)
    board_under(campaign, laager.folder)
    small().write(laager.folder / "VASL.vmod")
    laager.well("vasl", "module", "VASL.vmod")
    return laager


def pieces(path: Path) -> dict[str, str]:
    return {piece.id: piece.shown for piece in read_save(path).pieces}


def test_a_module_becomes_a_small_file(laager: Laager) -> None:
    small().write(laager.folder / "VASL.vmod")
    assert laager.well("vasl", "module", "VASL.vmod") == "written: counters.gz (VASL 9.9, 9 counters)\n"
    told = json.loads(laager.well("vasl", "module", "VASL.vmod", "--force", "--json"))
    assert told["counters"] == 9
    assert told["bytes"] == (laager.folder / "counters.gz").stat().st_size


def test_a_side_gets_what_it_may_know_and_is_told_what_to_hide(table: Laager) -> None:
    told = table.well(*SETUP, "--side", "axis", "-o", "axis.vsav")
    assert "In VASL, hide" in told
    assert "alone may know" in told
    table.well(*SETUP, "-o", "open.vsav")
    public, own = (pieces(table.folder / name) for name in ("open.vsav", "axis.vsav"))
    assert public.items() < own.items()


def test_a_battle_that_nobody_has_set_up_is_said_to_be_none(table: Laager) -> None:
    assert "Nothing is set up yet" not in table.well(*SETUP, "-o", "open.vsav")
    table.well("new", "rzhavets", "--file", "new.laager")
    words = (*SETUP, "-c", "new.laager", "-o", "new.vsav")
    assert "Nothing is set up yet: there is no unit that both sides may know." in " ".join(table.well(*words).split())
    assert json.loads(table.well(*words, "-s", "axis", "--json", "--force"))["units"] is False


def test_what_the_module_lacks_is_listed(table: Laager) -> None:
    told = json.loads(table.well(*SETUP, "-s", "allied", "-o", "a.vsav", "--json"))
    assert {"instead": "a counter with its name"}.items() <= told["missing"][0].items()
    assert told["pieces"] == len(pieces(table.folder / "a.vsav"))


def test_the_second_side_adds_its_own(table: Laager) -> None:
    for side in ("axis", "allied"):
        table.well(*SETUP, "-s", side, "-o", f"{side}.vsav")
    told = json.loads(table.well(*SETUP, "-s", "allied", "--into", "axis.vsav", "-o", "both.vsav", "--json"))
    axis, allied, both = (pieces(table.folder / f"{name}.vsav") for name in ("axis", "allied", "both"))
    assert both == axis | allied
    assert told["pieces"] == len(both) - len(axis)
    assert told["there_already"] == len(allied) - told["pieces"]
    again = json.loads(table.well(*SETUP, "-s", "allied", "--into", "both.vsav", "-o", "same.vsav", "--json"))
    assert again["pieces"] == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-s", "axis", "--into", "x.vsav", "-o", "a.vlog"), "leave --into out"),
        (("-o", "a.vlog"), "name it with --side"),
        (("--into", "x.vsav", "-o", "a.vsav"), "name it with --side"),
        (("-s", "nobody", "-o", "a.vsav"), "there is no side"),
        (("-s", "axis", "-o", "r.laager"), "already exists"),
    ],
)
def test_wrong_words_are_refused(table: Laager, words: tuple[str, ...], told: str) -> None:
    ended = table(*SETUP, *words)
    assert ended.code != 0
    assert told in ended.text


def test_a_map_without_boards_asks_for_the_layout(table: Laager) -> None:
    told = table("vasl", "setup", "--module", "counters.gz", "-o", "a.vsav")
    assert "was not made from VASL's boards" in told.err
    assert "laager vasl board -o boards/bdMine" in " ".join(told.err.split())
    table.well("vasl", "board", "-o", "bdMine")
    table.well("vasl", "setup", "--module", "counters.gz", "--layout", "Mine", "--boards", ".", "-o", "a.vsav")
    assert (table.folder / "a.vsav").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--boards", "."), "there is no board '999'; the boards are ours"),
        ((), "--layout compares the boards with the map: name their folder with --boards"),
    ],
)
def test_no_file_is_made_on_a_board_that_is_not_there(table: Laager, words: tuple[str, ...], told: str) -> None:
    ended = table("vasl", "setup", "--module", "counters.gz", "--layout", "999", "-o", "a.vsav", *words)
    assert ended.code != 0
    assert told in " ".join(ended.err.split())
    assert not (table.folder / "a.vsav").exists()
