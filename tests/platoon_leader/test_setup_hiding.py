"""PL CG3, CG10 and 2.38 note 3 at setup: who hides; and what is proposed (PL 2.6)."""

from __future__ import annotations

from random import Random

import pytest

from laager.catalogue import GunType, Kind
from laager.rules.board.places import can_dismantle, can_emplace
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.buying.works import hip_cap
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.setup.plan import Setting
from laager.rules.platoon_leader.setup.setup import PlSetup, setting_up
from tests.platoon_leader.fight import ON_MAP, RESERVE, bare, begun, buy, determined, fort, join, later
from tests.platoon_leader.setups import by_night, legal, row, set_up, units, wrong
from tests.steps import play

# Hiding (PL CG3, CG10) --------------------------------------------------------------------------


def test_infantry_is_concealed_for_nothing_in_cover_and_in_entrenchments() -> None:
    cg = begun()
    squad = units(cg, "axis", "squad")[0]
    pit = fort(cg, "axis", "foxhole", size="1")
    assert legal(cg, "axis", row(squad, "C4", "concealed"))
    said = wrong(cg, "axis", row(squad, "D4", "concealed"))
    assert 'you need 1 "?"; you bought 0' in said
    dug = {"forts": [{"fort": pit.id, "at": "D4"}]}
    assert legal(cg, "axis", row(squad, "D4", "concealed"), **dug)


def test_elsewhere_a_bought_question_mark_is_used_up_per_location() -> None:
    cg = begun()
    one, two, three = units(cg, "axis", "squad")
    marks = fort(cg, "axis", "concealment", count=2)
    rows = [row(one, "D4", "concealed"), row(two, "D4", "concealed"), row(three, "D5", "concealed")]
    set_up(cg, "axis", *rows)
    assert marks.id not in cg.state.forts
    again = begun()
    kept = fort(again, "axis", "concealment", count=2)
    set_up(again, "axis", row(units(again, "axis", "squad")[0], "D4", "concealed"))
    assert again.state.forts[kept.id].count == 1


def test_vehicles_in_cover_are_concealed_if_nobody_sees_them() -> None:
    cg = later(bare())
    tank = join(cg, "axis", "PzIVF2", "afv")
    played = set_up(cg, "axis", row(tank, "C4", "concealed"))
    (sure,) = played.questions("setup-warnings")
    assert "A12.12" in sure.text
    assert not legal(later(cg, 3), "axis", row(join(cg, "axis", "PzIVF2", "afv"), "D4", "concealed"))


def test_at_night_concealment_is_left_to_the_players() -> None:
    cg = by_night()
    squad = join(cg, "axis", "4-6-7", "squad")
    (sure,) = set_up(cg, "axis", row(squad, "D4", "concealed")).questions("setup-warnings")
    assert "(E1)" in sure.text


def test_the_broken_cannot_hide() -> None:
    cg = begun()
    squad = join(cg, "axis", "4-6-7", "squad", marks=frozenset({Mark.BROKEN}))
    assert "neither hide nor be concealed" in wrong(cg, "axis", row(squad, "C4", "concealed"))


def test_guns_hide_freely_in_the_initial_firefight() -> None:
    cg = bare()
    buy(cg, "allied", "G1")
    (crew,), (gun,) = units(cg, "allied", "crew"), units(cg, "allied", "gun")
    set_up(cg, "allied", row(crew, "C10", "hip"))
    for name in (crew.id, gun.id):
        assert cg.state.units[name].has(Mark.HIP)
        assert cg.state.units[name].at == "C10"
    assert cg.state.units[gun.id].has(Mark.EMPLACED)


def test_later_and_once_seen_a_gun_needs_bought_hip() -> None:
    cg = later(bare())
    buy(cg, "allied", "G1")
    (crew,) = units(cg, "allied", "crew")
    assert "HIP for 1 x crew (AL5); you bought 0" in wrong(cg, "allied", row(crew, "C8", "hip"))
    fort(cg, "allied", "hip", size="crew", count=1)
    assert legal(cg, "allied", row(crew, "C8", "hip"))
    seen = bare()
    buy(seen, "allied", "G1")
    (crew,), (gun,) = units(seen, "allied", "crew"), units(seen, "allied", "gun")
    changed = gun.model_copy(update={"marks": frozenset({Mark.WAS_REVEALED})})
    seen.state = seen.state.with_unit(gun.id, lambda _: changed)
    assert "HIP for 1 x crew" in wrong(seen, "allied", row(crew, "C8", "hip"))


def test_a_gun_in_a_pillbox_or_fortified_building_is_fixed_for_good() -> None:
    cg = bare()
    for _ in range(3):
        buy(cg, "allied", "G1")
    crews, guns = units(cg, "allied", "crew"), units(cg, "allied", "gun")
    box, strong = (fort(cg, "allied", "pillbox", size="1+3+5"), fort(cg, "allied", "fortified-building"))
    rows = [row(crews[0], "D8.p"), row(crews[1], "C8"), row(crews[2], "K9")]
    forts = [{"fort": box.id, "at": "D8"}, {"fort": strong.id, "at": "C8"}]
    set_up(cg, "allied", *rows, forts=forts)
    assert [cg.state.units[gun.id].has(Mark.FIXED) for gun in guns] == [True, True, False]


def test_a_gun_that_can_be_dismantled_is_not_fixed() -> None:
    cg = bare()
    crew = join(cg, "axis", "2-2-8", "crew")
    light = join(cg, "axis", "81* MTR GrW 34", "gun", with_unit=crew.id)
    other = join(cg, "axis", "2-2-8", "crew")
    heavy = join(cg, "axis", "120* MTR GrW 42", "gun", with_unit=other.id)
    recoilless = join(cg, "axis", "105* RCL LG 42", "gun", with_unit=other.id)
    strong = fort(cg, "axis", "fortified-building")
    forts = [{"fort": strong.id, "at": "C4"}]
    set_up(cg, "axis", row(crew, "C4"), row(other, "C4"), forts=forts)
    fixed = [cg.state.units[gun.id].has(Mark.FIXED) for gun in (light, heavy, recoilless)]
    assert fixed == [False, True, False]


@pytest.mark.parametrize(
    ("type_", "sort", "light"),
    [
        ("82* MTR obr. 37", "mortar", True),
        ("83* MTR", "mortar", False),
        ("75 ART leFK 16nA", "artillery", False),
        ("MTR", "mortar", False),
    ],
)
def test_mortars_up_to_82mm_can_be_dismantled(type_: str, sort: str, light: bool) -> None:
    assert can_dismantle(GunType(type=type_, kind=Kind.GUN, cvp=2, sort=sort)) is light


def test_guns_are_emplaced_where_a_foxhole_could_be_dug() -> None:
    cg = bare()
    assert can_emplace(cg, "D4")
    assert can_emplace(cg, "M1"), "woods"
    assert not can_emplace(cg, "C4"), "a building"
    cg.state = cg.state.with_ground(changes={"D4": frozenset({"rubble"})})
    assert not can_emplace(cg, "D4")


# HIP (PL 2.38 note 3) ---------------------------------------------------------------------------


def squads(cg: Cg, side: str, count: int) -> list[Unit]:
    type_ = {"axis": "4-6-7", "allied": "4-4-7"}[side]
    return [join(cg, side, type_, "squad") for _ in range(count)]


@pytest.mark.parametrize(("count", "hidden", "fine"), [(9, 1, False), (10, 1, True), (19, 2, False)])
def test_a_tenth_of_the_squads_may_hide_by_day(count: int, hidden: int, fine: bool) -> None:
    cg = bare()
    fort(cg, "axis", "hip", size="squad", count=5)
    rows = [row(unit, "C4", "hip" if i < hidden else "none") for i, unit in enumerate(squads(cg, "axis", count))]
    assert legal(cg, "axis", *rows) is fine
    if not fine:
        said = wrong(cg, "axis", *rows)
        assert f"{hidden} squads hidden; {count // 10} of {count} by day" in said


def test_what_can_be_bought_can_be_used() -> None:
    """A Reserve of an earlier firefight that still counted as Cloaked was left out at setup, but not at purchase."""
    cg = bare()
    fort(cg, "axis", "hip", size="squad", count=1)
    ours = squads(cg, "axis", 10)
    old = ours.pop()
    cg.state = cg.state.with_unit(
        old.id, lambda u: u.but(place=Place.MAP, at="C4", marks=frozenset({Mark.CLOAKED}), fought=True)
    )
    cap = hip_cap(cg, "axis")
    assert cap is not None
    assert (cap.squads, cap.of) == (1, 20)
    assert legal(cg, "axis", *(row(unit, "C4", "none" if i else "hip") for i, unit in enumerate(ours)))


def test_walkthrough_of_six_squads_none_may_hide() -> None:
    cg = begun()
    buy(cg, "allied", "I1", ON_MAP)
    buy(cg, "allied", "I1", RESERVE)
    fort(cg, "allied", "hip", size="squad", count=1)
    on_map = [u for u in units(cg, "allied", "squad") if u.group != "I1/3"]
    reserve = units(cg, "allied", "squad", "I1/3")
    rows = [row(unit, "C8", "hip" if i == 0 else "none") for i, unit in enumerate(on_map)]
    rows += [row(unit, "A10") for unit in reserve]
    assert "1 squads hidden; 0 of 6 by day" in wrong(cg, "allied", *rows)


def test_two_half_squads_hide_like_a_squad_and_others_without_limit() -> None:
    cg = bare()
    rows = [row(unit, "C4") for unit in squads(cg, "axis", 10)]
    halves = [join(cg, "axis", "2-4-7", "half-squad") for _ in range(3)]
    smc = [join(cg, "axis", "8-0", "leader") for _ in range(4)]
    for size, count in (("half-squad", 3), ("smc", 4)):
        fort(cg, "axis", "hip", size=size, count=count)
    rows += [row(unit, "C4", "hip") for unit in (*halves[:2], *smc)]
    assert legal(cg, "axis", *rows)
    assert "1.5 squads hidden" in wrong(cg, "axis", *rows, row(halves[2], "C4", "hip"))


def test_the_japanese_hide_two_tenths() -> None:
    cg = bare(sides={"axis": {"nation": "japanese", "ob": {"groups": []}}})
    fort(cg, "axis", "hip", size="squad", count=5)
    ours = [join(cg, "axis", "4-4-7", "squad") for _ in range(10)]
    rows = [row(unit, "C4", "hip" if i < 2 else "none") for i, unit in enumerate(ours)]
    assert legal(cg, "axis", *rows)
    rows[2] = row(ours[2], "C4", "hip")
    assert "3 squads hidden; 2 of 10 by day" in wrong(cg, "axis", *rows)


def test_at_night_all_may_hide_that_bought_hip_and_anywhere() -> None:
    cg = by_night()
    fort(cg, "axis", "hip", size="squad", count=2)
    one, two, three = squads(cg, "axis", 3)
    assert legal(cg, "axis", row(one, "D4", "hip"), row(two, "D5", "hip"))
    rows = [row(unit, "D4", "hip") for unit in (one, two, three)]
    assert "HIP for 3 x squad (AX5, AX6, AX7); you bought 2" in wrong(cg, "axis", *rows)


def test_by_day_hip_needs_cover() -> None:
    cg = bare()
    fort(cg, "axis", "hip", size="smc", count=1)
    leader = join(cg, "axis", "8-0", "leader")
    assert "cannot hide in D4; Concealment Terrain" in wrong(cg, "axis", row(leader, "D4", "hip"))
    assert legal(cg, "axis", row(leader, "C4", "hip"))


def test_hip_is_used_up() -> None:
    cg = bare()
    hip = fort(cg, "axis", "hip", size="afv", count=2)
    tank = join(cg, "axis", "PzIVF2", "afv")
    set_up(cg, "axis", row(tank, "C4", "hip"))
    assert cg.state.forts[hip.id].count == 1
    assert cg.state.units[tank.id].has(Mark.HIP)


@pytest.mark.parametrize(("reading", "fine"), [("free", True), ("counts", False)])
def test_squads_hidden_since_before_count_by_reading_only(reading: str, fine: bool) -> None:
    cg = bare(readings={"hip-carry": reading})
    join(cg, "axis", "4-6-7", "squad", "C4", marks=frozenset({Mark.HIP}))
    fort(cg, "axis", "hip", size="squad", count=1)
    rows = [row(u, "C4", "hip" if i == 0 else "none") for i, u in enumerate(squads(cg, "axis", 9))]
    assert legal(cg, "axis", *rows) is fine


@pytest.mark.parametrize(("reading", "fine"), [("on-map", False), ("all", True)])
def test_squads_off_map_count_towards_the_tenth_by_reading_only(reading: str, fine: bool) -> None:
    cg = bare(readings={"hip-base": reading})
    fort(cg, "axis", "hip", size="squad", count=1)
    ours = squads(cg, "axis", 10)
    assert legal(cg, "axis", row(ours[0], "C4", "hip")) is fine


# Night ------------------------------------------------------------------------------------------


def test_the_attacker_at_night_may_cloak_and_dismantles_what_he_can() -> None:
    cg = determined(by_night())
    squad, defender = join(cg, "axis", "4-6-7", "squad"), join(cg, "allied", "4-4-7", "squad")
    heavy = join(cg, "axis", "MMG", "sw", with_unit=squad.id)
    light = join(cg, "axis", "LMG", "sw", with_unit=squad.id)
    assert "cannot be Cloaked" in wrong(cg, "allied", row(defender, "C8", "cloaked"))
    set_up(cg, "axis", row(squad, "D4", "cloaked"))
    assert cg.state.units[squad.id].has(Mark.CLOAKED)
    assert cg.state.units[heavy.id].has(Mark.DISMANTLED)
    assert not cg.state.units[light.id].has(Mark.DISMANTLED)


# Proposals --------------------------------------------------------------------------------------


def everything() -> Cg:
    cg = begun()
    for side, rgs in (("axis", ("I1", "I2", "A1", "HW1", "O1")), ("allied", ("I1", "A1", "G1"))):
        for rg in rgs:
            buy(cg, side, rg, ON_MAP)
    buy(cg, "allied", "I1", RESERVE)
    buy(cg, "allied", "HW1", RESERVE)
    join(cg, "axis", "8-1", "armor-leader", group="A1/1")
    join(cg, "axis", "9-1", "leader", group="I2/1")
    join(cg, "axis", "1-4-9", "hero")
    for kind in ("wire", "foxhole", "roadblock", "fortified-building", "set-dc"):
        fort(cg, "allied", kind, size="1" if kind == "foxhole" else "")
    fort(cg, "allied", "panji", factors=2)
    fort(cg, "allied", "concealment", count=2)
    return cg


def test_the_proposal_is_legal_and_sets_everybody_up() -> None:
    cg = everything()
    for side in ("axis", "allied"):
        question = PlSetup(Setting(cg, side)).question()
        assert question.allows(question.default)
        placed = {row["unit"] for row in question.default["units"]}
        left = [u.label for u in Setting(cg, side).units if u.id not in placed and not u.with_unit]
        assert left == []
    played = play(setting_up, determined(cg))
    assert played.questions("setup-warnings") == []
    assert all(not unit.on_map or unit.at for unit in cg.state.units.values())


def test_the_proposal_does_not_overstack() -> None:
    rows = PlSetup(Setting(everything(), "axis")).question().default["units"]
    cg = everything()
    load: dict[str, int] = {}
    for one in rows:
        unit = cg.state.units[one["unit"]]
        if unit.kind in {"squad", "half-squad", "crew"}:
            load[one["at"]] = load.get(one["at"], 0) + cg.nation_of(unit).hs_equivalents(unit.type)
    assert max(load.values()) <= 6


def test_later_the_proposal_is_legal_too() -> None:
    cg = later(everything())
    for rg in ("I1", "A1", "HW1"):
        buy(cg, "axis", rg, ON_MAP)
    fort(cg, "axis", "foxhole", size="3")
    question = PlSetup(Setting(cg, "axis")).question()
    assert question.allows(question.default)


def test_a_reserve_without_a_legal_hex_is_left_off_map() -> None:
    cg = bare(sides={"allied": {"setup": ["A7-M7"]}})
    group = buy(cg, "allied", "I1", RESERVE)
    assert all(
        cg.map.distance(name, "C4") < 7 or cg.map.distance(name, "K4") < 7 for name in Setting(cg, "allied").ground.area
    )
    question = PlSetup(Setting(cg, "allied")).question()
    assert question.default["units"] == []
    assert group == "I1/1"


def test_random_setups_are_legal_and_differ() -> None:
    cg = everything()
    rng = Random(7)
    for side in ("axis", "allied"):
        question = PlSetup(Setting(cg, side)).question()
        samples = [question.sample(rng) for _ in range(25)]
        assert all(question.allows(sample) for sample in samples)
        assert len({str(sample) for sample in samples}) > 20
