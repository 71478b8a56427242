"""Orders of battle as a scenario that the vasl-templates program opens.

The form is the program's own JSON: named fields of text, and lists of vehicles, ordnance, setups
and notes for player 1 and player 2. Vehicles and Guns stand in it by the name under which the
program knows them; those that it has no name for go into a note of their player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Literal

from laager.base import Refusal, RefusedError
from laager.base.files import check, parse_document
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.force import left_out
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.steps.announcing import side_elr
from laager.rules.design_your_own.terms import SIDES, Part

PACKAGE = "laager.rules.design_your_own.exports"
NAMES = "vasl_names.yaml"

NATIONALITIES: Mapping[str, str] = {
    **{
        name: name
        for name in (
            "german", "russian", "american", "british", "french", "free-french", "italian",
            "finnish", "japanese", "chinese", "polish", "belgian", "yugoslavian", "danish",
            "dutch", "greek", "romanian", "hungarian", "slovakian", "croatian", "bulgarian",
        )
    },
    "gmd": "chinese~gmd",
    "red-chinese": "chinese",
}  # fmt: skip
"""The program's nationalities by Laager's nations (or the group that a nation counts as)."""

THEATERS: Mapping[str, str] = {"burma": "Burma", "pacific": "PTO"}
"""The program's theaters by the word of the terms; all others are the European one."""


def vasl_templates(cg: Cg, sides: Iterable[str] = SIDES) -> Mapping[str, Any]:
    """Return a scenario with the orders of battle of these sides, as the program's plain data.

    Axis is player 1. Of a side that is not named there is nothing but its nation and ELR, which
    both players know. Raises RefusedError for nations that the program does not have.
    """
    terms, shown = cg.terms, set(sides)
    scenario: dict[str, Any] = {
        "SCENARIO_NAME": terms.title,
        "SCENARIO_ID": terms.id,
        "SCENARIO_LOCATION": "",
        "SCENARIO_DATE": f"{terms.date}-01",
        "SCENARIO_WIDTH": "",
        "SCENARIO_THEATER": THEATERS.get(terms.theatre, "ETO"),
        "VICTORY_CONDITIONS": escape(terms.victory, quote=False),
        "SSR": _special_rules(cg),
        "SCENARIO_NOTES": [],
    }
    for number, side in enumerate(SIDES, start=1):
        scenario |= _player(cg, side, number, known=side in shown)
    return scenario


def _special_rules(cg: Cg) -> list[str]:
    terms = cg.terms
    found = []
    if terms.boards:
        boards = ", ".join(
            board.id + (" (part)" if not board.whole else "") for board in terms.boards
        )
        found.append(f"Boards: {boards}.")
    if cg.state.weather:
        found.append(f"Weather: {cg.state.weather}.")
    return [escape(rule, quote=False) for rule in found]


def nationality(cg: Cg, side: str) -> str:
    """Return the program's name of a side's nation. Raises RefusedError if it has none."""
    nation = cg.terms.side(side).nation
    found = NATIONALITIES.get(nation) or NATIONALITIES.get(cg.group(side).value)
    if found is None:
        raise RefusedError(
            Refusal.NO_SUCH,
            f"vasl-templates has no nationality for {nation}; export as ob, pl or hasl instead",
        )
    return found


def _player(cg: Cg, side: str, number: int, *, known: bool) -> dict[str, Any]:
    player: dict[str, Any] = {
        f"PLAYER_{number}": nationality(cg, side),
        f"PLAYER_{number}_ELR": str(side_elr(cg, side)),
        f"PLAYER_{number}_SAN": str(cg.ob(side).san) if known else "",
        f"PLAYER_{number}_DESCRIPTION": cg.terms.side(side).name,
    }
    setups, notes = list[str](), list[str]()
    vehicles, guns = list[str](), list[str]()
    if known:
        ob, names = cg.ob(side), names_of(cg.terms.side(side).nation)
        vehicles = [entry.type for entry in ob.vehicles.entries]
        guns = [gun.type for gun in ob.ordnance.guns]
        setups = _setups(ob)
        notes = [*left_out(ob), *_unknown(names, vehicles, guns)]
        vehicles = [names["vehicles"][t] for t in vehicles if t in names["vehicles"]]
        guns = [names["ordnance"][t] for t in guns if t in names["ordnance"]]
    return player | {
        f"OB_SETUPS_{number}": _captions(setups),
        f"OB_NOTES_{number}": _captions(notes),
        f"OB_VEHICLES_{number}": _named(vehicles),
        f"OB_ORDNANCE_{number}": _named(guns),
    }


def _named(names: Iterable[str]) -> list[dict[str, Any]]:
    """Return an entry for each different vehicle or Gun; the program finds it by its name."""
    return [
        {"name": name, "seq_id": place} for place, name in enumerate(dict.fromkeys(names), start=1)
    ]


def _captions(texts: Iterable[str]) -> list[dict[str, Any]]:
    return [
        {"caption": escape(text, quote=False), "width": "", "id": place}
        for place, text in enumerate(texts, start=1)
    ]


def _setups(ob: OrderOfBattle) -> list[str]:
    """Return what sets up and what enters later, each as a line of units."""
    at_start, later = list[str](), list[str]()
    for entry in ob.infantry:
        what = " ".join((entry.type, *entry.capabilities))
        now = entry.number - entry.reinforcements
        at_start += [f"{now} x {what}"] * bool(now)
        later += [f"{entry.reinforcements} x {what}"] * bool(entry.reinforcements)
    with_them = list(ob.reinforcement_leaders)
    for leader, number in (ob.leaders.held if ob.leaders else {}).items():
        now = number - with_them.count(leader)
        at_start += [f"{now} x {leader}"] * bool(now)
    later += with_them
    for sw in ob.sw:
        now = sw.number - sw.reinforcement
        at_start += [f"{now} x {sw.type}"] * bool(now)
        later += [f"{sw.reinforcement} x {sw.type}"] * bool(sw.reinforcement)
    at_start += [f"{gun.number} x {gun.type}" for gun in ob.ordnance.guns]
    types = [entry.type for entry in ob.vehicles.entries]
    at_start += [f"{types.count(type_)} x {type_}" for type_ in dict.fromkeys(types)]
    found = [("Set up", at_start), ("Enter as reinforcements", later)]
    return [f"{what}: {', '.join(units)}" for what, units in found if units]


# Names ------------------------------------------------------------------------------------------


class Names(Part):
    """Types that the program calls the same (`same`), and its names for others (`named`)."""

    same: tuple[str, ...] = ()
    named: dict[str, str] = {}

    @property
    def every(self) -> dict[str, str]:
        """The program's name of each type that it knows."""
        return {name: name for name in self.same} | self.named


class NationNames(Part):
    """The program's names for the pieces of a nation."""

    vehicles: Names = Names()
    ordnance: Names = Names()


class NamesFile(Part):
    """The program's names by nation: `laager: vasl-names/1`."""

    laager: Literal["vasl-names/1"]
    nations: dict[str, NationNames]


@cache
def _file() -> NamesFile:
    text = files(PACKAGE).joinpath(NAMES).read_text(encoding="utf-8")
    return check(parse_document(text, NAMES), NamesFile)


def names_of(nation: str) -> Mapping[str, Mapping[str, str]]:
    """Return the program's names of a nation's vehicles and ordnance, by Laager's types."""
    entered = _file().nations.get(nation, NationNames())
    return {"vehicles": entered.vehicles.every, "ordnance": entered.ordnance.every}


def _unknown(
    names: Mapping[str, Mapping[str, str]], vehicles: Iterable[str], guns: Iterable[str]
) -> list[str]:
    missing = [
        *(type_ for type_ in dict.fromkeys(vehicles) if type_ not in names["vehicles"]),
        *(type_ for type_ in dict.fromkeys(guns) if type_ not in names["ordnance"]),
    ]
    return [f"not known to vasl-templates by name: {', '.join(missing)}"] if missing else []
