"""What a card says that its charts, its tables, its map or the catalogue do not bear out."""

from __future__ import annotations

from laager.base import did_you_mean
from laager.campaign import RulesIndex
from laager.rules.board.hasl.card.charts_checks import check_charts
from laager.rules.board.hasl.card.dates import check_dates
from laager.rules.board.hasl.card.filling import missing
from laager.rules.board.hasl.card.given import check_given
from laager.rules.board.hasl.card.ground import check_ground
from laager.rules.board.hasl.card.tables import check_tables
from laager.rules.board.hasl.card.units import check_units
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.system import Named


def check_card(named: Named) -> None:
    """Note problems and warnings of a card against all that it names."""
    _fits_together(named)
    check_charts(named.charts, named.inside)
    check_dates(named)
    check_given(named)
    if named.nations is not None:
        check_units(named, named.nations)
    if named.map is not None:
        check_ground(named, named.map)
    if named.tables is not None and named.listed is not None:
        check_tables(named, named.tables, named.listed)


def _fits_together(named: Named) -> None:
    card, charts, found = named.card, named.charts, named.found
    if card.ruleset != named.system.id:
        what = f"the card is for {card.ruleset}, not for {named.system.id}"
        found.wrong(("ruleset",), what, f"begin it with --ruleset {card.ruleset}")
    if charts.ruleset != card.ruleset:
        what = f"the charts are for {charts.ruleset}, the card for {card.ruleset}"
        found.wrong(("charts",), what, f"name charts for {card.ruleset}")
    optional = sorted(named.system.optional)
    for i, name in enumerate(card.omit):
        if name not in optional:
            advice = did_you_mean(name, optional, "a card may omit")
            found.wrong(("omit", i), f"no optional step is called {name!r}", advice)
    _formations(named)


def _formations(named: Named) -> None:
    """The formations of a side's chart are those of the card."""
    for side, half in named.card.sides.items():
        ids = [formation.id for formation in half.formations]
        lines = named.charts.side(side).rg or ()
        for i, line in enumerate(lines):
            if line.formation and line.formation not in ids:
                what = f"{line.key}: {half.name} has no formation {line.formation!r} on the card"
                advice = did_you_mean(line.formation, ids, "it has") if ids else "add it there"
                named.inside.wrong(("sides", side, "rg", i, "formation"), what, advice)
        used = {line.formation for line in lines}
        for i, formation in enumerate(half.formations):
            if lines and formation.id not in used:
                what = f"no group of the chart is of {formation.name} ({formation.id})"
                where = ("sides", side, "formations", i, "id")
                named.found.doubtful(where, what, "leave it out, or name it in the chart")


def told_of_gaps(named: Named, cg: Hasl) -> None:
    """Warn of charts that are not filled in: what they decide the players will be asked."""
    gaps = missing(cg, RulesIndex.load_packaged(named.system.package))
    places = (("card, dates: ", "dates"), ("charts, ", "charts"), ("tables, ", "tables"))
    for file, where in places:
        names = [gap.where.removeprefix(file) for gap in gaps if gap.where.startswith(file)]
        if names:
            what = f"{'; '.join(names)}: not filled in, so the players will be asked"
            named.found.doubtful((where,), what, "laager chart fill writes what to fill in")
