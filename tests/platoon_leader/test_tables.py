"""The tables of the rules against a second copy of the figures, written as steps."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest

from laager.base import RefusedError
from laager.dice import Dice
from laager.tables import TableSet, Value, load_packaged

FINALS = range(-30, 61)
LOWEST = -30

Steps = Mapping[int, Value]
"""The result from each final roll on, until the next one named."""

COPY: Mapping[tuple[str, str | None], Steps] = {
    ("cp-replenishment", "low"): {
        LOWEST: 16, 3: 15, 4: 14, 5: 13, 6: 12, 9: 11, 10: 10, 11: 9, 12: 8,
    },
    ("cp-replenishment", "mid"): {
        LOWEST: 25, 3: 24, 4: 23, 5: 22, 6: 21, 7: 20, 8: 19, 9: 18, 10: 17, 11: 16, 12: 15,
    },
    ("cp-replenishment", "high"): {
        LOWEST: 34, 3: 33, 4: 32, 5: 31, 6: 30, 7: 29, 8: 28, 9: 27, 10: 26, 11: 25, 12: 24,
    },
    ("oba-ammunition", None): {LOWEST: "plentiful", 5: "normal", 11: "scarce"},
    ("leader", "general"): {
        LOWEST: "10-2", 3: "9-2", 4: "9-1", 5: "8-1", 7: "8-0", 9: "7-0", 11: "6+1",
    },
    ("leader", "japanese"): {
        LOWEST: "10-1", 3: "10-0", 4: "9-1", 5: "9-0", 7: "8-0", 9: "8+1",
    },
    ("leader", "finn"): {LOWEST: "10-1", 3: "10-0", 4: "9-1", 7: "9-0", 9: "8-0", 11: None},
    ("leader", "armor"): {LOWEST: "10-2", 3: "9-2", 4: "9-1", 5: "8-1", 7: None},
    ("dual-attack", None): {LOWEST: "axis", 4: "allied"},
    ("patrol-detection", None): {
        LOWEST: "mission", 8: "compromised", 10: "reduced", 12: "some-lost", 14: "all-lost",
    },
    ("patrol-return", None): {
        LOWEST: "safe", 9: "prisoners-lost", 10: "reduced", 13: "all-lost", 14: "captured",
    },
    ("patrol-concealment", None): {LOWEST: True, 5: False},
    ("patrol-facing", None): {LOWEST: "front", 3: "side", 5: "rear"},
    ("redeployment", "infantry"): {
        LOWEST: "redeploys", 10: "replaced", 11: "reduced", 12: "remains-reduced", 14: "eliminated",
    },
    ("redeployment", "vehicle"): {LOWEST: "redeploys", 11: "remains", 12: "eliminated"},
    ("evacuation", None): {LOWEST: "remains", 3: "evacuated"},
    ("disease", None): {LOWEST: 1, 4: 2, 7: 3},
    ("promotion", None): {LOWEST: 4, 1: 3, 2: 2, 4: 1, 6: 0},
    ("repair-malfunctioned", None): {LOWEST: True, 6: False},
    ("repair-disabled", None): {LOWEST: True, 3: False},
    ("repair-vehicle", None): {LOWEST: True, 3: False},
    ("retain-captured", None): {LOWEST: True, 4: False},
    ("reclaim-recalled", None): {LOWEST: True, 3: False},
    ("elr-change", "inclusive"): {LOWEST: 1, 4: 0, 13: -1},
    ("elr-change", "strict"): {LOWEST: 1, 3: 0, 14: -1},
    ("clearance", None): {LOWEST: "removed", 4: "no-effect"},
}  # fmt: skip

MODIFIERS: Mapping[str, Mapping[str, int | None]] = {
    "cp-replenishment": {"card": None, "attacked": 1, "cvp-suffered": -1},
    "oba-ammunition": {"card": None, "historical": None, "attack-option": -1},
    "leader": {
        "card": None, "historical": None,
        "legacy-german": -1, "legacy-us-british": 0, "legacy-other": 1,
    },
    "dual-attack": {},
    "patrol-detection": {
        "elite": -1, "stealthy": -1, "recon": -1, "leadership": None, "inexperienced": 1,
        "lax": 1, "adjacent-enemy": 1, "distance": 1, "day": 2, "night-pto": 2, "moon": 1,
        "size": 1, "portage": 1,
    },
    "patrol-return": {
        "elite": -1, "stealthy": -1, "recon": -1, "leadership": None, "inexperienced": 1,
        "lax": 1, "adjacent-enemy": 1, "distance": 1, "day": 2, "night-pto": 2, "moon": 1,
        "size": 1, "portage": 1, "attacked": 1, "pinned": 1, "broken": 2, "trip-flares": 2,
    },
    "patrol-concealment": {"leadership": None, "stealthy": -1, "lax": 1, "wire-or-panji": 1},
    "patrol-facing": {},
    "redeployment": {
        "isolated-far": 1, "crosses-uncontrolled": 1, "nml": 1, "enemy-mlr": 2, "size": 1,
        "near-fmlr": -1, "leadership": None,
    },
    "evacuation": {},
    "disease": {"historical": None},
    "promotion": {"won": -1, "cvp-scored": -1, "card": None, "historical": None, "leaders": 2},
    "repair-malfunctioned": {},
    "repair-disabled": {
        "leadership": None, "inexperienced": 1, "captured-use": 1, "ammunition-shortage": 1,
    },
    "repair-vehicle": {"leadership": None, "inexperienced": 1, "captured-use": 1},
    "retain-captured": {},
    "reclaim-recalled": {"inexperienced": 1, "captured-use": 1, "ammunition-shortage": 1},
    "elr-change": {
        "won": -1, "elite-platoons": -2, "first-line-platoons": -1, "attacked": 2,
        "no-idle": 1, "historical": None,
    },
    "clearance": {
        "near-enemy": 1, "roadblock-near-enemy": 1, "water": 1, "engineers": -1,
        "bulldozer": None,
    },
}  # fmt: skip

COUNTED = {
    "cp-replenishment": {"cvp-suffered"},
    "patrol-detection": {"adjacent-enemy", "distance", "size", "portage"},
    "patrol-return": {"adjacent-enemy", "distance", "size", "portage"},
    "redeployment": {"size"},
    "promotion": {"cvp-scored"},
    "elr-change": {"elite-platoons", "first-line-platoons", "no-idle"},
}
ONE_DIE = {
    "dual-attack", "patrol-concealment", "patrol-facing", "evacuation", "disease", "promotion",
    "repair-malfunctioned", "repair-disabled", "repair-vehicle", "retain-captured",
    "reclaim-recalled", "clearance",
}  # fmt: skip


@pytest.fixture(scope="module")
def tables() -> TableSet:
    return load_packaged("laager.rules.platoon_leader", "tables.yaml")


def stepped(steps: Steps, final: int) -> Value:
    return steps[max(start for start in steps if start <= final)]


def test_the_copy_has_every_table_and_column(tables: TableSet) -> None:
    columns = {(table.id, column) for table in tables.values() for column in table.columns or (None,)}
    assert columns == set(COPY)
    assert set(tables) == set(MODIFIERS)


@pytest.mark.parametrize(("table", "column"), COPY)
def test_every_final_roll_has_its_result(tables: TableSet, table: str, column: str | None) -> None:
    found = [(final, tables[table].result(final, column)) for final in FINALS]
    assert found == [(final, stepped(COPY[table, column], final)) for final in FINALS]


def test_every_final_roll_has_exactly_one_row(tables: TableSet) -> None:
    for table in tables.values():
        for final in FINALS:
            rows = [row for row in table.rows if row.span.covers(final)]
            assert rows == [table.row(final)], (table.id, final)


@pytest.mark.parametrize("name", MODIFIERS)
def test_modifiers_have_their_values(tables: TableSet, name: str) -> None:
    table = tables[name]
    assert {m.id: m.value for m in table.modifiers} == MODIFIERS[name]
    assert {m.id for m in table.modifiers if m.per} == COUNTED.get(name, set())
    assert table.dice is (Dice.dr if name in ONE_DIE else Dice.DR)


def test_every_text_result_has_words(tables: TableSet) -> None:
    for table in tables.values():
        for row in table.rows:
            for value in row.results.values():
                if isinstance(value, str):
                    assert value in table.results, (table.id, value)
    assert tables["leader"].words(None) == "No leader"
    assert tables["repair-disabled"].words(True) == "Repaired"
    assert tables["elr-change"].words(-1) == "ELR falls by 1"


@pytest.mark.parametrize(
    ("table", "column", "dice", "modifiers", "final", "expected"),
    [
        ("cp-replenishment", "low", 7, [("attacked", 1, None), ("cvp-suffered", 1, None)], 7, 12),
        ("cp-replenishment", "low", 5, [("card", 1, -1), ("cvp-suffered", 2, None)], 2, 16),
        ("oba-ammunition", None, 5, [("attack-option", 1, None)], 4, "plentiful"),
        ("oba-ammunition", None, 11, [], 11, "scarce"),
        ("leader", "general", 3, [("card", 1, -1)], 2, "10-2"),
        ("leader", "armor", 8, [("card", 1, 1)], 9, None),
        ("leader", "general", 12, [("legacy-other", 1, None)], 13, "6+1"),
        ("patrol-detection", None, 4, [("recon", 1, None), ("adjacent-enemy", 1, None),
            ("distance", 1, None), ("day", 1, None)], 7, "mission"),
        ("patrol-detection", None, 2, [("leadership", 1, -1), ("adjacent-enemy", 2, None),
            ("distance", 1, None), ("day", 1, None), ("size", 2, None), ("portage", 2, None)],
            10, "reduced"),
        ("patrol-return", None, 6, [("recon", 1, None), ("adjacent-enemy", 1, None),
            ("distance", 1, None), ("day", 1, None)], 9, "prisoners-lost"),
        ("redeployment", "infantry", 7, [("enemy-mlr", 1, None)], 9, "redeploys"),
        ("redeployment", "infantry", 10, [("enemy-mlr", 1, None)], 12, "remains-reduced"),
        ("redeployment", "infantry", 11, [("nml", 1, None), ("near-fmlr", 1, None)], 11, "reduced"),
        ("redeployment", "infantry", 11, [("near-fmlr", 1, None), ("leadership", 1, -1)], 9,
            "redeploys"),
        ("promotion", None, 4, [("won", 1, None), ("cvp-scored", 1, None)], 2, 2),
        ("promotion", None, 6, [("cvp-scored", 0, None)], 6, 0),
        ("promotion", None, 1, [("won", 1, None), ("cvp-scored", 1, None)], -1, 4),
        ("promotion", None, 3, [("leaders", 1, None), ("historical", 1, -2), ("won", 1, None)],
            2, 2),
        ("promotion", None, 3, [("leaders", 1, None), ("won", 1, None)], 4, 1),
        ("promotion", None, 1, [("leaders", 1, None)], 3, 2),
        ("repair-malfunctioned", None, 5, [], 5, True),
        ("repair-malfunctioned", None, 6, [], 6, False),
        ("repair-disabled", None, 3, [("leadership", 1, -1)], 2, True),
        ("elr-change", "inclusive", 4, [("won", 1, None)], 3, 1),
        ("elr-change", "inclusive", 11, [("attacked", 1, None)], 13, -1),
        ("elr-change", "inclusive", 4, [("won", 1, None), ("elite-platoons", 1, None),
            ("first-line-platoons", 1, None), ("attacked", 1, None), ("no-idle", 1, None)], 3, 1),
        ("elr-change", "inclusive", 11, [("first-line-platoons", 2, None), ("no-idle", 1, None)],
            10, 0),
        ("clearance", None, 2, [("near-enemy", 1, None)], 3, "removed"),
        ("clearance", None, 5, [("near-enemy", 1, None)], 6, "no-effect"),
    ],
)  # fmt: skip
def test_worked_rolls(
    tables: TableSet,
    table: str,
    column: str | None,
    dice: int,
    modifiers: list[tuple[str, int, int | None]],
    final: int,
    expected: Value,
) -> None:
    chosen = tables[table]
    drm = sum(chosen.modifier(name, times, value).value for name, times, value in modifiers)
    assert dice + drm == final
    assert chosen.result(final, column) == expected


def test_odds_are_those_of_counting_the_dice(tables: TableSet) -> None:
    for table in tables.values():
        column = table.columns[0] if table.columns else None
        for drm in range(-4, 5):
            throws = [sum(faces) + drm for faces in product(range(1, 7), repeat=table.dice.count)]
            counted = [Fraction(sum(row.span.covers(final) for final in throws), len(throws)) for row in table.rows]
            assert [odds.probability for odds in table.odds(drm, column)] == counted


def test_a_misspelt_column_is_refused_with_advice(tables: TableSet) -> None:
    with pytest.raises(RefusedError, match="did you mean japanese"):
        tables["leader"].result(7, "japanesse")
