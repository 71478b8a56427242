"""The check of Infantry, bonus, leaders and SW: values that nobody knows, Partisans, Commissars."""

from __future__ import annotations

from typing import Any

import pytest

from laager.catalogue.kinds import Column
from laager.rules.design_your_own.check.check import check_ob
from tests.design_your_own.harness import cg_of
from tests.design_your_own.holes import UNKNOWN, broken, cg_with, checked, unjudged

SQUADS = [{"type": "4-6-7", "number": 10}]
ENTER = "enter it in a catalogue file"


# Infantry ---------------------------------------------------------------------------------------


def test_a_class_that_nobody_knows_leaves_the_line_out() -> None:
    cg = cg_with(("squads", "4-4-7", "class", UNKNOWN))
    found = checked(cg, infantry=[{"type": "4-4-7", "number": 3, "each": 1}, *SQUADS])
    assert broken(found) == []
    assert unjudged(found) == [f"infantry[1].type: the class of 4-4-7 is not known (DYO H1.21); {ENTER}"]
    assert [entry.type for entry in found.ob.infantry] == ["4-6-7"]
    # Places still count as in the file.
    found = checked(cg, infantry=[{"type": "4-4-7", "number": 3}, {"type": "4-6-7", "number": 99}])
    assert next(one for one in broken(found) if "H1.11" in one).startswith("infantry[2].number: ")


def test_a_price_that_nobody_knows_is_taken_as_it_is_written() -> None:
    cg = cg_with(("squads", "4-4-7", "bpv", UNKNOWN))
    found = checked(cg, infantry=[{"type": "4-4-7", "number": 3, "each": 9, "total": 27}])
    assert broken(found) == []
    assert unjudged(found) == [f"infantry[1].type: the price of 4-4-7 is not known (DYO H1.211); {ENTER}"]
    assert found.ob.spent["infantry"] == 27


@pytest.mark.parametrize(
    ("dates", "legal", "judged"), [("always", True, True), ("..1943", False, True), (UNKNOWN, True, False)]
)
def test_dates_of_squads(dates: str, legal: bool, judged: bool) -> None:
    cg = cg_with(("squads", "4-6-7", "dates", dates))
    found = checked(cg, infantry=SQUADS)
    assert (found.legal, not found.unjudged) == (legal, judged)
    told = [*broken(found), *unjudged(found)]
    assert all("4-6-7 in 1944-09" in one and "DYO H1.2)" in one for one in told)


def test_reinforcements_are_squads() -> None:
    crew = {"type": "2-2-8", "kind": "crew", "number": 2, "purchase": "second"}
    assert checked(cg_of(), infantry=[*SQUADS, crew]).legal
    assert broken(checked(cg_of(), infantry=[*SQUADS, {**crew, "reinforcements": 1}])) == [
        "infantry[2].reinforcements: 1 reinforcements that are not squads (DYO H1.7); "
        "squads only; what they need comes with them"
    ]


def test_squads_of_a_letter_each_whatever_is_free() -> None:
    rows = [{"type": "4-6-7", "number": 24}, {"type": "4-6-7", "number": 3, "purchase": "bonus"}]
    parts: dict[str, Any] = {"infantry": rows, "announced_elr": 3, "bonus": "6"}
    assert "DYO H1.11" in " ".join(broken(checked(cg_of(), **parts)))
    free = cg_of(readings={"free-pieces": "free"})
    assert broken(checked(free, **parts)) == []


# Partisans --------------------------------------------------------------------------------------


def partisans(elr: Any) -> Any:
    return cg_with(("capabilities", "", "partisan", True), ("capabilities", "", "announced_elr", elr), axis={"elr": 2})


def test_partisans_announce_an_elr_of_their_own() -> None:
    assert checked(partisans(5), infantry=SQUADS, announced_elr=5).legal
    assert broken(checked(partisans(5), infantry=SQUADS, announced_elr=2)) == [
        "announced_elr: Partisans announce 2 (DYO H1.27); 5"
    ]
    # Others announce that of most squads, which is that of the nation here.
    others = checked(cg_of(axis={"elr": 2}), infantry=SQUADS, announced_elr=5)
    assert [one.breach.rule for one in others.broken] == ["DYO H1.71"]


def test_the_elr_of_partisans_may_be_unknown() -> None:
    found = checked(partisans(UNKNOWN), infantry=SQUADS, announced_elr=2)
    assert broken(found) == []
    assert unjudged(found) == [f"announced_elr: the ELR that Partisans announce is not known (DYO H1.27); {ENTER}"]


def test_partisans_are_no_sappers() -> None:
    sappers = [{"type": "4-6-8", "number": 2, "capabilities": ["sapper"]}]
    assert checked(cg_of(), infantry=sappers).legal
    assert [one.breach.rule for one in checked(partisans(5), infantry=sappers).broken] == ["DYO H1.27"]


# Bonus ------------------------------------------------------------------------------------------


def test_a_bonus_without_an_elr_cannot_be_judged() -> None:
    found = checked(cg_of(), infantry=SQUADS, bonus="3")
    assert broken(found) == []
    assert unjudged(found) == ["bonus: the ELR that the side announces is not known (DYO H1.71); write announced_elr"]


def test_bonus_squads_need_a_bonus() -> None:
    rows = [*SQUADS, {"type": "4-6-7", "number": 1, "purchase": "bonus"}]
    found = checked(cg_of(), infantry=rows, announced_elr=3)
    assert broken(found) == ["infantry[2]: there are bonus squads, and no bonus is due (DYO H1.73); leave them out"]
    assert checked(cg_of(), infantry=rows, announced_elr=3, bonus="1½").legal


def test_every_bonus_that_can_be_is_told_once() -> None:
    # 120 MPV are three steps of 50; ELR 3 is lower than 4 and 5.
    found = checked(cg_of(), infantry=SQUADS, announced_elr=3, bonus="2")
    assert broken(found) == ["bonus: a bonus of 2 squads (DYO H1.71); 0 or 1½ or 3"]
    none = checked(cg_of(), announced_elr=3, bonus="2")
    assert broken(none) == ["bonus: a bonus of 2 squads (DYO H1.71); 0"]


# Leaders ----------------------------------------------------------------------------------------


def led(squads: int = 12, **leaders: Any) -> dict[str, Any]:
    return {"infantry": [{"type": "4-6-7", "number": squads}], "leaders": leaders}


def test_leaders_without_an_lg_factor() -> None:
    cg = cg_with(("capabilities", "", "lg", UNKNOWN))
    found = checked(cg, **led(count=7, held={"8-0": 7}))
    assert broken(found) == []
    assert unjudged(found) == [f"leaders.count: the LG factor of the nation is not known (DYO H1.8); {ENTER}"]
    assert unjudged(checked(cg, **led(count=0))) == []
    # With the factor, 12 Equivalents by 4 are three leaders.
    assert "12 Equivalents / 4 LG factor = 3" in broken(checked(cg_of(), **led(count=7)))[0]


@pytest.mark.parametrize(
    ("date", "allowed", "number", "legal", "judged"),
    [
        ("1942-10", None, 1, True, True),
        ("1942-11", None, 1, False, True),
        ("1942-11", None, 0, True, True),
        ("1942-10", UNKNOWN, 1, True, False),
        ("1942-10", UNKNOWN, 0, True, True),
        ("1942-10", "none", 1, False, True),
    ],
)
def test_commissars(date: str, allowed: Any, number: int, legal: bool, judged: bool) -> None:
    value = {"..1942-10": True} if allowed is None else allowed
    cg = cg_with(("capabilities", "", "commissars", value), date=date)
    # In 1942 the LG factor is 5.
    found = checked(cg, **led(15, count=3, held={"8-0": 2, "8-1": 1}, commissars=number))
    assert (found.legal, not found.unjudged) == (legal, judged), broken(found)
    assert all(one.where == ("leaders", "commissars") for one in (*found.broken, *found.unjudged))


def test_an_exchange_that_did_nothing() -> None:
    plain: dict[str, Any] = {"count": 3, "held": {"8-0": 2, "8-1": 1}}
    assert checked(cg_of(), **led(**plain, exchange={"final": 10})).legal
    assert broken(checked(cg_of(), **led(**plain, exchange={"final": 2}))) == [
        "leaders.gained: nobody for nobody by a Final DR of 2 (DYO H1.82); 8-1 for 10-3"
    ]
    taken: dict[str, Any] = {"count": 3, "held": {"8-0": 1, "8-1": 1}, "lost": "8-0", "exchange": {"final": 10}}
    assert broken(checked(cg_of(), **led(**taken))) == [
        "leaders.gained: 8-0 for nobody by a Final DR of 10 (DYO H1.82); it has no effect"
    ]


def test_an_exchange_by_dice_that_cannot_be() -> None:
    dr = {"final": 3, "faces": [1, 1]}
    found = checked(cg_of(), **led(count=3, held={"8-0": 2, "10-2": 1}, gained="10-2", lost="8-1", exchange=dr))
    assert broken(found) == ["leaders.exchange.final: the Final DR is 3 (DYO H1.82); 2: 1 + 1"]


def test_nobody_is_lost_for_nobody() -> None:
    found = checked(cg_of(), **led(count=3, held={"8-0": 2, "8-1": 1}, lost="8-0"))
    assert broken(found) == [
        "leaders.gained: 8-0 without a Leader Exchange DR (DYO H1.82); one DR, with exchange: {final: ...}"
    ]


def test_a_leader_lost_for_one_gained_is_counted_back() -> None:
    found = checked(
        cg_of(), **led(count=3, held={"8-0": 2, "10-2": 1}, gained="10-2", lost="8-1", exchange={"final": 3})
    )
    assert broken(found) == []
    without = checked(cg_of(), **led(count=3, held={"8-0": 2, "10-2": 1}, gained="10-2", exchange={"final": 3}))
    assert next(one.breach.rule for one in without.broken) == "DYO H1.82"


def japanese(*edits: Any) -> Any:
    return cg_with(
        ("capabilities", "", "column", Column.JAPANESE),
        ("capabilities", "", "fraction_leader", UNKNOWN),
        ("capabilities", "", "ladder", UNKNOWN),
        *edits,
    )


def test_a_ladder_that_nobody_knows() -> None:
    found = checked(japanese(), **led(13, count=3, held={"9-0": 2, "9-1": 1}, extra="8+1"))
    assert broken(found) == []
    assert [one.where for one in found.unjudged] == [("leaders", "extra"), ("leaders", "held")]
    assert "the leader that japanese fractions give is not known (DYO H1.8)" in unjudged(found)[0]
    assert "the leader types of the japanese ladder is not known (DYO H1.81)" in unjudged(found)[1]


@pytest.mark.parametrize(
    ("held", "extra", "legal"),
    [
        ({"9-0": 2, "9-1": 1}, "", True),
        ({"8+1": 1, "9-0": 2, "9-1": 1}, "8+1", True),
        ({"8+1": 1, "9-0": 2, "9-1": 1}, "", False),
        ({"9-0": 1, "9-1": 2}, "", False),
    ],
)
def test_a_fraction_leader_that_nobody_knows_is_whom_the_side_names(
    held: dict[str, int], extra: str, legal: bool
) -> None:
    cg = japanese(("capabilities", "", "ladder", ["9-0", "9-1", "10-0", "10-1"]))
    found = checked(cg, **led(13, count=3, held=held, extra=extra))
    assert found.legal is legal, broken(found)
    assert [one.where for one in found.unjudged] == [("leaders", "extra")]


FEW = (("leaders", "8-0", "counters", 2),)


@pytest.mark.parametrize(
    ("held", "changes", "rules"),
    [
        # Of five leaders one 8-0 has no counter and is not received.
        ({"8-0": 2, "8-1": 2}, {}, []),
        ({"8-0": 3, "8-1": 2}, {}, ["DYO H1.11"]),
        ({"8-0": 3, "8-1": 2}, {"agreements": {"extra_pieces": True}}, []),
        ({"8-0": 3, "8-1": 2}, {"readings": {"free-pieces": "free"}}, []),
        # Where counters are no limit, nobody is missing for want of one.
        ({"8-0": 2, "8-1": 2}, {"agreements": {"extra_pieces": True}}, ["DYO H1.81", "DYO H1.81"]),
        ({"8-0": 2, "8-1": 2}, {"readings": {"free-pieces": "free"}}, ["DYO H1.81", "DYO H1.81"]),
        # 8-0 there are enough of; whoever has fewer has chosen too few.
        ({"8-0": 1, "8-1": 0}, {}, ["DYO H1.81"]),
    ],
)
def test_leaders_whom_the_counters_cut(held: dict[str, int], changes: dict[str, Any], rules: list[str]) -> None:
    found = checked(cg_with(*FEW, **changes), **led(20, count=5, held=held))
    assert [one.breach.rule for one in found.broken] == rules, broken(found)


def test_a_ladder_without_a_trade() -> None:
    assert checked(cg_of(), **led(24, count=6, held={"8-0": 3, "8-1": 2, "9-1": 1})).legal
    assert broken(checked(cg_of(), **led(24, count=6, held={"8-0": 3, "8-1": 3}))) == [
        "leaders.held: 3 x 8-1 with 3 x 8-0 (DYO H1.81); fewer 8-1 than 8-0"
    ]


# SW ---------------------------------------------------------------------------------------------


def test_an_sw_whose_ratio_nobody_knows() -> None:
    rows: dict[str, Any] = {"infantry": SQUADS, "sw": [{"type": "LMG", "number": 9}]}
    found = checked(cg_with(("support_weapons", "LMG", "ratio", UNKNOWN)), **rows)
    assert broken(found) == []
    assert unjudged(found) == [f"sw[1]: the ratio of LMG is not known (DYO H1.83); {ENTER}"]
    assert [one.breach.rule for one in checked(cg_of(), **rows).broken] == ["DYO H1.83"]


def test_reinforcements_need_no_leaders_before_any_are_allotted() -> None:
    rows = [*SQUADS, {"type": "4-6-7", "number": 10, "purchase": "second", "reinforcements": 5}]
    assert checked(cg_of(), infantry=rows).legal
    found = checked(cg_of(), infantry=rows, leaders={"count": 5, "held": {"8-0": 3, "8-1": 2}})
    assert broken(found) == ["reinforcement_leaders: 0 leaders with the reinforcements (DYO H1.84); at least 1"]


def test_both_sides_are_checked_by_themselves() -> None:
    cg = cg_of()
    checked(cg, infantry=[{"type": "4-6-9", "number": 1}])
    assert not check_ob(cg, "axis").legal
    assert check_ob(cg, "allied").legal


@pytest.mark.parametrize("name", ["bpv", "dates"])
def test_bonus_squads_by_a_type_without_price_or_at_another_date(name: str) -> None:
    """The most numerous type may be one that isn't there at the date, or whose BPV nobody has entered (H1.73)."""
    rows = [{"type": "4-6-7", "number": 9}, {"type": "4-4-7", "number": 1, "purchase": "bonus"}]
    value = UNKNOWN if name == "bpv" else "1945.."
    cg = cg_with(("squads", "4-6-7", name, value))
    found = checked(cg, infantry=rows, announced_elr=3, bonus="1½")
    told = [*broken(found), *unjudged(found)]
    assert any(("BPV of 4-6-7" if name == "bpv" else "1944-09") in one for one in told), told
