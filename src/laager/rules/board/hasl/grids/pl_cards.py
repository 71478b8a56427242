"""The grids of a Platoon Leader card: calendar, sides, groups, works, objectives, hints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from laager.catalogue import load_fortifications
from laager.rules.board.hasl.grids.cards import SIDE_COLUMNS, UNITS
from laager.rules.board.hasl.grids.cells import (
    UNIT_CELL,
    YES_NO,
    CellFormat,
    ChoiceCell,
    Names,
    NumberCell,
    Sentences,
    WordsCell,
    letters_of,
)
from laager.rules.board.hasl.grids.charts import NOTES, SIDE, SIDES
from laager.rules.board.hasl.grids.grid import ChartGrid, Column
from laager.rules.board.hasl.grids.pl_words import objective_in_words, situation_in_words, victory_in_words
from laager.rules.board.hasl.grids.records import PairsCell


def _plain(*words: str) -> ChoiceCell:
    return ChoiceCell({word: word for word in words})


def _column(way: str, heading: str, help_: str, cell: CellFormat, wide: int = 6, needed: bool = False) -> Column:
    return Column(tuple(way.split(".")), heading, help_, cell, needed, wide)


NAME, NATION, OTHER_NATIONS, ELR, SAN = SIDE_COLUMNS[:5]
SETUP = next(column for column in SIDE_COLUMNS if column.way == ("setup",))
SETUP_HELP = (
    "Its setup area in the first firefight: A1, C4-C9; a rectangle by two corners, A1-D5; "
    "hexes behind a Map Edge, west edge 3; or a Setup Area of the map by its name."
)
POINTS = _plain("tvp", "cvp", "tvp+cvp", "firefights", "asked")

CARD = (
    _column("title", "Title", "What players read.", WordsCell(), 24, needed=True),
    _column(
        "map", "Map", "The file of your map, or the id of a map that ships with Laager.", WordsCell(), 18, needed=True
    ),
    _column(
        "about.history",
        "Situation",
        "Who fights for what, in a few sentences. Empty: what the calendar and the sides say.",
        WordsCell(),
        40,
        needed=True,
    ),
    _column("theatre", "Theatre", "Where it is fought: Eastern Front.", WordsCell(), 14),
    _column("attacking_side", "Attacking Side", "The side that the rules call so.", SIDE, 8, needed=True),
    _column(
        "initial_attacker", "Attacks first", "Who has the Attack Option of the Initial Firefight.", SIDE, 8, needed=True
    ),
    _column("intensity", "Intensity", "The column of CP replenishment. Empty: low.", _plain("low", "mid", "high"), 7),
    _column("objectives.campaign.points", "Counts", "What decides the campaign.", POINTS, 10, needed=True),
    _column("objectives.campaign.margin", "Margin", "A smaller lead counts as equal. Empty: 1.", NumberCell(1, 999), 4),
    _column("objectives.campaign.tie", "Tie", "Who wins if the points are equal. Empty: a draw.", SIDE, 7),
    Column(
        ("objectives", "campaign", "text"),
        "Victory",
        "What players read of it. Empty: what the cells before it say.",
        WordsCell(),
        wide=30,
        follows=victory_in_words,
    ),
)

FIREFIGHTS = (
    _column("date", "Day", "Year, month and day: 1944-09-18.", WordsCell(), 10, needed=True),
    _column("time", "Time", "A word: morning, evening, night.", WordsCell(), 9, needed=True),
    _column("game_end", "Game End", "Turn and circled number: 5 2, 6 3, 7 6.", PairsCell(), 14, needed=True),
    _column("weather", "Weather", "Empty: rolled or asked.", WordsCell(), 9),
    _column("historical_attacker", "Attacker", "Who attacked in history.", SIDE, 7),
    _column("night.base_nvr", "NVR", "Of a night: the base NVR, 0 to 6.", NumberCell(0, 6), 4),
    _column("night.moon", "Moon", "Of a night. Empty: half.", _plain("none", "half", "full"), 6),
    *(
        Column(("cp", side), f"CP: {title}", "CP that it gets instead of rolling.", NumberCell(0, 200), wide=4)
        for side, title in SIDES.items()
    ),
    _column("disease", "Disease", "Is the Disease and Starvation table used?", YES_NO, 5),
    _column("rules", "SSR", "What players must keep in mind, parted by |.", Sentences(), 20),
)  # fmt: skip

SIDE_LINES = (
    NAME,
    NATION,
    ELR,
    SAN,
    _column("cp", "CP", "CP at the start.", NumberCell(0, 200), 4, needed=True),
    _column("attack_cost", "Attack", "CP for the Attack Option.", NumberCell(0, 50), 4, needed=True),
    _column("setup", "Setup hexes", SETUP_HELP, SETUP.cell, 14, needed=True),
    _column("friendly_edges", "Map Edges", "Its Friendly Map Edges: north, south, east, west.",
            Names(("north", "south", "east", "west")), 12),
    _column("entry_hexes", "Entry hexes", "Single edge hexes that are friendly, too.", Names(), 10),
    OTHER_NATIONS,
)  # fmt: skip

LIMITS = (
    _column(
        "max_platoons", "Platoons", "The most infantry platoons for one firefight. Empty: 3.", NumberCell(0, 99), 4
    ),
    _column("reserves", "Reserves", "Can it buy groups In Reserve? Empty: yes.", YES_NO, 5),
    _column("patrols", "Patrols", "Can it buy Patrols? Empty: yes.", YES_NO, 5),
    _column(
        "max_patrols", "Patrol max", "The most Patrols in one firefight. Empty: by intensity.", NumberCell(0, 99), 4
    ),
    _column("commissars", "Commissars", "Can leaders come as commissars? Empty: no.", YES_NO, 5),
    _column("pre_registered", "Pre-Registered", "Do its OBA modules have Pre-Registered hexes?", YES_NO, 5),
    *(
        Column(("drm", name), f"DRM: {word}", "Empty: 0.", NumberCell(-9, 9), wide=4)
        for name, word in (("cp", "CP"), ("oba", "OBA"), ("promotion", "promotions"))
    ),
    _column("drm.leader", "DRM: leaders", "Empty: by nation and date.", NumberCell(-9, 9), 4),
)


def _work_names() -> list[str]:
    return sorted(load_fortifications())


WORKS = (
    _column("fp_per_cp", "FP for 1 CP", "Empty: this side builds nothing.", NumberCell(1, 50), 4),
    _column(
        "allowed",
        "Allowed",
        "What it can build: foxhole, wire. Empty: all that the rules have.",
        Names(known=_work_names),
        30,
    ),
    _column("limits", "Limits", "The most of a kind in one firefight: wire 2.", PairsCell(_work_names), 16),
    _column("prices", "Prices", "FP, where they differ from the rules: trench 4.", PairsCell(_work_names), 16),
    _column("max_cp", "CP max", "The most CP turned into FP in one firefight. Empty: no limit.", NumberCell(0, 99), 4),
    _column("booby_traps", "Booby Traps", "Are they in force?", YES_NO, 5),
)

KINDS = _plain(
    "infantry", "heavy-weapons", "gun", "afv", "vehicle", "oba", "air-support", "bombardment", "san", "capability"
)
BY_ID = dict(zip(("I", "HW", "G", "A", "V", "O", "AS", "B", "S", "C"), KINDS.words, strict=True))
TROOPS = _plain("elite", "first-line", "second-line", "green", "conscript")
CHART = (
    _column(
        "id", "RG", "Its id: the letters of its kind and a number, such as I1 or HW2.", WordsCell(), 4, needed=True
    ),
    _column("name", "Group Type", "Its name on the chart.", WordsCell(), 18, needed=True),
    Column(
        ("kind",),
        "Kind",
        "What it is. Empty: what the letters of its id say.",
        KINDS,
        True,
        12,
        lambda row: BY_ID.get(letters_of(row["id"]), ""),
    ),
    _column("size", "Size", "Of infantry, heavy weapons and AFV.", _plain("section", "platoon", "company"), 8),
    _column("troops", "Troops", "Of infantry.", TROOPS, 10),
    _column("cost", "CP", "Its price off map.", NumberCell(0, 99), 4, needed=True),
    _column("units", "Units", "What comes: 3x 4-6-7, LMG. (E) after Assault Engineers.", UNIT_CELL, 24),
    _column("per_firefight", "Firefight max", "The most for one firefight. Empty: no limit.", NumberCell(1, 99), 4),
    _column("total", "CG max", "The CG Maximum. Empty: no limit.", NumberCell(1, 99), 4),
    _column("first", "From", "The first firefight for which it can be bought. Empty: 1.", NumberCell(1, 99), 4),
    _column("last", "To", "The last one. Empty: the last of the campaign.", NumberCell(1, 99), 4),
    _column("leader_rolls", "Leader DR", "Empty: by its size.", NumberCell(0, 8), 4),
    NOTES,
)

GIVEN = (
    _column("rg", "RG", "Its line of the chart: I1.", WordsCell(), 7, needed=True),
    _column("setup", "Comes", "How it comes into play.", _plain("on-map", "off-map", "reserve"), 9),
    _column("leaders", "Leaders", "Its leaders: 9-1, 8-0. Empty: rolled for.", Names(), 10),
    _column("firefight", "For", "The firefight for which it comes. Empty: 1, the Initial one.", NumberCell(1, 99), 4),
)

OBJECTIVES = (
    _column("side", "Side", "Whose it is.", SIDE, 7, needed=True),
    Column(
        ("text",),
        "Objective",
        "In words. Empty: what stands to its right. With nothing there, Laager asks the players.",
        WordsCell(),
        True,
        36,
        objective_in_words,
    ),
    _column("controls", "Controls", "Strategic Locations that the side must Control.", Names(), 14),
    _column("count", "Count", "How many of them are enough. Empty: all.", NumberCell(1, 99), 4),
    _column("tvp", "TVP", "The CG TVP total that it must reach.", NumberCell(1, 999), 4),
    _column("cvp_lead", "CVP lead", "The lead that it needs, in CVP of the campaign.", NumberCell(1, 999), 4),
)

TVP = (
    _column("location", "Location", "A hex, or a level of it: H7, R15.2.", WordsCell(), 8, needed=True),
    _column("points", "TVP", "Its points.", NumberCell(0, 99), 4, needed=True),
)

HINTS = (
    _column("question", "Question", "Its key: purchases, setup, weather.", WordsCell(), 14, needed=True),
    _column("hint", "Hint", "What helps players who learn the game.", WordsCell(), 60, needed=True),
)


def pl_card_grids(data: Mapping[str, Any]) -> Iterator[ChartGrid]:
    """Yield the grids of a Platoon Leader card."""
    situation = situation_in_words(data)
    card = [
        replace(column, follows=lambda _: situation) if column.key == "about.history" else column for column in CARD
    ]
    yield ChartGrid("card", "Map, attacker, victory", "What the card says once.", (), tuple(card), {"": "Card"})
    yield ChartGrid("firefights", "Calendar", "The firefights in order, the Initial Firefight first.", ("firefights",),
                    FIREFIGHTS)  # fmt: skip
    yield ChartGrid("sides", "Sides", "What each side has at the start.", ("sides",), SIDE_LINES, SIDES)
    yield ChartGrid("limits", "Limits and DRM", "Empty cells are as the rules have it.", ("sides",), LIMITS, SIDES)
    for side, title in SIDES.items():
        here = ("sides", side)
        yield ChartGrid(f"{side}-chart", f"{title}: groups to buy", "Its chart of reinforcement groups.",
                        (*here, "chart"), CHART)  # fmt: skip
        yield ChartGrid(f"{side}-groups", f"{title}: groups of the OB", "Groups that the OB gives.",
                        (*here, "ob", "groups"), GIVEN)  # fmt: skip
        yield ChartGrid(f"{side}-units", f"{title}: units at the start", "Other units of the OB.",
                        (*here, "ob", "units"), UNITS[:3])  # fmt: skip
        yield ChartGrid(f"{side}-works", f"{title}: fortifications", "What it can build.", (*here, "fortifications"),
                        WORKS, {"": title})  # fmt: skip
    yield ChartGrid("initial", "Objectives of the first firefight", "What each side fights for first.",
                    ("objectives", "initial"), OBJECTIVES)  # fmt: skip
    yield ChartGrid("sudden", "Sudden victory", "What ends the campaign at once.", ("objectives", "sudden"), OBJECTIVES)
    yield ChartGrid("tvp", "TVP", "What Locations are worth.", ("tvp",), TVP, named=True)
    yield ChartGrid("hints", "Hints", "Help for players at a question.", ("hints",), HINTS, named=True)
