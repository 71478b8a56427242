"""`python -m bench.commanders --campaigns 40`: commanders against each other, in both seats, on each shipped card.

Each pair plays the same campaigns with its seats changed; two pairs that differ in one commander alone share their dice
and the luck of their battles. What was played is kept in commanders.json beside this file, so that a run goes on where
it was. At the end the table goes to the page of commanders; without `--campaigns` it does so of what is there.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from laager.simulation.balance import load_balances
from laager.simulation.figures import WinShare, share
from laager.simulation.plan import read_plan
from laager.simulation.play import play_campaign

FILE = Path(__file__).with_name("commanders.json")
PAGE = Path(__file__).parents[1] / "docs" / "guide" / "commanders.md"
BLOCK = re.compile(r"(?<=<!-- python -m bench.commanders -->\n).*(?=<!-- end of the table -->)", re.DOTALL)
PAIRS = ("sensible:chance", "bold:sensible", "cautious:sensible", "ahead:sensible")
LETTERS = {"axis": "x", "allied": "l", "": "-"}

Row = dict[str, Any]
"""Campaigns of one card with one commander in each seat: `winners` has a letter for each, from number 1 on."""


def find_row(rows: Sequence[Row], card: str, axis: str, allied: str) -> Row | None:
    """Return the campaigns that these commanders played on a card."""
    return next((row for row in rows if (row["card"], row["axis"], row["allied"]) == (card, axis, allied)), None)


def play_row(rows: list[Row], card: str, axis: str, allied: str, campaigns: int) -> Row:
    """Play what is missing of so many campaigns; those of an earlier version of the card are dropped."""
    plan = read_plan(card, axis=axis, allied=allied)
    row = find_row(rows, card, axis, allied)
    if row is None or row["key"] != plan.key:
        rows[:] = [other for other in rows if other is not row]
        row = {"card": card, "axis": axis, "allied": allied, "key": plan.key, "winners": ""}
        rows.append(row)
    for number in range(len(row["winners"]) + 1, campaigns + 1):
        outcome = play_campaign(plan, number).outcome
        assert not outcome.dead_end, f"{card} {number}: {outcome.dead_end}"
        row["winners"] += LETTERS[outcome.winner]
    return row


def compare(rows: Sequence[Row], card: str, first: str, second: str) -> WinShare | None:
    """Return how many campaigns the first commander won against the second in both seats, draws for neither."""
    wins = count_wins(rows, card, first, second)
    return share(wins[0] + wins[1], 2 * wins[2]) if wins else None


def count_wins(rows: Sequence[Row], card: str, first: str, second: str) -> tuple[int, int, int] | None:
    """Return how many campaigns the first commander won as the Axis and as the Allies, and of how many each."""
    axis, allied = find_row(rows, card, first, second), find_row(rows, card, second, first)
    if axis is None or allied is None:
        return None
    number = min(len(axis["winners"]), len(allied["winners"]))
    return axis["winners"][:number].count("x"), allied["winners"][:number].count("l"), number


def table_lines(rows: Sequence[Row], titles: Mapping[str, str]) -> Iterator[str]:
    """Yield the table: a line for each card, a column for each pair, and below it where neither is better."""
    yield f"| Card | {' | '.join('*{}* against *{}*'.format(*pair.split(':')) for pair in PAIRS)} |"
    yield "|---" * (1 + len(PAIRS)) + "|"
    unsure: dict[str, list[str]] = {}
    for card, title in titles.items():
        cells = []
        for pair in PAIRS:
            first, second = pair.split(":")
            wins, seats = compare(rows, card, first, second), count_wins(rows, card, first, second)
            cells.append(f"{wins.part:.0%} ({wins.low:.0%} to {wins.high:.0%}) of {wins.total}" if wins else "–")
            if wins and seats and wins.low <= 0.5 <= wins.high:
                each = f"*{first}* won {seats[0]} as the Axis and {seats[1]} as the Allies, of {seats[2]} each"
                unsure.setdefault(pair, []).append(f"{title} ({each})")
        yield f"| {title} | {' | '.join(cells)} |"
    yield ""
    for pair, cards in unsure.items():
        first, second = pair.split(":")
        yield f"- *{first}* and *{second}*: these campaigns don't tell who is better on {'; '.join(cards)}."
    if not unsure:
        yield "Each of these differences is significant."
    yield ""


def write_page(rows: Sequence[Row]) -> str:
    """Return the page of commanders with the table of these campaigns."""
    titles = {card: read_plan(card).title for card in load_balances()}
    for row in rows:
        if row["card"] in titles and row["key"] != read_plan(row["card"], axis=row["axis"], allied=row["allied"]).key:
            titles[row["card"]] = f"{read_plan(row['card']).title} (an earlier version)"
    text = PAGE.read_text(encoding="utf-8")
    assert BLOCK.search(text), f"{PAGE} has no place for the table"
    return BLOCK.sub("\n" + "\n".join(table_lines(rows, titles)) + "\n", text)


def main() -> int:
    """Play, keep each row as it comes, and write the page."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--campaigns", type=int, default=0, help="of each pair in each seat")
    parser.add_argument("--cards", nargs="+", default=list(load_balances()))
    parser.add_argument("--pairs", nargs="+", default=PAIRS[:-1], help="such as sensible:chance")
    given = parser.parse_args()
    rows: list[Row] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    for pair, card in product(given.pairs if given.campaigns else (), given.cards):
        begun = time.process_time()
        for axis, allied in (pair.split(":"), reversed(pair.split(":"))):
            play_row(rows, card, axis, allied, given.campaigns)
            lines = ",\n".join(json.dumps(row) for row in rows)
            FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        seconds = time.process_time() - begun
        sys.stdout.write(f"{card}  {pair}  {compare(rows, card, *pair.split(':'))}  {seconds:.0f} s of CPU\n")
        sys.stdout.flush()
    PAGE.write_text(write_page(rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
