"""`python -m bench.commanders --campaigns 50`: every commander against every other on each shipped card.

Two rows of a card that differ in one commander alone share their dice and the luck of their battles. What it gives is
who won how often, with the confidence interval, and what a campaign costs. Commanders who take long over an answer play
if they are named: `--commanders ahead sensible`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from itertools import product
from pathlib import Path

from laager.commanders import commander_names
from laager.simulation.figures import share
from laager.simulation.plan import read_plan
from laager.simulation.play import play_campaign

CARDS = ("training", "rzhavets", "rijnoord", "kokusa-ridge", "sorgiva")
RESULTS = Path(__file__).with_name("results")


def play(card: str, axis: str, allied: str, campaigns: int) -> dict[str, object]:
    """Play so many campaigns of a card; return a row of the table."""
    plan = read_plan(card, axis=axis, allied=allied)
    begun = time.process_time()
    winners = []
    for number in range(1, campaigns + 1):
        outcome = play_campaign(plan, number).outcome
        assert not outcome.dead_end, f"{card} {number}: {outcome.dead_end}"
        winners.append(outcome.winner)
    wins = share(winners.count("axis"), campaigns)
    return {
        "card": card,
        "axis": axis,
        "allied": allied,
        "campaigns": campaigns,
        "axis wins": str(wins),
        "draws": winners.count(""),
        "CPU seconds each": round((time.process_time() - begun) / campaigns, 2),
    }


def main() -> int:
    """Play, print the table, write it beside the other figures."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--campaigns", type=int, default=50, help="of each pair")
    parser.add_argument("--cards", nargs="+", default=CARDS)
    parser.add_argument("--commanders", nargs="+", default=commander_names(quick=True))
    given = parser.parse_args()
    rows = []
    for card, axis, allied in product(given.cards, given.commanders, given.commanders):
        rows.append(play(card, axis, allied, given.campaigns))
        sys.stdout.write("  ".join(str(value) for value in rows[-1].values()) + "\n")
        sys.stdout.flush()
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "commanders.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
