"""What a scenario asks of spoilt archives, and labels in spoilt games: done or refused."""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laager.base import DataError
from laager.vasl.archive import Archive
from laager.vasl.saves.labels import MapLabel, label_save
from laager.vasl.saves.save import GAME
from laager.vasl.saves.sequence import WorkLimit, flatten, unveil
from laager.vasl.scenario import rules as scenario
from laager.vasl.scenario.changes import Overlay, changed_board
from tests.tries import tries

from .board_writer import Draft, zip_bytes
from .picture_writer import LEVEL0, STONE, STREAM, WOODS, picture
from .save_writer import packed, save_bytes, veiled
from .test_board_fuzz import spoilt, tiny
from .test_save_hostile import own_game, random_case

SOAK = 100_000
HEXES = ("A1", "A2", "B0", "B1", "B2", "C1", "C2", "Z9", "b2", "", "A-5", "AAAA999", "1", "\x00")
NAMES = ("x1", "X1", "x", "", "1", "../x", "x1\t", "\x1b[3m", "e" * 80)
INSIDE = (
    '<overlaySSRules><overlaySSRule name="Own" image="own.gif" x="3" y="-4"/>'
    '<overlaySSRuleSet name="Set"><overlaySSRuleImage image="own.png" x="9" y="9"/>'
    '</overlaySSRuleSet><underlaySSRule name="Under" image="own.gif"/></overlaySSRules>'
    '<colors><color name="Heath" red="9" green="8" blue="7" terrain="Brush" elevation="1"/>'
    "</colors>"
    '<colorSSRules><colorSSR name="Hue"><colorMap fromColor="WoodsGreen" toColor="Heath"/>'
    "</colorSSR></colorSSRules>"
)
LABELS = (MapLabel("campaign", "A", ("one", "two")), MapLabel("order", "B", ("three",)))


@cache
def originals() -> tuple[dict[str, bytes], dict[str, bytes]]:
    """A small board with rules of its own, and an overlay."""
    draft: Draft = tiny(inside=INSIDE)
    draft.codes[:20] = 60
    drawn = picture((30, 34), {(2, 2, 28, 30): WOODS, (9, 9, 20, 20): STONE, (0, 0, 3, 3): LEVEL0})
    other = picture((16, 12), {(0, 0, 16, 12): STREAM}, "PNG")
    board = {**draft.entries(), "own.gif": drawn, "own.png": other}
    board["colorSSR"] = b"Old\n  WoodsGreen=GrainL0\n  x=y\n"
    board["colors"] = b"WoodsGreen 85,95,45\n"
    overlay = {f"ovrx1{turn}.gif": drawn for turn in "abcdef"}
    return board, overlay | {"data": b"version 1\nx1 a1;b1;a2;b2;c1;a1\n"}


def spoilt_entries(entries: dict[str, bytes], dice: random.Random) -> bytes:
    found = dict(entries)
    for _ in range(dice.choice((0, 1, 1, 2))):
        name = dice.choice(sorted(found))
        if dice.random() < 0.1:
            del found[name]
        elif name != "LOSData":
            found[name] = spoilt(found[name], dice)
    data = zip_bytes(found.items())
    return spoilt(data, dice) if dice.random() < 0.05 else data


def check(seed: int, folder: Path) -> bool:
    """Change a board by random wishes; return whether it could be read at all."""
    dice = random.Random(seed)
    board, overlay = originals()
    rules = [*scenario.rules(), "Own", "Set", "Under", "Hue", "Old", "Nonsense", "\x1b", ""]
    wanted = dice.sample(rules, dice.randrange(5))
    overlays = [
        Overlay(dice.choice(NAMES), dice.choice(HEXES), dice.choice(HEXES), dice.choice(HEXES))
        for _ in range(dice.randrange(3))
    ]
    if dice.random() < 0.5:
        overlays.append(Overlay("x1", "B1", dice.choice(HEXES[:7])))
    (folder / "ovrX").write_bytes(spoilt_entries(overlay, dice))
    try:
        archive = Archive(spoilt_entries(board, dice), "bd20")
        made, told = changed_board(archive, wanted, overlays, [folder])
    except DataError:
        return False
    assert len(told) == len(wanted) + len(overlays)
    assert all(str(one).isprintable() for one in told)
    assert len(made.changes) == sum(one.result == "applied" for one in told)
    return True


def labelled(seed: int) -> bool:
    """Put labels into a random game; return whether it could be. Everything else must stay."""
    dice = random.Random(seed)
    text = random_case(dice, [own_game()]).encode("utf-8", "replace").decode()
    data = packed({GAME: veiled(text)})
    try:
        made = label_save(data, "g.vsav", LABELS)
        again = label_save(made.data, "g.vsav", LABELS[:1])
        none = label_save(again.data, "g.vsav", ())
    except DataError:
        return False
    before = flatten(unveil(Archive(data, "g").read(GAME))[0], WorkLimit())
    after = flatten(unveil(Archive(none.data, "g").read(GAME))[0], WorkLimit())
    assert before == after
    assert len(made.added) == len(LABELS) - len(made.updated) - len(made.unchanged)
    return True


@tries(120)
@given(st.integers(0, 2**64))
def test_spoilt_archives_are_changed_or_refused(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check(seed, Path(folder))


@tries(100)
@given(st.integers(0, 2**64))
def test_spoilt_games_are_labelled_or_refused(seed: int) -> None:
    labelled(seed)


def test_sound_ones_are_not_refused() -> None:
    made = label_save(save_bytes(own_game()), "g.vsav", LABELS)
    assert made.added == ("campaign", "order")
    board, overlay = originals()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "ovrX").write_bytes(zip_bytes(overlay.items()))
        archive = Archive(zip_bytes(board.items()), "bd20")
        wishes = ("Own", "Set", "Old", "Hue")
        _, told = changed_board(archive, wishes, [Overlay("x1", "B1", "B1")], [Path(folder)])
    assert [one.result for one in told if one.result != "nothing"].count("applied") >= 4
    assert all(one.result != "not applied" for one in told), told


@pytest.mark.soak
@settings(max_examples=SOAK, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_many_spoilt_archives(tmp_path: Path, seed: int) -> None:
    check(seed, tmp_path)


@pytest.mark.soak
@settings(max_examples=SOAK, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_many_spoilt_games_with_labels(seed: int) -> None:
    labelled(seed)
