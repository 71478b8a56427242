"""Measures how balanced shipped cards are, and writes the figures that ship.

python -m tests.simulation.measure CARD... [--campaigns 80] [--seed 1]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import laager
from laager.campaign.ruleset import find_ruleset
from laager.simulation.balance import load_balances, measure_balance
from laager.simulation.plan import SimulationPlan, read_plan
from laager.simulation.run import run_plan

FILE = Path(laager.__file__).parent / "packs" / "balance.json"


def chart_keys(plan: SimulationPlan) -> dict[str, list[str]]:
    """Return the lines of each side's chart."""
    context: Any = find_ruleset(plan.ruleset).context(plan.opening(1)[0].body)
    return {side: list(context.chart_keys(side)) for side in plan.commanders}


def measure(card: str, campaigns: int, seed: int) -> dict[str, Any]:
    """Return the figures of a card between sensible commanders."""
    plan = read_plan(card, seed=seed)
    tally = run_plan(plan, campaigns).tally
    return measure_balance(plan, tally, chart_keys(plan)).model_dump(mode="json")


def describe(card: str) -> str:
    """Return the figures of a card in words, as its page in the docs has them."""
    figures = load_balances()[card]
    plan = read_plan(card)
    context: Any = find_ruleset(plan.ruleset).context(plan.opening(1)[0].body)
    sides = {side: context.people_of(side) for side in context.card.sides}
    won = " and ".join(f"the {people} won {figures.wins.get(side, 0)}" for side, people in sides.items())
    never = [f"{sides[side]} {key}" for side, keys in figures.never_bought.items() for key in keys]
    bought = f"nobody bought {', '.join(never)}" if never else "every group was bought by somebody"
    low, high = figures.intervals["axis"]
    return (
        f"Simulated with equal *sensible* commanders, {figures.campaigns} campaigns: {won} "
        f"(95 % interval of the {sides['axis']}: {low:.0f} to {high:.0f} %). "
        f"{figures.fought:.0f} % of the battles were fought, and {bought}."
    )


def main() -> None:
    """Measure the cards that are named; the figures of the others stay."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cards", nargs="+")
    parser.add_argument("--campaigns", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for card in args.cards:
        figures = measure(card, args.campaigns, args.seed)
        known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
        known[card] = figures
        FILE.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")
        print(card, figures["wins"], figures["intervals"], figures["fought"], figures["never_bought"])


if __name__ == "__main__":
    main()
