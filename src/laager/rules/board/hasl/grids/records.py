"""The grids of a record: what everybody knows and what each side knows besides, as the printed sheets have it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base.files import Where
from laager.catalogue import load_fortifications
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.grids.cells import YES_NO, CellFormat, ChoiceCell, Names, NumberCell, WordsCell, split
from laager.rules.board.hasl.grids.grid import ChartGrid, Column
from laager.rules.board.hasl.state import GroupArrival, Strength
from laager.rules.board.units import Mark, Place


@dataclass(frozen=True)
class PairsCell(CellFormat):
    """Names with a number or a word each, parted by commas: `axis 3, allied 4`; `known` are words to begin with."""

    known: Callable[[], Sequence[str]] | None = None

    def _text(self, value: Any) -> str | None:
        plain = isinstance(value, Mapping) and all(isinstance(held, str | int) for held in value.values())
        return ", ".join(f"{name} {_in_words(held)}" for name, held in value.items()) if plain else None

    def _value(self, text: str) -> Any:
        pairs = [part.rpartition(" ") for part in split(text)]
        if wrong := [part for part, (name, _, _) in zip(split(text), pairs, strict=True) if not name]:
            raise ValueError(f"{wrong[0]!r} has no number; a name and its number, such as axis 3")
        return {name.strip().removesuffix(":"): _plain(value) for name, _, value in pairs}


def _in_words(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _plain(text: str) -> Any:
    if text in ("yes", "no"):
        return text == "yes"
    return int(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else text


def _words(*way: str, heading: str, help_: str, wide: int = 8, needed: bool = False) -> Column:
    return Column(way, heading, help_, WordsCell(), needed, wide)


def _number(name: str, heading: str, help_: str) -> Column:
    return Column((name,), heading, help_, NumberCell(-99, 9999), wide=5)


def _choice(name: str, heading: str, help_: str, values: type[Any]) -> Column:
    return Column((name,), heading, help_, ChoiceCell({each.value: each.value for each in values}), wide=9)


def _names(name: str, heading: str, help_: str, wide: int = 16, within: tuple[str, ...] = ()) -> Column:
    return Column((name,), heading, help_, Names(within), wide=wide)


ID = _words("id", heading="Number", help_="The first two letters of the side and a number: AX12.", needed=True)
TYPE = _words("type", heading="Type", help_="As on the counter: 4-6-7, LMG, 9-1, PzIVH.", wide=14)
UNITS = (
    ID,
    TYPE,
    _words("at", heading="Location", help_="Where it stands on the map: H7, H7.1."),
    _names("marks", "Markers", "Markers on it: broken, dm, hip, concealed.", 18, tuple(mark.value for mark in Mark)),
    _words("with_unit", heading="With", help_="Who carries it, its vehicle, its guard: a number."),
    _choice("place", "Place", "If it isn't on the map: off-map, eliminated, captured.", Place),
    _words("name", heading="Name", help_="The letter on the counter, or a leader's name."),
    _words("kind", heading="Kind", help_="Empty: as the catalogue has it. An armor leader needs it.", wide=10),
    _words("nation", heading="Nation", help_="Empty: the side's own. A captured Gun needs it.", wide=9),
)
OWN_UNITS = (
    *UNITS[:5],
    _words("group", heading="Group", help_="The number of its group: I1/2."),
    UNITS[5],
    Column(("fought",), "Fought", "Has it taken part in a battle?", YES_NO, wide=5),
    _number("since", "Since", "The number of the battle for which it came. Empty: the first."),
    *UNITS[6:],
)
FORTS = (
    _words("id", heading="Number", help_="The first two letters of the side, F and a number: AXF3.", needed=True),
    Column(("kind",), "Kind", "What it is.", WordsCell(lambda: sorted(load_fortifications())), True, 16),
    _words("size", heading="Size", help_="Its strength: 3 squads, 1+3+5, A."),
    _words("at", heading="Location", help_="Where it is; empty: not placed yet."),
    _words("hexside", heading="Hexside", help_="Of a roadblock: the hex on the other side."),
    _number("factors", "Factors", "Of mines."),
    _number("count", "Count", "How many of them this line stands for. Empty: one."),
    _number("firefight", "Battle", "The number of the battle for which it was bought. Empty: the first."),
)
KEY = _words("id", heading="Group", help_="The line of the chart and a number: I1/2.", needed=True)
PL_GROUPS = (
    KEY,
    _number("firefight", "Firefight", "The number of the firefight for which it was bought."),
    Column(
        ("setup",),
        "Comes",
        "How it comes into play.",
        ChoiceCell({w: w for w in ("off-map", "on-map", "reserve")}),
        True,
        9,
    ),
    _number("cost", "CP", "What it cost."),
    Column(("given",), "Given", "Did the OB give it?", YES_NO, wide=5),
    _number("dummies", "Dummies", "How many Dummies came with it."),
    _words("ammunition", heading="Ammunition", help_="Of an OBA module."),
    _words("equipment", heading="Directed by", help_="Of an OBA module: radio, phone."),
    _words("pre_registered", heading="Pre-Registered", help_="Of an OBA module: the hex."),
    Column(("used",), "Used", "Of an OBA module.", YES_NO, wide=5),
    _words("lost", heading="Lost", help_="Why it is no longer there; empty while it is."),
)
HASL_GROUPS = (
    KEY,
    _number("date", "Date", "The number of the CG Date for which it came."),
    _words("name", heading="Group Type", help_="As on the chart.", wide=16),
    _number("cost", "CPP", "What it cost."),
    Column(("given",), "Given", "Did the OB give it?", YES_NO, wide=5),
    _choice("strength", "Strength", "Full (F) or Depleted (D).", Strength),
    _choice("arrival", "Comes", "How it comes into play on its date.", GroupArrival),
    _words("area", heading="Area", help_="The Setup Area, or the arrow hex of its Entry Area."),
    Column(("units",), "Units", "How many came of each type: 4-6-7 3.", PairsCell(), wide=18),
    Column(("sw",), "SW", "How many came of each type: LMG 1.", PairsCell(), wide=12),
    _words("leader", heading="Leader", help_="As they came: 9-1."),
    _number("black", "Black", "Black chits of an OBA Draw Pile."),
    _number("red", "Red", "Red chits of an OBA Draw Pile."),
    _words("equipment", heading="Directed by", help_="Of an OBA module: radio, phone."),
    _words("holder", heading="Observer", help_="Of an OBA module: the number of its unit, or offboard."),
    _names("pre_registered", "Pre-Registered", "Of an OBA module: hexes."),
    Column(("registers",), "Registers", "Does it have a Pre-Registered hex?", YES_NO, wide=5),
    Column(("in_play",), "In play", "Is the OBA module in play in the present scenario?", YES_NO, wide=5),
    Column(("used",), "Used", "Of an OBA module.", YES_NO, wide=5),
    _words("lost", heading="Lost", help_="Why it is no longer there; empty while it is."),
)
ROSTER = (
    _number("elr", "ELR", "Experience Level Rating."),
    _number("san", "SAN", "Sniper Activation Number, without what was bought in secret."),
)
NUMBERS: Mapping[str, tuple[Column, ...]] = {
    "pl": (*ROSTER, _number("cvp", "CVP", "In the present firefight."), _number("tvp", "TVP", "CG TVP total.")),
    "hasl": (
        *ROSTER,
        _number("cvp", "CVP", "In the present scenario, or the last one until the next is played."),
        _number("cvp_total", "CVP total", "In the campaign."),
        _number("attacks", "Attacks", "Attack chits chosen."),
        _number("idles", "Idles", "Idle chits chosen."),
        _number("ammunition", "Shortage", "Ammunition Shortage level."),
    ),
}
OWN_NUMBERS: Mapping[str, tuple[Column, ...]] = {
    "pl": (
        _number("cp", "CP", "Left."),
        _number("fp", "FP", "Left."),
        _number("patrols", "Patrols", "Bought for the present firefight."),
        _number("secret_san", "Secret SAN", "Bought and not announced yet."),
        Column(("bought",), "RGs bought", "How many of each line in the campaign: I1 2, G4 1.", PairsCell(), wide=24),
    ),
    "hasl": (
        _number("cpp", "CPP", "Left."),
        _number("fpp", "FPP", "Left."),
        _number("secret_san", "Secret SAN", "Bought and not announced yet."),
        Column(("bought",), "RGs bought", "How many of each line in the campaign: I1 2, HW1 1.", PairsCell(), wide=24),
    ),
}
PAST: Mapping[str, tuple[Column, ...]] = {
    "pl": (
        _words("number", heading="Firefight", help_="Its number.", needed=True),
        _words("type", heading="Type", help_="Axis Assault, Allied Assault, Dual Attack, Idle Firefight.", wide=16),
        _words("weather", heading="Weather", help_="unknown, if you don't know it any more."),
        _words("attacker", heading="Attacker", help_="The side."),
        _words("winner", heading="Winner", help_="The side."),
        *(
            Column((name,), name.upper(), "By side: axis 3, allied 4.", PairsCell(), wide=16)
            for name in ("cvp", "tvp", "elr", "san")
        ),
    ),
    "hasl": (
        _words("number", heading="CG Date", help_="Its number.", needed=True),
        _words("kind", heading="Kind", help_="What the chits made of it.", wide=16),
        Column(("idle",), "Idle", "Was no scenario played?", YES_NO, wide=5),
        Column(("chits",), "Chits", "By side: axis attack, allied idle.", PairsCell(), wide=18),
        _words("weather", heading="Weather", help_="unknown, if you don't know it any more."),
        *(
            Column((name,), name.upper(), "By side: axis 3, allied 4.", PairsCell(), wide=16)
            for name in ("cvp", "elr", "san")
        ),
    ),
}
HEADER = (
    _words("card", heading="Card", help_="The title of the card.", wide=24, needed=True),
    _words("round", heading="Round", help_="The round of the sequence of play.", wide=12, needed=True),
    _words("next", heading="Next", help_="The step that comes next.", wide=16, needed=True),
)
SIDE_WORDS = ChoiceCell({side: side for side in SIDES})
BATTLE: Mapping[str, tuple[Column, ...]] = {
    "pl": (
        _number("number", "Firefight", "Its number on the card."),
        _words("type", heading="Type", help_="Axis Assault, Allied Assault, Dual Attack, Idle Firefight.", wide=16),
        _words("weather", heading="Weather", help_="As determined; empty: not yet."),
        Column(("attacker",), "Attacker", "The side.", SIDE_WORDS, wide=8),
        Column(("sets_up_first",), "Sets up first", "The side.", SIDE_WORDS, wide=8),
        Column(("moves_first",), "Moves first", "The side.", SIDE_WORDS, wide=8),
        *(Column((name,), name.upper(), "By side: axis 3, allied 4.", PairsCell(), wide=16) for name in ("cvp", "tvp")),
        Column(("attacked",), "Attacked", "By side: axis yes, allied no.", PairsCell(), wide=18),
    ),
    "hasl": (
        _number("number", "CG Date", "Its number on the card."),
        _words("kind", heading="Kind", help_="What the chits made of it.", wide=16),
        Column(("idle",), "Idle", "Was no scenario played?", YES_NO, wide=5),
        Column(("chits",), "Chits", "By side: axis attack, allied idle.", PairsCell(), wide=18),
        Column(("sets_up_first",), "Sets up first", "The side.", SIDE_WORDS, wide=8),
        Column(("moves_first",), "Moves first", "The side.", SIDE_WORDS, wide=8),
        _words("weather", heading="Weather", help_="As determined; empty: not yet."),
        _words("ec", heading="EC", help_="Environmental Conditions."),
        _words("wind", heading="Wind", help_="Its force and direction."),
        _number("nvr", "NVR", "Night Visibility Range, at night."),
        Column(("rain",), "Rain", "Has it rained?", YES_NO, wide=5),
        Column(("ammunition",), "Shortage", "By side: axis 0, allied 1.", PairsCell(), wide=16),
    ),
}
FIRES = (
    _names("flames", "Flames", "Hexes."),
    _names("blazes", "Blazes", "Hexes."),
    _names("burnt", "Burnt down", "Hexes."),
    _names("cleared", "Cleared", "Hexes of which wire, mines or rubble are cleared."),
)
CHANGES = (
    _words("at", heading="Location", help_="H7, H7.1.", needed=True),
    _names("changes", "Changes", "rubble, shellholes, trailbreak, breach, bridge-destroyed.", 30),
)
AREAS = (
    _words("name", heading="Area", help_="Its letter or name.", needed=True),
    Column(("side",), "Side", "Whose it is.", SIDE_WORDS, True, 8),
    _names("hexes", "Hexes", "Its hexes: H7, H8.", 60),
    Column(("isolated",), "Isolated", "Is it?", YES_NO, wide=5),
)
BLOCKS = (
    _words("name", heading="Block", help_="Its letter or name.", needed=True),
    Column(("side",), "Controlled by", "The side.", SIDE_WORDS, wide=8),
)
FRONT = (
    _number("firefight", "Firefight", "The number of the firefight after which it was drawn."),
    _words("stage", heading="Stage", help_="final, if the Redeployment Phase is over."),
    *(
        Column(("controlled", side), f"{side.capitalize()} hexes", "Hexes that it Controls and that seed its clusters.",
               Names(), wide=40)
        for side in SIDES
    ),
)  # fmt: skip
LINKS = (
    _words("a", heading="From", help_="The hex of a cluster in which the link begins.", needed=True),
    _words("b", heading="To", help_="The hex of the other cluster, or of the edge.", needed=True),
    _names("chain", "Over", "The hexes between, in their order.", 30),
    Column(("kind",), "Kind", "What it leads to.", ChoiceCell({"cluster": "cluster", "edge": "edge"}), True, 8),
)
HEADQUARTERS = (
    _words("building", heading="Building", help_="The hex by which the building is known.", needed=True),
    _names("hexes", "Hexes", "All its hexes.", 30),
)
BARRAGES = (
    _number("number", "Number", "From 1."),
    _names("hexes", "Hexes", "The Blast Area as recorded.", 40),
    _names("corners", "Corners", "Where its counters go."),
    _words("area", heading="Area", help_="The Setup Area."),
    _number("placed", "Placed", "The Game Turn in which it was laid down; 0: not yet."),
    Column(("accurate",), "Accurate", "Did it land as planned?", YES_NO, wide=5),
    Column(("over",), "Over", "Has it been removed?", YES_NO, wide=5),
)
BOMBARDMENTS = (
    Column(("side",), "Side", "Whose it is.", SIDE_WORDS, True, 8),
    _names("areas", "Areas", "Each by its corner.", 30),
    _number("mc", "MC", "The Morale Check that it calls for."),
    _names("immune", "Immune", "Hexes.", 30),
)
CONTROL = (
    _words("side", heading="Side", help_="axis or allied.", needed=True),
    _names("at", "Controls", "Strategic Locations: H7, H7.1.", 60),
)


HEXES = frozenset(
    {"at", "hexside", "pre_registered", "objective", "flames", "blazes", "burnt", "cleared", "hexes", "a", "b", "chain"}
    | {"building", "corners", "immune", "controlled"}
)
"""The columns in which hexes stand."""


def hexes_in(column: Column) -> str:
    """Return how many hexes a cell of a column names: `one`, `many`, or "" for none."""
    if column.way[0] not in HEXES:
        return ""
    return "many" if isinstance(column.cell, Names) else "one"


def record_grids(system: str) -> Callable[[Mapping[str, Any]], Iterator[ChartGrid]]:
    """Return what yields the grids of records: of Platoon Leader (`pl`), or of a HASL system (`abtf`, `er`, `hasl`)."""

    def grids(data: Mapping[str, Any]) -> Iterator[ChartGrid]:
        family = "pl" if system == "pl" else "hasl"
        battle = "fight" if system == "pl" else "scenario"
        yield ChartGrid(
            "point", "Where the campaign stands", "The card, and the step that comes next.", (), HEADER, WHOLE
        )
        yield ChartGrid("battle", "The present battle", "What is known of it already.",
                        ("public", battle), BATTLE[family], WHOLE)  # fmt: skip
        yield ChartGrid("past", "CG Roster", f"The battles played: a line for each before the present {battle}.",
                        ("public", "past"), PAST[family], named=True)  # fmt: skip
        yield ChartGrid("control", "Control", "Who Controls which Strategic Locations.",
                        ("public", "ground", "control"), CONTROL, named=True)  # fmt: skip
        yield ChartGrid("fires", "Fires", "What burns, and what has burnt down.", ("public", "ground"), FIRES, WHOLE)
        yield ChartGrid("changes", "Changes of the map", "Rubble and the like.",
                        ("public", "ground", "changes"), CHANGES, named=True)  # fmt: skip
        yield from _of_front(system, data)
        for side in SIDES:
            yield from _of_side(family, side)

    return grids


def _of_front(system: str, data: Mapping[str, Any]) -> Iterator[ChartGrid]:
    """Yield the grids of the front, or of Setup Areas and Blocks, and what else only one system has."""
    campaign: Where = ("public", "campaign")
    if system == "pl":
        yield ChartGrid("front", "The front", "From what it was drawn last.", (*campaign, "line"), FRONT, WHOLE)
        for side in SIDES:
            yield ChartGrid(f"{side}-links", f"{side.capitalize()}: MLR links", "The links that join its clusters.",
                            (*campaign, "line", "links", side), LINKS)  # fmt: skip
        return
    yield ChartGrid("areas", "Setup Areas", "The ground that each side holds.", ("public", "areas"), AREAS)
    yield ChartGrid("blocks", "Blocks", "Who Controls which Block.", (*campaign, "block_control"), BLOCKS, named=True)
    if system == "abtf":
        yield ChartGrid("headquarters", "Headquarters", "While only the Allied side knows it.",
                        ("secret", "allied", "campaign", "headquarters"), HEADQUARTERS, WHOLE)  # fmt: skip
    if system == "er":
        number = _number_of_battle(data)
        about = "Of the present scenario."
        yield ChartGrid("barrages", "FPF Barrages", about, (*campaign, "barrages", number), BARRAGES)
        yield ChartGrid("bombardments", "Bombardments", about, (*campaign, "bombardments", number), BOMBARDMENTS)


def _number_of_battle(data: Mapping[str, Any]) -> int:
    """Return the number of a record's present battle; that of the first, if it doesn't say."""
    public = data.get("public")
    scenario = public.get("scenario") if isinstance(public, Mapping) else None
    number = scenario.get("number") if isinstance(scenario, Mapping) else None
    return number if isinstance(number, int) else 1


WHOLE = {"": ""}


def _of_side(system: str, side: str) -> Iterator[ChartGrid]:
    name = side.capitalize()
    public: Where = ("public", side)
    secret: Where = ("secret", side)
    groups = PL_GROUPS if system == "pl" else HASL_GROUPS
    known, own = "What everybody knows.", "What only this side knows. The other side doesn't see it."
    yield ChartGrid(f"{side}-numbers", f"{name}: numbers", known, (*public, "numbers"), NUMBERS[system], WHOLE)
    yield ChartGrid(f"{side}-units", f"{name}: known units", known, (*public, "units"), UNITS, named=True)
    yield ChartGrid(f"{side}-forts", f"{name}: known fortifications", known, (*public, "forts"), FORTS, named=True)
    yield ChartGrid(f"{side}-own-numbers", f"{name}: points", own, (*secret, "numbers"), OWN_NUMBERS[system], WHOLE)
    yield ChartGrid(f"{side}-groups", f"{name}: RG Purchase Record", own, (*secret, "groups"), groups, named=True)
    yield ChartGrid(
        f"{side}-own-units", f"{name}: all its units", f"{own} A known unit needs only its group, and if it fought.",
        (*secret, "units"), OWN_UNITS, named=True,
    )  # fmt: skip
    yield ChartGrid(f"{side}-own-forts", f"{name}: hidden fortifications", own, (*secret, "forts"), FORTS, named=True)
