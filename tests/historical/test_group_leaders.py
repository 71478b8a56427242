"""Leaders of groups: gate, table, DRM, results of several leaders or of a word, asked results."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.rules.board.hasl.buying.groups import units_of_group
from laager.rules.board.hasl.buying.strength import leaders_come, leaders_in
from laager.rules.board.hasl.state import Strength
from tests.historical.buying import buy, island, only_for, refused, row
from tests.historical.driver import Played, run
from tests.historical.small import data, scene
from tests.historical.test_strength import tables

FULL, DEPLETED = Strength.FULL, Strength.DEPLETED


def leader(
    cg: Any, side: str, key: str, strength: Strength | None, *dice: tuple[int, ...], **answers: Any
) -> tuple[Played, str]:
    """Buy a group on map, give it a strength, and let its leaders come; return the record's."""
    objective: dict[str, Any] = {"objective": "B4"} if side == "axis" and key[0] == "I" else {}
    areas = {"axis": "NE", "allied": "W"}
    buy(cg, side, row(key, "on-map", areas[side], **objective))
    cg.state = cg.state.with_group(side, f"{key}/1", strength=strength)

    def step(cg: Any, side: str) -> Any:
        yield from leaders_come(cg, cg.state.groups[side, f"{key}/1"])

    played = run(step, cg, side, answers, dice)
    assert only_for(played, side)
    return played, cg.state.groups[side, f"{key}/1"].leader


def joined(cg: Any, side: str, key: str) -> list[str]:
    return [unit.type for unit in units_of_group(cg, side, f"{key}/1")]


@pytest.mark.parametrize(
    ("key", "strength", "faces", "final", "came"),
    [
        ("I1", FULL, (1, 2), 2, "10-2"),
        ("I2", DEPLETED, (6, 6), 13, "6+1"),
        ("V1", None, (6, 6), 11, "inexperienced"),
        ("I1", FULL, (1, 1), 1, "10-2, 9-1"),
        ("I1", DEPLETED, (3, 2), 5, "8-1"),
        ("I1", FULL, (5, 5), 9, "none"),
        ("V1", None, (1, 1), 1, "10-2"),
    ],
)
def test_american_leaders(key: str, strength: Strength | None, faces: tuple[int, int], final: int, came: str) -> None:
    """B2 and B4, 1.5193: Raider -1, Depleted +1, Tank Section -1, cumulative."""
    cg = island()
    played, recorded = leader(cg, "allied", key, strength, faces)
    assert (played.finals(), recorded) == ([final], came)
    leaders = [part for part in leaders_in(came) if part[0].isdigit()]
    assert joined(cg, "allied", key) == leaders
    kind = "armor-leader" if key == "V1" else "leader"
    assert {(u.kind, u.area) for u in units_of_group(cg, "allied", f"{key}/1")} <= {(kind, "W")}


@pytest.mark.parametrize(
    ("key", "strength", "dice", "came"),
    [("I1", FULL, [(4,)], "none"), ("I1", DEPLETED, [(3,), (3, 4)], "9-0"), ("I2", FULL, [(1,), (1, 1)], "10-1")],
)
def test_japanese_leaders(key: str, strength: Strength, dice: list[tuple[int, ...]], came: str) -> None:
    """B2, 1.5193: the gate dr is not modified; the DR on the table is."""
    cg = island()
    played, recorded = leader(cg, "axis", key, strength, *dice)
    assert recorded == came
    assert not played.rolls[0][0].modifiers


def test_groups_without_a_column_have_no_leader() -> None:
    played, recorded = leader(island(), "axis", "HW1", FULL)
    assert (played.facts, recorded) == ([], "")


def test_the_drm_of_the_chart_line() -> None:
    rg = [
        {**line, "leader_drm": -2} if line["id"] == "I1" else line
        for line in data("small-town-charts")["sides"]["allied"]["rg"]
    ]
    cg = scene(charts={"sides": {"allied": {"rg": rg}}})
    played, recorded = leader(cg, "allied", "I1", FULL, (3, 3))
    assert (played.finals(), recorded) == ([4], "9-1")
    assert str(played.rolls[0][1]) == "3+3=6, -2 Para Section (HASL 22) = 4"


def test_a_depleted_condition_of_the_owners_table() -> None:
    table = next(t for t in data("small-town-tables")["tables"] if t["id"] == "leaders")
    drm = {"id": "depleted", "value": 1, "when": "the group is Depleted", "rule": "HASL 22"}
    own = tables(leaders={**table, "modifiers": [drm]})
    assert leader(scene(tables=own), "allied", "I1", DEPLETED, (2, 2))[1] == "8-0"
    assert leader(scene(tables=own), "allied", "I1", FULL, (2, 2))[1] == "9-1"


def test_a_table_of_one_column() -> None:
    rows = [{"to": 4, "result": "9-1"}, {"from": 5, "result": None}]
    table = {"id": "leaders", "title": "L", "rule": "HASL 22", "roll": "DR", "rows": rows}
    assert leader(scene(tables=tables(leaders=table)), "allied", "I1", FULL, (2, 2))[1] == "9-1"
    assert leader(scene(tables=tables(leaders=table)), "allied", "I1", FULL, (2, 3))[1] == "none"


@pytest.mark.parametrize("changes", [{"tables": tables(leaders=None)}, {"column": "guards"}])
def test_without_table_or_column_leaders_are_asked(changes: dict[str, Any]) -> None:
    column = changes.get("column", "british")
    rg = [
        {**line, "leader": column} if line["id"] == "I1" else line
        for line in data("small-town-charts")["sides"]["allied"]["rg"]
    ]
    cg = scene(charts={"sides": {"allied": {"rg": rg}}}, tables=changes.get("tables", True))
    played, recorded = leader(cg, "allied", "I1", FULL, leaders="9-1 and 8-0")
    assert recorded == "9-1, 8-0"
    assert joined(cg, "allied", "I1") == ["9-1", "8-0"]
    (question,) = played.asked
    assert refused(cg, question, "9-9")[0].startswith("there is no leader 9-9; ")
    assert question.allows("Inexperienced")
    assert all(question.allows(question.suggest(Random(n))) for n in range(9))  # type: ignore[misc]


def test_what_a_result_names() -> None:
    assert leaders_in("10-2 and 9-1") == leaders_in("10-2, 9-1") == ("10-2", "9-1")
    assert leaders_in("Inexperienced") == ("Inexperienced",)
    assert leaders_in("") == ()


def test_everything_of_a_leader_stands_under_his_rule() -> None:
    cg = scene()
    played, _ = leader(cg, "allied", "I1", FULL, (2, 2))
    assert [fact.rule for fact in played.facts] == ["HASL 22"] * 3
    assert played.facts[0].tell() == "allied I1/1: leader 9-1"
