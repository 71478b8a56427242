"""Groups that no chart lists: what a side enters while its RG chart is not filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Number, Option, Record, Text, implements
from laager.catalogue import Kind as UnitKind
from laager.rules.board.buying.shop import cost_problems
from laager.rules.board.hasl.buying.counts import SW_KINDS, UNIT_KINDS, count_faults, counts_of
from laager.rules.board.hasl.buying.groups import entered_line
from laager.rules.board.hasl.buying.offers import DateShop, Wanted, equipments, wants_hex
from laager.rules.board.hasl.charts import WITH_UNITS, Kind, Module, RgLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.state import MAX_SAN

_KINDS = {
    Kind.INFANTRY: "Infantry",
    Kind.HEAVY_WEAPONS: "heavy weapons",
    Kind.AFV: "AFV",
    Kind.VEHICLE: "vehicles",
    Kind.GUN: "Guns",
    Kind.OBA: "OBA",
    Kind.MISCELLANEOUS: "miscellaneous",
    Kind.TRANSPORT: "transport",
    Kind.FORTIFICATION: "FPP",
    Kind.SAN: "SAN increase",
}


@dataclass(frozen=True)
class Entered:
    """A group as its owner enters it: the line that it would have on a chart, and how it comes."""

    line: RgLine
    wanted: Wanted


def entered(cg: Hasl, side: str, row: Mapping[str, Any]) -> Entered:
    """Return the group that a row of an answer describes."""
    nation = cg.nation(side)
    line = entered_line(
        Kind(row["kind"]),
        row["name"],
        row["cost"],
        formation=row.get("formation", ""),
        units=counts_of(row["units"], nation, UNIT_KINDS),
        sw=counts_of(row["sw"], nation, SW_KINDS),
        fpp=row["fpp"],
        san=row["san"],
        module=Module.model_construct(black=row["black"], red=row["red"]) if row["black"] else None,
    )
    return Entered(line, Wanted.of({**row, "rg": line.key}))


def entered_row(cg: Hasl, side: str, places: Choice, arrivals: Choice) -> Record:
    """Return the form of a row."""
    kinds = Choice(tuple(Option(kind.value, words) for kind, words in _KINDS.items()))
    formations = cg.side(side).formations
    fields = [
        Field("name", Text(limit=60), "Group"),
        Field("kind", kinds, "Type"),
        Field("cost", Number(0, 99), "CPP for one, as it comes"),
        Field("count", Number(1, 20), "How many", 1),
    ]
    if formations:
        named = tuple(Option(one.id, one.name) for one in formations)
        fields.append(Field("formation", Choice((Option("", "none"), *named)), "Formation", ""))
    fields += [
        Field("units", Text(limit=200), "Units of one at Full Strength: 3 x 4-6-7", ""),
        Field("sw", Text(limit=200), "SW of one: LMG, 2 x DC", ""),
        Field("arrival", arrivals, "How it comes, if it brings units", ""),
        Field("area", places, "Setup Area or Entry Area", ""),
        Field("objective", Text(limit=12), "Objective hex, where one is recorded", ""),
        Field("fpp", Number(0, 99), "FPP, if it is of type F", 0),
        Field("san", Number(0, 3), "SAN increase, if it is of type S", 0),
        Field("black", Number(0, 20), "OBA: black chits of the Draw Pile", 0),
        Field("red", Number(0, 20), "OBA: red chits", 0),
        Field("equipment", Text(limit=12), "OBA: radio, phone or observer", ""),
    ]
    return Record(tuple(fields))


# Judging ------------------------------------------------------------------------------------------


@implements("HASL 20")
def entered_problems(cg: Hasl, side: str, rows: Sequence[Mapping[str, Any]]) -> tuple[Problem, ...]:
    """Return what can't be right with groups entered, whatever their chart says."""
    found: list[Problem] = []
    total = san = 0
    for number, row in enumerate(rows, 1):
        where = f"groups[{number}]"
        found += _text_problems(cg, side, row, where)
        group = entered(cg, side, row)
        found += _kind_problems(group.line, row, where)
        found += (one.inside(where) for one in DateShop(cg, side).row_problems(group.line, group.wanted))
        total += group.line.cost * group.wanted.count
        san += group.line.san * group.wanted.count
    own = cg.state.side(side)
    if san and own.san + san > MAX_SAN:
        found.append(Problem(f"This makes the SAN {own.san + san}", f"SAN can't exceed {MAX_SAN}", "groups"))
    return (*found, *cost_problems(total, own.cpp, "CPP"))


def _text_problems(cg: Hasl, side: str, row: Mapping[str, Any], where: str) -> Iterator[Problem]:
    if not row["name"]:
        yield Problem("the group has no name", "name it as its chart does", f"{where}.name")
    for field, kinds in (("units", UNIT_KINDS), ("sw", SW_KINDS)):
        for what, right in count_faults(row[field], cg.nation(side), kinds):
            yield Problem(what, right, f"{where}.{field}")


def _kind_problems(line: RgLine, row: Mapping[str, Any], where: str) -> Iterator[Problem]:
    troops = line.kind in WITH_UNITS
    if troops and not row["units"]:
        yield Problem(f"{line.name} brings no units", "list them: 3 x 4-6-7", f"{where}.units")
    checks = (
        ("units", "units", troops),
        ("sw", "SW", troops),
        ("fpp", "FPP", line.kind is Kind.FORTIFICATION),
        ("san", "SAN increase", line.kind is Kind.SAN),
        ("black", "Draw Pile", line.kind is Kind.OBA),
        ("red", "Draw Pile", line.kind is Kind.OBA),
    )
    for field, what, fits in checks:
        if row[field] and not fits:
            found = f"a group of type {line.kind} has no {what}"
            yield Problem(found, "leave it out", f"{where}.{field}")
        elif fits and not row[field] and field in ("fpp", "san", "black"):
            yield Problem(f"{line.name} has no {what}", "say how much", f"{where}.{field}")


def suggest_entered(cg: Hasl, side: str, rng: Random) -> list[dict[str, Any]]:
    """Return rows entered by chance, for automatic play; nothing if chance finds none legal."""
    rows: list[dict[str, Any]] = []
    for _ in range(rng.randint(0, 3)):
        row = rng.choice((_some_infantry, _some_fpp, _some_oba))(cg, side, rng)
        if row is not None and not entered_problems(cg, side, [*rows, row]):
            rows.append(row)
    return rows


EMPTY: Mapping[str, Any] = {
    "count": 1,
    "units": "",
    "sw": "",
    "arrival": "",
    "area": "",
    "objective": "",
    "fpp": 0,
    "san": 0,
    "black": 0,
    "red": 0,
    "equipment": "",
}
"""The defaults of a row."""


def _some_infantry(cg: Hasl, side: str, rng: Random) -> dict[str, Any] | None:
    nation = cg.nation(side)
    squad = rng.choice(nation.types(UnitKind.SQUAD))
    line = entered_line(Kind.INFANTRY, "Platoon", 0, units={squad: 3}, sw={})
    ways = [(way, area) for way in cg.variant.arrivals(cg, side, line) for area in DateShop(cg, side).areas(line, way)]
    if not ways:
        return None
    way, area = rng.choice(ways)
    row: dict[str, Any] = {"name": "Platoon", "kind": "I", "cost": rng.randint(3, 7)}
    row |= {**EMPTY, "units": f"3 x {squad}", "arrival": way.value, "area": area}
    if rng.random() < 0.5:
        row["sw"] = rng.choice(nation.types(UnitKind.SW))
    if wants_hex(cg, side, line):
        row["objective"] = rng.choice(cg.map.in_order(cg.map.playable))
    return row


def _some_fpp(cg: Hasl, side: str, rng: Random) -> dict[str, Any]:
    return {"name": "FPP", "kind": "F", "cost": rng.randint(2, 5), **EMPTY, "fpp": 12}


def _some_oba(cg: Hasl, side: str, rng: Random) -> dict[str, Any]:
    line = entered_line(Kind.OBA, "OBA", 0, units={}, sw={})
    able = equipments(cg, side, line)
    row: dict[str, Any] = {"name": "OBA", "kind": "O", "cost": rng.randint(4, 6), **EMPTY}
    return row | {"black": 8, "red": 2, "equipment": rng.choice(able) if able else ""}
