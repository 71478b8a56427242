"""Checks of a card: that it fits its charts, the charts by themselves, dates, chits and victory."""

from __future__ import annotations

import itertools

from laager.base import did_you_mean
from laager.base.files import Where
from laager.campaign import RulesIndex
from laager.catalogue import load_fortifications
from laager.rules.board.buying.works import ALLOWANCES
from laager.rules.board.card.findings import CardFindings, check_choices, check_count, check_day, check_game_end
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.buying.strength import ROLLING
from laager.rules.board.hasl.card.card import Card, CgDate
from laager.rules.board.hasl.card.filling import missing_charts
from laager.rules.board.hasl.card.ground import check_arrow_dates, check_ground
from laager.rules.board.hasl.card.tables import check_tables
from laager.rules.board.hasl.card.units import check_given, check_units, hider_problem
from laager.rules.board.hasl.charts import (
    JUNGLE_PATH,
    UPGRADES,
    WITH_UNITS,
    BlockControlRule,
    FortPrice,
    HaslCharts,
    Kind,
    RgLine,
    ScenarioType,
)
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import ATTACK, IDLE
from laager.rules.board.hasl.system import CheckedCard
from laager.rules.board.setup.hiding import SET_DC


def check_card(named: CheckedCard) -> None:
    """Note problems and warnings of a card against all that it names."""
    _check_rulesets(named)
    check_charts(named.charts, named.inside)
    check_dates(named)
    check_given(named)
    check_arrow_dates(named)
    if named.nations is not None:
        check_units(named, named.nations)
    if named.map is not None:
        check_ground(named, named.map)
    if named.tables is not None and named.listed is not None:
        check_tables(named, named.tables, named.listed)


def _check_rulesets(named: CheckedCard) -> None:
    card, charts, findings = named.card, named.charts, named.found
    if card.ruleset != named.system.id:
        findings.add_problem(
            ("ruleset",),
            f"the card is for {card.ruleset}, not for {named.system.id}",
            f"begin it with --ruleset {card.ruleset}",
        )
    if charts.ruleset != card.ruleset:
        findings.add_problem(
            ("charts",),
            f"the charts are for {charts.ruleset}, the card for {card.ruleset}",
            f"name charts for {card.ruleset}",
        )
    optional = sorted(named.system.optional)
    for i, name in enumerate(card.omit):
        if name not in optional:
            advice = did_you_mean(name, optional, "a card may omit")
            findings.add_problem(("omit", i), f"no optional step is called {name!r}", advice)
    _check_formations(named)


def _check_formations(named: CheckedCard) -> None:
    """Note formations of a side's chart that the card doesn't have."""
    for side, half in named.card.sides.items():
        ids = [formation.id for formation in half.formations]
        lines = named.charts.side(side).rg or ()
        for i, line in enumerate(lines):
            if line.formation and line.formation not in ids:
                advice = did_you_mean(line.formation, ids, "it has") if ids else "add it there"
                named.inside.add_problem(
                    ("sides", side, "rg", i, "formation"),
                    f"{line.key}: the card gives {half.name} no formation {line.formation!r}",
                    advice,
                    named.found.end_at("sides", side, "formations"),
                )
        used = {line.formation for line in lines}
        for i, formation in enumerate(half.formations):
            if lines and formation.id not in used:
                where = ("sides", side, "formations", i, "id")
                named.found.add_doubt(
                    where,
                    f"no group of the chart is of {formation.name} ({formation.id})",
                    "leave it out, or name it in the chart",
                )


def warn_of_gaps(named: CheckedCard, cg: Hasl) -> None:
    """Warn of charts that are not filled in: what they decide the players will be asked."""
    gaps = missing_charts(cg, RulesIndex.load_packaged(named.system.package))
    places = (("card, dates: ", "dates"), ("charts, ", "charts"), ("tables, ", "tables"))
    for file, where in places:
        names = [gap.where.removeprefix(file) for gap in gaps if gap.where.startswith(file)]
        if names:
            named.found.add_doubt(
                (where,),
                f"{'; '.join(names)}: not filled in, so the players will be asked",
                "laager chart fill writes what to fill in",
            )


# The charts by themselves ------------------------------------------------------------------------


def check_charts(charts: HaslCharts, findings: CardFindings) -> None:
    """Check a file of charts as far as it can be without a card."""
    for side in SIDES:
        if side not in charts.sides:
            findings.add_doubt(("sides",), f"there are no charts of the {side} side", "the players will be asked")
    for side, chart in charts.sides.items():
        for i, line in enumerate(chart.rg or ()):
            _check_line(line, ("sides", side, "rg", i), findings)
    _check_prices(charts.fortifications or (), findings)
    if charts.scenario_types is not None:
        _check_types(charts.scenario_types, findings)
    if charts.block_control is not None:
        _check_block_control(charts.block_control, findings)
    check_game_end(charts.circled or {}, ("circled",), findings)


# Groups -------------------------------------------------------------------------------------------


def _check_line(line: RgLine, where: Where, findings: CardFindings) -> None:
    if line.total is not None and (line.per_date or 0) > line.total:
        findings.add_doubt(
            (*where, "per_date"),
            f"{line.key}: {line.per_date} for one CG Date, but {line.total} in all",
            f"{line.total} or less",
            findings.end_at(*where, "total"),
        )
    findings.check_repeats((*where, "dates"), line.dates)
    findings.check_repeats((*where, "arrows"), line.arrows)
    _doubt_without_units(line, where, findings)
    if line.depleted is not None:
        _check_depleted(line, where, findings)
    if line.module is not None and line.kind is not Kind.OBA:
        findings.add_problem(
            (*where, "module"), f"{line.key} has a module, but only kind O is OBA", "leave it out, or make it O"
        )
    if line.special and line.kind not in (Kind.OBA, Kind.MISCELLANEOUS):
        findings.add_doubt(
            (*where, "special"),
            f"{line.key} is of kind {line.kind}, which isn't for {line.special}",
            "leave it out, or make it M",
        )


def _doubt_without_units(line: RgLine, where: Where, findings: CardFindings) -> None:
    """Doubt what belongs to units on a line that brings none."""
    if line.kind in WITH_UNITS or line.full:
        return
    for name, given in (("sw", line.sw), ("leader", line.leader), ("arrows", line.arrows)):
        if given:
            findings.add_doubt((*where, name), f"{line.key} brings no units, so no {name}", "leave it out")


def _check_depleted(line: RgLine, where: Where, findings: CardFindings) -> None:
    here = (*where, "depleted")
    if line.kind not in ROLLING:
        findings.add_doubt(here, f"{line.key} is of kind {line.kind}, which is never Depleted", "leave it out")
        return
    full, less = (sum(unit.count for unit in units) for units in (line.full, line.depleted or ()))
    if less >= full:
        findings.add_doubt(
            here,
            f"{line.key} has {less} units Depleted and {full} at Full Strength",
            "those right of the “/” are fewer",
        )


# Fortifications -----------------------------------------------------------------------------------


def _check_prices(prices: tuple[FortPrice, ...], findings: CardFindings) -> None:
    rows = load_fortifications()
    own = {*ALLOWANCES, SET_DC, JUNGLE_PATH, *UPGRADES}
    seen: dict[str, int] = {}
    for i, price in enumerate(prices):
        where: Where = ("fortifications", i)
        if price.kind not in own and price.kind not in rows:
            advice = did_you_mean(price.kind, [*rows, *own], "there are")
            findings.add_problem((*where, "kind"), f"there is no fortification {price.kind!r}", advice)
        hider_problem(price.kind, price.size, where, findings)
        if price.key in seen:
            first = findings.end_at("fortifications", seen[price.key], "kind")
            right = "one price for each kind and size"
            findings.add_problem((*where, "kind"), f"{price.key} is there twice", right, first)
        seen.setdefault(price.key, i)
        findings.check_repeats((*where, "sides"), price.sides)


# Scenarios and Blocks -----------------------------------------------------------------------------


def _check_types(types: tuple[ScenarioType, ...], findings: CardFindings) -> None:
    pairs = [(kind.axis, kind.allied) for kind in types]
    for i, kind in enumerate(types):
        where: Where = ("scenario_types", i)
        chits = f"axis {kind.axis}, allied {kind.allied}"
        if pairs[i] in pairs[:i]:
            first = findings.end_at("scenario_types", pairs.index(pairs[i]), "axis")
            right = "one line for each pair of chits"
            findings.add_problem((*where, "axis"), f"{chits} is there twice", right, first)
        if pairs[i] == (IDLE, IDLE):
            if kind.sets_up_first or kind.moves_first:
                findings.add_doubt(
                    where, f"{kind.name}: no scenario is played, so nobody sets up or moves first", "leave both out"
                )
            continue
        for name in ("sets_up_first", "moves_first"):
            if getattr(kind, name) is None:
                findings.add_doubt(
                    where, f"{kind.name} does not say who {name.replace('_', ' ')}", "the players will be asked"
                )
    for pair in itertools.product((ATTACK, IDLE), repeat=2):
        if pair not in pairs:
            findings.add_doubt(
                ("scenario_types",), f"axis {pair[0]}, allied {pair[1]} is not among them", "the players will be asked"
            )


def _check_block_control(rule: BlockControlRule, findings: CardFindings) -> None:
    if rule.enemy is None and rule.share <= 50:
        findings.add_doubt(
            ("block_control", "share"),
            f"{rule.share} percent can be true of both sides, and then nobody Controls a Block",
            "more than 50, or enemy: 0",
        )


# Dates, chits, victory ---------------------------------------------------------------------------


def check_dates(named: CheckedCard) -> None:
    """Check what the card says of time and numbers."""
    card, findings = named.card, named.found
    for i, date in enumerate(card.dates):
        _check_date(date, ("dates", i), findings)
    for i, (before, after) in enumerate(itertools.pairwise(card.dates), 1):
        if (before.day, before.part) == (after.day, after.part):
            findings.add_doubt(
                ("dates", i, "part"),
                f"{after.id} is the same part of the same day as {before.id}",
                "give it another part",
            )
    _doubt_first_date(card.dates[0], findings)
    _check_chits(card, findings)
    _check_victory(card, findings)
    check_choices(card, named.system.package, findings)
    _check_offer_dates(named)


def _check_date(date: CgDate, where: Where, findings: CardFindings) -> None:
    check_day(date.day, (*where, "day"), findings)
    check_game_end(date.circled or {}, (*where, "circled"), findings)
    for name in ("nvr", "moon"):
        if getattr(date, name) not in (None, "") and not date.night:
            findings.add_doubt(
                (*where, name), f"{date.id} is not a night and has no {name}", "part: N, or leave it out"
            )
    for side, points in date.cpp.items():
        if points.fixed < 0:
            findings.add_problem((*where, "cpp", side), f"{points.fixed} CPP is too low", "0 or more")


def _doubt_first_date(first: CgDate, findings: CardFindings) -> None:
    """Doubt what the first date says of the Refit Phase steps that come only later."""
    for name, right in (("cpp", "say it under sides: cpp"), ("given", "say it under sides: ob")):
        if getattr(first, name):
            findings.add_doubt(("dates", 0, name), f"the Initial Scenario brings no {name} of its date", right)


def _check_chits(card: Card, findings: CardFindings) -> None:
    later = len(card.dates) - 1
    for side, half in card.sides.items():
        attack, idle = half.chits.attack, half.chits.idle
        if attack is not None and idle is not None and attack + idle < later:
            right = "once all are chosen it goes on with Idle"
            findings.add_doubt(
                ("sides", side, "chits"),
                f"{attack} Attack and {idle} Idle chits for {later} CG Dates are too few",
                right,
            )


def _check_victory(card: Card, findings: CardFindings) -> None:
    victory = card.victory
    if not victory.final and victory.otherwise is None:
        findings.add_doubt(
            ("victory",),
            "nobody can win at CG End: there is neither a condition nor otherwise",
            "list final conditions, or otherwise: a side",
        )
    for part in ("sudden", "final"):
        for i, condition in enumerate(getattr(victory, part)):
            findings.check_repeats(("victory", part, i, "controls"), condition.controls)
            check_count(("victory", part, i), condition, findings)


def _check_offer_dates(named: CheckedCard) -> None:
    """Doubt groups that the charts offer only on dates that the card doesn't have."""
    ids = [date.id for date in named.card.dates]
    for side, chart in named.charts.sides.items():
        for i, line in enumerate(chart.rg or ()):
            strange = [name for name in line.dates if name not in ids]
            if strange and len(strange) == len(line.dates):
                fault = f"{line.key} can never be bought: the card has no CG Date {strange[0]!r}"
                where: Where = ("sides", side, "rg", i, "dates")
                named.inside.add_doubt(where, fault, f"the card has {', '.join(ids)}")
