"""Checks of a module's charts by themselves: groups, fortifications, scenario types, Game End."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from laager.base import did_you_mean
from laager.base.files import Where
from laager.catalogue import load_fortifications
from laager.rules.board.buying.works import ALLOWANCES
from laager.rules.board.card.findings import Findings
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.buying.fortifications import JUNGLE_PATH
from laager.rules.board.hasl.buying.strength import ROLLING
from laager.rules.board.hasl.buying.upgrades import UPGRADES
from laager.rules.board.hasl.charts import WITH_UNITS, BlockControlRule, Charts, FortPrice, Kind, RgLine, ScenarioType
from laager.rules.board.hasl.state import ATTACK, IDLE
from laager.rules.board.setup.hiding import HIP, SET_DC

HIDERS = ("squad", "half-squad", "crew", "smc")
"""Who may use HIP, as its prices name them."""


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
    game_end(charts.circled or {}, ("circled",), found)


def game_end(circled: Mapping[int, int], where: Where, found: Findings) -> None:
    """Doubt Game End numbers that fall: a scenario ends more easily the longer it lasts."""
    for (turn, number), (later, next_number) in itertools.pairwise(sorted(circled.items())):
        if next_number < number:
            what = f"turn {later} has {next_number}, less than turn {turn} ({number})"
            found.doubtful((*where, str(later)), what, "a scenario ends more easily every turn")


# Groups -------------------------------------------------------------------------------------------


def _line(line: RgLine, where: Where, found: Findings) -> None:
    if line.total is not None and (line.per_date or 0) > line.total:
        what = f"{line.key}: {line.per_date} for one CG Date, but {line.total} in all"
        found.doubtful((*where, "per_date"), what, f"{line.total} or less")
    for name, values in (("dates", line.dates), ("arrows", line.arrows)):
        for i, value in enumerate(values):
            if value in values[:i]:
                found.wrong((*where, name, i), f"{value} is there twice", "name it once")
    _bare(line, where, found)
    if line.depleted is not None:
        _depleted(line, where, found)
    if line.module is not None and line.kind is not Kind.OBA:
        what = f"{line.key} has a module, but only kind O is OBA"
        found.wrong((*where, "module"), what, "leave it out, or make it O")
    if line.special and line.kind not in (Kind.OBA, Kind.MISCELLANEOUS):
        what = f"{line.key} is of kind {line.kind}, which is no {line.special}"
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
        if price.kind == HIP and price.size not in HIDERS:
            what = f"HIP of {price.size!r} will do for nobody" if price.size else "whose HIP?"
            found.wrong((*where, "size"), what, f"size: one of {', '.join(HIDERS)}")
        if price.key in seen:
            what = f"{price.key} is there twice"
            found.wrong((*where, "kind"), what, "one price for each kind and size")
        seen.add(price.key)
        for j, side in enumerate(price.sides):
            if side in price.sides[:j]:
                found.wrong((*where, "sides", j), f"{side} is there twice", "name it once")


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
