"""Checks of a card: that it fits its charts, the charts by themselves, dates, chits and victory."""

from __future__ import annotations

import itertools

from laager.base import did_you_mean
from laager.base.files import Where
from laager.campaign import RulesIndex
from laager.catalogue import load_fortifications
from laager.rules.board.buying.works import ALLOWANCES
from laager.rules.board.card.findings import Findings, check_choices, check_day, check_game_end
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.buying.fortifications import JUNGLE_PATH
from laager.rules.board.hasl.buying.strength import ROLLING
from laager.rules.board.hasl.card.card import Card, CgDate
from laager.rules.board.hasl.card.filling import missing
from laager.rules.board.hasl.card.ground import check_ground
from laager.rules.board.hasl.card.tables import check_tables
from laager.rules.board.hasl.card.units import check_given, check_units, hider_problem
from laager.rules.board.hasl.charts import (
    UPGRADES,
    WITH_UNITS,
    BlockControlRule,
    Charts,
    FortPrice,
    Kind,
    RgLine,
    ScenarioType,
)
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import ATTACK, IDLE
from laager.rules.board.hasl.system import Named
from laager.rules.board.setup.hiding import SET_DC


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


# The charts by themselves ------------------------------------------------------------------------


def check_charts(charts: Charts, found: Findings) -> None:
    """Check a file of charts as far as it can be without a card."""
    for side in SIDES:
        if side not in charts.sides:
            what = f"there are no charts of the {side} side"
            found.doubtful(("sides",), what, "the players will be asked")
    for side, chart in charts.sides.items():
        for i, line in enumerate(chart.rg or ()):
            _line(line, ("sides", side, "rg", i), found)
    _prices(charts.fortifications or (), found)
    if charts.scenario_types is not None:
        _types(charts.scenario_types, found)
    if charts.block_control is not None:
        _block_control(charts.block_control, found)
    check_game_end(charts.circled or {}, ("circled",), found)


# Groups -------------------------------------------------------------------------------------------


def _line(line: RgLine, where: Where, found: Findings) -> None:
    if line.total is not None and (line.per_date or 0) > line.total:
        what = f"{line.key}: {line.per_date} for one CG Date, but {line.total} in all"
        found.doubtful((*where, "per_date"), what, f"{line.total} or less")
    found.twice((*where, "dates"), line.dates)
    found.twice((*where, "arrows"), line.arrows)
    _bare(line, where, found)
    if line.depleted is not None:
        _depleted(line, where, found)
    if line.module is not None and line.kind is not Kind.OBA:
        what = f"{line.key} has a module, but only kind O is OBA"
        found.wrong((*where, "module"), what, "leave it out, or make it O")
    if line.special and line.kind not in (Kind.OBA, Kind.MISCELLANEOUS):
        what = f"{line.key} is of kind {line.kind}, which isn't for {line.special}"
        found.doubtful((*where, "special"), what, "leave it out, or make it M")


def _bare(line: RgLine, where: Where, found: Findings) -> None:
    """Doubt what belongs to units on a line that brings none."""
    if line.kind in WITH_UNITS or line.full:
        return
    for name, given in (("sw", line.sw), ("leader", line.leader), ("arrows", line.arrows)):
        if given:
            what = f"{line.key} brings no units, so no {name}"
            found.doubtful((*where, name), what, "leave it out")


def _depleted(line: RgLine, where: Where, found: Findings) -> None:
    here = (*where, "depleted")
    if line.kind not in ROLLING:
        what = f"{line.key} is of kind {line.kind}, which is never Depleted"
        found.doubtful(here, what, "leave it out")
        return
    full, less = (sum(unit.count for unit in units) for units in (line.full, line.depleted or ()))
    if less >= full:
        what = f"{line.key} has {less} units Depleted and {full} at Full Strength"
        found.doubtful(here, what, "those right of the “/” are fewer")


# Fortifications -----------------------------------------------------------------------------------


def _prices(prices: tuple[FortPrice, ...], found: Findings) -> None:
    rows = load_fortifications()
    own = {*ALLOWANCES, SET_DC, JUNGLE_PATH, *UPGRADES}
    seen: set[str] = set()
    for i, price in enumerate(prices):
        where: Where = ("fortifications", i)
        if price.kind not in own and price.kind not in rows:
            advice = did_you_mean(price.kind, [*rows, *own], "there are")
            found.wrong((*where, "kind"), f"there is no fortification {price.kind!r}", advice)
        hider_problem(price.kind, price.size, where, found)
        if price.key in seen:
            what = f"{price.key} is there twice"
            found.wrong((*where, "kind"), what, "one price for each kind and size")
        seen.add(price.key)
        found.twice((*where, "sides"), price.sides)


# Scenarios and Blocks -----------------------------------------------------------------------------


def _types(types: tuple[ScenarioType, ...], found: Findings) -> None:
    pairs = [(one.axis, one.allied) for one in types]
    for i, one in enumerate(types):
        where: Where = ("scenario_types", i)
        chits = f"axis {one.axis}, allied {one.allied}"
        if pairs[i] in pairs[:i]:
            found.wrong(where, f"{chits} is there twice", "one line for each pair of chits")
        if pairs[i] == (IDLE, IDLE):
            if one.sets_up_first or one.moves_first:
                what = f"{one.name}: no scenario is played, so nobody sets up or moves first"
                found.doubtful(where, what, "leave both out")
            continue
        for name in ("sets_up_first", "moves_first"):
            if getattr(one, name) is None:
                what = f"{one.name} does not say who {name.replace('_', ' ')}"
                found.doubtful(where, what, "the players will be asked")
    for pair in itertools.product((ATTACK, IDLE), repeat=2):
        if pair not in pairs:
            what = f"axis {pair[0]}, allied {pair[1]} is not among them"
            found.doubtful(("scenario_types",), what, "the players will be asked")


def _block_control(rule: BlockControlRule, found: Findings) -> None:
    if rule.enemy is None and rule.share <= 50:
        what = f"{rule.share} percent can be true of both sides, and then nobody Controls a Block"
        found.doubtful(("block_control", "share"), what, "more than 50, or enemy: 0")


# Dates, chits, victory ---------------------------------------------------------------------------


def check_dates(named: Named) -> None:
    """Check what the card says of time and numbers."""
    card, found = named.card, named.found
    for i, one in enumerate(card.dates):
        _date(one, ("dates", i), found)
    for i, (before, after) in enumerate(itertools.pairwise(card.dates), 1):
        if (before.day, before.part) == (after.day, after.part):
            what = f"{after.id} is the same part of the same day as {before.id}"
            found.doubtful(("dates", i, "part"), what, "give it another part")
    _never_used(card.dates[0], found)
    _chits(card, found)
    _victory(card, found)
    check_choices(card, named.system.package, found)
    _available(named)


def _date(one: CgDate, where: Where, found: Findings) -> None:
    check_day(one.day, (*where, "day"), found)
    check_game_end(one.circled or {}, (*where, "circled"), found)
    for name in ("nvr", "moon"):
        if getattr(one, name) not in (None, "") and not one.night:
            what = f"{one.id} is not a night and has no {name}"
            found.doubtful((*where, name), what, "part: N, or leave it out")
    for side, points in one.cpp.items():
        if points.fixed < 0:
            found.wrong((*where, "cpp", side), f"{points.fixed} CPP is too low", "0 or more")


def _never_used(first: CgDate, found: Findings) -> None:
    """Doubt what the first date says of the Refit Phase steps that come only later."""
    for name, right in (("cpp", "say it under sides: cpp"), ("given", "say it under sides: ob")):
        if getattr(first, name):
            what = f"the Initial Scenario brings no {name} of its date"
            found.doubtful(("dates", 0, name), what, right)


def _chits(card: Card, found: Findings) -> None:
    later = len(card.dates) - 1
    for side, half in card.sides.items():
        attack, idle = half.chits.attack, half.chits.idle
        if attack is not None and idle is not None and attack + idle < later:
            what = f"{attack} Attack and {idle} Idle chits for {later} CG Dates are too few"
            right = "once all are chosen it goes on with Idle"
            found.doubtful(("sides", side, "chits"), what, right)


def _victory(card: Card, found: Findings) -> None:
    victory = card.victory
    if not victory.final and victory.otherwise is None:
        what = "nobody can win at CG End: there is neither a condition nor otherwise"
        found.doubtful(("victory",), what, "list final conditions, or otherwise: a side")
    for part in ("sudden", "final"):
        for i, one in enumerate(getattr(victory, part)):
            found.twice(("victory", part, i, "controls"), one.controls)


def _available(named: Named) -> None:
    """The dates on which the charts offer a group are dates of the card."""
    ids = [one.id for one in named.card.dates]
    for side, chart in named.charts.sides.items():
        for i, line in enumerate(chart.rg or ()):
            strange = [name for name in line.dates if name not in ids]
            if strange and len(strange) == len(line.dates):
                what = f"{line.key} can never be bought: the card has no CG Date {strange[0]!r}"
                where: Where = ("sides", side, "rg", i, "dates")
                named.inside.doubtful(where, what, f"the card has {', '.join(ids)}")
