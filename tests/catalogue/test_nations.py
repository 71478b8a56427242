"""The nations that ship: known facts of the game, and what must hold for any nation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import Refusal, RefusedError
from laager.catalogue import (
    FANATIC,
    Alliance,
    Catalogue,
    Column,
    Grade,
    Kind,
    Nation,
    Trait,
    load_packaged,
    packaged_nations,
)
from tests.tries import tries

NATIONS = packaged_nations()


@cache
def shipped() -> Catalogue:
    return load_packaged(*NATIONS)


def nation(name: str) -> Nation:
    return shipped().nation(name)


def mmc() -> Iterator[tuple[str, str]]:
    return ((name, text) for name in NATIONS for text in nation(name).mmc)


def test_the_nations_that_ship() -> None:
    assert set(NATIONS) == {
        "allied-minor",
        "american",
        "axis-minor",
        "british",
        "finnish",
        "french",
        "german",
        "hungarian",
        "italian",
        "japanese",
        "partisan",
        "russian",
    }
    axis = {name for name in NATIONS if nation(name).side is Alliance.AXIS}
    assert axis == {"axis-minor", "finnish", "german", "hungarian", "italian", "japanese"}
    assert all(nation(name).id == nation(name).group == name for name in NATIONS)
    assert all("house" in " ".join(nation(name).sources) for name in NATIONS)


# One row per squad: what a player finds on the back of its half-squads and in the rules.
CHANGES = """
german   4-6-8 elite       2-4-8 4-6-7 fanatic
german   4-6-7 first-line  2-4-7 4-4-7 4-6-8
german   4-4-7 second-line 2-3-7 4-3-6 4-6-7
german   4-3-6 conscript   2-3-6 -     4-4-7
german   8-3-8 elite       3-3-8 4-6-7 fanatic
german   5-4-8 elite       2-3-8 4-6-7 fanatic
russian  4-5-8 elite       2-4-8 4-4-7 fanatic
russian  4-4-7 first-line  2-3-7 4-2-6 4-5-8
russian  6-2-8 elite       3-2-8 5-2-7 fanatic
russian  5-2-7 first-line  2-2-7 4-2-6 6-2-8
russian  4-2-6 conscript   2-2-6 -     4-4-7
american 6-6-7 elite       3-4-7 6-6-6 fanatic
american 6-6-6 first-line  3-4-6 5-4-6 6-6-7
british  4-5-8 elite       2-4-8 4-5-7 fanatic
british  4-5-7 first-line  2-4-7 4-4-7 4-5-8
finnish  6-4-8 first-line  2-4-8 5-3-8 8-3-8
italian  3-4-6 first-line  1-3-6 3-3-6 4-4-7
"""


@pytest.mark.parametrize("row", CHANGES.strip().splitlines())
def test_squads_change_as_the_game_says(row: str) -> None:
    name, squad, grade, half, replaced, hardened = row.split()
    one = nation(name)
    assert one.grade(squad) == grade
    assert one.reduced_type(squad) == one.mmc[squad].half == half
    assert one.replaced_type(squad) == (None if replaced == "-" else replaced)
    assert one.hardened_type(squad) == hardened
    assert one.recombined_type(half) == squad
    assert one.reduced_type(half) is None
    assert one.grade(half) == grade
    assert (one.cvp(squad), one.cvp(half)) == (2, 1)
    assert (one.hs_equivalents(squad), one.hs_equivalents(half)) == (2, 1)
    parts = tuple(int(part) for part in squad.split("-"))
    unit = one.mmc[squad]
    assert (unit.firepower, unit.range, unit.morale) == parts


def test_half_squads_change_with_their_squads() -> None:
    german, russian = nation("german"), nation("russian")
    assert german.replaced_type("2-4-7") == "2-3-7"
    assert german.replaced_type("2-3-6") is None
    assert german.hardened_type("2-4-7") == "2-4-8"
    assert german.hardened_type("2-4-8") == FANATIC
    assert russian.replaced_type("2-3-7") == "2-2-6"
    assert russian.replaced_type("3-2-8") == "2-2-7"
    assert russian.hardened_type("2-2-6") == "2-3-7"


def test_a_house_value_of_a_squad_is_one_of_its_half_squad() -> None:
    german = nation("german")
    assert german.mmc["5-4-8"].is_house("replaced")
    assert german.mmc["2-3-8"].is_house("replaced")
    assert not german.mmc["2-4-7"].house
    assert nation("japanese").mmc["3-4-8 reduced"].is_house("half")
    assert german.vehicles["PzIVH"].is_house("cvp")
    assert not german.vehicles["PzIVH"].is_house("kind")


@pytest.mark.parametrize("name", ["german", "russian", "american", "italian"])
def test_leaders_of_the_general_column(name: str) -> None:
    one = nation(name)
    ladder = ["6+1", "7-0", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3"]
    assert one.leaders.column is Column.GENERAL
    assert list(one.leaders.types[::-1]) == ladder[::-1]
    assert [one.leader_up(text) for text in ladder] == [*ladder[1:], None]
    assert [one.leader_down(text) for text in ladder] == [None, *ladder[:-1]]
    assert [one.hardened_type(text) for text in ladder] == [*ladder[1:], None]
    assert [one.replaced_type(text) for text in ladder] == [None, *ladder[:-1]]
    assert [one.cvp(text) for text in ladder] == [1, 1, 1, 2, 2, 3, 3, 4]
    assert [one.leadership(text) for text in ladder] == [1, 0, 0, -1, -1, -2, -2, -3]
    assert one.leaders.armor[::-1] == ("10-2", "9-2", "9-1", "8-1")
    assert one.leader_up("8-1", armor=True) == "9-1"
    assert one.leader_up("10-2", armor=True) is None
    assert one.unit("9-2").kind is Kind.LEADER
    assert one.unit("9-2", Kind.ARMOR_LEADER).kind is Kind.ARMOR_LEADER
    assert one.hs_equivalents("9-2") == 0


# The columns of PL 2.361 from the best result down, repeated results once.
@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("german", "10-2 9-2 9-1 8-1 8-0 7-0 6+1"),
        ("japanese", "10-1 10-0 9-1 9-0 8-0 8+1"),
        ("finnish", "10-1 10-0 9-1 9-0 8-0"),
    ],
)
def test_the_ladder_is_in_the_order_of_the_leader_table(name: str, column: str) -> None:
    best_first = [text for text in nation(name).leaders.types[::-1] if text in column.split()]
    assert best_first == column.split()


def test_commissars_stand_for_leaders_until_they_are_abolished() -> None:
    russian = nation("russian")
    assert russian.commissar_for("8-0", "1941-07") == "9-0"
    assert russian.commissar_for("8-1", "1942-10") == "10-0"
    assert russian.commissar_for("8-1", "1942-11-19") is None
    assert russian.commissar_for("9-1", "1941-07") is None
    assert nation("german").commissar_for("8-1", "1941-07") is None
    assert (russian.leader_down("10-0"), russian.leader_up("10-0")) == ("9-0", None)
    assert russian.unit("9-0").kind is Kind.COMMISSAR


def test_a_squad_of_japan_loses_a_step_first() -> None:
    japanese = nation("japanese")
    steps = ["4-4-8", "3-4-8 reduced", "2-3-8"]
    assert [japanese.reduced_type(text) for text in steps] == [*steps[1:], None]
    assert japanese.hs_equivalents("3-4-8 reduced") == 2
    assert japanese.mmc["3-4-8 reduced"].firepower == 3
    assert japanese.replaced_type("3-4-8 reduced") == "3-4-7 reduced"


def test_weapons() -> None:
    german = nation("german")
    lmg, mmg = german.support_weapons["LMG"], german.support_weapons["MMG"]
    assert (lmg.firepower, lmg.range, lmg.pp, lmg.least_pp) == (3, 8, 1, 1)
    assert (german.pp("MMG", dismantled=True), german.pp("LMG", dismantled=True)) == (2, 1)
    assert german.pp("MMG") == mmg.pp > 2
    assert german.cvp("HMG") == 0
    russian = nation("russian").support_weapons
    assert [(russian[text].firepower, russian[text].range) for text in ("LMG", "MMG", "HMG")] == [
        (2, 6),
        (4, 10),
        (6, 12),
    ]


def test_guns_and_vehicles() -> None:
    german, russian = nation("german"), nation("russian")
    assert german.cvp("PzIVH") == 6
    assert german.cvp("PzIVH", prisoner=True) == 12
    assert german.vehicles["PzIVH"].crew == "1-2-7"
    assert german.vehicles["PzIVH"].crew_cvp == 1
    assert german.vehicles["Opel 6700"].crew is None
    assert german.guns["50L AT PaK 38"].crew == "2-2-8"
    assert german.vehicles["SPW 251/1"].passengers == 1
    assert german.vehicles["SdKfz 10/4"].gun_armed
    for text in ("PzIIIJ", "PzIVH", "StuG IIIG", "PzVIE", "SPW 251/1"):
        assert german.vehicles[text].kind is Kind.AFV
    for text in ("T-34 M41", "T-34/85", "KV-1 M41", "T-70", "SU-76M", "IS-2"):
        assert russian.vehicles[text].kind is Kind.AFV
    assert russian.is_vehicle("GAZ-MM")
    assert russian.vehicles["GAZ-MM"].kind is Kind.VEHICLE


def test_each_type_knows_what_it_is() -> None:
    german = nation("german")
    parts = (german.mmc, german.smc, german.guns, german.vehicles)
    sorts = {"4-6-7": 0, "2-2-8": 0, "9-1": 1, "1-4-9": 1, "75L AT PaK 40": 2, "PzVG": 3}
    for text, right in sorts.items():
        assert [text in part for part in parts] == [i == right for i in range(4)]
        assert (german.is_gun(text), german.is_vehicle(text)) == (right == 2, right == 3)
        assert text in german
    assert "T-34" not in german


def test_movement_and_portage() -> None:
    german = nation("german")
    figures = {
        text: (german.unit(text).movement, german.unit(text).portage)
        for text in ("4-6-7", "4-3-6", "2-3-6", "2-2-8", "9-1", "1-4-9", "LMG", "PzIVH")
    }
    assert figures == {
        "4-6-7": (4, 3),
        "4-3-6": (3, 3),
        "2-3-6": (3, 3),
        "2-2-8": (4, 3),
        "9-1": (6, 1),
        "1-4-9": (6, 1),
        "LMG": (0, 0),
        "PzIVH": (0, 0),
    }
    assert Trait.STEALTHY in nation("finnish").mmc["2-4-8"].traits


def test_classes_are_ordered() -> None:
    assert sorted(Grade, reverse=True) == [
        Grade.ELITE,
        Grade.FIRST_LINE,
        Grade.SECOND_LINE,
        Grade.GREEN,
        Grade.CONSCRIPT,
    ]
    assert Grade.ELITE > Grade.FIRST_LINE >= Grade.FIRST_LINE
    assert Grade.CONSCRIPT < Grade.GREEN <= Grade.SECOND_LINE


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda n: n.unit("4-6-9"), "the German catalogue has no '4-6-9' (type); did you mean 4-6-8 or 4-6-7?"),
        (
            lambda n: n.unit("PzIVH", Kind.GUN),
            "the German catalogue has no 'PzIVH' (Gun); one of 81* MTR GrW 34, 105* MTR NbW 35",
        ),
        (lambda n: n.reduced_type("9-1"), "'9-1' is a leader, not an MMC"),
        (lambda n: n.replaced_type("PzIVH"), "'PzIVH' is an AFV, never Replaced"),
        (lambda n: n.hardened_type("1-4-9"), "'1-4-9' is a hero, never hardened"),
        (lambda n: n.leadership("1-4-9"), "'1-4-9' is a hero, not a leader"),
        (lambda n: n.leadership("LMG"), "'LMG' is an SW, not a leader"),
        (lambda n: n.pp("4-6-7"), "'4-6-7' is a squad, not an SW"),
        (lambda n: n.leader_up("9-3"), "the German catalogue has no '9-3' (leader); did you mean 9-2 or 9-1?"),
        (lambda n: n.leader_up("8-0", armor=True), "the German catalogue has no '8-0' (armor leader); did you"),
    ],
)
def test_what_cannot_be_is_refused(call: object, sentence: str) -> None:
    assert callable(call)
    with pytest.raises(RefusedError) as caught:
        call(nation("german"))
    assert caught.value.code is Refusal.NO_SUCH
    assert str(caught.value).startswith(sentence)


def test_a_nation_that_is_not_there_is_refused() -> None:
    with pytest.raises(RefusedError, match=r"no nation 'germn' ships with Laager; did you mean ger"):
        load_packaged("germn")
    with pytest.raises(RefusedError, match=r"there is no nation 'russian'; one of german"):
        load_packaged("german").nation("russian")


@tries(200)
@given(st.sampled_from(sorted(mmc())))
def test_reducing_never_raises_cvp_and_ends(unit: tuple[str, str]) -> None:
    one, text = nation(unit[0]), unit[1]
    first = one.cvp(text)
    steps = 0
    while text and (after := one.reduced_type(text)):
        assert one.cvp(after) <= one.cvp(text)
        assert one.hs_equivalents(after) <= one.hs_equivalents(text)
        assert one.grade(after) is one.grade(text)
        text, steps = after, steps + 1
    assert steps <= 2
    assert one.hs_equivalents(text) == 1
    assert one.cvp(text) == 1 <= first


@tries(200)
@given(st.sampled_from(sorted(mmc())))
def test_chains_end_and_stay_in_their_kind(unit: tuple[str, str]) -> None:
    one, text = nation(unit[0]), unit[1]
    for change in (one.replaced_type, one.hardened_type):
        seen = [text]
        while (after := change(seen[-1])) not in (None, FANATIC):
            assert after is not None
            assert after not in seen
            assert one.mmc[after].kind is one.mmc[text].kind
            rise = one.grade(after).rank - one.grade(seen[-1]).rank
            assert rise <= 0 if change == one.replaced_type else rise >= 0
            seen.append(after)


@tries(200)
@given(st.sampled_from(sorted(mmc())))
def test_halving_and_changing_come_to_the_same(unit: tuple[str, str]) -> None:
    # A squad Replaced and then halved is its half-squad Replaced: no order may matter.
    one, text = nation(unit[0]), unit[1]
    half = one.mmc[text].half
    if half is None:
        return
    for change in (one.replaced_type, one.hardened_type):
        after = change(text)
        below = after if after in (None, FANATIC) else one.mmc[after or ""].half
        assert change(half) == below


@tries(100)
@given(st.sampled_from(sorted(mmc())))
def test_two_half_squads_make_a_squad_of_the_same_worth(unit: tuple[str, str]) -> None:
    one, text = nation(unit[0]), unit[1]
    whole = one.recombined_type(text)
    assert (whole is None) == (one.mmc[text].kind is not Kind.HALF_SQUAD)
    if whole is not None:
        assert one.mmc[whole].half == text
        assert one.cvp(whole) == 2 * one.cvp(text)
