"""What each operation of the acceptance cases asks of the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from laager.catalogue.dyo import Month
from laager.catalogue.kinds import Column, Grade
from laager.rules.design_your_own.answers import Calculation, Missing
from laager.rules.design_your_own.lines import bonus, fittings, infantry, leaders, oba, pieces, support, vehicles, works
from laager.rules.design_your_own.lines.infantry import Capability, InfantryLine, LineOrigin, Subsection
from laager.rules.design_your_own.nations import Group
from tests.design_your_own.rules.printed import PRINTED

Given = Mapping[str, Any]
Op = Callable[[Given], dict[str, Any]]

OPS: dict[str, Op] = {}

GROUPS = {
    "Axis Minor": Group.AXIS_MINOR,
    "Allied Minor": Group.ALLIED_MINOR,
    "Chinese": Group.GMD,
    "Free French": Group.FREE_FRENCH,
    "G.M.D.": Group.GMD,
    "Red Chinese": Group.RED_CHINESE,
    "U.S.": Group.AMERICAN,
}
GRADES = {"Elite": Grade.ELITE, "Line": Grade.FIRST_LINE, "Conscript": Grade.CONSCRIPT}
COLUMNS = {"others": Column.GENERAL, "Finns": Column.FINN, "Japanese": Column.JAPANESE}
ITEMS = {"A-T Mine": "at-mine", "AT Trench": "at-trench", '"?"': "concealment", "Caves": "cave", "UDT": "udt"}
FLAGS = {capability: capability.replace("-", "_") for capability in Capability}


def op(function: Op) -> Op:
    OPS[function.__name__] = function
    return function


def group(name: str | None) -> Group | None:
    if name is None:
        return None
    return GROUPS[name] if name in GROUPS else Group(name.lower())


def nation(given: Given, name: str = "nation") -> Group:
    found = group(given[name])
    assert found is not None
    return found


def known(found: Calculation | Missing | int) -> int:
    assert not isinstance(found, Missing)
    return int(found)


def number(amount: Fraction) -> float:
    return float(amount)


def marks(given: Given) -> frozenset[Capability]:
    return frozenset(capability for capability, flag in FLAGS.items() if given.get(flag))


def mpv_of(found: InfantryLine) -> int:
    return int(infantry.each_of(PRINTED, found)) * found.number if found.bought else 0


def line(given: Given) -> InfantryLine:
    origin = LineOrigin.SECOND if given.get("second_purchase") else LineOrigin.FIRST
    return InfantryLine(
        given.get("type", "squad"),
        GRADES[given.get("class", "Line")],
        given.get("bpv", 0),
        given["number"],
        marks(given),
        given.get("pf_range", 0),
        origin=LineOrigin.BONUS if given.get("bonus") else origin,
    )


# Infantry ---------------------------------------------------------------------------------------


@op
def mpv_each(given: Given) -> dict[str, Any]:
    found = infantry.mpv_each(PRINTED, given["bpv"], marks(given), given.get("pf_range", 0))
    return {"mpv_each": int(found)}


@op
def line_mpv(given: Given) -> dict[str, Any]:
    found = line(given)
    return {"mpv_each": int(infantry.each_of(PRINTED, found)), "mpv": mpv_of(found)}


@op
def infantry_total(given: Given) -> dict[str, Any]:
    spent = sum(given["line_mpv"])
    return {"total": spent, "points_available": given["allotment"] - spent}


@op
def points_after(given: Given) -> dict[str, Any]:
    spent = sum(given["spent"])
    return {"total": spent, "after": given["before"] - spent}


@op
def affordable(given: Given) -> dict[str, Any]:
    return {"legal": pieces.points_breach(given["cost"], given["points"]) is None}


@op
def san_cost(given: Given) -> dict[str, Any]:
    return {"cost": int(works.san_cost(PRINTED, given["san"]))}


# Guns and vehicles ------------------------------------------------------------------------------


@op
def availability_rf(given: Given) -> dict[str, Any]:
    limit = pieces.rf_limit(PRINTED, given["dr"], motorized=given.get("motorized", False))
    found = pieces.availability(PRINTED, given["dr"])
    return {"max_rf": float(limit), "armor_leader": found.armor_leader}


@op
def may_buy(given: Given) -> dict[str, Any]:
    limit = pieces.rf_limit(PRINTED, given["dr"], motorized=given.get("motorized", False))
    return {"legal": pieces.rf_breach("it", given["rf"], limit) is None}


@op
def vehicles_total(given: Given) -> dict[str, Any]:
    return {"total": given["bpv"] * given["number"]}


@op
def motorized_cost(given: Given) -> dict[str, Any]:
    return {"cost": int(vehicles.motorized_cost(PRINTED, given["allotment"]))}


@op
def optional_armament(given: Given) -> dict[str, Any]:
    weapons = [
        vehicles.OptionalWeapon(
            each["name"],
            each["rf"] if each["current"] else None,
            each["fp"],
            vehicles_with_it=each.get("vehicles_with_it"),
        )
        for each in given["weapons"]
    ]
    if "dr" in given:
        offer = vehicles.armament(PRINTED, given["dr"], weapons)
        names = [weapon.name for weapon in offer.available]
        return {"available": names, "cost": sum(known(vehicles.weapon_cost(weapon)) for weapon in offer.available)}
    found = vehicles.full_set(given["bought"], given["game_total"], weapons)
    assert found is not None
    names = [weapon.name for weapon, _ in found.weapons]
    cost = sum(known(vehicles.weapon_cost(weapon)) * (many or 0) for weapon, many in found.weapons)
    marker = {"marker": "Disabled"} if found.disabled else {}
    return {"dr_needed": False, "available": names, "cost": cost, **marker}


@op
def sz_gyro(given: Given) -> dict[str, Any]:
    fitting = fittings.Fitting(given["feature"])
    lend_lease = given.get("lend_lease_non_us_crew", False)
    drm = sum(m.value for m in fittings.fitting_modifiers(PRINTED, fitting, lend_lease=lend_lease))
    month = Month(1900 + given["year"], given["month"])
    found = fittings.fitting_result(PRINTED, fitting, month, given["dr"] + drm)
    return {"received": found.received, "cost": found.cost}


@op
def armor_leader_drs(given: Given) -> dict[str, Any]:
    return {"count": int(fittings.armor_leader_drs(PRINTED, given["afv"]))}


@op
def armor_leader(given: Given) -> dict[str, Any]:
    drm = fittings.armor_leader_drm(PRINTED, nation(given), 1900 + given["year"])
    if drm is None:
        return {"final_dr": None, "leader": None}
    final = given["dr"] + drm.value
    return {"final_dr": final, "leader": fittings.armor_leader(PRINTED, final)}


@op
def armor_leader_morale(given: Given) -> dict[str, Any]:
    return {"may_take": fittings.substitute(given["leader"], given["crew_morale"])}


# OBA and Air Support ----------------------------------------------------------------------------


@op
def oba_dr_count(given: Given) -> dict[str, Any]:
    return {"count": int(oba.oba_drs(PRINTED, given["initial"]))}


@op
def oba_cost(given: Given) -> dict[str, Any]:
    return {"cost": known(oba.battery_cost(PRINTED, given["bpv"], plentiful=given["plentiful"]))}


@op
def oba_line(given: Given) -> dict[str, Any]:
    cost = oba.battery_cost(PRINTED, given["bpv"], plentiful=given["plentiful"])
    return {
        "Size": oba.oba_size(given["size"], given["type"]),
        "R/P:ID": oba.contact_mark(oba.Contact.PHONE, given["field_phone"]),
        "P/S": oba.ammunition_mark(plentiful=given["plentiful"]),
        "BPV": known(cost),
    }


@op
def air_support(given: Given) -> dict[str, Any]:
    who, enemy, year = nation(given), group(given["enemy"]), given["year"]
    found = oba.air_number(PRINTED, who, year, enemy)
    breaches = oba.air_breaches(PRINTED, who, year, found, final_dr=given["dr"], weather="Clear")
    return {
        "number": None if found is None else int(found),
        "available": not breaches,
        "cost": 0 if breaches else oba.air_price(PRINTED, year),
    }


@op
def bombs(given: Given) -> dict[str, Any]:
    exponent = oba.bomb_exponent(PRINTED, nation(given), given["year"])
    assert isinstance(exponent, int)
    found = oba.aircraft(PRINTED, nation(given), given["year"], given["dr"], exponent)
    return {"aircraft": found.kind, "bombs": found.bombs}


# Fortifications ---------------------------------------------------------------------------------


def work(given: Given) -> works.WorkLine:
    name = str(given["item"])
    type_ = ITEMS.get(name, name.lower().replace(" ", "-"))
    if name == "Foxhole":
        type_ = f"foxhole-{given['capacity']}"
    elif name == "HIP":
        type_ = {"squad": "hip-squad", "HS": "hip-half-squad", "SMC": "hip-smc"}[given["unit"]]
    elif name == "Booby Traps":
        type_ = f"booby-traps-{given['level'].lower()}"
    many = given.get("factors", given.get("hexsides", given.get("number", 1)))
    if name != "Pillbox":
        return works.WorkLine(type_, many)
    parts = (given["capacity"], given["ca_drm"], given["nca_drm"])
    return works.WorkLine(type_, many, *parts)


@op
def fortification(given: Given) -> dict[str, Any]:
    rows = given.get("items", [given])
    year = given.get("year", 1944)
    if any("year" in row for row in rows):
        rows_ = [(work(row), row.get("year", year)) for row in rows]
        return {"cost": sum(int(works.work_cost(PRINTED, each, when)) for each, when in rows_)}
    return {"cost": int(works.works_cost(PRINTED, map(work, rows), year))}


@op
def hip_limit(given: Given) -> dict[str, Any]:
    return {"max_hip_squads": int(works.hip_limit(PRINTED, given["squads"]))}


# ELR and bonus squads ---------------------------------------------------------------------------


@op
def elr_(given: Given) -> dict[str, Any]:
    found = bonus.chart_elr(
        PRINTED,
        nation(given),
        Month(given["year"], given["month"]),
        enemy=group(given.get("enemy")),
        theatre=given.get("theatre", ""),
        majority_elite=given.get("majority_elite"),
    )
    return {"elr": None if isinstance(found, Missing) else int(found)}


OPS["elr"] = OPS.pop("elr_")


@op
def announced_elr(given: Given) -> dict[str, Any]:
    squads = {int(each): many for each, many in given["squads_by_elr"].items()}
    found = bonus.announced_elr(squads)
    assert found is not None
    return {"elr": found.elr}


@op
def bonus_(given: Given) -> dict[str, Any]:
    return {"bonus": number(bonus.bonus_number(PRINTED, **given).amount)}


OPS["bonus"] = OPS.pop("bonus_")


@op
def most_numerous(given: Given) -> dict[str, Any]:
    lines = [
        InfantryLine(
            row["type"], Grade.ELITE, 13, row["number"], frozenset({Capability.SAPPER} if row.get("capability") else ())
        )
        for row in given["lines"]
    ]
    squads = bonus.squads_by_type(lines)
    found = bonus.most_numerous(PRINTED, squads, dict.fromkeys(squads, 13))
    assert isinstance(found, bonus.MostNumerous)
    return {"type": found.type, "number": int(found.squads)}


@op
def bonus_types(given: Given) -> dict[str, Any]:
    most = bonus.most_numerous(PRINTED, given["squads"], given["bpv"])
    assert isinstance(most, bonus.MostNumerous)
    free = Calculation.of(given["bonus"])
    offer = bonus.bonus_types(PRINTED, most, given["bpv"], free, unavailable=given["unavailable"])
    types = list(offer.types)
    return {"most_numerous": most.type, "types": types, "number": number(offer.number.amount)}


# Equivalents, leaders, SW -----------------------------------------------------------------------


@op
def equivalency_(given: Given) -> dict[str, Any]:
    found = leaders.equivalency(PRINTED, {part: [given[part]] for part in Subsection})
    return {**{part.value: int(found.parts[part]) for part in Subsection}, "total": found.total}


OPS["equivalency"] = OPS.pop("equivalency_")


@op
def leader_count(given: Given) -> dict[str, Any]:
    column = Column.FINN if given["nation"] == "Finnish" else Column.GENERAL
    found = leaders.leader_count(PRINTED, given["equivalents"], given["lg"], column)
    return {"leaders": int(found.leaders), "extra": found.extra}


def types() -> tuple[str, ...]:
    found = leaders.ladder_types(PRINTED, Column.GENERAL)
    assert not isinstance(found, Missing)
    return found


@op
def leader_ladder(given: Given) -> dict[str, Any]:
    ladder = leaders.best_ladder(given["leaders"], types())
    assert leaders.ladder_breaches(PRINTED, ladder, types(), given["leaders"]) == ()
    return {"ladder": (given["trade"] and leaders.trade(ladder, types())) or ladder}


@op
def ladder_legal(given: Given) -> dict[str, Any]:
    return {"legal": not leaders.ladder_breaches(PRINTED, given["ladder"], types())}


@op
def leader_exchange(given: Given) -> dict[str, Any]:
    found = leaders.exchange(PRINTED, given["leaders"], given["dr"], COLUMNS[given["column"]])
    return {"lost": found.lost, "gained": found.gained}


@op
def sw_allotment(given: Given) -> dict[str, Any]:
    limits = given["limits"]
    return {
        name: known(support.sw_allotment(PRINTED, given["equivalents"], ratio, limits.get(name), name=name))
        for name, ratio in given["ratios"].items()
    }


@op
def reinforcement(given: Given) -> dict[str, Any]:
    found = leaders.equivalency(PRINTED, {part: [given[part]] for part in Subsection}).total
    share = support.share(PRINTED, found, given["lg"], given["ratios"])
    brought = {name: known(amount) for name, amount in share.sw.items()}
    return {
        "equivalents": found,
        "leaders": int(share.leaders),
        "sw": brought,
        "roster": {name: support.roster_text(held, brought[name]) for name, held in given["ob"].items()},
    }


@op
def reinforcement_minimum(given: Given) -> dict[str, Any]:
    found = support.least_reinforcements(PRINTED, given["mpv_first"], given["mpv_second"], given["squads_second"])
    return {"minimum": int(found)}


# What is written and shown ----------------------------------------------------------------------


@op
def roster_line(given: Given) -> dict[str, Any]:
    found = line(given)
    plain = InfantryLine(found.type, found.grade, found.bpv, given.get("plain_same_type", 0))
    others = (found, plain) if plain.number else (found,)
    ids = pieces.id_letters(0, found.number) if infantry.needs_ids(found, others) else ""
    dash = pieces.DASH
    return {
        "subsection": found.subsection.title(),
        "#": found.number,
        "mpv_ea": int(infantry.each_of(PRINTED, found)) if found.bought else dash,
        "mpv": mpv_of(found) if found.bought else dash,
        "id": ids,
        "ab": infantry.ab_marks(found),
    }
