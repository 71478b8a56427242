"""The grids of a catalogue: nations, squads, weapons, Guns and vehicles that a card's own side has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.catalogue import Grade, packaged_nations
from laager.rules.board.hasl.grids.cells import YES_NO, ChoiceCell, Names, NumberCell, WordsCell
from laager.rules.board.hasl.grids.grid import ChartGrid, Column

MMC = ChoiceCell({"squad": "squad", "half-squad": "half-squad", "crew": "crew"})
WEAPONS = ChoiceCell({
    "mg": "MG", "atr": "ATR", "mortar": "light mortar", "light-at": "light AT (PIAT, PSK)", "flamethrower": "FT",
    "demolition": "DC", "gun": "Gun", "other": "other",
})  # fmt: skip
GUNS = ChoiceCell({
    "mortar": "mortar", "at": "AT", "infantry": "INF", "artillery": "ART", "aa": "AA", "recoilless": "RCL",
    "rocket": "rocket",
})  # fmt: skip
VEHICLES = ChoiceCell({"afv": "AFV", "vehicle": "unarmored vehicle"})
CVP = Column(("cvp",), "CVP", "Its Casualty VP.", NumberCell(0, 99), wide=4)
NOTE = Column(("note",), "Note", "What you want to remember.", WordsCell(), wide=20)

NATION = (
    Column(("nation",), "Nation", "Its id. That of a shipped nation adds to it.", WordsCell(packaged_nations), True,
           12),
    Column(("name",), "Name", "What players call it.", WordsCell(), True, 16),
    Column(("group",), "Rules of", "The nation whose special rules it follows. Empty: its own.",
           WordsCell(packaged_nations), wide=12),
    Column(("gun_crew",), "Gun crew", "The crew of its Guns, such as 2-2-8.", WordsCell(), wide=7),
    Column(("vehicle_crew",), "Vehicle crew", "The crew of its vehicles, such as 1-2-6.", WordsCell(), wide=7),
    Column(("source",), "Source", "Where the figures come from.", WordsCell(), True, 30),
)  # fmt: skip

SQUADS = (
    Column(("type",), "Type", "4-6-7. A word after it if two types have the same factors.", WordsCell(), True, 10),
    Column(("kind",), "Kind", "Empty: squad.", MMC, wide=9),
    Column(("class",), "Class", "Its class.", ChoiceCell({grade.value: grade.value for grade in Grade}), wide=11),
    Column(("half",), "Half-squad", "The half-squad that it becomes.", WordsCell(), wide=7),
    Column(
        ("reduced",), "Reduced", "What it becomes by Casualty Reduction, if not its half-squad.", WordsCell(), wide=7
    ),
    Column(("whole",), "Squad", "The squad that two of these half-squads make.", WordsCell(), wide=7),
    Column(("replaced",), "Replaced by", "What it becomes by ELR: a type, or disrupted.", WordsCell(), wide=9),
    Column(
        ("hardened",), "Hardened to", "What it becomes by Battle Hardening: a type, or fanatic.", WordsCell(), wide=9
    ),
    CVP,
    Column(("broken_morale",), "Broken", "Its morale when broken, if not the usual one.", NumberCell(0, 12), wide=4),
    Column(("smoke",), "Smoke", "Its Smoke Exponent.", NumberCell(0, 9), wide=4),
    Column(("traits",), "Traits", "stealthy, lax or inexperienced.", Names(), wide=12),
    NOTE,
)

WEAPON_COLUMNS = (
    Column(("type",), "Type", "Its name: LMG, PIAT.", WordsCell(), True, 12),
    Column(("sort",), "Sort", "What it is.", WEAPONS, True, 12),
    Column(("firepower",), "FP", "Firepower of a MG.", NumberCell(0, 99), wide=4),
    Column(("range",), "Range", "Range of a MG.", NumberCell(0, 99), wide=4),
    Column(("pp",), "PP", "Portage Points.", NumberCell(0, 99), True, 4),
    Column(("dm_pp",), "dm PP", "Portage Points when dismantled.", NumberCell(0, 99), wide=4),
    NOTE,
)

GUN_COLUMNS = (
    Column(("sort",), "Sort", "What they are.", GUNS, True, 9),
    Column(("cvp",), "CVP", "Casualty VP of each.", NumberCell(0, 99), True, 4),
    Column(("types",), "Types", "Guns with these figures: 57L AT OQF 6pdr.", Names(), True, 50),
    NOTE,
)

VEHICLE_COLUMNS = (
    Column(("sort",), "Sort", "What they are: medium tank, truck.", WordsCell(), True, 14),
    Column(("kind",), "Kind", "Is it an AFV?", VEHICLES, True, 12),
    Column(("cvp",), "CVP", "Casualty VP, with those of the crew.", NumberCell(0, 99), True, 4),
    Column(("crew_cvp",), "Crew CVP", "Empty: 1 in an AFV, 0 in another vehicle.", NumberCell(0, 99), wide=4),
    Column(("gun_armed",), "Gun", "Does it have a Gun? Empty: no.", YES_NO, wide=5),
    Column(("types",), "Types", "Vehicles with these figures: PzIVH, StuG IIIG.", Names(), True, 50),
    NOTE,
)


def catalogue_grids(data: Mapping[str, Any]) -> Iterator[ChartGrid]:
    """Yield the grids of a catalogue."""
    yield ChartGrid("nation", "Nation", "Whose units these are.", (), NATION, {"": "Nation"})
    yield ChartGrid("squads", "Squads, half-squads, crews", "MMC and what they become.", ("squads",), SQUADS)
    yield ChartGrid("weapons", "SW", "Support weapons.", ("support_weapons",), WEAPON_COLUMNS)
    yield ChartGrid("guns", "Guns", "Those with the same figures on one line.", ("guns",), GUN_COLUMNS)
    yield ChartGrid("vehicles", "Vehicles", "Those with the same figures on one line.", ("vehicles",), VEHICLE_COLUMNS)
