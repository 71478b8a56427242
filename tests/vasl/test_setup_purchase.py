"""A purchase as a save of VASL: each side's forces beside the boards, and nothing of the other side's."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.campaign.engine import Campaign
from laager.rules.design_your_own.exports.forces import UNITS, force_groups
from laager.rules.design_your_own.ob import InfantryEntry, WorkEntry
from laager.vasl import BattleSetup, Piece, counters_in, save_of, setup_of
from laager.vasl.archive import Archive
from laager.vasl.setup.board import bare_boards, usual_board
from laager.vasl.setup.counters import CounterMaker
from laager.vasl.setup.plan import OPEN
from laager.vasl.setup.purchase import purchase_plan
from laager.vasl.setup.units import CounterFinder
from tests.design_your_own.harness import cg_of, new_purchase, ob_of
from tests.design_your_own.test_steps_example import GERMAN, RUSSIAN, tell

from .board_writer import zip_bytes
from .module_writer import small

NOON = datetime(2024, 6, 6, 12, tzinfo=UTC)
MODULE = counters_in(zip_bytes(list(small().entries().items())), "VASL.vmod")
ALLOTTED: list[tuple[str, Any]] = [
    ("bonus", [{"type": "4-6-7", "squads": 5}]),
    (
        "leaders",
        [{"leader": name, "number": number} for name, number in (("8-0", 4), ("8-1", 3), ("9-1", 2), ("9-2", 1))],
    ),
]


def purchase(russian: list[tuple[str, Any]] = RUSSIAN, **terms: Any) -> Campaign:
    """Return a purchase in which the Axis has all that it buys."""
    campaign = new_purchase(entered=True, allied={"points": 154}, **terms)
    tell(campaign, "axis", GERMAN)
    tell(campaign, "allied", russian)
    while pending := [asked for asked in campaign.pending() if (asked.side, asked.key) != ("axis", "open-roster")]:
        asked = next((each for each in pending if each.side == "axis"), None)
        if asked is None:
            break
        known = dict(ALLOTTED)
        if asked.question is None:
            campaign.answer("axis", "roll", [3, 4])
        else:
            campaign.answer("axis", asked.key, known.get(asked.key, asked.question.default))
    return campaign


def pieces(setup: BattleSetup) -> list[Piece]:
    return list(save_of(Archive(setup.save(NOON).data, "x.vsav")).pieces)


def test_a_side_gets_all_its_forces_beside_the_boards_by_group() -> None:
    campaign = purchase()
    setup = setup_of(campaign, "axis", MODULE)
    assert [board.file.code for board in setup.ground.boards] == ["03", "16"]
    there = pieces(setup)
    top = min(board.corner[1] for board in setup.ground.boards)
    assert all(piece.y < top for piece in there)
    ob = ob_of(campaign, "axis")
    squads = Counter(piece.name for piece in there if piece.name.startswith("4-6-7"))
    assert squads == {"4-6-7 1sq": sum(entry.number for entry in ob.infantry if entry.type == "4-6-7")}
    texts = {piece.name for pile in setup.plan.piles for piece in pile.pieces}
    assert {"German: Set up", "German: OBA and Air Support", "4 x 4-6-8 sapper", "1 x 70+ (A, by radio)"} <= texts
    # What this module lacks has its name on it.
    wanted = {entry.type for group in force_groups(ob) for entry in group.entries if entry.section in UNITS}
    assert wanted <= {name.removesuffix(" 1sq") for name in texts}
    assert {missing.what for missing in setup.plan.missing} >= {"8-3-8", "PzIVH", "Radio"}


def test_piles_of_an_entry_are_small_and_lie_apart() -> None:
    piles = setup_of(purchase(), "axis", MODULE).plan.piles
    assert len({pile.at for pile in piles}) == len(piles)
    assert max(len(pile.pieces) for pile in piles if pile.pieces[0].name == "4-6-7 1sq") == 4


def test_a_side_s_file_is_the_same_whatever_the_other_side_has_bought() -> None:
    other = [
        (key, {"lines": [{"type": "4-4-7", "number": 9}]}) if key == "infantry" else (key, value)
        for key, value in RUSSIAN
    ]
    one, two = (setup_of(purchase(russian), "axis", MODULE).save(NOON).data for russian in (RUSSIAN, other))
    assert one == two
    there = save_of(Archive(one, "x.vsav")).pieces
    assert {piece.nation for piece in there} == {"ge", None}
    assert len({piece.id for piece in there}) == len(there)


def test_the_second_side_adds_its_own_below_the_boards() -> None:
    campaign = purchase()
    while asked := next((each for each in campaign.pending() if each.key != "open-roster"), None):
        campaign.answer(asked.side, asked.key, asked.question.default if asked.question else [3, 4])
    axis, allied = (setup_of(campaign, side, MODULE) for side in ("axis", "allied"))
    both = allied.into(axis.save(NOON).data, "axis.vsav")
    assert both.there == 0
    everything = save_of(Archive(both.data, "both.vsav")).pieces
    assert len(everything) == len(pieces(axis)) + both.pieces
    bottom = max(board.corner[1] + board.placed.shown[1] for board in allied.ground.boards)
    assert all(piece.y > bottom for piece in pieces(allied))
    assert allied.into(both.data, "both.vsav").pieces == 0
    # Before the Rosters are open nobody else gets anything, then everybody gets all.
    with pytest.raises(RefusedError, match="neither Roster is open"):
        setup_of(campaign, None, MODULE)
    for side in ("axis", "allied"):
        campaign.answer(side, "open-roster", "open")
    assert len(pieces(setup_of(campaign, None, MODULE))) == len(everything)


def test_a_purchase_that_goes_on_is_refused() -> None:
    campaign = purchase()
    with pytest.raises(RefusedError, match="the purchase isn't finished; answer leaders first"):
        setup_of(campaign, "allied", MODULE)
    with pytest.raises(RefusedError, match="the purchase isn't finished"):
        setup_of(new_purchase(), "axis", MODULE)


def test_terms_without_boards_need_a_layout() -> None:
    campaign = purchase(boards=[])
    with pytest.raises(RefusedError, match="the terms name no boards; say on which ones you play with --layout"):
        setup_of(campaign, "axis", MODULE)
    setup = setup_of(campaign, "axis", MODULE, layout="r04 / 01")
    assert [board.file.code for board in setup.ground.boards] == ["04", "01"]
    with pytest.raises(DataError, match="there is no board"):
        setup_of(campaign, "axis", MODULE, layout="Nowhere")


def test_a_large_force_is_piled_higher_so_that_the_border_holds_it() -> None:
    cg = cg_of()
    infantry = tuple(InfantryEntry(type=f"4-{number}-7", number=39) for number in range(30))
    works = (WorkEntry(type="wire", number=7), WorkEntry(type="hip-squad", number=2))
    ob = cg.ob("axis").model_copy(update={"infantry": infantry, "fortifications": works})
    cg.state = cg.state.having(ob)
    ground = bare_boards(usual_board, 400, "01")
    plan = purchase_plan(cg, ["axis"], ground, CounterFinder(MODULE, CounterMaker(MODULE, "x")), OPEN)
    assert max(pile.at[1] for pile in plan.piles) < 400
    assert max(len(pile.pieces) for pile in plan.piles) > 4
    names = Counter(piece.name for pile in plan.piles for piece in pile.pieces)
    assert names["wire"] == 7
    assert names["2 x HIP for a squad"] == 1
