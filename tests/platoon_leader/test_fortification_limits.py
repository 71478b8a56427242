"""PL 2.38 notes 1 to 8: how many squads may hide, Set DC, booby traps, caves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from laager.rules.board.facts import FortJoined
from laager.rules.board.units import Fort, Mark, Place
from laager.rules.platoon_leader.buying.fortifications import FpShop
from laager.rules.platoon_leader.buying.works import Work, booby_traps
from laager.rules.platoon_leader.card.card import Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import RoundBegun
from laager.rules.platoon_leader.state import Round
from tests.platoon_leader.fortified import (
    build,
    buy,
    forts,
    hip_limit,
    problems_of,
    refusal,
    selling,
    sold,
    squads,
    wanted,
)
from tests.platoon_leader.harness import unit
from tests.platoon_leader.small import second_firefight, small_cg


@pytest.mark.parametrize(
    ("number", "nation", "expected"),
    [
        (9, "russian", 0),
        (10, "russian", 1),
        (19, "russian", 1),
        (4, "japanese", 0),
        (5, "japanese", 1),
        (10, "japanese", 2),
        (19, "japanese", 3),
    ],
)
def test_a_tenth_may_hide_by_day_of_the_japanese_two(number: int, nation: str, expected: int) -> None:
    """The Japanese tenths are added first and rounded once: 19 squads give 3, not 1 + 1."""
    cg = small_cg(sides={"allied": {"nation": nation}})
    squads(cg, number)
    assert hip_limit(cg, "allied") == expected


def test_no_limit_at_night() -> None:
    slots = small_cg().card.model_dump(mode="json")["firefights"]
    slots[0]["night"] = {"base_nvr": 2}
    cg = small_cg(firefights=slots)
    assert hip_limit(cg, "allied") is None
    cg.state = cg.state.with_side("allied", cp=18)
    build(cg, wanted("hip", size="squad", count=9), cp=6)
    assert forts(cg)[0].count == 9


def test_hip_beyond_the_limit_is_refused() -> None:
    cg = selling()
    squads(cg, 12)
    assert refusal(cg, wanted("hip", size="squad", count=2), cp=2) == [
        "works: You want HIP for 2 squads; the limit is 1 of 12 by day (PL 2.38 note 3)"
    ]
    build(cg, wanted("hip", size="squad"), wanted("hip", size="crew", count=4), cp=3)
    assert refusal(cg, wanted("hip", size="squad"), cp=2) == [
        "works: You want HIP for 2 squads; the limit is 1 of 12 by day (PL 2.38 note 3)"
    ], "what is bought and not yet used counts"


def test_half_squads_count_half_against_the_limit() -> None:
    cg = selling()
    squads(cg, 9)
    half = wanted("hip", size="half-squad", count=5)
    too_many = "works: You want HIP for 2.5 squads; the limit is 0 of 9 by day (PL 2.38 note 3)"
    assert refusal(cg, half, cp=2) == [too_many]
    squads(cg, 3)
    assert sold(cg, wanted("hip", size="half-squad", count=2), cp=2)
    both = wanted("hip", size="squad"), wanted("hip", size="half-squad")
    told = ["works: You want HIP for 1.5 squads; the limit is 1 of 12 by day (PL 2.38 note 3)"]
    assert refusal(cg, *both, cp=2) == told
    build(cg, both[1], cp=1)
    assert refusal(cg, both[0], cp=2) == told, "what is bought and not yet used counts"


@pytest.mark.parametrize(("reading", "refused"), [("free", False), ("counts", True)])
def test_half_squads_that_stay_hidden_count_by_the_reading(reading: str, refused: bool) -> None:
    cg = selling(readings={"hip-carry": reading})
    squads(cg, 12)
    for _ in range(2):
        cg.state, _ = unit(cg.state, "allied", "2-4-7", "half-squad", "C8", Mark.HIP)
    assert sold(cg, wanted("hip", size="half-squad"), cp=1) != refused


# Set DC (note 8) ----------------------------------------------------------------------------------


def test_a_set_dc_is_sold_only_for_a_dc_that_can_be_set() -> None:
    cg = selling()
    charge = wanted("set-dc")
    told = "works: You want to Set 1 DC; you have 0 with troops on map or setting up there (PL 2.38 note 8)"
    assert refusal(cg, charge, cp=5) == [told]
    for setup in (Setup.OFF_MAP, Setup.RESERVE):
        buy(cg, "I1", setup, "allied")
        group = f"I1/{sum(one.rg == 'I1' for one in cg.state.groups_of('allied'))}"
        cg.state, _ = unit(cg.state, "allied", "DC", "sw", group=group)
    assert refusal(cg, charge, cp=5) == [told], "it enters, or is In Reserve"
    cg.state, _ = unit(cg.state, "allied", "DC", "sw", "C8")
    assert sold(cg, charge, cp=5)
    build(cg, charge, cp=5)
    assert refusal(cg, charge, cp=5) == [told], "one is bought for it already"
    bought = forts(cg)[0]
    cg.state = FortJoined(fort=bought.model_copy(update={"at": "C8"})).apply(cg.state)
    assert sold(cg, charge, cp=5), "that one was set, and a DC is there"


def test_which_squads_the_tenth_is_taken_of() -> None:
    cg = selling()
    squads(cg, 8)
    cg.state, _ = unit(cg.state, "allied", "4-4-7", "squad")
    buy(cg, "I1", Setup.RESERVE, "allied")
    assert hip_limit(cg, "allied") == 0, "8 on map and a loose one of the OB: 9"
    cg.state, _ = unit(cg.state, "allied", "4-4-7", "squad")
    assert hip_limit(cg, "allied") == 1
    squads(cg, 10, "allied", Mark.PRISONER)
    assert hip_limit(cg, "allied") == 1, "prisoners do not count"
    cg.state = RoundBegun(round=Round.NEW, firefight=2).apply(cg.state)
    assert hip_limit(cg, "allied") == 1, "8 on map, 5 that waited off it"


def test_pooled_squads_and_those_held_off_map_set_up_too() -> None:
    cg = second_firefight(small_cg())
    squads(cg, 6)
    cg.state, pooled = unit(cg.state, "allied", "4-4-7", "squad")
    cg.state = cg.state.with_unit(pooled.id, lambda u: u.model_copy(update={"place": Place.POOL}))
    cg.state, gone = unit(cg.state, "allied", "4-4-7", "squad")
    cg.state = cg.state.with_unit(gone.id, lambda u: u.model_copy(update={"place": Place.PATROL}))
    buy(cg, "I1", Setup.OFF_MAP, "allied")
    assert hip_limit(cg, "allied") == 0
    group = cg.state.groups["allied", "I1/1"].model_copy(update={"may_set_up": True})
    cg.state = replace(cg.state, groups={**cg.state.groups, ("allied", "I1/1"): group})
    assert hip_limit(cg, "allied") == 1, "6 + 1 pooled + 3 held off map"


def test_the_tenth_of_all_squads_by_reading() -> None:
    cg = small_cg({"hip-base": "all"})
    squads(cg, 3)
    buy(cg, "I1", Setup.OFF_MAP, "allied")
    buy(cg, "I2", Setup.OFF_MAP, "allied")
    buy(cg, "I1", Setup.RESERVE, "allied")
    assert hip_limit(cg, "allied") == 0, "9 squads; the 3 In Reserve are left out"
    squads(cg, 1)
    assert hip_limit(cg, "allied") == 1


@pytest.mark.parametrize(("reading", "legal"), [("free", True), ("counts", False)])
def test_squads_still_hidden_count_by_reading(reading: str, legal: bool) -> None:
    cg = selling(readings={"hip-carry": reading})
    squads(cg, 9)
    squads(cg, 1, "allied", Mark.HIP)
    answer = {"cp": 1, "works": [wanted("hip", size="squad")]}
    assert FpShop(cg, "allied").question().allows(answer) is legal


# Booby traps and caves --------------------------------------------------------------------------


def test_booby_traps_only_by_the_cards_rules() -> None:
    assert "allow no Booby Traps" in refusal(selling(), wanted("booby-traps"), cp=3)[0]


def level(cg: Cg) -> str:
    traps = booby_traps(cg, "allied")
    assert traps is not None
    return traps.size


def test_booby_traps_rise_level_by_level_in_the_area_where_they_were_laid() -> None:
    cg = selling(readings={"booby-first-level": "C"}, booby_traps=True)
    build(cg, wanted("booby-traps"), cp=3)
    traps = booby_traps(cg, "allied")
    assert traps is not None
    assert (traps.size, traps.fp) == ("C", 15)
    assert set(traps.area) == cg.setup_area("allied")
    second_firefight(cg)
    cg.state = cg.state.with_side("allied", cp=9)
    assert refusal(cg, wanted("booby-traps", count=3), cp=9) == [
        "works: You want 3 levels of Booby Traps; you can buy 2, up to level A"
    ]
    build(cg, wanted("booby-traps", count=2), cp=6)
    raised = booby_traps(cg, "allied")
    assert raised is not None
    assert (raised.id, raised.size, raised.fp, raised.area) == (traps.id, "A", 45, traps.area)
    assert len(forts(cg)) == 1
    assert refusal(cg, wanted("booby-traps"), cp=3)[0].endswith("you can buy 0, up to level A")


def test_booby_traps_begin_at_a_as_printed_by_reading() -> None:
    cg = selling(readings={"booby-first-level": "A"}, booby_traps=True)
    assert "you can buy 1, up to level A" in refusal(cg, wanted("booby-traps", count=2), cp=6)[0]
    build(cg, wanted("booby-traps"), cp=3)
    assert level(cg) == "A"
    present = Fort(id="ALF1", side="allied", kind="booby-traps", size="B")
    cg.state = FortJoined(fort=present).apply(cg.state)
    build(cg, wanted("booby-traps"), cp=3)
    assert level(cg) == "A", "what the OB gave rises to the next level"


@pytest.mark.parametrize(
    ("caves", "complexes", "legal"),
    [(0, 1, False), (3, 1, False), (4, 1, True), (7, 2, False), (8, 2, True), (4, 0, True)],
)
def test_four_caves_for_each_complex(caves: int, complexes: int, legal: bool) -> None:
    cg = selling(fp_per_cp=50)
    works = [Work("cave", count=caves)] * bool(caves) + [Work("cave-complex", count=complexes)] * bool(complexes)
    assert (not problems_of(cg, 10, *works)) is legal


def test_caves_bought_before_count() -> None:
    cg = selling(fp_per_cp=50)
    build(cg, wanted("cave", count=4), wanted("cave-complex"), cp=2)
    assert refusal(cg, wanted("cave-complex"), cp=1) == ["works: 2 Cave Complexes for 4 caves; 4 caves for each"]
