"""What `laager simulate` does once its options are read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import typer

from laager.base.counting import count_of
from laager.cli.ending import BROKEN_OFF, WrongUseError
from laager.cli.out import complain, print_sheets, say, show
from laager.cli.play.campaign_file import SUFFIX
from laager.cli.play.session import BeginOptions
from laager.cli.writing import put
from laager.commanders import load_commander
from laager.simulation.battles import load_battles
from laager.simulation.compare import comparison_sheet
from laager.simulation.figures import share
from laager.simulation.paper import results_pdf
from laager.simulation.plan import SimulationPlan, read_plan
from laager.simulation.play import keep_campaign, play_campaign
from laager.simulation.plots import plots_of
from laager.simulation.run import Means, SimulationRun, run_plan
from laager.simulation.sheets import result_sheets

if TYPE_CHECKING:
    from laager.campaign import Sheet

BRIEF = frozenset({"winners", "what-if", "slots", "groups"})
"""The sheets that people at a terminal see without --all."""


def plan_of(card: str, readings: Sequence[str], **how: Any) -> SimulationPlan:
    """Return the plan that the options name. Raises RefusedError or DataError before anything is played."""
    plan = read_plan(card, readings=BeginOptions(card, readings=readings).chosen_readings(), **how)
    for name in plan.commanders.values():
        load_commander(name)
    load_battles(plan.battles, plan.intensity)
    return plan


def keep_one(plan: SimulationPlan, number: int, file: Path | None, as_json: bool) -> None:
    """Write one campaign of a run as a file."""
    path = file or Path(f"{plan.card}-{number}{SUFFIX}")
    played = play_campaign(plan, number)
    keep_campaign(played.campaign, path)
    outcome = played.outcome
    won = f"won by {outcome.winner}" if outcome.winner else "a draw"
    data = {"file": str(path), "number": number, "winner": outcome.winner, "ending": outcome.ending}
    show(as_json, data, f"written: {path} (campaign {number}, {won}: {outcome.ending or outcome.dead_end})")


def calibrate_model(files: Sequence[Path], battles: str, as_json: bool, as_csv: bool) -> None:
    """Compare the model with what finished campaigns had, and say which figures would tell it better."""
    from laager.simulation.battles.parameters import read_battles, shipped_battles
    from laager.simulation.calibrate import calibrate, calibration_sheets, read_losses

    model = read_battles(Path(battles)) if battles.endswith((".yaml", ".yml")) else shipped_battles()
    print_sheets(calibration_sheets(calibrate(read_losses(files, model), model)), as_json, as_csv)


@dataclass(frozen=True)
class RunWishes:
    """What a run is asked for besides its plan."""

    campaigns: int
    changes: Sequence[str] = ()
    workers: int = 1
    dask: str = ""
    out: Path | None = None
    plots: Path | None = None
    pdf: Path | None = None
    as_json: bool = False
    as_csv: bool = False
    whole: bool = False
    all_maps: bool = False
    """Draw the map for each battle, not only for the last."""


def play_many(plan: SimulationPlan, wishes: RunWishes) -> None:
    """Play, and show what came out."""
    if wishes.out is not None and wishes.out.suffix != ".parquet":
        raise WrongUseError(f"{wishes.out} does not end in .parquet; name the file such as results.parquet")
    share(1, 2)  # says what to install before an hour has gone by
    progress = ProgressLine() if sys.stderr.isatty() else None
    means = Means(wishes.workers, wishes.dask)
    run = run_plan(plan, wishes.campaigns, wishes.changes, means=means, results=wishes.out, progress=progress)
    if run.stopped:
        going_on = "; the same command goes on from there" if wishes.out is not None else ""
        complain("", [f"stopped after {count_of(run.tally.campaigns, 'campaign')}; these count{going_on}"])
    sheets = result_sheets(plan, run.tally)
    if run.comparisons:
        sheets.insert(1, comparison_sheet(plan, run.comparisons))
    everything = wishes.as_json or wishes.as_csv or wishes.whole
    print_sheets([s for s in sheets if everything or s.id in BRIEF], wishes.as_json, wishes.as_csv)
    _write_plots(run, sheets, wishes)
    if run.stopped:
        raise typer.Exit(BROKEN_OFF)


def _write_plots(run: SimulationRun, sheets: Sequence[Sheet], wishes: RunWishes) -> None:
    if wishes.plots is None and wishes.pdf is None:
        return
    plots = plots_of(run.plan, run.tally, run.comparisons, all_maps=wishes.all_maps)
    if wishes.plots is not None:
        wishes.plots.mkdir(parents=True, exist_ok=True)
        for name, svg in plots.items():
            put(wishes.plots / f"{name}.svg", svg.encode())
        say_to_people(f"drawn: {count_of(len(plots), 'plot')} in {wishes.plots}", wishes)
    if wishes.pdf is not None:
        put(wishes.pdf, results_pdf(run.plan, sheets, plots))
        say_to_people(f"printed: {wishes.pdf}", wishes)


def say_to_people(line: str, wishes: RunWishes) -> None:
    """Print a line unless programs read what is printed."""
    if not (wishes.as_json or wishes.as_csv):
        say(line)


class ProgressLine:
    """A line on the terminal with how far a run is, and the time left."""

    def __init__(self) -> None:
        self._begun: tuple[float, int] | None = None
        """When it was first called, and how many campaigns there were then: those of a file took no time."""

    def __call__(self, done: int, total: int) -> None:
        """Write it anew."""
        if self._begun is None:
            self._begun = monotonic(), done
        since, before = self._begun
        left = duration_words((monotonic() - since) / (done - before) * (total - done)) if done > before else ""
        end = "\n" if done == total else ""
        sys.stderr.write(f"\r{done:,} of {total:,} campaigns{left and f', {left} left'}   {end}")
        sys.stderr.flush()


def duration_words(seconds: float) -> str:
    """Return a time as people say it: 3 s, 4 min, 2 h 10 min."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
