"""The grids of a file of charts: what is printed in which column, and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.catalogue import load_fortifications
from laager.rules.board.buying.works import ALLOWANCES
from laager.rules.board.hasl.charts import JUNGLE_PATH, UPGRADES
from laager.rules.board.hasl.grids.cells import (
    UNIT_CELL,
    WEAPON_CELL,
    YES_NO,
    ChoiceCell,
    Names,
    NumberCell,
    PointsCell,
    WordsCell,
    letters_of,
)
from laager.rules.board.hasl.grids.grid import ChartGrid, Column
from laager.rules.board.setup.hiding import SET_DC

SIDES = {"axis": "Axis", "allied": "Allied"}
SIDE = ChoiceCell({"axis": "Axis", "allied": "Allied"})

KINDS = ChoiceCell({
    "I": "I infantry", "HW": "HW heavy weapons", "A": "A AFV", "V": "V vehicle", "G": "G Gun", "O": "O OBA",
    "M": "M miscellaneous", "T": "T transport", "F": "F FPP", "S": "S SAN",
})  # fmt: skip
SPECIAL = ChoiceCell({
    "bombardment": "Bombardment", "fpf-barrage": "FPF Barrage", "observer": "Offboard Observer",
    "pre-registration": "Pre-Registered hex",
})  # fmt: skip


def _kind_of_id(row: Mapping[str, str]) -> str:
    return KINDS.words.get(letters_of(row["id"]), "")


def _name_of_group(row: Mapping[str, str]) -> str:
    """Return the name of a group whose other cells say all that it is."""
    if row["fpp"]:
        return f"{row['fpp']} FPP"
    return "SAN Increase" if _kind_of_id(row) == KINDS.words["S"] else SPECIAL.words.get(row["special"], row["special"])


def _special_of_name(row: Mapping[str, str]) -> str:
    return next((word for word in SPECIAL.words.values() if word.casefold() == row["name"].casefold()), "")


CHIT = ChoiceCell({"attack": "Attack", "idle": "Idle"})

NOTES = Column(("notes",), "Notes", "What players should read with this line.", WordsCell(), wide=20)

RG = (
    Column(("id",), "RG", "Its id: the letters of its kind and a number, such as I1 or HW2.", WordsCell(), True, 4),
    Column(("formation",), "KG", "The formation of the card that it belongs to, such as a Kampfgruppe; empty for none.",
           WordsCell(), wide=4),
    Column(("name",), "Group Type", "Its name on the chart. Empty: what Special, FPP or kind S say.", WordsCell(), True,
           18, _name_of_group),
    Column(("kind",), "Kind", "What it is. Empty: what the letters of its id say.", KINDS, True, 12, _kind_of_id),
    Column(("cost",), "CPP", "Its price. In Edson's Ridge, that of a group that enters (CG7).", NumberCell(0, 99), True,
           4),
    Column(("full",), "Full", "Its units at Full Strength, left of the “/”: 3x 4-6-7. (E) after Assault Engineers.",
           UNIT_CELL, wide=18),
    Column(("depleted",), "Depleted", "Its units when Depleted, right of the “/”. Empty: never Depleted.", UNIT_CELL,
           wide=18),
    Column(("sw",), "SW", "Its SW: 2x LMG, PSK (3). The number in parentheses: one comes on such a dr or less.",
           WEAPON_CELL, wide=18),
    Column(("per_date",), "Date max", "The most for one CG Date (CG Scenario Maximum). Empty: no limit.",
           NumberCell(1, 99), wide=4),
    Column(("total",), "CG max", "The CG Maximum. Empty: no limit.", NumberCell(1, 99), wide=4),
    Column(("dates",), "CG Dates", "The CG Dates on which it can be bought: 17N, 18AM. Empty: all.", Names(), wide=12),
    Column(("arrows",), "Entry", "Arrow hexes of its Entry Areas. Empty: those of its formation, else of its side.",
           Names(), wide=10),
    Column(("on_map",), "On map", "Can it set up on the map on the date of its purchase? Empty: yes.", YES_NO, wide=5),
    Column(("leader",), "Leader", "Its column in the table of leaders. Empty: it brings none.", WordsCell(), wide=12),
    Column(("leader_drm",), "Leader DRM", "The DRM of the DR for its leader.", NumberCell(-9, 9), wide=4),
    Column(("fpp",), "FPP", "Kind F: the FPP that it gives.", NumberCell(0, 999), wide=4),
    Column(("san",), "SAN", "Kind S: by how much it raises the SAN. Empty: 1.", NumberCell(0, 3), wide=4,
           follows=lambda row: "1" if _kind_of_id(row) == KINDS.words["S"] else ""),
    Column(("module", "black"), "Black", "Kind O: black chits of its Draw Pile.", NumberCell(1, 20), wide=4),
    Column(("module", "red"), "Red", "Kind O: red chits of its Draw Pile.", NumberCell(0, 20), wide=4),
    Column(("module", "name"), "Module", "Kind O: the calibre, or what else it is.", WordsCell(), wide=10),
    Column(("special",), "Special", "What the rules treat in a way of its own. Empty: what Group Type says.", SPECIAL,
           wide=12, follows=_special_of_name),
    NOTES,
)  # fmt: skip


def _works() -> list[str]:
    return [*load_fortifications(), *ALLOWANCES, SET_DC, JUNGLE_PATH, *UPGRADES]


FORTIFICATIONS = (
    Column(("kind",), "Fortification", "Its name in Laager: wire, foxhole, trench … hip, concealment (“?”), set-dc, "
           "jungle-path, trench-upgrade, pillbox-upgrade.", WordsCell(_works), True, 16),
    Column(("size",), "Size", "2S, 1+3+5; for HIP squad, half-squad, crew or smc.", WordsCell(), wide=9),
    Column(("cost",), "FPP", "Its price.", NumberCell(0, 99), True, 4),
    Column(("sides",), "Sides", "Who can buy it: axis, allied. Empty: both.", Names(("axis", "allied")), wide=8),
    Column(("per_date",), "Date max", "The most for one CG Date. Empty: no limit.", NumberCell(1, 99), wide=4),
    Column(("isolated",), "If Isolated", "Can it be set up in an Isolated Location? Empty: yes.", YES_NO, wide=5),
    NOTES,
)  # fmt: skip

TYPES = (
    Column(("axis",), "Axis chit", "The chit of the Axis.", CHIT, True, 7),
    Column(("allied",), "Allied chit", "The chit of the Allies.", CHIT, True, 7),
    Column(("name",), "Scenario type", "What it is called: German Attack, Idle Date.", WordsCell(), True, 16),
    Column(("sets_up_first",), "Sets up first", "Who sets up first; dr: a dr decides. Empty: you will be asked.",
           ChoiceCell({"axis": "Axis", "allied": "Allied", "dr": "by dr"}), wide=8),
    Column(("moves_first",), "Moves first", "Who moves first. Empty: you will be asked.",
           ChoiceCell({"axis": "Axis", "allied": "Allied", "dr": "by dr", "second": "who sets up second"}), wide=12),
)  # fmt: skip

GAME_END = (
    Column(("turn",), "Game Turn", "The Game Turn.", NumberCell(1, 30), True, 4),
    Column(("number",), "Circled", "The number circled for it: play ends on such a Game End dr or less.",
           NumberCell(1, 12), True, 4),
)  # fmt: skip

POINTS = (
    Column(("cpp",), "CPP a date", "CPP that arrive on each date that has none of its own: 14 + DR, dr, 6.",
           PointsCell(), wide=9),
    Column(("recon", "cost"), "Recon", "CPP for reconnaissance, where the rules have it.", NumberCell(0, 99), wide=4),
    Column(("recon", "drm_cost"), "Recon +1", "CPP for each +1 of its dr. Empty: 1.", NumberCell(0, 99), wide=4),
    Column(("recon", "most"), "Most +1", "The most of these. Empty: 1.", NumberCell(0, 9), wide=4),
)  # fmt: skip

NUMBERS = (
    Column(("block_control", "share"), "Block share %", "Percent of a Block's Strategic Locations that a side must "
           "Control to Control the Block.", NumberCell(1, 100), wide=4),
    Column(("block_control", "enemy"), "Enemy at most", "The most of them that the enemy can Control. Empty: it "
           "doesn't matter.", NumberCell(0, 99), wide=4),
    Column(("cvp_step",), "CVP a DRM", "How many CVP lost make one DRM of the roll for ELR.", NumberCell(1, 99),
           wide=4),
)  # fmt: skip


def chart_grids(data: Mapping[str, Any]) -> Iterator[ChartGrid]:
    """Yield the grids of a file of charts."""
    for side, title in SIDES.items():
        yield ChartGrid(
            f"{side}-rg", f"RG chart: {title}", "Reinforcement groups, a line each.", ("sides", side, "rg"), RG
        )
    yield ChartGrid("points", "Points that arrive", "What each side gets on a CG Date.", ("sides",), POINTS, SIDES)
    yield ChartGrid(
        "fortifications", "Fortifications", "What fortifications cost.", ("fortifications",), FORTIFICATIONS
    )
    yield ChartGrid(
        "scenario-types", "Scenario types", "Who sets up and moves first, by both chits.", ("scenario_types",), TYPES
    )
    yield ChartGrid(
        "game-end", "Game End", "The circled numbers of the turn record.", ("circled",), GAME_END, named=True
    )
    yield ChartGrid("numbers", "Blocks and CVP", "Single numbers.", (), NUMBERS, {"": "All"})
