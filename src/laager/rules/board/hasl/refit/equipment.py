"""Equipment without a holder, hidden fortifications, immobile vehicles after a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Procedure,
    Record,
    Rows,
    SecretQuestion,
    Several,
    Text,
    ask_all,
    at_once,
    implements,
    step,
)
from laager.rules.board import changes
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import FortJoined, Noted, UnitAttached
from laager.rules.board.hasl.areas import area_of_unit
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import UnitRetained
from laager.rules.board.hasl.report.form import hidden_works
from laager.rules.board.places import unit_id
from laager.rules.board.report.marks import IMMOBILE
from laager.rules.board.rows import repeated_names, unit_choice
from laager.rules.board.units import Mark, Place, Unit

LOST = "eliminated"

FAULTS = frozenset({Mark.MALFUNCTIONED, Mark.DISABLED, Mark.MA_MALFUNCTIONED, Mark.MA_DISABLED, *IMMOBILE})
"""The markers that Equipment keeps when its owner changes."""


@implements("ABtF 9.607", "ER 1.507")
@step("HASL 14", "Equipment possession")
def equipment_possession(cg: Hasl) -> Procedure[None]:
    """Settle who gets Equipment without a holder, what each side shows, which vehicles can't move."""
    yield from _shared_items(cg)
    yield from _of_each(cg)
    yield from _all_stuck(cg)


def possession_at_once(cg: Hasl) -> Procedure[None]:
    """Settle the same, with all of it asked at once."""
    yield from at_once(_shared_items(cg), _of_each(cg))
    yield from _all_stuck(cg)


def _shared_items(cg: Hasl) -> Procedure[None]:
    items = [unit for side in SIDES for unit in unpossessed_items(cg, side) if unit.known]
    if items:
        answer = yield from _ask_owners(cg, items)
        for row in answer:
            yield from new_owner(cg, cg.state.units[row["unit"]], row["owner"], row["by"])


def _of_each(cg: Hasl) -> Procedure[None]:
    answers = yield from ask_all(own_question(cg, side) for side in SIDES)
    for side, answer in answers.items():
        yield from _apply_own_answer(cg, side, answer)


def _all_stuck(cg: Hasl) -> Iterator[Fact]:
    if cg.variant.immobile_stays:
        for side in SIDES:
            yield from _fix_immobile(cg, side)


@implements("ABtF 9.2 Equipment")
def unpossessed_items(cg: Hasl, side: str) -> list[Unit]:
    """Return a side's SW and Guns on the map without a holder, and its Abandoned vehicles."""
    return [
        unit
        for unit in cg.state.units_of(side)
        if unit.on_map
        and not unit.with_unit
        and (unit.kind in ("sw", "gun") or (changes.is_vehicle(unit) and unit.has(Mark.ABANDONED)))
    ]


# What both know ---------------------------------------------------------------------------------


@implements("HASL 14")
def likely_owner(cg: Hasl, item: Unit) -> tuple[str, str]:
    """Return the side that is proposed as owner, and the unit that would possess it ("": none).

    The side that alone is known to have an MMC in the Location, else the one in whose Setup Area
    it lies; it is lost outside all areas.
    """
    there = [
        unit
        for unit in cg.state.at(item.at or "")
        if unit.kind in changes.MMC and unit.known and not unit.has(Mark.PRISONER)
    ]
    if len({unit.side for unit in there}) == 1:
        return there[0].side, there[0].id
    area = cg.state.area_at(item.hex or "")
    return (area.side if area is not None else LOST), ""


def _ask_owners(cg: Hasl, items: Sequence[Unit]) -> Procedure[list[Mapping[str, Any]]]:
    form = Rows.of(
        Field("unit", unit_choice(items), "Equipment"),
        Field("owner", Choice.of(*SIDES, LOST), "Which side has it now?"),
        Field("by", Text(20), "Which unit possesses it", ""),
    )
    default = []
    for item in items:
        owner, by = likely_owner(cg, item)
        default.append({"unit": item.id, "owner": owner, "by": "" if changes.is_vehicle(item) else by})
    named = ", ".join(f"{item.label} in {item.at}" for item in items)
    answer = yield from ask_and_confirm(
        "equipment",
        cg.state.scenario.moves_first or SIDES[0],
        f"{named}: who has it now?",
        form,
        default,
        help="What you do not list lies where it is. Without `by` it is in the owner's Setup Area there, or lies in "
        "its Location.",
        check=lambda rows: owner_problems(cg, rows),
        suggest=lambda rng: _suggest(cg, default, rng),
        tell=lambda rows: _owners_in_words(cg, rows),
    )
    return list(answer)


def _suggest(cg: Hasl, default: Sequence[Mapping[str, Any]], rng: Random) -> list[dict[str, Any]]:
    rows = []
    for row in default:
        if rng.random() < 0.7:
            rows.append(dict(row))
        elif rng.random() < 0.7:
            rows.append({"unit": row["unit"], "owner": rng.choice([*SIDES, LOST]), "by": ""})
    return rows


def _owners_in_words(cg: Hasl, rows: Sequence[Mapping[str, Any]]) -> str:
    parts = []
    for row in rows:
        owner = LOST if row["owner"] == LOST else cg.side(row["owner"]).name
        with_ = f" ({row['by']})" if row["by"] else ""
        parts.append(f"{cg.state.units[row['unit']].label}: {owner}{with_}")
    return "; ".join(parts)


def owner_problems(cg: Hasl, rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return everything that is wrong with the new owners of Equipment."""
    problems = repeated_names(rows)
    for number, row in enumerate(rows, 1):
        if row["by"]:
            item = cg.state.units[row["unit"]]
            able = [unit for unit in holders_for(cg, item, row["owner"]) if unit.known]
            problems += [p.inside(f"[{number}]") for p in _holder(item, able, row["by"])]
    return problems


def _holder(item: Unit, able: Sequence[Unit], by: str) -> Iterator[Problem]:
    if changes.is_vehicle(item):
        yield Problem(f"{item.label} can't be with a unit", "leave by out", "by")
    elif unit_id(by) not in {unit.id for unit in able}:
        right = did_you_mean(by, [unit.id for unit in able])
        yield Problem(f"{by!r} can't possess {item.label}", right, "by")


def holders_for(cg: Hasl, item: Unit, side: str) -> list[Unit]:
    """Return a side's personnel in the Location of an item, or in the Setup Area around it."""
    area = cg.state.area_at(item.hex or "")
    around = frozenset(area.hexes) if area is not None and area.side == side else frozenset[str]()
    return [
        unit
        for unit in cg.state.units_of(side, *(changes.INFANTRY - {"armor-leader"}))
        if unit.on_map and not unit.has(Mark.PRISONER) and (unit.at == item.at or unit.hex in around)
    ]


@implements("HASL 14", "HASL 12")
def new_owner(cg: Hasl, item: Unit, owner: str, by: str) -> Iterator[Fact]:
    """Equipment has an owner now; what the enemy or neither side gets is lost with its CVP."""
    holder = cg.state.units.get(unit_id(by))
    if owner == LOST:
        yield from changes.remove_unit(cg, item, Place.ELIMINATED, "neither side gets it")
    elif owner == item.side:
        yield from possess(cg, item, holder)
    else:
        yield from changes.remove_unit(cg, item, Place.CAPTURED, "the enemy has it now")
        if holder is not None:
            yield from changes.change_hands(cg, item, holder.id, item.marks & FAULTS)
        else:
            kept = (item.marks & FAULTS) | (item.marks & {Mark.FIXED, Mark.ABANDONED})
            yield changes.join_captor(cg, item, owner, kept, at=item)


def possess(cg: Hasl, item: Unit, holder: Unit | None) -> Iterator[Fact]:
    """Yield that a side's own Equipment is with one of its units, at that unit's place, or lies in its area."""
    why = "possessed again" if holder is not None else "no unit possesses it"
    if holder is not None:
        if item.at != holder.at:
            yield changes.place_unit(item, holder.at, why=why)
        yield UnitAttached(unit=item.id, to_unit=holder.id, why=why, to=item.audience)
    area = area_of_unit(cg.state.areas, cg, cg.state.units[item.id])
    if area != item.area:
        yield UnitRetained(unit=item.id, area=area, why=why, to=(item.side,))


# What one side knows ----------------------------------------------------------------------------


def own_question(cg: Hasl, side: str) -> SecretQuestion:
    """Ask a side about its hidden fortifications and Equipment, whatever it has."""
    works = list(hidden_works(cg, side))
    items = [unit for unit in unpossessed_items(cg, side) if not unit.known]
    form = Rows.of(Field("unit", unit_choice(items), "Equipment"), Field("by", Text(20), "Which unit possesses it"))
    labels = {fort.id: f"{fort.kind} in {fort.at}" for fort in works}
    fields = [
        Field("revealed", Several.of_labels(labels), "Hidden fortifications that you show", []),
        Field("rows", form, "Equipment that the enemy does not know", []),
    ]
    if cg.variant.immobile_stays:
        fields.append(Field("facing", Text(500), "The VCA of your immobile vehicles", ""))
    return SecretQuestion(
        key="own-equipment",
        side=side,
        text="Which hidden fortifications do you show, and which units take hidden Equipment?",
        form=Record.of(*fields),
        help="What you don't list stays as it is.",
        check=lambda answer: _own_problems(cg, side, answer["rows"]),
        suggest=lambda rng: {"revealed": [fort.id for fort in works if rng.random() < 0.2]},
        needless=not works and not items and not (cg.variant.immobile_stays and any(_immobile(cg, side))),
    )


def _immobile(cg: Hasl, side: str) -> Iterator[Unit]:
    return (unit for unit in cg.state.units_of(side, "afv", "vehicle") if unit.on_map and unit.has(*IMMOBILE))


def _own_problems(cg: Hasl, side: str, rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    problems: list[Problem] = []
    for number, row in enumerate(rows, 1):
        item = cg.state.units[row["unit"]]
        faults = _holder(item, holders_for(cg, item, side), row["by"])
        problems += [problem.inside(f"rows[{number}]") for problem in faults]
    return problems


def _apply_own_answer(cg: Hasl, side: str, answer: Mapping[str, Any]) -> Procedure[None]:
    for name in answer["revealed"]:
        fort = cg.state.forts[name]
        yield FortJoined(fort=fort.but(hidden=False), why="shown by its owner")
    for row in answer["rows"]:
        holder = cg.state.units[unit_id(row["by"])]
        yield from possess(cg, cg.state.units[row["unit"]], holder)
    if answer.get("facing"):
        yield Noted(text=answer["facing"], why="VCA of immobile vehicles", to=(side,))


@implements("ER 1.5071")
def _fix_immobile(cg: Hasl, side: str) -> Iterator[Fact]:
    """Immobile vehicles are fixed in place until they can move again."""
    for unit in changes.sort_by_holder(cg, cg.state.units_of(side, "afv", "vehicle")):
        stuck = unit.on_map and unit.has(*IMMOBILE)
        why = f"immobile in {unit.at}" if stuck else "mobile again"
        yield from changes.change_marks(
            unit, add=[Mark.FIXED] if stuck else [], remove=[] if stuck else [Mark.FIXED], why=why
        )
