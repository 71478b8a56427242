"""Setups before VASL's own engine: boards, additions, what each player sees, whole campaigns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from laager.hexmap import HexMap
from laager.vasl import import_boards, layout_of, placed, read_board
from laager.vasl.saves.marks import Marks
from laager.vasl.setup.battle import BattleSetup, setup_of
from laager.vasl.setup.board import Boards, battlefield, boards_at, usual_board
from laager.vasl.setup.counters import Counter
from laager.vasl.setup.plan import HIP, Plan
from laager.vasl.setup.writing import Box, mark_of, write_save

from .engine import BOARDS, ask, needs_boards, needs_engine, needs_module, probed
from .fields import CARDS, CODE, battle, board_under
from .test_setup_writing import NOW, SIDES, differences, made, module

pytestmark = [needs_module, needs_engine]

LAYOUTS = ("01", "6a", "RBv2", "ER", "ABTF", "PBR", "10 / r22", "01 10 / 22 r01", "01[C-T,2-7]")
"""One board of each sort, two and four together, some reversed, one cropped."""


def imported(layout: str) -> HexMap:
    """Return the map of some of VASL's boards."""
    codes = [one.name.removeprefix("bd") for one in sorted(BOARDS.glob("bd*"))]
    boards = {code: read_board(BOARDS / f"bd{code}") for code in codes if code in layout}
    lying = layout_of(layout, lambda name: placed(boards[name]) if name in boards else None, list(boards))
    named = {one.name: one for one in boards.values()}
    return import_boards(lying, [named[one.name] for one in lying.boards]).map


@needs_boards
@pytest.mark.soak
@pytest.mark.parametrize("at_hand", [True, False], ids=["boards", "no-boards"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_hex_of_a_board_is_where_vasl_has_it(layout: str, at_hand: bool, tmp_path: Path) -> None:
    """The pixel of each hex is in that hex by VASL's own name, and a point to which VASL snaps."""
    map_ = imported(layout)
    boards: Boards = boards_at(BOARDS) if at_hand else usual_board
    ground = battlefield(map_, boards, module().edge[0])
    points = [(one, pixel) for one in map_.hexes.values() if (pixel := ground.pixel(one.name))]
    assert len(points) == len(map_.hexes)
    save = tmp_path / "boards.vsav"
    save.write_bytes(write_save([], Marks("", "", 1), ground, module(), Box(), "", NOW).data)
    told = ask(save, BOARDS, "--probe", probed([pixel for _, pixel in points], tmp_path))
    alone = len(ground.boards) == 1
    wrong = []
    for (hex_, pixel), probe in zip(points, told.probes, strict=True):
        if (probe["snap_x"], probe["snap_y"]) != pixel:
            wrong.append(f"{hex_.name}: {pixel} snaps to {probe['snap_x']}, {probe['snap_y']}")
        # VASL has a board's number before a hex if there are several, with its zeros; the map calls a second 01 `a`.
        called = [one.lstrip("0123456789a") if alone else one for one in (hex_.name, *hex_.aliases)]
        called += [f"1{one[1:]}" for one in called if one.startswith("a")]
        if probe["location"].lstrip("0") not in called:
            wrong.append(f"{hex_.name}: VASL says {probe['location']}")
    assert not wrong, wrong[:10]


def test_a_log_adds_the_second_sides_secrets(tmp_path: Path) -> None:
    """Load Continuation puts them where they are meant to be, and the first side's units stay as they were."""
    axis, allied = (made("rzhavets", side, tmp_path) for side in SIDES)
    save, log, both = (tmp_path / name for name in ("axis.vsav", "allied.vlog", "both.vsav"))
    save.write_bytes(axis.save(NOW).data)
    log.write_bytes(allied.log(NOW).data)
    told = ask(save, tmp_path, "--continue", log, "--resave", both)
    together = replace(axis, plan=Plan(axis.plan.piles))
    assert not [one for one in differences(together, told) if "was not written" not in one]
    secrets = replace(allied, plan=Plan(allied.plan.secret))
    assert not [one for one in differences(secrets, told) if "was not written" not in one]
    added = sum(len(pile.pieces) for pile in allied.plan.secret)
    assert len(told.pieces) == sum(len(pile.pieces) for pile in axis.plan.piles) + added
    # What VASL has saved again is known again: nothing is added twice.
    assert allied.into(both.read_bytes(), "both.vsav").pieces == 0


@pytest.mark.soak
def test_units_are_added_to_what_vasl_has_saved(tmp_path: Path) -> None:
    axis, allied = (made("sorgiva", side, tmp_path) for side in SIDES)
    save, again = tmp_path / "axis.vsav", tmp_path / "again.vsav"
    save.write_bytes(axis.save(NOW).data)
    ask(save, tmp_path, "--resave", again)
    save.write_bytes(allied.into(again.read_bytes(), "again.vsav").data)
    told = ask(save, tmp_path)
    for setup in (axis, allied):
        assert not [one for one in differences(setup, told) if "was not written" not in one]


OWNER = "axis-word"


def kept_from_sight(setup: BattleSetup) -> BattleSetup:
    """Return a setup as it is when its side has hidden what is to be hidden, which VASL does with the owner's word."""

    def hidden(counter: Counter) -> Counter:
        place = next((place for place, one in enumerate(counter.traits) if one.id == "hide"), None)
        return counter if place is None else counter.with_state(place, OWNER)

    piles = tuple(
        pile
        if pile.seen != HIP
        else replace(pile, pieces=tuple(replace(one, counter=hidden(one.counter)) for one in pile.pieces))
        for pile in setup.plan.piles
    )
    return replace(setup, plan=Plan(piles))


@pytest.mark.soak
def test_what_is_hidden_is_seen_by_its_owner_alone(tmp_path: Path) -> None:
    setup = kept_from_sight(made("rzhavets", "axis", tmp_path))
    hidden = {
        mark_of(one.key, pile.seen, setup.marks) for pile in setup.plan.piles if pile.seen == HIP for one in pile.pieces
    }
    assert hidden
    save = tmp_path / "axis.vsav"
    save.write_bytes(setup.save(NOW).data)
    mine, theirs, anybody = (ask(save, tmp_path, *who) for who in (("--as", OWNER), ("--as", "other"), ()))
    assert {one["id"] for one in mine.pieces if one["invisible_to_me"]} == set()
    for seen in (theirs, anybody):
        assert {one["id"] for one in seen.pieces if one["invisible_to_me"]} == hidden
        assert {one["name"] for one in seen.pieces if one["id"] in hidden} == {""}


@pytest.mark.soak
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("number", [1, 2, 4])
@pytest.mark.parametrize("card", CARDS)
def test_campaigns_go_into_vasl_after_several_battles(card: str, number: int, side: str, tmp_path: Path) -> None:
    campaign = battle(card, number)
    board_under(campaign, tmp_path)
    setup = setup_of(campaign, side, module(), boards_at(tmp_path), CODE, [CODE])
    save, again = tmp_path / "battle.vsav", tmp_path / "again.vsav"
    save.write_bytes(setup.save(NOW).data)
    assert differences(setup, ask(save, tmp_path, "--resave", again)) == []
    assert differences(setup, ask(again, tmp_path)) == []


@needs_boards
@pytest.mark.soak
def test_a_campaign_goes_onto_a_real_board(tmp_path: Path) -> None:
    """Rijnoord's map has the hexes of the board ABTF."""
    setup = setup_of(battle("rijnoord", 1), "axis", module(), boards_at(BOARDS), "ABTF", ["ABTF"])
    save = tmp_path / "battle.vsav"
    save.write_bytes(setup.save(NOW).data)
    assert differences(setup, ask(save, BOARDS)) == []
