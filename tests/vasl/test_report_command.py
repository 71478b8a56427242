"""From a save to the next purchase, by the command line: Platoon Leader and ABtF on own boards."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE
from laager.campaign.log import FileStore
from laager.campaign.views import view
from tests.cli.conftest import Laager, laager

from . import board_writer as w
from .battle_saves import PASSWORDS, Battle, as_recorded
from .board_writer import Draft
from .save_writer import board

__all__ = ["laager"]

CARDS = Path(__file__).parents[1]
PL = CARDS / "platoon_leader" / "cards"
ABTF = CARDS / "bridge_too_far" / "cards"
HEX = re.compile(r"\b([A-M][0-9]{1,2})\b")


def numbered(text: str) -> str:
    """Return a card's text with board 20 before the hexes of its own lines about them."""
    found = []
    for line in text.splitlines():
        if line.startswith("tvp:"):
            found.append(HEX.sub(r'"20\1"', line))
        elif line.strip().startswith("setup:"):
            found.append(re.sub(r"([A-M][0-9]+)-([A-M][0-9]+)", r'"20\1-20\2"', line))
        else:
            found.append(line)
    return "\n".join(found) + "\n"


def firefight(laager: Laager) -> Path:
    """Import a board, begin a campaign on it, and play until the battle is to be reported; nobody buys anything."""
    boards = laager.folder / "boards"
    boards.mkdir()
    draft = Draft("20", columns=14, rows=10)
    for name in ("C4", "C8", "G2", "K4", "K9"):
        draft.box(name, w.WOODEN, half=14)
    for name in ("L1", "L2"):
        draft.fill(name, w.WOODS)
    draft.write(boards)
    laager.well("vasl", "import", boards / "bd20", "-o", laager.folder / "walkthrough-map.yaml")
    card = laager.folder / "card.yaml"
    card.write_text(numbered((PL / "walkthrough.yaml").read_text("utf-8")), "utf-8")
    laager.well("new", card, "--file", laager.folder / "own.laager")
    until(laager, "battle-report", "axis", "allied")
    return boards


def town(laager: Laager) -> Path:
    """Import a board of a historical map, add what its owner marks, and play until the report."""
    boards = laager.folder / "boards"
    boards.mkdir()
    Draft("AR", columns=36, rows=23).write(boards)
    map_ = laager.folder / "arnhem-map.yaml"
    laager.well("vasl", "import", boards / "bdAR", "-o", map_)
    yaml = YAML(typ="safe")
    made, own = yaml.load(map_), yaml.load(ABTF / "arnhem-map.yaml")
    assert made["source"] == "imported"
    for part in ("terrain", "roads", "buildings", "block_names", "entry_areas"):
        made[part] = own[part]
    yaml.dump(made, map_)
    for name in ("arnhem.yaml", "arnhem-charts.yaml", "arnhem-tables.yaml"):
        (laager.folder / name).write_text((ABTF / name).read_text("utf-8"), "utf-8")
    laager.well("new", laager.folder / "arnhem.yaml", "--file", laager.folder / "own.laager")
    until(laager, "scenario-report")
    return boards


def until(laager: Laager, key: str, *thrifty: str) -> None:
    """Take all proposals until a question is asked, but sides that are thrifty buy nothing."""
    file = laager.folder / "answers.yaml"
    lines = [f"  - {{side: {side}, for: purchases, answer: {{groups: []}}}}\n" for side in thrifty]
    file.write_text(f"laager: answers/1\nanswers:\n{''.join(lines)}  - {{until: {key}}}\n", "utf-8")
    laager.well("answer", file, "-c", laager.folder / "own.laager")


def state(laager: Laager) -> Any:
    with FileStore(laager.folder / "own.laager") as store:
        return view(Campaign(store), UMPIRE).state


def asked(laager: Laager) -> list[tuple[str, str]]:
    with FileStore(laager.folder / "own.laager") as store:
        return [(one.side, one.key) for one in view(Campaign(store), UMPIRE).pending]


def squads(laager: Laager, side: str) -> list[Any]:
    found = state(laager).units_of(side, "squad")
    return [unit for unit in found if unit.on_map and not unit.has("hip")]


def written(laager: Laager, code: str, rows: int, *gone: str, prefix: str = "") -> Battle:
    """Return the battle as it is recorded without some units, their hexes by the board."""
    units = [unit for unit in state(laager).units.values() if unit.on_map and unit.id not in gone]
    units = [unit.but(at=unit.at.removeprefix(prefix).split(".")[0]) for unit in units]
    return as_recorded(units, code, rows)


def save(laager: Laager, found: Battle, name: str = "game.vsav") -> Path:
    path = laager.folder / name
    path.write_bytes(found.save(board(0, 0, found.code)))
    return path


def without_passwords(*texts: str) -> None:
    for password in PASSWORDS.values():
        assert not any(password in text for text in texts)


def test_a_firefight_of_platoon_leader_goes_from_the_save_to_the_next_purchase(laager: Laager) -> None:
    boards = firefight(laager)
    lost, *_ = squads(laager, "axis")
    found = written(laager, "20", 10, lost.id, prefix="20")
    found.put("C8", found.marker("GE Control", "ge"), pile=8)
    path = save(laager, found)
    words = ("report", "--side", "axis", "--from-vasl", path, "--boards", boards)
    campaign = ("-c", laager.folder / "own.laager")

    ended = laager(*words, *campaign)
    assert ended.code != 0
    assert "Not found in the save:" in ended.out
    assert "=as-recorded is proposed" in ended.out
    assert "to be settled; nothing was given" in ended.err
    assert ("axis", "battle-report") in asked(laager)

    shown = json.loads(laager.well(*words, *campaign, "--json"))
    assert shown["settled"] is False
    template = laager.well(*words, *campaign, "--template")
    # Which of the squads alike is the one that is gone makes no difference.
    (missing,) = [one["key"] for one in shown["not_found"] if one["what"].startswith(lost.type)]
    assert f"#   {lost.type} ({missing.removeprefix('unit:')})" in template
    choices = [
        f"{one['key']}={one['taken'] if one['taken'] != 'as-recorded' else 'eliminated'}"
        for part in ("to_confirm", "unknown", "not_found")
        for one in shown[part]
    ]
    given = laager.well(*words, *campaign, *(word for one in choices for word in ("--choose", one)))
    assert "the report is given" in given
    assert ("axis", "battle-report") not in asked(laager)

    other = laager.well("report", "--side", "allied", "--from-vasl", path, *words[-2:], *campaign)
    without_passwords(ended.text, template, json.dumps(shown), given, other)
    gone = state(laager).units[missing.removeprefix("unit:")]
    assert (gone.type, gone.place) == (lost.type, "eliminated")
    assert state(laager).ground.control["20C8"] == "axis"
    until(laager, "purchases")
    assert state(laager).number == 2
    assert laager("verify", *campaign).code == 0
    text = (laager.folder / "own.laager").read_text("utf-8")
    without_passwords(text)


def test_a_template_from_a_save_can_be_given_as_a_report(laager: Laager) -> None:
    boards = firefight(laager)
    path = save(laager, written(laager, "20", 10, prefix="20"), "log.vlog")
    words = ("--side", "axis", "-c", laager.folder / "own.laager")
    made = laager.well("report", *words, "--from-vasl", path, "--boards", boards, "--template")
    file = laager.folder / "axis.yaml"
    file.write_text(made, "utf-8")
    laager.well("report", file, *words)
    assert asked(laager) == [("allied", "battle-report")]


def test_a_scenario_of_a_bridge_too_far_goes_from_the_save_to_the_next_purchase(laager: Laager) -> None:
    boards = town(laager)
    lost, *_ = squads(laager, "allied")
    found = written(laager, "AR", 23)
    found.put("I2", found.marker("BR Control", "br"), pile=8)
    found.put("H3", found.marker("Flame"), pile=8)
    there = found.stacks[lost.at.split(".")[0], 0]
    (piece, *_) = [one for one in there if one.name.startswith(lost.type)]
    there.remove(piece)
    found.put("", found.counter(piece.name, code="br", map_="Casualties"), pile=99)
    path = save(laager, Battle(found.code, found.rows, {k: v for k, v in found.stacks.items() if v}))
    campaign = ("-c", laager.folder / "own.laager")
    texts = []
    for side in ("axis", "allied"):
        words = ("report", "--side", side, "--from-vasl", path, "--boards", boards, *campaign)
        shown = json.loads(laager.well(*words, "--json"))
        choices = [
            f"{one['key']}={one['taken']}" for part in ("to_confirm", "unknown", "not_found") for one in shown[part]
        ]
        given = laager.well(*words, *(word for one in choices for word in ("--choose", one)))
        assert "the report is given" in given
        texts += [given, json.dumps(shown)]
    dead = [unit for unit in state(laager).units.values() if unit.place == "eliminated"]
    assert [unit.type for unit in dead] == [lost.type]
    ((side, key),) = asked(laager)
    assert key == "ground-report"
    ground = ("report", "--side", side, "--from-vasl", path, "--boards", boards, *campaign)
    texts.append(laager.well(*ground))
    assert [key for _, key in asked(laager)] == ["ground-report-agreed"]
    told = laager.well("status", *campaign)
    assert "The other side says: I2 is Controlled by British; flame in H3. Is that right?" in told
    without_passwords(*texts, told)
    until(laager, "purchases")
    assert state(laager).ground.control["I2"] == "allied"
    assert laager("verify", *campaign).code == 0


# What is wrong, and where -------------------------------------------------------------------------


@pytest.fixture
def battle(laager: Laager) -> tuple[Laager, Path]:
    boards = firefight(laager)
    return laager, boards


def test_wrong_use_and_wrong_files(battle: tuple[Laager, Path]) -> None:
    laager, boards = battle
    campaign = ("-c", laager.folder / "own.laager")
    path = save(laager, written(laager, "20", 10, prefix="20"))
    alone = ("report", *campaign, "--from-vasl", path)
    broken = laager.folder / "broken.vsav"
    broken.write_bytes(path.read_bytes()[:200])
    other = save(laager, written(laager, "33", 10, prefix="20"), "other.vsav")
    yaml = laager.folder / "some.yaml"
    yaml.write_text("units: []\n", "utf-8")
    cases: list[tuple[tuple[Any, ...], str]] = [
        (alone, "say whose report it is: --side SIDE"),
        ((*alone, "--side", "umpire"), "a side reports and sets up"),
        ((*alone, "--side", "nobody"), "there is no side 'nobody'"),
        ((*alone, yaml, "--side", "axis"), "a report comes from a file or from a save"),
        ((*alone, "--side", "axis", "--choose", "x"), "write KEY=VALUE"),
        ((*alone, "--side", "axis", "--choose", "x=y"), "nothing called 'x' to settle"),
        ((*alone, "--side", "axis", "--owner", "9"), "hides or conceals nothing of yours"),
        ((*alone, "--side", "axis", "--boards", yaml), "is not a folder"),
        (("report", *campaign, "--side", "axis", "--owner", "1"), "go with --from-vasl SAVE"),
        (("report", *campaign, "--side", "axis", "--from-vasl", "no.vsav"), "no such file"),
        (("report", *campaign, "--side", "axis", "--from-vasl", broken), "is not a ZIP archive"),
        (("report", *campaign, "--side", "axis", "--from-vasl", boards / "bd20"), "savedGame"),
        (
            ("report", *campaign, "--side", "axis", "--from-vasl", other),
            "its boards (33) are not those of the map VASL board 20",
        ),
    ]
    for words, wanted in cases:
        ended = laager(*words)
        assert ended.code != 0, words
        assert wanted in ended.err, (words, ended)
        assert "Traceback" not in ended.err
        without_passwords(ended.text)
    assert {key for _, key in asked(laager)} == {"battle-report"}


def test_no_report_is_made_when_none_is_asked(battle: tuple[Laager, Path]) -> None:
    laager, boards = battle
    path = save(laager, written(laager, "20", 10, prefix="20"))
    side = ("--side", "axis", "-c", laager.folder / "own.laager")
    words = ("report", *side, "--from-vasl", path, "--boards", boards)
    laager.well(*words)
    ended = laager(*words)
    assert "no battle report is wanted of axis just now" in ended.err


def test_doubts_are_asked_one_by_one_at_a_terminal(
    battle: tuple[Laager, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    laager, boards = battle
    lost, *_ = squads(laager, "axis")
    path = save(laager, written(laager, "20", 10, lost.id, prefix="20"))
    asked_for: list[str] = []

    def choose(label: str, options: Any, default: Any = None, back: str = "") -> Any:
        asked_for.append(label)
        values = [value for value, _ in options]
        return "eliminated" if "eliminated" in values else default

    monkeypatch.setattr("laager.cli.asking.person.at_terminal", lambda: True)
    monkeypatch.setattr("laager.cli.asking.menus.select", choose)
    monkeypatch.setattr("laager.cli.asking.desk.select", choose)
    words = ("--side", "axis", "-c", laager.folder / "own.laager")
    out = laager.well("report", *words, "--from-vasl", path, "--boards", boards)
    assert "the report is given" in out
    assert any(label.startswith(lost.type) for label in asked_for)
    assert "What now?" in asked_for
    assert state(laager).units[lost.id].on_map, "both reports must be in first"


def test_who_stops_gives_nothing(battle: tuple[Laager, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    from laager.cli.asking.menus import BackError

    laager, boards = battle
    lost, *_ = squads(laager, "axis")
    path = save(laager, written(laager, "20", 10, lost.id, prefix="20"))

    def leave(*_: Any, **__: Any) -> Any:
        raise BackError

    monkeypatch.setattr("laager.cli.asking.person.at_terminal", lambda: True)
    monkeypatch.setattr("laager.cli.asking.menus.select", leave)
    words = ("--side", "axis", "-c", laager.folder / "own.laager")
    ended = laager("report", *words, "--from-vasl", path, "--boards", boards)
    assert "stopped; nothing was given" in ended.err
    assert ("axis", "battle-report") in asked(laager)
