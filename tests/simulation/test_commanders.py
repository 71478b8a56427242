"""The table of commanders against each other: what it counts, how it is played, and that the page has it."""

from __future__ import annotations

import json
from typing import Any

from bench.commanders import FILE, PAGE, Row, compare, play_row, table_lines, write_page


def _row(axis: str, allied: str, winners: str) -> Row:
    return {"card": "training", "axis": axis, "allied": allied, "key": "", "winners": winners}


def test_wins_count_in_both_seats_and_draws_for_neither() -> None:
    rows = [_row("sensible", "chance", "xxl-x"), _row("chance", "sensible", "lx-l")]
    wins = compare(rows, "training", "sensible", "chance")
    assert wins is not None
    assert (wins.count, wins.total) == (4, 8)
    other = compare(rows, "training", "chance", "sensible")
    assert other is not None
    assert (other.count, other.total) == (2, 8)
    assert compare(rows, "sorgiva", "sensible", "chance") is None


def test_the_table_says_where_nobody_is_better() -> None:
    sure = [_row("sensible", "chance", 20 * "x"), _row("chance", "sensible", 20 * "l")]
    text = "\n".join(table_lines(sure, {"training": "Training"}))
    assert "| Training | 100% (91% to 100%) of 40 | – | – | – |" in text
    assert "Each of these differences is significant." in text
    unsure = [_row("sensible", "chance", "xl"), _row("chance", "sensible", "xl")]
    text = "\n".join(table_lines(unsure, {"training": "Training"}))
    told = "who is better on Training (*sensible* won 1 as the Axis and 1 as the Allies, of 2 each)."
    assert f"*sensible* and *chance*: these campaigns don't tell {told}" in text


def test_what_was_played_is_kept_and_gone_on_from() -> None:
    whole: list[Row] = []
    winners = play_row(whole, "training", "sensible", "chance", 3)["winners"]
    assert len(winners) == 3
    parts: list[Row] = []
    play_row(parts, "training", "sensible", "chance", 1)
    assert play_row(parts, "training", "sensible", "chance", 3)["winners"] == winners
    assert parts == whole


def test_campaigns_of_an_earlier_card_are_dropped() -> None:
    rows: list[Any] = [_row("sensible", "chance", "llllllll"), _row("chance", "sensible", "x")]
    row = play_row(rows, "training", "sensible", "chance", 1)
    assert len(row["winners"]) == 1
    assert rows == [_row("chance", "sensible", "x"), row]


def test_campaigns_of_an_earlier_card_are_called_so() -> None:
    assert "(an earlier version)" not in write_page([])
    assert "| The Mill at Olshanka (an earlier version) |" in write_page([_row("sensible", "chance", "xl")])


def test_the_page_has_the_table() -> None:
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    assert write_page(rows) == PAGE.read_text(encoding="utf-8"), "run python -m bench.commanders"
