"""Which charts of a module are filled in, and so which rules are computed instead of asked.

The index of rules names the chart or table that a clause waits for. This module says where its owner
fills it in, and how Laager knows that it is filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from laager.campaign import Clause, RulesIndex
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.card.card import CgDate
from laager.rules.board.hasl.charts import TABLES
from laager.rules.board.hasl.context import Hasl


@dataclass(frozen=True)
class Chart:
    """A chart by what it decides, where it stands, and whether a campaign's owner filled it in.

    `step` is the optional step that uses it, if only that does.
    """

    decides: str
    where: str
    filled: Callable[[Hasl], bool]
    step: str = ""


def _later(cg: Hasl) -> tuple[CgDate, ...]:
    """Return the CG Dates that a Refit Phase leads to."""
    return cg.card.dates[1:]


def _groups(cg: Hasl) -> bool:
    return all(cg.side_charts(side).rg is not None for side in SIDES)


def _points(cg: Hasl) -> bool:
    return all(cg.side_charts(side).cpp is not None or all(side in date.cpp for date in _later(cg)) for side in SIDES)


def _game_end(cg: Hasl) -> bool:
    return cg.charts.circled is not None or all(date.circled for date in cg.card.dates)


def _strength(cg: Hasl) -> bool:
    return cg.variant.strength_table(cg) is not None


def _leaders(cg: Hasl) -> bool:
    table = cg.variant.leader_table(cg)
    if table is None:
        return False
    columns = {line.leader for side in SIDES for line in cg.lines(side) if line.leader}
    return not table.columns or columns <= set(table.columns)


def _weather(cg: Hasl) -> bool:
    first = cg.card.initial.weather or cg.card.dates[0].weather
    printed = bool(first) and all(date.weather for date in _later(cg))
    return printed or cg.chart_table("weather") is not None


def _exhaustion(cg: Hasl) -> bool:
    return all(side in date.exhaustion for date in cg.card.dates for side in SIDES)


def _nights(cg: Hasl) -> bool:
    return all(date.nvr is not None for date in cg.card.dates if date.night)


def _shortage(cg: Hasl) -> bool:
    levels = any(cg.side(side).ammunition for side in SIDES)
    return not levels or cg.chart_table("ammunition") is not None


def _table(name: str) -> Callable[[Hasl], bool]:
    return lambda cg: cg.chart_table(name) is not None


_STEPS = {
    "san": "san-adjustment",
    "elr": "elr-change",
    "escape": "escape",
    "shift": "shift",
    "repair": "repair",
    "wounded-leaders": "wounded-leaders",
}
"""The optional steps that use a table, by its name."""


def _of_table(name: str, filled: Callable[[Hasl], bool] | None = None) -> Chart:
    how = filled or _table(name)
    return Chart(TABLES[name], f"tables, {name}", how, _STEPS.get(name, ""))


_RG = Chart("what may be bought, at which price", "charts, sides: rg", _groups)
_TYPES = Chart("who sets up and moves first", "charts, scenario_types",
               lambda cg: cg.charts.scenario_types is not None)  # fmt: skip
_ENDS = Chart("when a scenario may end", "charts, circled", _game_end)
_NVR = Chart("the NVR at the start of a night", "card, dates: nvr", _nights)

CHARTS: Mapping[str, Chart] = {
    **{name: _of_table(name) for name in TABLES},
    "rg": _RG,
    "support-weapons": Chart("which SW come with a group", "charts, sides: rg: sw", _groups),
    "cpp": Chart("the CPP that arrive on a date", "charts, sides: cpp", _points),
    "fortifications": Chart(
        "what fortifications cost", "charts, fortifications", lambda cg: cg.charts.fortifications is not None
    ),
    "scenario-types": _TYPES,
    "initiative": _TYPES,
    "setup-order": _TYPES,
    "block-control": Chart(
        "who Controls a Block", "charts, block_control", lambda cg: cg.charts.block_control is not None or not cg.blocks
    ),
    "circled": _ENDS,
    "game-end": _ENDS,
    "recon": Chart(
        "what reconnaissance costs",
        "charts, sides: recon",
        lambda cg: all(cg.side_charts(side).recon is not None for side in SIDES),
    ),
    "strength": _of_table("strength", _strength),
    "leaders": _of_table("leaders", _leaders),
    "ammunition": _of_table("ammunition", _shortage),
    "weather": Chart("the weather of dates without any", "tables, weather", _weather),
    "exhaustion": Chart("the Campaign Exhaustion DRM", "card, dates: exhaustion", _exhaustion, "exhaustion"),
    "nvr": _NVR,
    "moon": _NVR,
}
"""Charts by their names in the indexes of rules (with hyphens)."""


def charts_of(clause: Clause) -> tuple[Chart, ...]:
    """Return the charts that a clause waits for, as far as their owner can fill them in."""
    names = [*((clause.chart,) if clause.chart else ()), *clause.tables]
    charts = (CHARTS.get(name.replace("_", "-")) for name in names)
    return tuple(dict.fromkeys(chart for chart in charts if chart is not None))


def is_filled_in(cg: Hasl, clause: Clause) -> bool:
    """True if all that a clause waits for is filled in; false if it waits for nothing."""
    charts = charts_of(clause)
    return bool(charts) and all(chart.filled(cg) for chart in charts)


def missing_charts(cg: Hasl, index: RulesIndex) -> tuple[Chart, ...]:
    """Return the charts that the rules wait for and the owner hasn't filled in, each once.

    Those of steps that the card omits are not waited for.
    """
    wanted = dict.fromkeys(chart for clause in index.values() for chart in charts_of(clause))
    return tuple(chart for chart in wanted if chart.step not in cg.card.omit and not chart.filled(cg))
