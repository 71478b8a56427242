"""What a process of its own does for a simulation: plays some campaigns, makes what is shown of them.

Nothing here knows Django or a database.
"""

from __future__ import annotations

import json
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any

from laager.campaign.speech import with_texts_of_card

if TYPE_CHECKING:
    from laager.base.texts import Meanings
    from laager.campaign import Sheet
    from laager.campaign.log import Entry
    from laager.simulation.known import KnownRecord
    from laager.simulation.outcome import CampaignOutcome
    from laager.simulation.plan import SimulationPlan
    from laager.simulation.run import SimulationRun

LOWEST_PRIORITY = 19
"""How nice a process is that simulates: everything else on the machine comes first."""
SETTING = "setting="
"""How a change of the model's setting begins."""
MOST_IN_ALL_MAPS = 20
"""Up to this many campaigns the map is drawn for each battle, else for the last one and the end."""


def pack_plan(plan: SimulationPlan) -> bytes:
    """Return a plan as bytes to be kept."""
    parts = {field.name: getattr(plan, field.name) for field in fields(plan)}
    return zlib.compress(json.dumps(parts, default=dict).encode())


def unpack_plan(data: bytes) -> SimulationPlan:
    """Return the plan that was packed."""
    from laager.simulation.plan import SimulationPlan

    return SimulationPlan(**json.loads(zlib.decompress(data)))


def pack_known(known: KnownRecord) -> bytes:
    """Return what a side knows of a campaign as bytes to be kept."""
    return zlib.compress(json.dumps(asdict(known), default=dict).encode())


def unpack_known(data: bytes) -> KnownRecord:
    """Return what was packed of a side's knowledge."""
    from laager.simulation.known import KnownRecord

    return KnownRecord(**json.loads(zlib.decompress(data)))


@dataclass(frozen=True)
class PlayedPart:
    """Campaigns that were played one after the other: how many, packed, how long it took, who won how often."""

    count: int
    data: bytes
    seconds: float
    wins: dict[str, int]


def play_part(plan_data: bytes, change: str, first: int, last: int, seconds: float) -> PlayedPart:
    """Play campaigns from `first` on, up to `last` or until `seconds` have gone by; at least one."""
    from laager.simulation.play import play_campaign

    plan = unpack_plan(plan_data)
    if change:
        plan = plan.with_change(change)
    return _play(lambda number: play_campaign(plan, number).outcome, change, range(first, last + 1), seconds)


def play_forecast_part(known_data: bytes, change: str, first: int, last: int, seconds: float) -> PlayedPart:
    """Play a campaign on from what a side knows of it, as `play_part` plays one of a card."""
    known = unpack_known(known_data).read()
    intensity = change.removeprefix(SETTING) or "usual"
    return _play(
        lambda number: known.play_on(number, intensity=intensity).outcome, change, range(first, last + 1), seconds
    )


def _play(play: Callable[[int], CampaignOutcome], change: str, numbers: Iterable[int], seconds: float) -> PlayedPart:
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, 0, LOWEST_PRIORITY)
    begun = monotonic()
    lines: list[str] = []
    wins: Counter[str] = Counter()
    for number in numbers:
        outcome = play(number)
        wins.update([] if outcome.dead_end else [outcome.winner])
        kept = {"number", "winner", "dead_end"} if change else None
        lines.append(outcome.model_dump_json(include=kept))
        if monotonic() - begun > seconds:
            break
    return PlayedPart(len(lines), zlib.compress("\n".join(lines).encode()), monotonic() - begun, dict(wins))


# What is shown ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Results:
    """What came out of a run so far: sheets, plots as SVG by name, and what stands under each."""

    sheets: list[Sheet]
    plots: dict[str, str]
    titles: dict[str, str]
    texts: Mapping[str, Meanings]
    """What the card says in other languages (`Context.texts`)."""


def show_results(
    plan_data: bytes, changes: Sequence[str], parts: Sequence[tuple[int, bytes]], language: str
) -> Results:
    """Return what came out of a run, the plots in a language.

    `parts` are packed campaigns with their change's place (0: none).
    """
    from laager.simulation.plots import plots_of, titles_of
    from laager.simulation.sheets import context_of

    run = _run_of(plan_data, changes, parts)
    every = run.tally.campaigns <= MOST_IN_ALL_MAPS
    texts = context_of(run.plan).texts
    with with_texts_of_card(texts):
        plots = plots_of(run.plan, run.tally, run.comparisons, all_maps=every, language=language)
    return Results(run.sheets(), plots, titles_of(plots), texts)


def show_forecast(known_data: bytes, changes: Sequence[str], parts: Sequence[tuple[int, bytes]], _: str) -> Results:
    """Return what a side can expect, by the campaigns that were played on so far; it has no plots."""
    from laager.simulation.forecast import CampaignForecast
    from laager.simulation.sheets import context_of
    from laager.simulation.tally import RunTally

    known = unpack_known(known_data).read()
    made = CampaignForecast(known.side, known.plan, known.slot)
    for place, setting in enumerate(("usual", *(change.removeprefix(SETTING) for change in changes))):
        outcomes = list(_outcomes(data for change, data in parts if change == place))
        if outcomes:
            made.tallies[setting] = RunTally.of(outcomes)
    return Results(made.sheets(), {}, {}, context_of(known.plan).texts)


def results_as_pdf(
    plan_data: bytes, changes: Sequence[str], parts: Sequence[tuple[int, bytes]], paper: str, language: str
) -> bytes:
    """Return the results as a PDF."""
    from laager.simulation.paper import results_pdf
    from laager.simulation.sheets import context_of

    run = _run_of(plan_data, changes, parts)
    with with_texts_of_card(context_of(run.plan).texts):
        return results_pdf(run.plan, run.sheets(), run.plots(language), paper, language)


def results_as_parquet(plan_data: bytes, parts: Sequence[tuple[int, bytes]]) -> bytes:
    """Return the campaigns of the card as it is as a Parquet file, which the command can continue."""
    from laager.simulation.store import write_parquet

    with TemporaryDirectory() as folder:
        path = Path(folder) / "results.parquet"
        write_parquet(path, unpack_plan(plan_data), _outcomes(data for change, data in parts if change == 0))
        return path.read_bytes()


def play_again(plan_data: bytes, number: int) -> list[Entry]:
    """Return the entries of one campaign of a run: played again by its seed, it is the same."""
    from laager.simulation.play import play_campaign

    return list(play_campaign(unpack_plan(plan_data), number).campaign.entries)


def _run_of(plan_data: bytes, changes: Sequence[str], parts: Sequence[tuple[int, bytes]]) -> SimulationRun:
    from laager.simulation.compare import Winners, compare
    from laager.simulation.run import SimulationRun

    plan = unpack_plan(plan_data)
    run, winners = SimulationRun(plan), [Winners() for _ in range(1 + len(changes))]
    for change, data in parts:
        for outcome in _outcomes([data]):
            winners[change].add(outcome)
            if change == 0:
                run.tally.add(outcome)
    run.comparisons = [
        compare(text, winners[0], changed, list(plan.commanders))
        for text, changed in zip(changes, winners[1:], strict=True)
        if changed.by_number
    ]
    return run


def _outcomes(packed: Iterable[Any]) -> Iterator[CampaignOutcome]:
    from laager.simulation.outcome import CampaignOutcome

    for data in packed:
        for line in zlib.decompress(data).splitlines():
            yield CampaignOutcome.model_validate_json(line)
