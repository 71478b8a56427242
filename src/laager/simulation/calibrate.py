"""Calibration: how well the model tells what finished campaigns had, and what figures would tell it better.

The model says how likely a unit in contact is hit; the likelihood of a side's losses in a battle is the binomial of
that chance, mixed over the battle's luck (log-normal) by quadrature. What the file says of each figure beforehand is
part of it, so that a handful of battles moves the figures only a little.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Any

from laager.base import Refusal, RefusedError
from laager.base.extras import extra
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE
from laager.campaign.log import FileStore
from laager.campaign.sheet import Column, Sheet
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.report import REPORT_KEYS
from laager.rules.board.units import Place
from laager.simulation.battles.field import hit_chance
from laager.simulation.battles.fight import Engagement
from laager.simulation.battles.parameters import BattlesFile, shipped_battles

LITTLE_DATA = 30
"""Fewer reports of a side than this say little: the result is marked so."""

INTERVALS = (0.5, 0.9)

NODES = 21
"""Points of the quadrature over luck."""


@dataclass(frozen=True)
class SideLosses:
    """What one side lost in one battle: `exposed` units stood in the fight, `hit` of them were lost or changed.

    `ratio` is the enemy's strength over its own, `turns` the length over that for which the rate is given.
    """

    campaign: str
    battle: int
    side: str
    exposed: int
    hit: int
    ratio: float
    turns: float


@dataclass(frozen=True)
class Calibration:
    """The figures as stated and as fitted (with the standard deviation of their logarithms), and how each does."""

    data: tuple[SideLosses, ...]
    stated: Mapping[str, float]
    fitted: Mapping[str, float]
    spread: Mapping[str, float]
    coverage: Mapping[str, Mapping[float, int]]
    """By `stated` and `fitted`: how many losses lie within each interval."""

    @property
    def is_little(self) -> bool:
        """True if there is too little data to trust the fit."""
        return len(self.data) < LITTLE_DATA


# What finished campaigns had --------------------------------------------------------------------


def losses_of(campaign: Campaign, name: str, file: BattlesFile) -> Iterator[SideLosses]:
    """Yield what each side lost in each battle of a finished campaign, from the facts that followed its reports."""
    figures = file.figures_of("usual")
    for context, after in _battles_of(campaign):
        battle = Engagement(context, figures, file.hits, "calibration")
        battle.resolve()
        for side in SIDES:
            mine = [fate.unit for fate in battle.engaged_units(side)]
            if not mine:
                continue
            ratio = battle.weight(battle.engaged_units(other_side(side))) / max(
                1.0, battle.weight(battle.engaged_units(side))
            )
            lost = sum(_is_hit(unit, after.units.get(unit.id)) for unit in mine)
            turns = battle.turns / figures["losses.turns"]
            yield SideLosses(name, context.state.number, side, len(mine), lost, ratio, turns)


def _battles_of(campaign: Campaign) -> Iterator[tuple[Any, Any]]:
    """Yield the campaign's context before each battle's reports, and the state when the step with them was done."""
    state, before = campaign.ruleset.start(campaign.opening, UMPIRE), None
    for entry in campaign.history.counted:
        if entry.type == "answer" and entry.body["key"] in REPORT_KEYS and before is None:
            before = state
        if entry.type in {"fact", "declared", "ruled"}:
            state = campaign.fact_of(entry).apply(state)
        elif entry.type == "done":
            if before is not None:
                yield campaign.context.with_state(before), state
            before = None
            state = campaign.ruleset.step_done(state, entry.body["step"])


def _is_hit(before: Any, after: Any) -> bool:
    """True if a unit was lost, Reduced, Replaced, or came out with a marker that a hit leaves."""
    if after is None or after.place in {Place.ELIMINATED, Place.CAPTURED, Place.RECALLED} or after.type != before.type:
        return True
    marks = {"broken", "wounded", "immobilized", "stun", "shock", "bogged", "ma-malfunctioned", "abandoned", "prisoner"}
    return any(mark.value in marks for mark in after.marks - before.marks)


def read_losses(files: Sequence[Path], file: BattlesFile) -> list[SideLosses]:
    """Return what the campaigns in some files had. Raises RefusedError if one isn't over or none has a battle."""
    data: list[SideLosses] = []
    for path in files:
        campaign = Campaign(FileStore(path))
        if not campaign.over:
            wrong = f"{path} isn't over: its secrets would be told"
            raise RefusedError(Refusal.NOT_YOURS, wrong, "calibrate with finished campaigns")
        data += losses_of(campaign, path.name, file)
    if not data:
        raise RefusedError(Refusal.NO_SUCH, "these campaigns have no battles that were fought")
    return data


# The fit --------------------------------------------------------------------------------------------


def calibrate(data: Sequence[SideLosses], file: BattlesFile | None = None) -> Calibration:
    """Fit the model's figures to losses: the most likely ones, given what the file says of them beforehand."""
    with extra("simulate"):
        import numpy as np
        from scipy.optimize import minimize
    model = file or shipped_battles()
    figures = model.figures_of("usual")
    names = list(model.fitted)
    stated = {name: figures[name] for name in names}
    centre = np.array([log(stated[name]) for name in names])
    sure = np.array([model.fitted[name] for name in names])

    def objective(point: Any) -> float:
        values = {**figures, **dict(zip(names, np.exp(point), strict=True))}
        prior = float((((point - centre) / sure) ** 2).sum()) / 2
        return prior - _log_likelihood(data, values)

    best = minimize(objective, centre, method="BFGS")
    fitted = dict(zip(names, (float(value) for value in np.exp(best.x)), strict=True))
    spread = dict(zip(names, (float(v) for v in np.sqrt(np.diag(best.hess_inv))), strict=True))
    coverage = {
        how: {part: sum(_is_covered(item, {**figures, **values}, part) for item in data) for part in INTERVALS}
        for how, values in (("stated", stated), ("fitted", fitted))
    }
    return Calibration(tuple(data), stated, fitted, spread, coverage)


def _log_likelihood(data: Sequence[SideLosses], figures: Mapping[str, float]) -> float:
    """Return how likely the losses are together, as a logarithm, but for what doesn't depend on the figures."""
    import numpy as np

    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    ratio, turns, exposed, hit = (
        np.array([getattr(item, name) for item in data], dtype=float)[:, None]
        for name in ("ratio", "turns", "exposed", "hit")
    )
    hazard = figures["losses.rate"] * turns * np.maximum(ratio, 1e-3) ** figures["losses.ratio"]
    hazard = np.clip(hazard * np.exp(figures["losses.luck"] * nodes)[None, :], 1e-9, 50.0)
    logs = hit * np.log(-np.expm1(-hazard)) - (exposed - hit) * hazard
    most = logs.max(axis=1, keepdims=True)
    mixed = np.exp(logs - most) @ (weights / weights.sum())
    return float((np.log(mixed) + most[:, 0]).sum())


def _likelihood(item: SideLosses, figures: Mapping[str, float]) -> Any:
    """Return how likely each number of hits is, from none to all: binomial, mixed over luck by Gauss-Hermite."""
    import numpy as np
    from scipy.stats import binom

    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    chances = [
        hit_chance(
            figures["losses.rate"],
            figures["losses.ratio"],
            item.ratio,
            item.turns,
            float(np.exp(figures["losses.luck"] * node)),
        )
        for node in nodes
    ]
    by_luck = binom.pmf(np.arange(item.exposed + 1)[:, None], item.exposed, np.array(chances)[None, :])
    return by_luck @ (weights / weights.sum())


def _is_covered(item: SideLosses, figures: Mapping[str, float], part: float) -> bool:
    """True if what was lost lies in the middle `part` of what the model expects (by the mid-point of its count)."""
    expected = _likelihood(item, figures)
    below = float(expected[: item.hit].sum() + expected[item.hit] / 2)
    return (1 - part) / 2 <= below <= (1 + part) / 2


# In words -------------------------------------------------------------------------------------------


def calibration_sheets(result: Calibration) -> list[Sheet]:
    """Return the figures, how they do, and how far they can be trusted."""
    battles = len({(item.campaign, item.battle) for item in result.data})
    rows = tuple(_figure_row(result, name) for name in result.fitted)
    honest = f"{len(result.data)} reports of {battles} battles."
    if result.is_little:
        honest += (
            f" That is little: with fewer than {LITTLE_DATA} the fit says more about what was stated than about play."
        )
    covered = tuple(
        (f"{part:.0%}", *(f"{result.coverage[how][part] / len(result.data):.0%}" for how in ("stated", "fitted")))
        for part in INTERVALS
    )
    return [
        Sheet(
            "calibration", "The model and what campaigns had",
            (Column("Figure"), *(Column(t, "right") for t in ("Stated", "Fitted", "95 % from", "to"))), rows, (honest,),
        ),
        Sheet(
            "coverage", "Losses within the intervals that the model gives",
            (Column("Interval", "right"), Column("As stated", "right"), Column("As fitted", "right")), covered,
            ("A good model has about as many losses within an interval as its name says. Losses are counted for "
             "units that the model would have had in contact; who really was isn't in a report.",),
        ),
    ]  # fmt: skip


def _figure_row(result: Calibration, name: str) -> tuple[str, ...]:
    value, factor = result.fitted[name], exp(1.96 * result.spread[name])
    return name, *(f"{figure:.3f}" for figure in (result.stated[name], value, value / factor, value * factor))
