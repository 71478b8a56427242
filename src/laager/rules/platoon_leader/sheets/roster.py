"""The record sheets of Platoon Leader: CG Roster, RG Purchase Record, order of battle.

They are filled from a viewer's state; what that viewer may not know is not in it, and cells that
only the other side could fill say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from laager.base.counting import some
from laager.campaign import UMPIRE, Column, Sheet, implements
from laager.rules.board.card.parts import SIDES
from laager.rules.board.units import Fort, Mark, Unit
from laager.rules.platoon_leader.buying.offers import FirefightShop, Offer, Price
from laager.rules.platoon_leader.card.card import Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.state import Fight
from laager.rules.platoon_leader.units import Group

SECRET = "secret"
HIDDEN_MARKS = frozenset({Mark.HARDENED, Mark.REDEPLOYED})


def mine(cg: Cg, side: str) -> bool:
    """Whether the viewer may see this side's secrets."""
    return cg.state.viewer in (UMPIRE, side)


def sheets(cg: Cg) -> tuple[Sheet, ...]:
    """Return all sheets that the viewer's state fills."""
    found = [roster(cg, side) for side in SIDES]
    for side in SIDES:
        if mine(cg, side):
            found += [purchases(cg, side), fortifications(cg, side)]
        found.append(order_of_battle(cg, side))
    return (*found, special_rules(cg), about(cg))


@implements("PL 1.4 CG Roster", "PL 0 Front matter")
def roster(cg: Cg, side: str) -> Sheet:
    """Return a side's CG Roster: one line per firefight."""
    titles = ("FF", "Date", "Type", "Attack", "ELR", "SAN", "CVP", "CVP total", "TVP", "TVP total")
    last = ("Won", "Weather")
    rows, cvp, tvp = [], 0, 0
    for fight in (*cg.state.past, cg.state.fight):
        now = fight is cg.state.fight
        own = cg.state.side(side)
        scored = own.cvp if now else fight.cvp.get(side, 0)
        awarded = own.tvp_now if now else fight.tvp.get(side, 0)
        cvp, tvp = cvp + scored, tvp + awarded
        rows.append(
            (
                *_heading(cg, fight),
                _attacked(cg, fight, side),
                *_ratings(cg, fight, side),
                *(str(number) for number in (scored, cvp, awarded, tvp)),
                _won(fight, side),
                fight.weather,
            )
        )
    columns = tuple(Column(title, "right" if title[0] in "ECST" and title != "Type" else "left")
                    for title in (*titles, *last))  # fmt: skip
    name = cg.side(side).name
    return Sheet("roster", f"CG Roster: {name} ({side})", columns, tuple(rows), _balance(cg, side), side)


def _heading(cg: Cg, fight: Fight) -> tuple[str, str, str]:
    slot = cg.card.firefights[fight.number - 1]
    kind = fight.type.value if fight.type else ""
    night = " night" if slot.night else ""
    return str(fight.number), f"{slot.date} {slot.time}{night}", kind


def _attacked(cg: Cg, fight: Fight, side: str) -> str:
    if not fight.attacked:
        known = mine(cg, side) and fight is cg.state.fight
        return ("yes" if cg.state.side(side).attack else "no") if known else "?"
    return "yes" if fight.attacked.get(side) else "no"


def _ratings(cg: Cg, fight: Fight, side: str) -> tuple[str, str]:
    own = cg.state.side(side)
    if fight is cg.state.fight and (mine(cg, side) or not fight.elr):
        return str(own.elr), str(own.san)
    return str(fight.elr.get(side, "")), str(fight.san.get(side, ""))


def _won(fight: Fight, side: str) -> str:
    if not fight.winner:
        return ""
    return "won" if fight.winner == side else "lost"


def _balance(cg: Cg, side: str) -> tuple[str, ...]:
    own = cg.state.side(side)
    if not mine(cg, side):
        return (f"CP, FP and Patrols: {SECRET}",)
    notes = [f"CP {own.cp}, FP {own.fp}, Patrols {own.patrols}"]
    front = cg.front
    if front is not None:
        lines = [f"MLR {mlr.letter}: {some(len(mlr.hexes), 'hex', 'hexes')}" for mlr in front.mlrs[side]]
        notes.append("; ".join(lines) or "no MLR")
        if front.isolated[side]:
            notes.append("Isolated: " + ", ".join(cg.sort(front.isolated[side])))
    if own.massacre:
        notes.append("Massacre is in force (PL CG9)")
    return tuple(notes)


@implements("PL 1.4 RG Purchase Record")
def purchases(cg: Cg, side: str) -> Sheet:
    """Return a side's RG Purchase Record: one line per group."""
    titles = ("ID", "FF", "Description", "Setup", "CP", "Units now", "Leaders", "OBA / notes")
    rows = []
    for group in cg.state.groups_of(side):
        line = cg.side(side).group(group.rg)
        units = [unit for unit in cg.state.units_of(side) if unit.group == group.id]
        troops = [unit for unit in units if not unit.kind.endswith(("leader", "commissar"))]
        leaders = [unit for unit in units if unit.kind.endswith(("leader", "commissar"))]
        rows.append(
            (
                group.id,
                str(group.firefight),
                line.name if line else group.rg,
                "given" if group.given else _setup(group.setup),
                "" if group.given else str(group.cost),
                counted(troops),
                ", ".join(unit.type for unit in leaders),
                _notes(group),
            )
        )
    columns = tuple(Column(title, "right" if title in ("FF", "CP") else "left") for title in titles)
    own = cg.state.side(side)
    notes = (f"CP left {own.cp}, FP left {own.fp}, Patrols {own.patrols}",)
    title = f"RG Purchase Record: {cg.side(side).name} ({side})"
    return Sheet("purchases", title, columns, tuple(rows), notes, side)


def _setup(setup: Setup) -> str:
    return {Setup.ON_MAP: "On Map", Setup.RESERVE: "In Reserve", Setup.OFF_MAP: "off map"}[setup]


def _notes(group: Group) -> str:
    parts = [group.ammunition, group.equipment, "used" if group.used else "", group.lost]
    if group.dummies:
        parts.append(f"{group.dummies} Dummy Cloaking")
    if group.may_set_up:
        parts.append("may set up on map")
    return ", ".join(part for part in parts if part)


def fortifications(cg: Cg, side: str) -> Sheet:
    """Return the fortifications of a side's Purchase Record."""
    titles = ("ID", "FF", "Fortification", "FP", "Where", "State")
    forts = [fort for fort in cg.state.forts.values() if fort.side == side]
    rows = tuple(
        (
            fort.id,
            str(fort.firefight),
            _strength(fort),
            str(fort.fp),
            fort.at or "not placed",
            "hidden" if fort.hidden else "on map",
        )
        for fort in forts
    )
    columns = tuple(Column(title, "right" if title in ("FF", "FP") else "left") for title in titles)
    title = f"Fortifications: {cg.side(side).name} ({side})"
    return Sheet("fortifications", title, columns, rows, (), side)


def _strength(fort: Fort) -> str:
    parts = [fort.kind, fort.size, f"{fort.factors} factors" if fort.factors else ""]
    return " ".join(part for part in parts if part) + (f" x{fort.count}" if fort.count > 1 else "")


def order_of_battle(cg: Cg, side: str) -> Sheet:
    """Return a side's units as the viewer knows them, by group."""
    titles = ("ID", "Unit", "Kind", "Group", "Where", "With", "Markers")
    rows = tuple(
        (
            unit.id,
            f"{unit.type} {unit.name}".strip(),
            unit.kind,
            unit.group,
            unit.at if unit.on_map and unit.at else unit.place.value,
            unit.with_unit,
            ", ".join(sorted(mark.value for mark in unit.marks - HIDDEN_MARKS)),
        )
        for unit in cg.state.units_of(side)
    )
    name = f"Order of battle: {cg.side(side).name} ({side})"
    notes = () if mine(cg, side) else ("only what is known of the enemy",)
    return Sheet("ob", name, tuple(Column(title) for title in titles), rows, notes, side)


def counted(units: Iterable[Unit]) -> str:
    """Return units as people list them: `3 x 4-6-7, LMG`."""
    counts = Counter(unit.type for unit in units)
    return ", ".join(f"{n} x {name}" if n > 1 else name for name, n in counts.items())


# What the card says -----------------------------------------------------------------------------


@implements("PL 4.1", "PL 1.4 SR")
def special_rules(cg: Cg) -> Sheet:
    """Return the special rules of the campaign, and those of the present firefight."""
    slot = cg.slot
    rows = [(f"SR {i + 1}", text) for i, text in enumerate(cg.card.rules)]
    rows += [(f"FSR {i + 1}", text) for i, text in enumerate(slot.rules)]
    if slot.night is not None:
        night = f"Base NVR {slot.night.base_nvr}, moon: {slot.night.moon}. {slot.night.note}"
        rows.append(("Night", night.strip()))
    ends = ", ".join(f"turn {turn}: {number}" for turn, number in slot.game_end.items())
    rows.append(("Game End", f"dr at most ({ends})"))
    title = f"Special rules, firefight {cg.state.fight.number}"
    return Sheet("rules", title, (Column(""), Column("Rule")), tuple(rows))


def about(cg: Cg) -> Sheet:
    """Return what the card tells of the campaign, with what it is fought for."""
    told = cg.card.about
    rows = [("History", told.history), ("Play", told.play), ("Length", told.length)]
    rows.append(("Notes", told.designer_notes))
    for objective in cg.card.objectives.initial:
        rows.append(("First firefight", f"{cg.side(objective.side).name}: {objective.text}"))
    for objective in cg.card.objectives.sudden:
        rows.append(("At any time", f"{cg.side(objective.side).name}: {objective.text}"))
    rows.append(("Campaign", cg.card.objectives.campaign.text))
    rows.append(("Source", f"{cg.card.source}: {cg.card.source_note}"))
    kept = tuple((name, text.strip()) for name, text in rows if text.strip())
    return Sheet("about", cg.card.title, (Column(""), Column("")), kept)


# While buying -----------------------------------------------------------------------------------


def chart(cg: Cg, side: str) -> Sheet:
    """Return a side's chart as it stands: costs in each form, bought, left, and why not."""
    titles = ("RG", "Name", "Units", "Off map", "On Map", "Reserve", "Bought", "Left", "Not because")
    rows = tuple(_offer_row(offer) for offer in FirefightShop(cg, side).offers())
    own = cg.state.side(side)
    card = cg.side(side)
    notes = [f"CP to spend: {own.cp}; Attack Option {card.attack_cost} CP"]
    if card.patrols:
        notes[0] += f"; Patrol {card.patrol_cost} CP"
    if card.fortifications:
        notes.append(f"1 CP buys {card.fortifications.fp_per_cp} FP; FP held: {own.fp}")
    columns = tuple(Column(t, "right" if t in titles[3:8] else "left") for t in titles)
    return Sheet("chart", f"What {card.name} can buy", columns, rows, tuple(notes), side)


def _offer_row(offer: Offer) -> tuple[str, ...]:
    line = offer.line
    prices = {price.way: price for price in offer.prices}
    units = ", ".join(f"{u.count} x {u.type}" if u.count > 1 else u.type for u in line.units)
    return (
        line.id,
        line.name,
        units or line.notes,
        *(_cost(prices.get(setup)) for setup in (Setup.OFF_MAP, Setup.ON_MAP, Setup.RESERVE)),
        f"{offer.bought}",
        "" if offer.left is None else f"{offer.left}",
        offer.why_not or _reasons(offer.prices),
    )


def _cost(price: Price | None) -> str:
    if price is None:
        return "–"
    return f"({price.cost})" if price.why_not else f"{price.cost}"


def _reasons(prices: Iterable[Price]) -> str:
    return "; ".join(dict.fromkeys(_why(prices)))


def _why(prices: Iterable[Price]) -> Iterator[str]:
    for price in prices:
        if price.why_not and "does not set up" not in price.why_not:
            yield price.why_not
