"""A purchase in brief: headline, JSON, points, and what a side can buy now with odds and limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from laager.campaign import Sheet, implements
from laager.catalogue.dyo import UNKNOWN, DyoGun, DyoVehicle, Origin
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.infantry import counters_taken
from laager.rules.design_your_own.lines.pieces import chance_of, limit_of
from laager.rules.design_your_own.lines.works import fortification_types
from laager.rules.design_your_own.ob import SAN
from laager.rules.design_your_own.sheets import columns_of
from laager.rules.design_your_own.sheets.origins import origin_words
from laager.rules.design_your_own.state import DyoState
from laager.rules.design_your_own.steps import infantry, ordnance, vehicles, works
from laager.rules.design_your_own.terms import SIDES

TITLES = {
    "infantry": "Infantry",
    "san": "SAN",
    "ordnance": "Ordnance",
    "vehicles": "Vehicles",
    "oba": "OBA and Air Support",
    "fortifications": "Fortifications",
    "second-infantry": "Second Infantry",
}
"""The lines of Points Available."""


def describe(state: DyoState) -> dict[str, Any]:
    """Return a viewer's state as JSON: of the other side nothing but what is public."""
    return {
        "over": state.over,
        "ending": state.ending,
        "weather": state.weather,
        "sides": {side: _side(state, side) for side in SIDES},
    }


def _side(state: DyoState, side: str) -> dict[str, Any]:
    ob = state.ob(side)
    public: dict[str, Any] = {
        "nation": ob.nation,
        "allotment": ob.allotment,
        "announced_elr": state.announced.get(side),
    }
    if not state.knows(side):
        return public
    points = {"spent": dict(ob.spent), "left": ob.left}
    return public | {"points": points, "ob": ob.model_dump(mode="json", exclude_defaults=True)}


def headline(cg: Cg) -> tuple[str, ...]:
    """Say the date, the points, what the viewer has left, and what was announced."""
    terms, state = cg.terms, cg.state
    how = "in the open" if terms.open else "in secret"
    lines = [f"{terms.date}, bought {how}; weather: {state.weather or 'not yet known'}"]
    if state.over:
        lines.append(f"The purchase is over: {state.ending}")
    for side in SIDES:
        half = terms.side(side)
        n = half.points
        parts = [f"{n} points"]
        if state.knows(side):
            n = cg.points_left(side)
            parts.append(f"{n} left")
        if side in state.announced:
            parts.append(f"ELR {state.announced[side]}")
        lines.append(f"{terms.name(side)} ({side}): {', '.join(parts)}")
    return tuple(lines)


@implements("DYO H1-ROSTER")
def points_sheet(cg: Cg, side: str) -> Sheet:
    """Return the Points Available section of a side's Roster (H1-ROSTER)."""
    ob = cg.ob(side)
    columns = columns_of("Category", "Spent>", "Available>")
    rows = [("Allotment", "", str(ob.allotment))]
    left = ob.allotment
    # In the order in which points were spent.
    last = cg.reading("san-time") == "last"
    for section in sorted(ob.spent, key=lambda name: last and name == SAN):
        left -= ob.spent[section]
        rows.append((TITLES[section], str(ob.spent[section]), str(left)))
    title = f"Points Available, {cg.terms.name(side)}"
    return Sheet("points", title, columns, tuple(rows), _figures(cg, side), side=side)


def _figures(cg: Cg, side: str) -> tuple[str, ...]:
    """Say SAN and ELR, the announced ELR and the bonus number."""
    ob, half = cg.ob(side), cg.terms.side(side)
    elr = [f"ELR {half.elr}"] if half.elr is not None else []
    elr += [f"ELR {number} ({nation})" for nation, number in half.allied_elr.items()]
    text = ", ".join([f"SAN {ob.san}", *elr])
    if ob.announced_elr is not None:
        text += f", announced ELR {ob.announced_elr}, bonus number {ob.bonus or 0}"
    return (text,)


Beside = Callable[[Cg, str], Sheet]

DASH = "-"


def offer(cg: Cg, side: str, key: str) -> Sheet | None:
    """Return what can be bought with the answer to a question; None where nothing is bought."""
    make = _SHEETS.get(key)
    return make(cg, side) if make else None


def _cell_text(value: object) -> str:
    return DASH if value is None else "?" if value is UNKNOWN else str(value)


def infantry_offer(cg: Cg, side: str) -> Sheet:
    """Return the MMC of the date with MPV, counters left, and why you can't buy one."""
    columns = columns_of("Type", "Class", "BPV>", "MPV>", "Left>", "From", "Why not")
    rows = []
    taken = counters_taken(cg.ob(side).infantry)
    for mmc in infantry.on_offer(cg, side):
        mpv = infantry.plain_mpv(cg, mmc)
        left = DASH if mpv is None else _cell_text(mmc.counters)
        if isinstance(mmc.counters, int):
            left = str(mmc.counters - taken.get(mmc.type, 0))
        why = infantry.option_of(cg, side, mmc).why_not
        grade = f"{infantry.class_of(mmc)} {mmc.kind}"
        origin = _from(cg, side, "squads", mmc.type)
        rows.append((mmc.type, grade, _cell_text(mmc.bpv), _cell_text(mpv), left, origin, why))
    reads = cg.nation(side).line.reads
    notes = tuple(f"before buying: {rule} (H1.201)" for rule in reads) if isinstance(reads, tuple) else ()
    return Sheet("offer", "Infantry on offer", columns, tuple(rows), notes, side=side)


def ordnance_offer(cg: Cg, side: str) -> Sheet:
    """Return the Guns of the date with RF and the chance of it, or why you can't buy one."""
    limit = limit_of(cg.rulebook, cg.ob(side).ordnance.availability)
    rows = tuple(
        _rarity_row(cg, side, gun, limit, ordnance.option_of(cg, side, gun, limit).why_not)
        for gun in ordnance.guns_on_offer(cg, side)
    )
    return Sheet("offer", "Guns on offer", _RARITY, rows, _limit_note(limit), side=side)


def vehicles_offer(cg: Cg, side: str) -> Sheet:
    """Return the vehicles of the date with RF and the chance of it, and what needs no DR."""
    section = cg.ob(side).vehicles
    motorized = section.motorized is not None
    limit = limit_of(cg.rulebook, section.availability, motorized=motorized)
    rows = [
        _rarity_row(cg, side, vehicle, limit, vehicles.option_of(cg, side, vehicle, limit).why_not, motorized=motorized)
        for vehicle in cg.nation(side).vehicles(cg.month)
    ]
    rows += [
        (
            item.type,
            _cell_text(item.bpv),
            DASH,
            "no DR",
            _cell_text(item.counters),
            _from(cg, side, "transport", item.type),
            "",
        )
        for item in cg.nation(side).transport(cg.month)
    ]
    return Sheet("offer", "Vehicles on offer", _RARITY, tuple(rows), _limit_note(limit), side=side)


_RARITY = columns_of("Type", "BPV>", "RF>", "Chance>", "#>", "From", "Why not")


def _limit_note(limit: Decimal | None) -> tuple[str, ...]:
    return () if limit is None else (f"RF {limit} or less by the Availability DR",)


def _rarity_row(
    cg: Cg, side: str, piece: DyoGun | DyoVehicle, limit: Decimal | None, why: str, motorized: bool = False
) -> tuple[str, ...]:
    rf = piece.rf.at(cg.month)
    chance, reason = DASH, why
    if limit is None and isinstance(rf, Decimal):
        chance, reason = f"{chance_of(cg.rulebook, rf, motorized=motorized) * 36}/36", ""
    elif isinstance(rf, Decimal) and limit is not None and rf > limit:
        reason = f"RF above {limit} (DYO H1.3)"
    origin = _from(cg, side, "guns" if isinstance(piece, DyoGun) else "vehicles", piece.type)
    return (piece.type, _cell_text(piece.bpv), _cell_text(rf), chance, _cell_text(piece.counters), origin, reason)


def _from(cg: Cg, side: str, section: str, type_: str) -> str:
    return origin_words(cg.nation(side), section, type_)


def fortifications_offer(cg: Cg, side: str) -> Sheet:
    """Return the fortifications with their prices, and why you can't buy one."""
    columns = columns_of("Type", "Price", "From", "Why not")
    rows = []
    for row in fortification_types(cg.rulebook):
        option = works.option_of(cg, side, row)
        # Their prices stand in the rules.
        rows.append((row.type, option.label, Origin(row.rule).kind.value, option.why_not))
    boards = cg.limit_boards
    note = f"limits per board count {boards} board{'s' if boards != 1 else ''}"
    return Sheet("offer", "Fortifications on offer", columns, tuple(rows), (note,), side=side)


_SHEETS: Mapping[str, Beside] = {
    "infantry": infantry_offer,
    "second-infantry": infantry_offer,
    "ordnance-dr": ordnance_offer,
    "ordnance": ordnance_offer,
    "vehicles-dr": vehicles_offer,
    "vehicles": vehicles_offer,
    "fortifications": fortifications_offer,
}
"""What stands next to a question, by its key."""
