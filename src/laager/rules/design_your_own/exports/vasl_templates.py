"""Orders of battle as a scenario that the vasl-templates program opens.

The form is the program's own JSON: named fields of text, and lists of vehicles, ordnance, setups
and notes for player 1 and player 2. Vehicles and Guns stand in it by the id under which the
program knows them, with its name; those that it does not have go into a note of their player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from laager.base import Refusal, RefusedError
from laager.catalogue.dyo.spelling import ProgramPiece, find_piece, pieces_of
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.cards import left_out
from laager.rules.design_your_own.exports.forces import UNITS, force_groups
from laager.rules.design_your_own.lines.bonus import side_elr
from laager.rules.design_your_own.nations import BURMA, theatre_id
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.terms import SIDES

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

THEATERS: Mapping[str, str] = {
    BURMA: "Burma",
    "pacific": "PTO",
    "china": "PTO",
    "north-africa": "DTO",
    "korea": "Korea",
}
"""The program's theaters by the ids of Laager's; all others are the European one."""

HIGHEST_SAN = 7
"""The program offers SAN up to this one."""


def vasl_templates(cg: Cg, sides: Iterable[str] = SIDES) -> Mapping[str, Any]:
    """Return a scenario with the orders of battle of these sides, as the program's plain data.

    Axis is player 1. Of a side that is not named there is nothing but its nation and ELR, which
    both players know. Raises RefusedError for nations that the program does not have.
    """
    terms, shown = cg.terms, set(sides)
    scenario: dict[str, Any] = {
        "SCENARIO_NAME": _html(terms.title),
        "SCENARIO_ID": terms.id,
        "SCENARIO_LOCATION": "",
        "SCENARIO_DATE": f"{terms.date}-01",
        "SCENARIO_WIDTH": "",
        "SCENARIO_THEATER": THEATERS.get(theatre_id(terms.theatre), "ETO"),
        "VICTORY_CONDITIONS": _html(terms.victory),
        "SSR": _special_rules(cg),
        "SCENARIO_NOTES": [],
    }
    for number, side in enumerate(SIDES, start=1):
        scenario |= _player(cg, side, number, known=side in shown)
    return scenario


def _special_rules(cg: Cg) -> list[str]:
    terms = cg.terms
    rules = []
    if terms.boards:
        boards = ", ".join(board.id + (" (part)" if not board.whole else "") for board in terms.boards)
        rules.append(f"Boards: {boards}.")
    if cg.state.weather:
        rules.append(f"Weather: {cg.state.weather}.")
    return [_html(rule) for rule in rules]


def _html(text: str) -> str:
    """Return text as the program has it: escaped, for its web pages, with breaks where its lines end."""
    return "<br>".join(escape(line, quote=False) for line in text.strip().splitlines())


def nationality(cg: Cg, side: str) -> str:
    """Return the program's name of a side's nation. Raises RefusedError if it has none."""
    nation = cg.terms.side(side).nation
    name = NATIONALITIES.get(nation) or NATIONALITIES.get(cg.group(side).value)
    if name is None:
        raise RefusedError(
            Refusal.NO_SUCH, f"vasl-templates has no nationality for {nation}", "export as ob, pl or hasl instead"
        )
    return name


def program_pieces(cg: Cg, side: str) -> Mapping[str, Mapping[str, ProgramPiece]]:
    """Return the program's vehicles and ordnance of a side's nation, with those that it shares with others."""
    shared = NATIONALITIES.get(cg.group(side).value, "").partition("~")[0]
    return pieces_of(cg.terms.side(side).nation, cg.group(side).value, shared)


def _player(cg: Cg, side: str, number: int, *, known: bool) -> dict[str, Any]:
    player: dict[str, Any] = {
        f"PLAYER_{number}": nationality(cg, side),
        f"PLAYER_{number}_ELR": str(side_elr(cg, side)),
        f"PLAYER_{number}_SAN": str(cg.ob(side).san) if known else "",
        f"PLAYER_{number}_DESCRIPTION": _html(cg.terms.side(side).name),
    }
    setups, notes = list[str](), list[str]()
    vehicles, guns = list[ProgramPiece](), list[ProgramPiece]()
    if known:
        ob, pieces = cg.ob(side), program_pieces(cg, side)
        own = {
            "vehicles": [entry.type for entry in ob.vehicles.entries],
            "ordnance": [gun.type for gun in ob.ordnance.guns],
        }
        setups = _setups(ob)
        notes = [*left_out(ob), *_unknown(pieces, own)]
        if ob.san > HIGHEST_SAN:
            player[f"PLAYER_{number}_SAN"] = ""
            notes.append(f"SAN: {ob.san}")
        vehicles, guns = (
            [piece for type_ in types if (piece := find_piece(pieces[kind], type_))] for kind, types in own.items()
        )
    return player | {
        f"OB_SETUPS_{number}": _captions(setups),
        f"OB_NOTES_{number}": _captions(notes),
        f"OB_VEHICLES_{number}": _program_entries(vehicles),
        f"OB_ORDNANCE_{number}": _program_entries(guns),
    }


def _program_entries(pieces: Iterable[ProgramPiece]) -> list[dict[str, Any]]:
    """Return an entry for each different vehicle or Gun; the program finds it by its id."""
    return [
        {"id": piece.id, "seq_id": place, "name": piece.name}
        for place, piece in enumerate(dict.fromkeys(pieces), start=1)
    ]


def _captions(texts: Iterable[str]) -> list[dict[str, Any]]:
    return [{"caption": _html(text), "width": "", "id": place} for place, text in enumerate(texts, start=1)]


def _setups(ob: OrderOfBattle) -> list[str]:
    """Return what sets up and what enters later, each as a line of units; all else is in the notes."""
    groups = ((group.title, [entry for entry in group.entries if entry.section in UNITS]) for group in force_groups(ob))
    return [f"{title}: {', '.join(entry.words for entry in entries)}" for title, entries in groups if entries]


def _unknown(pieces: Mapping[str, Mapping[str, ProgramPiece]], own: Mapping[str, Iterable[str]]) -> list[str]:
    missing = [
        type_
        for kind, types in own.items()
        for type_ in dict.fromkeys(types)
        if find_piece(pieces[kind], type_) is None
    ]
    return [f"not known to vasl-templates: {', '.join(missing)}"] if missing else []
