"""What came out of a run, as sheets: the same for the terminal, CSV, JSON, PDF and the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laager.base.counting import count_of
from laager.campaign.clauses import RulesIndex
from laager.campaign.ruleset import find_ruleset
from laager.campaign.sheet import Column, Sheet
from laager.simulation.figures import campaigns_needed, share
from laager.simulation.plan import SimulationPlan
from laager.simulation.tally import END, RunTally, mean

FIGURE_TITLES = {
    **{"cp": "CP or CPP", "fpp": "FP or FPP", "strength": "Strength", "cvp": "CVP", "tvp": "TVP"},
    **{"elr": "ELR", "san": "SAN", "ground": "Locations held"},
}

SMALL_DIFFERENCE = 0.03
"""The difference of shares for which it is said how many campaigns tell it."""

MODEL_NOTE = "Battles are settled by a stated model, not by play; what if it is set to mild, or to bloody?"


def result_sheets(plan: SimulationPlan, tally: RunTally) -> list[Sheet]:
    """Return everything that came out."""
    context = context_of(plan)
    return [
        winners_sheet(plan, tally, context),
        slots_sheet(tally, context),
        *(figure_sheet(tally, context, figure) for figure in tally.figures()),
        groups_sheet(tally, context),
        clauses_sheet(plan, tally),
    ]


def context_of(plan: SimulationPlan) -> Any:
    """Return the context of a plan's campaigns as they begin: names of sides and groups."""
    ruleset = find_ruleset(plan.ruleset)
    opening = plan.opening(1)[0].body
    context: Any = ruleset.context(opening)
    context.state = ruleset.start(opening, "umpire")
    return context


def name_of(context: Any, side: str) -> str:
    """Return what players call a side."""
    return str(context.side(side).name) if side else "Draw"


# Who wins -----------------------------------------------------------------------------------------


def winners_sheet(plan: SimulationPlan, tally: RunTally, context: Any) -> Sheet:
    """Return who wins how often."""
    rows = []
    for side in (*plan.commanders, *([""] if tally.wins[""] else [])):
        part = share(tally.wins[side], tally.ended_campaigns)
        commander = plan.commanders.get(side, "")
        rows.append(
            (
                name_of(context, side),
                commander,
                str(part.count),
                f"{part.part:.1%}",
                f"{part.low:.1%}",
                f"{part.high:.1%}",
            )
        )
    return Sheet(
        "winners",
        f"{plan.title}: {count_of(tally.campaigns, 'campaign')}",
        (Column("Side"), Column("Commander"), *_numbers("Won", "Share", "95 % from", "to")),
        tuple(rows),
        tuple(_winner_notes(plan, tally)),
    )


def _winner_notes(plan: SimulationPlan, tally: RunTally) -> Iterator[str]:
    size = campaigns_needed(SMALL_DIFFERENCE)
    yield f"Battles per campaign: {tally.mean_battles():.1f}."
    yield f"Seed {plan.seed}; model of battles: {plan.battles}, {plan.intensity}."
    yield MODEL_NOTE
    yield f"Telling {SMALL_DIFFERENCE:.0%} takes two runs of {size:,} campaigns (80 % power); with the same dice fewer."
    endings = ", ".join(f"{ending} ({count})" for ending, count in tally.endings.most_common(5))
    if endings:
        yield f"Endings: {endings}."
    if tally.stuck:
        shown = "; ".join(f"campaign {number}: {why}" for number, why in tally.dead_ends[:3])
        yield f"{count_of(tally.stuck, 'campaign')} came to a dead end and count for nobody: {shown}"
    if tally.refused:
        yield f"{count_of(tally.refused, 'report')} of the model were not valid; for them nothing changed."


# Slots --------------------------------------------------------------------------------------------


def slots_sheet(tally: RunTally, context: Any) -> Sheet:
    """Return how often each slot is fought, and as what."""
    rows = []
    for slot in tally.slots:
        reached, fought = tally.reached[slot], tally.fought[slot]
        kinds = sorted(
            ((times, kind) for (number, kind), times in tally.kinds.items() if number == slot and kind), reverse=True
        )
        shown = ", ".join(f"{context.name_battle(kind)} {times / reached:.0%}" for times, kind in kinds)
        rows.append((str(slot), f"{reached / tally.campaigns:.0%}", f"{fought / reached:.0%}", shown))
    never = [str(slot) for slot in tally.slots if not tally.fought[slot]]
    notes = (f"Never fought: {', '.join(never)}.",) if never else ()
    part = sum(tally.fought.values()) / max(1, sum(tally.reached.values()))
    return Sheet(
        "slots",
        "Battles",
        (*_numbers("Slot", "Reached", "Fought"), Column("Kinds")),
        tuple(rows),
        (f"Of all slots that were reached, {part:.0%} were fought.", *notes),
    )


def figure_sheet(tally: RunTally, context: Any, figure: str) -> Sheet:
    """Return how a figure is spread over time: median, and the middle half and nine tenths."""
    rows = []
    for slot in (*tally.slots, END):
        for side in context.card.sides:
            values = tally.series.get((figure, slot, side))
            if values:
                low, first, middle, third, high = tally.quantiles(figure, slot, side, (0.05, 0.25, 0.5, 0.75, 0.95))
                cells = (low, first, middle, third, high)
                when = "End" if slot == END else str(slot)
                rows.append((when, name_of(context, side), f"{mean(values):.1f}", *(f"{cell:.0f}" for cell in cells)))
    return Sheet(
        figure,
        FIGURE_TITLES[figure],
        (Column("At the start of"), Column("Side"), *_numbers("Mean", "5 %", "25 %", "Median", "75 %", "95 %")),
        tuple(rows),
    )


def _numbers(*titles: str) -> tuple[Column, ...]:
    return tuple(Column(title, "right") for title in titles)


# Groups and clauses -------------------------------------------------------------------------------


def groups_sheet(tally: RunTally, context: Any) -> Sheet:
    """Return what is bought, most often first, and what is never bought."""
    rows, never = [], []
    for side in context.card.sides:
        name = name_of(context, side)
        for key in context.chart_keys(side):
            bought, buyers = tally.bought[side, key], tally.buyers[side, key]
            rows.append(
                (name, key, f"{bought / max(1, tally.campaigns):.2f}", f"{buyers / max(1, tally.campaigns):.0%}")
            )
            if not buyers:
                never.append(f"{name} {key}")
    return Sheet(
        "groups",
        "What is bought",
        (Column("Side"), Column("Group"), *_numbers("Per campaign", "Campaigns that buy it")),
        tuple(rows),
        (f"Never bought: {', '.join(never)}.",) if never else ("Every group is bought by somebody.",),
    )


def clauses_sheet(plan: SimulationPlan, tally: RunTally) -> Sheet:
    """Return the steps and tables that no campaign came to."""
    ruleset = find_ruleset(plan.ruleset)
    index = RulesIndex.load_packaged(ruleset.package)
    steps = {clause for step in ruleset.steps.values() for clause in (step.clause, *step.also)}
    countable = [name for name, clause in index.items() if name in steps or clause.table]
    rows = tuple((name, index[name].heading) for name in countable if name not in tally.clauses)
    note = (
        f"{len(rows)} of {len(countable)} clauses that are a step or have a table; the others leave no trace in a log."
    )
    return Sheet("clauses", "Rules that never came up", (Column("Clause"), Column("Title")), rows, (note,))
