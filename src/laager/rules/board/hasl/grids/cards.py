"""The grids of a card: dates, sides, their areas and what they begin with, victory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.catalogue import packaged_nations
from laager.rules.board.hasl.grids.cells import (
    UNIT_CELL,
    YES_NO,
    ChoiceCell,
    Groups,
    Names,
    NumberCell,
    PointsCell,
    Sentences,
    WordsCell,
)
from laager.rules.board.hasl.grids.charts import SIDE, SIDES
from laager.rules.board.hasl.grids.grid import ChartGrid, Column

PARTS = ChoiceCell({"AM": "AM (dawn)", "Day": "Day", "PM": "PM (afternoon)", "Eve": "Eve (evening)", "N": "N (night)"})
ARRIVAL = ChoiceCell({"on-map": "on map", "enter": "enters", "reserve": "in Reserve"})


def _by_side(way: tuple[str, ...], heading: str, help_: str, cell: Any, wide: int) -> tuple[Column, ...]:
    return tuple(
        Column((*way[:1], side, *way[1:]), f"{heading}: {title}", help_, cell, wide=wide)
        for side, title in SIDES.items()
    )


DATES = (
    Column(("id",), "CG Date", "What the players call it: 18AM.", WordsCell(), True, 9),
    Column(("day",), "Day", "Year, month and day: 1944-09-18.", WordsCell(), True, 10),
    Column(("part",), "Part", "The part of the day. N is a night.", PARTS, True, 9),
    Column(("label",), "Long name", "A longer name, if it has one.", WordsCell(), wide=14),
    Column(("weather",), "Weather", "Empty: rolled on your table of weather, or asked.", WordsCell(), wide=9),
    Column(("ec",), "EC", "Environmental Conditions. Empty: asked.", WordsCell(), wide=9),
    Column(("wind",), "Wind", "Empty: asked.", WordsCell(), wide=7),
    Column(("moon",), "Moon", "For a night: moon and clouds.", WordsCell(), wide=12),
    Column(("nvr",), "NVR", "For a night, 0 to 12. Empty: asked.", NumberCell(0, 12), wide=4),
    *_by_side(("exhaustion",), "Exhaustion", "Its Campaign Exhaustion DRM. Empty: asked.", NumberCell(-9, 9), 4),
    *_by_side(("cpp",), "CPP", "CPP that arrive on this date: 14 + DR. Empty: those of the charts.", PointsCell(), 8),
    *_by_side(("given", "units"), "Units", "Units that it gets on this date without buying them: 9-2, 3x 4-6-7.",
              UNIT_CELL, 14),
    *_by_side(("given", "groups"), "RG", "RG that it gets on this date: 2x I1 (enter), I3 (on-map North Knob).",
              Groups(), 14),
    *_by_side(("given", "fpp"), "FPP", "FPP that it gets on this date.", NumberCell(0, 999), 4),
    Column(("rules",), "SSR", "What players must keep in mind on this date, parted by |.", Sentences(), wide=20),
)  # fmt: skip

SIDE_COLUMNS = (
    Column(("name",), "Name", "What players call the side.", WordsCell(), True, 10),
    Column(("nation",), "Nation", "Its nation in the catalogue.",
           ChoiceCell({name: name.replace("-", " ").title() for name in packaged_nations()}), True, 10),
    Column(("nations",), "Other nations", "Other nations whose units it has, too: hungarian.", Names(), wide=10),
    Column(("elr",), "ELR", "0 to 5.", NumberCell(0, 5), True, 4),
    Column(("san",), "SAN", "0 to 7.", NumberCell(0, 7), True, 4),
    Column(("cpp",), "CPP", "CPP at the start.", NumberCell(0, 200), True, 4),
    Column(("ob", "fpp"), "FPP", "FPP at the start.", NumberCell(0, 999), wide=4),
    Column(("ammunition",), "Shortage", "Its Ammunition Shortage level at the start, 0 to 5, if the rules have levels.",
           NumberCell(0, 5), wide=4),
    Column(("chits", "attack"), "Attack chits", "How often it can choose Attack. Empty: no limit.", NumberCell(0, 99),
           wide=4),
    Column(("chits", "idle"), "Idle chits", "How often it can choose Idle. Empty: no limit.", NumberCell(0, 99),
           wide=4),
    Column(("setup",), "Setup hexes", "Hexes of its setup area in the Initial Scenario: A1-A5, B2.", Names(), wide=14),
    Column(("controls",), "Controls", "Blocks, areas of the map or Locations that it Controls at the start.", Names(),
           wide=14),
    Column(("arrows",), "Arrows", "Arrow hexes of the Entry Areas that all its units can use.", Names(), wide=10),
)  # fmt: skip

FORMATIONS = (
    Column(
        ("id",), "Letter", "A capital letter or a short word; ids of its RG begin with it: K-I1.", WordsCell(), True, 4
    ),
    Column(("name",), "Name", "Such as KG Knaust.", WordsCell(), True, 16),
    Column(("arrows",), "Arrows", "Arrow hexes of its Entry Areas.", Names(), wide=16),
)

OWN_HEXES = "The only hexes where it sets up when it comes: A1-A5, B2. Empty: none of its own."

GROUPS = (
    Column(("rg",), "RG", "Its key in the chart: I1, or K-I1 for a formation's group.", WordsCell(), True, 7),
    Column(("arrival",), "Arrives", "How. Empty: as the owner chooses.", ARRIVAL, wide=9),
    Column(
        ("area",),
        "Area",
        "A Setup Area, or the arrow hex of an Entry Area. Empty: as the owner chooses.",
        WordsCell(),
        wide=12,
    ),
    Column(("leaders",), "Leaders", "Its leaders: 9-1, 8-0. Empty: rolled for.", Names(), wide=10),
    Column(("setup",), "Setup hexes", OWN_HEXES, Names(), wide=14),
    Column(("observer",), "Observer", "OBA: does an Offboard Observer come with it?", YES_NO, wide=5),
    Column(("pre_registered",), "Pre-Registered", "OBA: does a Pre-Registered hex come with it?", YES_NO, wide=5),
)

UNITS = (
    Column(("type",), "Unit", "Its type in the catalogue: 4-6-7, 9-1, LMG, PzIVH.", WordsCell(), True, 16),
    Column(("count",), "Count", "How many. Empty: 1.", NumberCell(1, 40), wide=4),
    Column(("engineers",), "Engineers", "Are these squads Assault Engineers?", YES_NO, wide=5),
    Column(("setup",), "Setup hexes", OWN_HEXES, Names(), wide=14),
    Column(
        ("area",), "Area", "A Setup Area, or the arrow hex of an Entry Area. Empty: anywhere.", WordsCell(), wide=12
    ),
)

FORTS = (
    Column(
        ("kind",), "Fortification", "Its name in the catalogue: trench, wire, concealment, hip.", WordsCell(), True, 16
    ),
    Column(("size",), "Size", "2S, 1+3+5; for HIP squad, half-squad, crew or smc.", WordsCell(), wide=9),
    Column(("count",), "Count", "How many. Empty: 1.", NumberCell(1, 99), wide=4),
    Column(("setup",), "Setup hexes", OWN_HEXES, Names(), wide=14),
)

AREAS = (
    Column(("area",), "Setup Area", "Its name.", WordsCell(), True, 14),
    Column(("hexes",), "Hexes", "Its hexes: A1-A5, B2. Empty: the map's area of that name.", Names(), wide=30),
)

ARROW_DATES = (
    Column(("arrow",), "Arrow", "The hex of the arrow.", WordsCell(), True, 6),
    Column(("date",), "Opens on", "The first CG Date on which units can use it.", WordsCell(), True, 14),
)

CONDITIONS = (
    Column(("side",), "Wins", "The side that wins if it is met.", SIDE, True, 7),
    Column(
        ("text",), "Condition", "In words. With nothing to its right, Laager asks the players.", WordsCell(), True, 40
    ),
    Column(("controls",), "Controls", "Blocks, areas or Locations that the side must Control.", Names(), wide=14),
    Column(("count",), "Count", "How many of them are enough. Empty: all.", NumberCell(1, 99), wide=4),
    Column(
        ("cvp_ratio",),
        "CVP ratio",
        "It has amassed at least this many times the CVP it lost.",
        NumberCell(1, 99),
        wide=4,
    ),
    Column(("cvp",), "CVP", "It has amassed at least this many CVP.", NumberCell(1, 999), wide=4),
)


CARD = (
    Column(("title",), "Title", "What players read.", WordsCell(), True, 24),
    Column(("map",), "Map", "The file of your map, or the id of a map that ships with Laager.", WordsCell(), True, 18),
    Column(("initial", "attacker"), "Attacks", "Initial Scenario: the side that counts as attacker.", SIDE, True, 7),
    Column(("initial", "sets_up_first"), "Sets up first", "Initial Scenario: who sets up first.", SIDE, True, 7),
    Column(("initial", "moves_first"), "Moves first", "Initial Scenario: who moves first.", SIDE, True, 7),
    Column(("initial", "rules"), "SSR", "Initial Scenario: what players must keep in mind, parted by |.", Sentences(),
           wide=30),
    Column(("victory", "text"), "Victory", "The CG Victory Conditions in a sentence or two.", WordsCell(), wide=40),
    Column(("victory", "otherwise"), "Else wins", "Who wins if no condition is met. Empty: a draw.", SIDE, wide=7),
)  # fmt: skip


def card_grids(data: Mapping[str, Any]) -> Iterator[ChartGrid]:
    """Yield the grids of a card."""
    yield ChartGrid("card", "Map, Initial Scenario, victory", "What the card says once.", (), CARD, {"": "Card"})
    yield ChartGrid("dates", "CG Dates", "The dates in order, the Initial Scenario first.", ("dates",), DATES)
    yield ChartGrid("sides", "Sides", "What each side has at the start.", ("sides",), SIDE_COLUMNS, SIDES)
    for side, title in SIDES.items():
        here = ("sides", side)
        yield ChartGrid(
            f"{side}-groups", f"{title}: RG at the start", "Groups that the OB gives.", (*here, "ob", "groups"), GROUPS
        )
        yield ChartGrid(
            f"{side}-units", f"{title}: units at the start", "Other units of the OB.", (*here, "ob", "units"), UNITS
        )
        yield ChartGrid(
            f"{side}-works",
            f"{title}: fortifications at the start",
            'Fortifications, "?" and HIP of the OB.',
            (*here, "ob", "fortifications"),
            FORTS,
        )
        yield ChartGrid(f"{side}-formations", f"{title}: formations", "Parts with RG and Entry Areas of their own.",
                   (*here, "formations"), FORMATIONS)  # fmt: skip
        if data.get("areas") == "listed":
            yield ChartGrid(f"{side}-areas", f"{title}: Setup Areas", "Its Setup Areas at the start.", (*here, "areas"),
                       AREAS, named=True)  # fmt: skip
        yield ChartGrid(
            f"{side}-arrow-dates",
            f"{title}: arrows that open later",
            "Entry Areas that can't be used at once.",
            (*here, "arrow_dates"),
            ARROW_DATES,
            named=True,
        )
    yield ChartGrid(
        "final", "Victory at CG End", "The first condition that is met decides.", ("victory", "final"), CONDITIONS
    )
    yield ChartGrid(
        "sudden", "Sudden victory", "What can decide after any scenario.", ("victory", "sudden"), CONDITIONS
    )
