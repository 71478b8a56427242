"""The RG Purchase Record of a side, and its RG chart as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from laager.base.counting import list_counts
from laager.campaign import Sheet
from laager.rules.board.hasl.buying.groups import PurchaseLine, purchase_record
from laager.rules.board.hasl.buying.offers import DateShop, Offer, Price
from laager.rules.board.hasl.charts import RgLine, SwLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import Group, GroupArrival
from laager.rules.board.sheets.records import make_sheet

ARRIVALS = {GroupArrival.ON_MAP: "On map", GroupArrival.ENTER: "Enters", GroupArrival.RESERVE: "Reserve"}


def purchases_sheet(cg: Hasl, side: str) -> Sheet:
    """Return a side's RG Purchase Record: one line per group, with the printed columns.

    #P counts the groups of the line bought so far, #R those that can still be bought; what the OB
    gives has neither.
    """
    heads = (
        *("CG Date", "RG ID", "KG", "Group Type", "#P", "#R", "Str", "# Units", "SW Received", "Leaders"),
        *("Setup Area/Entry ID", "Objective Hex", "CPP", "Notes"),
    )
    rows = [_record_row(cg, written) for written in purchase_record(cg, side)]
    own = cg.state.side(side)
    title = f"RG Purchase Record: {cg.side(side).name} ({side})"
    return make_sheet("purchases", title, heads, rows, (f"CPP left {own.cpp}, FPP held {own.fpp}",), side)


def _record_row(cg: Hasl, written: PurchaseLine) -> tuple[str, ...]:
    group = written.group
    line = cg.line(group.side, group.rg)
    formation = line.formation if line else ""
    formation_card = cg.side(group.side).formation(formation) if formation else None
    leaders = group.leader or ", ".join(group.named or ())
    return (
        cg.card.dates[group.date - 1].title,
        group.id,
        formation_card.name if formation_card else formation,
        group.name or (line.name if line else ""),
        "given" if group.given else str(written.bought),
        "" if group.given or written.left is None else str(written.left),
        group.strength.value if group.strength else "",
        list_counts(group.units),
        list_counts(group.sw),
        leaders,
        " ".join(part for part in (_arrival(group), group.area, ", ".join(group.setup)) if part),
        group.objective,
        "" if group.given else str(group.cost),
        ", ".join(_notes(group)),
    )


def _arrival(group: Group) -> str:
    return ARRIVALS[group.arrival] if group.arrival is not None else ""


def _notes(group: Group) -> Iterator[str]:
    if group.black or group.red:
        yield f"Draw Pile {group.black}B {group.red}R"
    if group.equipment:
        yield group.equipment
    if group.pre_registered:
        yield f"Pre-Registered {', '.join(group.pre_registered)}"
    if group.in_play:
        yield "in play"
    if group.used:
        yield "used"
    if group.placed:
        yield "placed"
    if group.lost:
        yield group.lost


# The chart ----------------------------------------------------------------------------------------


def chart_sheet(cg: Hasl, side: str) -> Sheet:
    """Return a side's RG chart as it stands: prices, bought, left, and why not."""
    heads = ("RG", "Group Type", "Full / Depleted", "SW", "CPP", "Bought", "Left", "Not because")
    rows = tuple(_offer_row(cg, offer) for offer in DateShop(cg, side).offers())
    notes = [f"CPP to spend: {cg.state.side(side).cpp}"]
    if cg.side_charts(side).rg is None:
        notes.append("the RG chart is not filled in: enter what you buy by the module's own")
    return make_sheet("chart", f"What the {cg.side(side).name} can buy", heads, rows, notes, side)


def _offer_row(cg: Hasl, offer: Offer) -> tuple[str, ...]:
    line = offer.line
    return (
        line.key,
        line.name,
        _brings(line),
        ", ".join(_weapon(weapon) for weapon in line.sw),
        ", ".join(_price(price) for price in offer.prices),
        str(offer.bought),
        "" if offer.left is None else str(offer.left),
        offer.why_not or "; ".join(dict.fromkeys(_reasons_against(offer.prices))),
    )


def _brings(line: RgLine) -> str:
    full = list_counts((unit.type, unit.count) for unit in line.full)
    if line.depleted is not None:
        return f"{full} / {list_counts((unit.type, unit.count) for unit in line.depleted) or 'nothing'}"
    if line.module is not None:
        return f"{line.module.name} {line.module.black}B {line.module.red}R".strip()
    extra = [f"{line.fpp} FPP" if line.fpp else "", f"SAN +{line.san}" if line.san else ""]
    return full or ", ".join(part for part in extra if part) or line.notes


def _weapon(weapon: SwLine) -> str:
    """Return a SW as charts list it, with the dr that it needs in parentheses."""
    name = list_counts(((weapon.type, weapon.count),))
    return f"{name} ({weapon.need})" if weapon.need is not None else name


def _price(price: Price) -> str:
    words = f"{ARRIVALS[price.way].lower()} {price.cost}" if price.way else f"{price.cost}"
    return f"({words})" if price.why_not else words


def _reasons_against(prices: Iterable[Price]) -> Iterator[str]:
    for price in prices:
        if price.why_not:
            yield price.why_not
