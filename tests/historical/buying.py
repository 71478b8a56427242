"""Charts and carts for tests of purchases.

`island` is the refit of walkthrough B2: its charts are made up for tests but for the prices of
arrival, SW, leaders and fortifications, which Edson's Ridge prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from laager.base import DataError
from laager.base.counting import list_counts
from laager.campaign.questions import Question
from laager.rules.board.buying.works import HipCap
from laager.rules.board.hasl.buying.fortifications import tenth_hidden
from laager.rules.board.hasl.buying.groups import purchase_record
from laager.rules.board.hasl.buying.offers import Cart, DateShop
from laager.rules.board.hasl.buying.purchase import purchasing
from laager.rules.board.hasl.charts import WITH_UNITS, Kind, RgLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import Group, GroupArrival, Strength
from laager.rules.board.hasl.variant import Variant
from laager.tables import Table, load_packaged
from tests.historical.driver import Played, run
from tests.historical.small import data, scene

PRICES = {GroupArrival.ON_MAP: 1, GroupArrival.ENTER: 0, GroupArrival.RESERVE: -1}


class IslandVariant(Variant[Any]):
    """The rules of Edson's Ridge in which purchases differ from the layer."""

    def arrivals(self, cg: Hasl, side: str, line: RgLine) -> tuple[GroupArrival, ...]:
        return tuple(PRICES) if line.kind in WITH_UNITS else ()

    def price(self, cg: Hasl, line: RgLine, arrival: GroupArrival | None) -> int:
        return line.cost if arrival is None else max(0, line.cost + PRICES[arrival])

    def has_objective(self, cg: Hasl, side: str, line: RgLine) -> bool:
        return side == "axis" and line.kind is Kind.INFANTRY

    def rolls_strength(self, cg: Hasl, side: str, line: RgLine, given: bool) -> bool:
        return line.kind in (Kind.INFANTRY, Kind.HEAVY_WEAPONS) and not given

    def strength_modifiers(self, cg: Hasl, side: str, line: RgLine) -> Mapping[str, int]:
        return {"chart": 0}

    def strength_table(self, cg: Hasl) -> Table | None:
        return load_packaged("laager.rules.edsons_ridge", "tables.yaml")["rg-strength"]

    def leader_table(self, cg: Hasl) -> Table | None:
        return load_packaged("laager.rules.edsons_ridge", "tables.yaml")["leader"]

    def leader_conditions(self, cg: Hasl, side: str, line: RgLine, group: Group) -> Mapping[str, int]:
        return {
            "depleted": int(group.strength is Strength.DEPLETED),
            "japanese-engineer": int(line.name == "Engineer Platoon"),
            "raider": int(line.name == "Raider Platoon"),
            "tank-section": int(line.name == "Tank Section"),
        }

    def leader_gate(self, cg: Hasl, side: str, line: RgLine) -> int | None:
        return 3 if side == "axis" else None

    def hip_cap(self, cg: Hasl, side: str) -> HipCap | None:
        return None if cg.date.night else tenth_hidden(cg, side)


class IslandCg(Hasl):
    variant = IslandVariant()


def _platoon(id_: str, name: str, cost: int, type_: str, total: int, *sw: Any, **more: Any) -> Any:
    return {
        "id": id_,
        "name": name,
        "kind": id_.rstrip("0123456789"),
        "cost": cost,
        "full": [{"type": type_, "count": 3}],
        "depleted": [{"type": type_, "count": 2}],
        "sw": list(sw),
        "total": total,
        **more,
    }


def _sw(type_: str, need: int | None = None, count: int = 1) -> dict[str, Any]:
    return {"type": type_, "count": count} | ({"need": need} if need is not None else {})


JAPANESE = [
    _platoon("I1", "Rifle Platoon", 4, "4-4-7", 8, _sw("LMG"), _sw("50* MTR", 3), leader="japanese"),
    _platoon("I2", "Engineer Platoon", 6, "4-4-8", 2, _sw("DC", count=2), _sw("FT", 2), leader="japanese"),
    _platoon("HW1", "MG Section", 4, "2-2-8", 2, _sw("HMG"), _sw("MMG", 3), _sw("50* MTR", 2)),
    {"id": "M1", "name": "Bombardment", "kind": "M", "cost": 3, "total": 2, "special": "bombardment"},
]

AMERICAN = [
    _platoon("I1", "Raider Platoon", 6, "7-4-7", 3, _sw("LMG"), _sw("60* MTR", 3), _sw("DC", 2), leader="american"),
    _platoon("I2", "Paramarine Platoon", 5, "6-6-7", 3, _sw("LMG"), _sw("DC", 3), leader="american"),
    {
        "id": "V1",
        "name": "Tank Section",
        "kind": "V",
        "cost": 7,
        "full": [{"type": "M3A1", "count": 2}],
        "total": 1,
        "leader": "american-armor",
    },
    {"id": "F1", "name": "20 FPP", "kind": "F", "cost": 4, "fpp": 20, "total": 4},
    {"id": "M2", "name": "FPF Barrage", "kind": "M", "cost": 2, "total": 3},
]

WORKS = [
    {"kind": "foxhole", "size": "3S", "cost": 3},
    {"kind": "trench-upgrade", "cost": 6, "sides": ["allied"]},
    {"kind": "pillbox-upgrade", "cost": 10, "sides": ["allied"]},
    {"kind": "wire", "cost": 7, "per_date": 2},
    {"kind": "jungle-path", "cost": 5, "isolated": False},
    {"kind": "concealment", "cost": 1},
    {"kind": "hip", "size": "squad", "cost": 3},
    {"kind": "hip", "size": "half-squad", "cost": 2},
    {"kind": "hip", "size": "smc", "cost": 1},
    {"kind": "set-dc", "cost": 5},
]


def island(**more: Any) -> Any:
    """Return the campaign of walkthrough B2 before its purchases: IJA 24 CPP, U.S. 28.

    Its first date is a day; the Setup Areas are NE (axis) and W (allied), the arrows G1 and A4.
    """
    dates = [{"id": "13D", "day": "1942-09-13", "part": more.pop("part", "Day")}]
    card = {
        "dates": dates,
        "sides": {
            "axis": {
                "name": "Japanese",
                "nation": "japanese",
                "cpp": 24,
                "formations": [],
                "arrows": ["G1"],
                "ob": {"groups": []},
            },
            "allied": {
                "name": "U.S.",
                "nation": "american",
                "cpp": 28,
                "arrows": ["A4"],
                "ob": {"groups": [], "units": []},
            },
        },
    }
    charts = {
        "fortifications": more.pop("works", WORKS),
        "sides": {"axis": {"rg": JAPANESE}, "allied": {"rg": AMERICAN}},
    }
    return scene(card, charts, context=more.pop("context", IslandCg), **more)


def town(**changes: Any) -> Any:
    """Return the small town with further lines of the RG charts, by side."""
    sides = data("small-town-charts")["sides"]
    rg = {side: {"rg": [*sides[side]["rg"], *lines]} for side, lines in changes.items()}
    return scene(charts={"sides": rg})


def row(rg: str, arrival: str = "", area: str = "", count: int = 1, **more: Any) -> dict[str, Any]:
    return {"rg": rg, "arrival": arrival, "area": area, "count": count, **more}


def buy(cg: Any, side: str, *rows: dict[str, Any]) -> Played:
    return run(purchasing, cg, side, {"purchases": {"groups": list(rows)}})


def problems(cg: Any, side: str, *rows: dict[str, Any]) -> list[str]:
    """Return what is wrong with a cart, as players read it."""
    return [str(one) for one in DateShop(cg, side).problems(Cart.of({"groups": rows}))]


def refused(cg: Any, question: Question, answer: Any) -> list[str]:
    """Return why an answer is refused; the question itself must refuse it."""
    with pytest.raises(DataError) as caught:
        question.accept(answer)
    return [str(one) for one in caught.value.problems]


def only_for(played: Played, side: str) -> bool:
    """Whether nobody but a side learns anything of what was done."""
    return (
        all(fact.to == (side,) for fact in played.facts)
        and all(roll.secret and roll.side == side for roll, _ in played.rolls)
        and all(question.secret and question.side == side for question in played.asked)
    )


def written(cg: Any, side: str) -> list[Any]:
    """Return the lines of a side's RG Purchase Record with all that stands on them, as players read it."""
    return [
        SimpleNamespace(
            **{
                **line.group.model_dump(),
                "date": cg.card.dates[line.group.date - 1].title,
                "bought": line.bought,
                "left": line.left,
                "strength": line.group.strength or "",
                "units": list_counts(line.group.units),
                "sw": list_counts(line.group.sw),
            }
        )
        for line in purchase_record(cg, side)
    ]
