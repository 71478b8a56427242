"""Rulings for tests: written by chance from what a side (or the umpire) knows of a campaign."""

from __future__ import annotations

from random import Random
from typing import Any

from laager.base.files import Document
from laager.campaign import UMPIRE
from laager.campaign.engine import Campaign
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.rulings.ruling import WrittenRuling, base_contexts, write_ruling
from laager.rules.board.units import Mark, Unit

WHY = "we looked at the board again"


def written(campaign: Campaign, by: str, data: dict[str, Any]) -> WrittenRuling:
    """The facts of a ruling whose reason is of no account."""
    return write_ruling(campaign, by, Document({"laager": "ruling/1", "why": WHY, **data}, "ruling.yaml"))


def ruling_by_chance(campaign: Campaign, by: str, rng: Random) -> dict[str, Any]:
    """Something that a side might put right; often it can't be so."""
    _, cg = base_contexts(campaign, by)
    makers = [_unit, _unit, _unit, _new_unit, _fort, _new_fort, _number, _ground, _group]
    data: dict[str, Any] = {}
    for make in rng.choices(makers, k=rng.randint(1, 4)):
        _merge(data, make(cg, by, rng))
    return data


def _merge(data: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(data.get(key), dict):
            _merge(data[key], value)
        elif isinstance(value, list) and isinstance(data.get(key), list):
            data[key] = [*data[key], *value]
        else:
            data[key] = value


def _own(by: str, rng: Random) -> str:
    return rng.choice(SIDES) if by == UMPIRE else by


def _place(cg: CardContext, rng: Random) -> str:
    """Where something else stands, or anywhere."""
    taken = [unit.at for unit in cg.state.units.values() if unit.at]
    if taken and rng.random() < 0.6:
        return str(rng.choice(sorted(taken)))
    name = rng.choice(sorted(cg.map.playable))
    return rng.choice(cg.map.locations(name))


def _unit(cg: CardContext, by: str, rng: Random) -> dict[str, Any]:
    units = list(cg.state.units.values())
    if not units:
        return _number(cg, by, rng)
    unit = rng.choice(units)
    return {"units": {unit.id: _unit_line(cg, unit, rng)}}


def _unit_line(cg: CardContext, unit: Unit, rng: Random) -> dict[str, Any]:
    others = [other.id for other in cg.state.units.values()]
    lines: list[dict[str, Any]] = [
        {"at": _place(cg, rng)},
        {"at": _place(cg, rng), "with": ""},
        {"place": "off-map"},
        {"gone": rng.choice(["eliminated", "captured", "removed", "recalled", "evacuated"])},
        {"marks": [rng.choice("+-") + rng.choice(list(Mark)).value for _ in range(rng.randint(1, 2))]},
        {"with": rng.choice(others)},
        {"type": rng.choice([other.type for other in cg.state.units.values() if other.kind == unit.kind])},
        {"name": rng.choice(["A", "Sgt. Hale", ""])},
        {"known": rng.random() < 0.5},
        {"fought": rng.random() < 0.5, "since": 1},
    ]
    return rng.choice(lines)


def _new_unit(cg: CardContext, by: str, rng: Random) -> dict[str, Any]:
    side = _own(by, rng)
    types = sorted({unit.type for unit in cg.state.units.values() if unit.side == side}) or ["4-6-7"]
    line: dict[str, Any] = {"side": side, "type": rng.choice(types)}
    if rng.random() < 0.7:
        line |= {"at": _place(cg, rng), "known": rng.random() < 0.5}
    return {"new": {"units": [line]}}


def _fort(cg: CardContext, by: str, rng: Random) -> dict[str, Any]:
    forts = list(cg.state.forts)
    if not forts:
        return _new_fort(cg, by, rng)
    line = rng.choice([{"gone": True}, {"at": _place(cg, rng)}, {"hidden": rng.random() < 0.5}, {"count": 2}])
    return {"forts": {rng.choice(forts): line}}


def _new_fort(cg: CardContext, by: str, rng: Random) -> dict[str, Any]:
    line = {"side": _own(by, rng), "kind": rng.choice(["foxhole", "wire", "trench"]), "size": "2"}
    return {"new": {"forts": [{**line, "at": rng.choice(sorted(cg.map.playable)), "hidden": rng.random() < 0.5}]}}


def _number(cg: CardContext, by: str, rng: Random) -> dict[str, Any]:
    side = _own(by, rng)
    own = cg.state.side(side)
    names = [name for name in ("elr", "san", "cp", "cpp", "fp", "fpp", "cvp") if hasattr(own, name)]
    name = rng.choice(names)
    return {"sides": {side: {name: max(0, getattr(own, name) + rng.randint(-2, 3))}}}


def _ground(cg: CardContext, by: str, rng: Random) -> dict[str, Any]:
    name = rng.choice(sorted(cg.map.playable))
    return {
        "ground": rng.choice(
            [
                {"control": {name: rng.choice([*SIDES, "nobody"])}},
                {"blazes": [f"+{name}"]},
                {"flames": [f"+{name}"]},
                {"changes": {name: ["shellholes"]}},
                {"burnt": [f"+{name}"]},
            ]
        )
    }


def _group(cg: CardContext, by: str, rng: Random) -> dict[str, Any]:
    if not cg.state.groups:
        return _number(cg, by, rng)
    side, name = rng.choice(sorted(cg.state.groups))
    return {"groups": {f"{side}:{name}": {"lost": rng.choice(["", "used up"])}}}
