"""The Troop Phase (PL 3.4): regrouping and heroes; the rest in modules of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Procedure, Rows, SecretQuestion, ask, implements, no_decision, step
from laager.rules.board.changes import LEADERS, MMC, carried_by, change_marks, change_type, harden, remove_unit
from laager.rules.board.facts import UnitAttached
from laager.rules.board.markers import merge_marks
from laager.rules.board.moves import leave_behind, move_unit
from laager.rules.board.rows import repeated_names, unit_choice
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.reorganization.promotions import can_rise


def mlr_of(cg: Cg, unit: Unit) -> str:
    """Return the letter of the friendly MLR a unit is in; "" if it is in none."""
    if unit.place is Place.POOL:
        return unit.mlr
    front = cg.front
    if front is None or not unit.on_map or unit.hex not in front.friendly_mlr[unit.side]:
        return ""
    return front.mlr_of(unit.side, unit.hex) or ""


@implements("PL 3.42")
def pairs(cg: Cg, side: str) -> list[tuple[Unit, Unit]]:
    """Return the half-squads that Recombine: same type and kind of troops, same friendly MLR.

    Those in one Location first (taken off the map: where they stood), then in the order of the
    record.
    """
    groups: dict[tuple[str, str, bool], list[Unit]] = {}
    for unit in cg.state.units_of(side, "half-squad"):
        letter = mlr_of(cg, unit)
        if letter and cg.nation_of(unit).recombined_type(unit.type) and not unit.has(Mark.PRISONER):
            key = (letter, unit.type, unit.has(Mark.ENGINEERS))
            groups.setdefault(key, []).append(unit)
    recombining = []
    for group in groups.values():
        free = sorted(group, key=lambda unit: unit.spot or "")
        together = []
        for first in list(free):
            twin = next((u for u in free if u is not first and u.spot == first.spot), None)
            if first in free and twin is not None:
                together.append((first, twin))
                free = [unit for unit in free if unit not in (first, twin)]
        recombining += together
        recombining += list(zip(free[::2], free[1::2], strict=False))
    # The squad stands in for a half that the enemy knows, if there is one.
    return [(second, first) if second.known and not first.known else (first, second) for first, second in recombining]


@step("PL 3.42", "Regrouping", each_side=True, edition=3)
def regrouping(cg: Cg, side: str) -> Procedure[None]:
    """Half-squads of a type in one friendly MLR Recombine, leaving at most one of each type."""
    joining = pairs(cg, side)
    apart = [(first, second) for first, second in joining if first.at != second.at]
    answer = yield from ask(_place_question(side, apart))
    places = {row["squad"]: row["at"] for row in answer}
    for first, second in joining:
        yield from _recombine(cg, first, second, places.get(first.id, first.at or ""))


def _place_question(side: str, apart: list[tuple[Unit, Unit]]) -> SecretQuestion:
    if not apart:
        text = "No half-squads Recombine from different Locations."
        return no_decision("regrouping", side, text)
    names = {first.id: (first.at or "", second.at or "") for first, second in apart}

    def check(rows: list[dict[str, str]]) -> list[Problem]:
        return [
            Problem(f"{row['at']} holds neither half", " or ".join(names[row["squad"]]), f"[{i + 1}].at")
            for i, row in enumerate(rows)
            if row["at"] not in names[row["squad"]]
        ]

    everywhere = sorted({name for both in names.values() for name in both})
    labels = {first.id: f"{first.label} with {second.label}" for first, second in apart}
    form = Rows.of(Field("squad", Choice.of_labels(labels)), Field("at", Choice.of(*everywhere)))
    return SecretQuestion(
        key="regrouping",
        side=side,
        text="These half-squads Recombine from different Locations: where does the squad stand?",
        form=form,
        default=[{"squad": first.id, "at": first.at or ""} for first, _ in apart],
        check=check,
        suggest=lambda rng: [{"squad": o.id, "at": rng.choice(names[o.id])} for o, _ in apart],
    )


def _recombine(cg: Cg, first: Unit, second: Unit, at: str) -> Iterator[Fact]:
    squad = cg.nation_of(first).recombined_type(first.type)
    assert squad is not None
    why = "two half-squads Recombine"
    if at:
        yield from move_unit(cg, first, at, why)
        first = cg.state.units[first.id]
    yield change_type(cg, first, squad, "Recombined", why)
    marks = merge_marks(first, second)
    yield from change_marks(first, add=marks, remove=first.marks - marks, why=why)
    if at and at != second.at:
        yield from leave_behind(cg, second)
    for item in list(carried_by(cg, second)):
        yield UnitAttached(unit=item.id, to_unit=first.id, why=why, to=item.audience)
        if at:
            yield from move_unit(cg, cg.state.units[item.id], at, why)
    yield from remove_unit(cg, second, Place.REMOVED, why)


# Heroes (PL 3.43) -------------------------------------------------------------------------------


def combinable(cg: Cg, hero: Unit) -> list[Unit]:
    """Return the MMC with which a Hero can combine: in his friendly MLR, not yet hardened."""
    letter = mlr_of(cg, hero)
    return [
        unit
        for unit in cg.state.units_of(hero.side, *MMC)
        if letter and mlr_of(cg, unit) == letter and not unit.has(Mark.HARDENED, Mark.PRISONER)
    ]


@step("PL 3.43", "Heroes and heroic leaders", each_side=True, edition=3)
def heroes(cg: Cg, side: str) -> Procedure[None]:
    """Heroes stay, combine, or go, until at most one is left; heroic leaders can be hardened."""
    ours = [hero for hero in cg.state.units_of(side, "hero") if not hero.has(Mark.PRISONER)]
    heroic = [u for u in cg.state.units_of(side, *LEADERS) if u.has(Mark.HEROIC) and can_rise(cg, u)]
    rows = yield from ask(_what_of_heroes(cg, side, ours, heroic))
    for row in rows:
        unit = cg.state.units[row["unit"]]
        if row["do"] == "harden":
            yield from _harden_heroic(cg, unit)
        elif row["do"] == "combine":
            mmc = cg.state.units[row["with"]]
            yield from harden(cg, mmc, f"{unit.label} combines with it")
            yield from remove_unit(cg, unit, Place.REMOVED, f"combined with {mmc.label}")
        elif row["do"] == "remove":
            yield from remove_unit(cg, unit, Place.REMOVED, "one Hero may stay on each side")


def _harden_heroic(cg: Cg, leader: Unit) -> Procedure[None]:
    why = f"{leader.label} gives up his Hero marker"
    yield from change_marks(leader, remove=[Mark.HEROIC], why=why)
    yield from harden(cg, leader, why)


def _what_of_heroes(cg: Cg, side: str, ours: list[Unit], heroic: list[Unit]) -> SecretQuestion:
    if not ours and not heroic:
        text = "You have no Heroes, and no heroic leaders to harden."
        return no_decision("heroes", side, text)
    targets = {hero.id: [unit.id for unit in combinable(cg, hero)] for hero in ours}
    everyone = sorted({name for names in targets.values() for name in names})
    partners = {"": "nobody"} | {name: cg.state.units[name].label for name in everyone}
    form = Rows.of(
        Field("unit", unit_choice((*ours, *heroic)), "Who"),
        Field("do", Choice.of("stay", "combine", "remove", "harden"), "What"),
        Field("with", Choice.of_labels(partners), "With which MMC", ""),
    )
    return SecretQuestion(
        key="heroes",
        side=side,
        text="What do your Heroes and heroic leaders do? At most one Hero can stay as he is.",
        form=form,
        default=_proposal(ours, heroic, targets),
        check=lambda rows: _hero_problems(cg, rows, {u.id for u in ours}, {u.id for u in heroic}, targets),
        help="stay; combine (an MMC of the same MLR is hardened); remove; harden (a leader)",
    )


def _proposal(ours: list[Unit], heroic: list[Unit], targets: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    taken: set[str] = set()
    rows: list[dict[str, Any]] = []
    for hero in ours[:-1]:
        free = [name for name in targets[hero.id] if name not in taken]
        taken |= set(free[:1])
        do, partner = ("combine", free[0]) if free else ("remove", "")
        rows.append({"unit": hero.id, "do": do, "with": partner})
    rows += [{"unit": hero.id, "do": "stay", "with": ""} for hero in ours[-1:]]
    return rows + [{"unit": unit.id, "do": "harden", "with": ""} for unit in heroic]


def _hero_problems(
    cg: Cg, rows: list[dict[str, Any]], ours: set[str], heroic: set[str], targets: Mapping[str, list[str]]
) -> list[Problem]:
    problems = repeated_names(rows)
    leaving = {row["unit"] for row in rows if row["do"] in {"combine", "remove"}}
    if len(ours - leaving) > cg.charts.limit("heroes"):
        right = "combine or remove all but one"
        problems.append(Problem(f"{len(ours - leaving)} Heroes would stay", right))
    partners: list[str] = []
    for number, row in enumerate(rows, 1):
        unit, do, here = row["unit"], row["do"], f"[{number}]"
        if do == "harden" and unit not in heroic:
            right = "only heroic leaders can"
            problems.append(Problem(f"{unit} can't be hardened", right, f"{here}.do"))
        if do in {"combine", "remove"} and unit not in ours:
            problems.append(Problem(f"{unit} is not a Hero", "stay or harden", f"{here}.do"))
        if do == "combine" and (row["with"] not in targets.get(unit, ()) or row["with"] in partners):
            right = "an MMC of his MLR that was not hardened: " + ", ".join(targets.get(unit, ()))
            problems.append(Problem(f"{row['with'] or 'nobody'} can't take him", right, f"{here}.with"))
        if do == "combine":
            partners.append(row["with"])
    return problems
