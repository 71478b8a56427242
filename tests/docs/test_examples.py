"""The examples of the documentation run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile, copytree

import pytest

from laager.catalogue import load_catalogue
from laager.rules.platoon_leader.card.loading import load_card

from ..campaign.toy import fresh_store, play_round, toy_campaign
from ..one_process import told
from .pages import EXAMPLES, PAGES, blocks

BIN = Path(sys.executable).parent


def run(*words: str | Path, site: Path | None = None, into: Path | None = None) -> str:
    """Run a program and return what it prints; it must end well."""
    path = [str(site)] if site else []
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([*path, *sys.path])}
    done = subprocess.run(
        [str(word) for word in words],
        capture_output=True, text=True, env=env, cwd=into, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


# A ruleset of one's own -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def laager(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[str]]:
    """Build and install the example package; return what its `laager` says to commands."""
    folder = tmp_path_factory.mktemp("coin")
    source = copytree(EXAMPLES / "coin", folder / "source", ignore=lambda *_: ["__pycache__"])
    run(
        *(BIN / "uv", "pip", "install", "-q", "--offline", "--no-deps", "--no-build-isolation"),
        *("--python", sys.executable, "--target", folder / "site", source),
    )

    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder / "site"), *sys.path])}

    def said(*commands: str) -> list[str]:
        found = told(Path(sys.executable), [command.split() for command in commands], folder, env)
        assert not any(code for code, _ in found), found
        return [text for _, text in found]

    return said


def test_the_example_ruleset_plays_to_the_end(laager: Callable[..., list[str]]) -> None:
    cards, new, first, _, second, tails, last, log, sound = laager(
        "cards", "new penny --ruleset coin", "status --side heads", "next --side heads --defaults 1",
        "status --side heads", "log --side tails", "next --defaults 9", "log", "verify",
    )  # fmt: skip
    assert "coin" in cards
    assert "committed to" in new
    assert "You have 5" in first
    assert "waiting for tails" in second
    assert "Heads answers" not in tails
    assert "nobody has anything to answer" in last
    assert log.count("COIN 2 Toss") == 3
    assert sound.rstrip().endswith("sound")


def test_the_example_ruleset_can_be_looked_into(laager: Callable[..., list[str]]) -> None:
    table, clause, covered = laager("table coin toss", "rules coin 2", "rules coin --coverage")
    assert "Heads have won the toss" in table
    assert "The winner gets the loser's stake" in clause
    assert "0 without anything behind them" in covered


# Checking a file without Laager -----------------------------------------------------------------


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    store = fresh_store()
    toy = toy_campaign(store)
    play_round(toy)
    play_round(toy, more=False)
    file = tmp_path / "toy.laager"
    file.write_bytes(store.data)
    return file


def test_the_script_recomputes_all_dice(campaign: Path) -> None:
    assert run(sys.executable, EXAMPLES / "check_dice.py", campaign).startswith("6 rolls")


def test_the_script_checks_the_chain(campaign: Path) -> None:
    lines = len(campaign.read_bytes().splitlines())
    assert run(sys.executable, EXAMPLES / "check_chain.py", campaign).startswith(f"{lines} lines")


@pytest.mark.parametrize(
    ("script", "old", "new"),
    [
        ("check_dice.py", b'"faces":[', b'"faces":[7,'),
        ("check_dice.py", b'"seed":"00', b'"seed":"01'),
        ("check_chain.py", b'"value":20', b'"value":21'),
        ("check_chain.py", b'"n":7', b'"n":8'),
    ],
)
def test_the_scripts_find_changes(campaign: Path, script: str, old: bytes, new: bytes) -> None:
    data = campaign.read_bytes()
    assert old in data
    campaign.write_bytes(data.replace(old, new, 1))
    done = subprocess.run([sys.executable, EXAMPLES / script, campaign], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "AssertionError" in done.stderr


def test_a_line_left_out_is_found(campaign: Path) -> None:
    lines = campaign.read_bytes().splitlines(keepends=True)
    campaign.write_bytes(b"".join(lines[:5] + lines[6:]))
    done = subprocess.run(
        [sys.executable, EXAMPLES / "check_chain.py", campaign],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "line 6 does not follow" in done.stderr


# Cards ------------------------------------------------------------------------------------------


def test_the_example_card_is_good() -> None:
    loaded = load_card(EXAMPLES / "bridge.yaml")
    assert not loaded.warnings
    assert loaded.map.id == "bridge-map"


OWN = ("volunteers.yaml", "captured.yaml")


@pytest.mark.parametrize("name", OWN)
def test_the_example_catalogues_are_good_by_themselves(name: str) -> None:
    (nation,) = load_catalogue([EXAMPLES / name]).values()
    assert nation.vehicles


def test_a_card_brings_the_example_catalogues(tmp_path: Path) -> None:
    """Both armies of the example card have new types, and armor with leaders among them."""
    for name in ("bridge-map.yaml", *OWN):
        copyfile(EXAMPLES / name, tmp_path / name)
    text = (EXAMPLES / "bridge.yaml").read_text(encoding="utf-8")
    for old, new in (
        ("map: bridge-map.yaml\n", f"map: bridge-map.yaml\ncatalogue: [{', '.join(OWN)}]\n"),
        ("nation: russian", "nation: volunteers"),
        ("{type: 4-4-7, count: 3}", "{type: 4-3-7, count: 3}"),
        ("{type: 4-6-7, count: 3}, {type: LMG}", "{type: 4-6-7}, {type: T-34 M41 (captured)}"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    train = "name: Train, kind: afv, size: platoon, cost: 5, units: [{type: Train No. 3}]"
    card = tmp_path / "card.yaml"
    card.write_text(f"{text}      - {{id: A1, {train}}}\n", encoding="utf-8")
    loaded = load_card(card)
    assert not loaded.warnings
    assert tuple(loaded.catalogue) == OWN


def test_every_example_is_shown() -> None:
    text = "".join(block.text for page in PAGES for block in blocks(page))
    hidden = {"__init__.py", "penny.yaml", "readings.yaml"}
    for file in EXAMPLES.rglob("*"):
        if file.is_file() and file.name not in hidden and "__pycache__" not in file.parts:
            assert f'--8<-- "{file.relative_to(EXAMPLES)}"' in text, f"{file.name} is shown nowhere"
