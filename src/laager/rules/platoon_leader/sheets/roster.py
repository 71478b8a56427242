"""The record sheets of Platoon Leader: CG Roster, RG Purchase Record, chart, what the card says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from laager.base.counting import count_of, list_counts
from laager.campaign import Sheet, implements
from laager.campaign.house.in_campaign import lines_on_sheet
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import LEADERS
from laager.rules.board.sheets import records
from laager.rules.board.sheets.records import (
    SECRET,
    count_types,
    make_sheet,
    make_side_sheet,
    sees_secrets,
    text_sheet,
    unit_name,
    unit_rest,
)
from laager.rules.platoon_leader.buying.offers import FirefightShop, Offer, Price
from laager.rules.platoon_leader.card.card import Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.firefight.determination import MOONS
from laager.rules.platoon_leader.state import Fight, Group


def sheets(cg: Cg) -> tuple[Sheet, ...]:
    """Return all sheets that the viewer's state fills."""
    all_sheets = [roster(cg, side) for side in SIDES]
    for side in SIDES:
        if sees_secrets(cg.state, side):
            all_sheets += [purchases(cg, side), fortifications(cg, side)]
        all_sheets.append(order_of_battle(cg, side))
    return (*all_sheets, special_rules(cg), about(cg))


@implements("PL 1.4 CG Roster", "PL 0 Front matter")
def roster(cg: Cg, side: str) -> Sheet:
    """Return a side's CG Roster: one line per firefight."""
    rows, cvp, tvp = [], 0, 0
    for fight in (*cg.state.past, cg.state.fight):
        now = fight is cg.state.fight
        own = cg.state.side(side)
        scored = own.cvp if now else fight.cvp.get(side, 0)
        awarded = own.tvp_now if now else fight.tvp.get(side, 0)
        cvp, tvp = cvp + scored, tvp + awarded
        slot = cg.card.firefights[fight.number - 1]
        elr, san = _ratings(cg, fight, side)
        rows.append(
            {
                "FF": str(fight.number),
                "Date": f"{slot.date} {slot.time}" + (" night" if slot.night else ""),
                "Type": cg.name_battle(fight.type) if fight.type else "",
                "Attack": _attack_words(cg, fight, side),
                "ELR": elr,
                "SAN": san,
                "CVP": str(scored),
                "CVP total": str(cvp),
                "TVP": str(awarded),
                "TVP total": str(tvp),
                "Won": _result_words(fight, side),
                "Weather": fight.weather,
            }
        )
    return make_side_sheet(cg, side, "roster", "CG Roster", rows, _balance(cg, side))


def _attack_words(cg: Cg, fight: Fight, side: str) -> str:
    if not fight.attacked:
        known = sees_secrets(cg.state, side) and fight is cg.state.fight
        return ("yes" if cg.state.side(side).attack else "no") if known else "?"
    return "yes" if fight.attacked.get(side) else "no"


def _ratings(cg: Cg, fight: Fight, side: str) -> tuple[str, str]:
    own = cg.state.side(side)
    if fight is cg.state.fight and (sees_secrets(cg.state, side) or not fight.elr):
        return str(own.elr), str(own.san)
    return str(fight.elr.get(side, "")), str(fight.san.get(side, ""))


def _result_words(fight: Fight, side: str) -> str:
    if not fight.winner:
        return ""
    return "won" if fight.winner == side else "lost"


def _balance(cg: Cg, side: str) -> tuple[str, ...]:
    own = cg.state.side(side)
    if not sees_secrets(cg.state, side):
        return (f"CP, FP and Patrols: {SECRET}",)
    notes = [f"CP {own.cp}, FP {own.fp}, Patrols {own.patrols}"]
    front = cg.front
    if front is not None:
        lines = [f"MLR {mlr.letter}: {count_of(len(mlr.hexes), 'hex', 'hexes')}" for mlr in front.mlrs[side]]
        notes.append("; ".join(lines) or "no MLR")
        if front.isolated[side]:
            notes.append("Isolated: " + ", ".join(cg.sort(front.isolated[side])))
    if own.massacre:
        notes.append("Massacre is in force (PL CG9)")
    return tuple(notes)


@implements("PL 1.4 RG Purchase Record")
def purchases(cg: Cg, side: str) -> Sheet:
    """Return a side's RG Purchase Record: one line per group."""
    heads = ("ID", "FF", "Description", "Setup", "CP", "Units now", "Leaders", "OBA / notes")
    rows = []
    for group in cg.state.groups_of(side):
        line = cg.side(side).group(group.rg)
        units = [unit for unit in cg.state.units_of(side) if unit.group == group.id]
        troops = [unit for unit in units if unit.kind not in LEADERS]
        rows.append(
            (
                group.id,
                str(group.firefight),
                line.name if line else group.rg,
                "given" if group.given else _setup(group.setup),
                "" if group.given else str(group.cost),
                count_types(troops),
                ", ".join(unit.type for unit in units if unit.kind in LEADERS),
                _notes(group),
            )
        )
    own = cg.state.side(side)
    notes = (f"CP left {own.cp}, FP left {own.fp}, Patrols {own.patrols}",)
    return make_sheet("purchases", f"RG Purchase Record: {cg.side(side).name} ({side})", heads, rows, notes, side)


def _setup(setup: Setup) -> str:
    return {Setup.ON_MAP: "On Map", Setup.RESERVE: "In Reserve", Setup.OFF_MAP: "off map"}[setup]


def _notes(group: Group) -> str:
    parts = [group.ammunition, group.equipment, "used" if group.used else "", group.lost]
    if group.dummies:
        parts.append(f"{group.dummies} Dummy Cloaking")
    if group.may_set_up:
        parts.append("can set up on map")
    return ", ".join(part for part in parts if part)


def fortifications(cg: Cg, side: str) -> Sheet:
    """Return the fortifications of a side's Purchase Record."""
    return records.fortifications(cg, side, "FF", "FP", str)


def order_of_battle(cg: Cg, side: str) -> Sheet:
    """Return a side's units as the viewer knows them, by group."""
    units = cg.state.units_of(side)
    rows = ((unit.id, unit_name(unit), unit.kind, unit.group, *unit_rest(unit)) for unit in units)
    return records.order_of_battle(cg, side, ("ID", "Unit", "Kind", "Group"), rows)


# What the card says -----------------------------------------------------------------------------


@implements("PL 4.1", "PL 1.4 SR")
def special_rules(cg: Cg) -> Sheet:
    """Return the special rules of the campaign, and those of the present firefight."""
    slot = cg.slot
    rows = [*lines_on_sheet(cg)]
    rows += [(f"SR {i + 1}", text) for i, text in enumerate(cg.card.rules)]
    rows += [(f"FSR {i + 1}", text) for i, text in enumerate(slot.rules)]
    if slot.night is not None:
        night = f"Base NVR {slot.night.base_nvr}, {MOONS[slot.night.moon]}. {slot.night.note}"
        rows.append(("Night", night.strip()))
    ends = ", ".join(f"turn {turn}: {number}" for turn, number in slot.game_end.items())
    rows.append(("Game End", f"dr at most ({ends})"))
    return text_sheet("rules", f"Special rules, firefight {cg.state.fight.number}", rows)


def about(cg: Cg) -> Sheet:
    """Return what the card says about the campaign, with what it is fought for."""
    text, objectives = cg.card.about, cg.card.objectives
    rows = [("History", text.history), ("Play", text.play), ("Length", text.length), ("Notes", text.designer_notes)]
    rows += [
        ("First firefight", f"{cg.side(objective.side).name}: {objective.text}") for objective in objectives.initial
    ]
    rows += [("At any time", f"{cg.side(objective.side).name}: {objective.text}") for objective in objectives.sudden]
    rows.append(("Campaign", objectives.campaign.text))
    rows.append(("Source", f"{cg.card.source}: {cg.card.source_note}"))
    return text_sheet("about", cg.card.title, rows, ("", ""))


# While buying -----------------------------------------------------------------------------------


def chart(cg: Cg, side: str) -> Sheet:
    """Return a side's chart as it stands: costs in each form, bought, left, and reasons against."""
    heads = ("RG", "Name", "Units", "Off map", "On Map", "Reserve", "Bought", "Left", "Not because")
    rows = tuple(_offer_row(offer) for offer in FirefightShop(cg, side).offers())
    own = cg.state.side(side)
    card = cg.side(side)
    notes = [f"CP to spend: {own.cp}; Attack Option {card.attack_cost} CP"]
    if card.patrols:
        notes[0] += f"; Patrol {card.patrol_cost} CP"
    if card.fortifications:
        notes.append(f"1 CP buys {card.fortifications.fp_per_cp} FP; FP held: {own.fp}")
    return make_sheet("chart", f"What the {card.name} can buy", heads, rows, notes, side)


def _offer_row(offer: Offer) -> tuple[str, ...]:
    line = offer.line
    prices = {price.way: price for price in offer.prices}
    units = list_counts((unit.type, unit.count) for unit in line.units)
    return (
        line.id,
        line.name,
        units or line.notes,
        *(_cost(prices.get(setup)) for setup in (Setup.OFF_MAP, Setup.ON_MAP, Setup.RESERVE)),
        f"{offer.bought}",
        "" if offer.left is None else f"{offer.left}",
        offer.why_not or "; ".join(dict.fromkeys(_reasons(offer.prices))),
    )


def _cost(price: Price | None) -> str:
    if price is None:
        return "–"
    return f"({price.cost})" if price.why_not else f"{price.cost}"


def _reasons(prices: Iterable[Price]) -> Iterator[str]:
    for price in prices:
        if price.why_not and "does not set up" not in price.why_not:
            yield price.why_not
