"""The shops of groups and fortifications: each line can be bought as it stands, alone and on top of a cart."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import laager
from laager.campaign import Question, Record, Rows

CARDS = ("rzhavets", "training", "rijnoord", "kokusa-ridge", "sorgiva")
ROWS = {"purchases": "groups", "fortifications": "works"}


def shops_of(card: str) -> Iterator[Question]:
    """Yield the shops of a campaign's first two battles, which is played by its proposals."""
    referee = laager.new(card, seed=bytes(32))
    met = 0
    while met < 8 and not referee.over:
        for pending in referee.pending:
            if pending.question is not None and pending.key in ROWS:
                met += 1
                yield pending.question
        pending = referee.pending[0]
        if pending.question is None:
            referee.roll(pending.side)
        else:
            referee.answer(pending.side, pending.key)


def with_points(question: Question) -> dict[str, Any]:
    """Return the proposal with all points at hand, those that are turned into others included."""
    answer = dict(question.default)
    return {**answer, "cp": 3} if "cp" in answer and question.allows({**answer, "cp": 3}) else answer


def row_of(question: Question) -> Record:
    form = question.form
    assert isinstance(form, Record)
    rows = next(part.form for part in form.fields if part.name == ROWS[question.key])
    assert isinstance(rows, Rows)
    return rows.row


def wants_a_hex(question: Question, row: dict[str, Any]) -> bool:
    """True if a line has a hex recorded, which only a player can choose."""
    return any(part.name == "objective" and part.only_for for part in row_of(question).fields_for(row))


@pytest.mark.parametrize("card", CARDS)
def test_what_the_shop_offers_can_be_bought_as_it_stands(card: str) -> None:
    bought = 0
    for question in shops_of(card):
        assert question.offers is not None
        answer, name, rng = with_points(question), ROWS[question.key], Random(card)
        rows: list[dict[str, Any]] = []
        for _ in range(4):
            wares = [ware for offer in question.offers({**answer, name: rows}) for ware in offer.wares]
            for ware in wares:
                row = {**ware.row, "count": 1}
                if not wants_a_hex(question, row):
                    assert question.allows({**answer, name: [*rows, row]}) is (not ware.why_not), (ware, rows)
                    bought += not ware.why_not
            free = [ware for ware in wares if not ware.why_not and not wants_a_hex(question, dict(ware.row))]
            if free:
                rows = [*rows, row_of(question).parse({**rng.choice(free).row, "count": 1})]
    assert bought > 20


@pytest.mark.parametrize("card", CARDS)
def test_a_line_asks_only_for_what_means_something(card: str) -> None:
    """What is left out for a line is at its default there, else the line is refused."""
    for question in shops_of(card):
        assert question.offers is not None
        for offer in question.offers(with_points(question)):
            for ware in offer.wares:
                named = {part.name for part in row_of(question).fields_for(ware.row)}
                silent = {name for name, value in ware.row.items() if name not in named and value not in ("", 0)}
                assert not silent, (offer.value, silent)
