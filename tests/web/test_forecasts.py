"""Forecasts: exact odds of every table, with modifiers set; of rolls to come."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from laager.dice import Dice, distribution
from laager.web.campaigns import actions, tables
from laager.web.models import Game
from laager.web.rules import forecasts, reference
from tests.web.conftest import Begin, People, seat
from tests.web.fielded import fielded
from tests.web.seen import read, sitting, url


@pytest.mark.parametrize("card", ["rzhavets", "rijnoord", "sorgiva", "vistula"])
def test_every_table_has_its_forecast(card: str, begin: Begin, people: People) -> None:
    game = begin(card)
    client = people.client(people.anna)
    listed = read(client, url(game, "axis", "forecasts"))
    with tables.look(seat(game, people.anna, "axis")) as table:
        known = forecasts.tables(table)
    for name, one in known.items():
        assert f"forecasts/{name}" in listed
        page = read(client, url(game, "axis", f"forecasts/{name}"))
        for final in forecasts.of_table(one.table, 0).finals:
            assert f"{final.value}: {final.ways}/{final.total}" in page
    assert known or "Neither these rules" in listed


def test_a_forecast_adds_up_and_follows_the_modifiers(begin: Begin, people: People) -> None:
    game = begin("rzhavets")
    with tables.look(seat(game, people.anna, "axis")) as table:
        one = forecasts.table(table, "elr-change")
    for drm in (-3, 0, 4):
        found = forecasts.of_table(one, drm)
        assert sum(final.ways for final in found.finals) == 36
        assert sum(row.ways for row in found.rows) == 36
        for final in found.finals:
            assert final.words.split("; ")[0] == one.words(one.result(final.value, "inclusive"))
        assert found.mean == 7 + drm
        assert max(bar.height for bar in found.bars) + found.bars[5].y == found.ground
        for row in found.rows:
            ways = sum(f.ways for f in found.finals if one.rows[f.row].span == one.row(f.value).span
                       and str(one.row(f.value).span) == row.span)  # fmt: skip
            assert row.ways == ways
    client = people.client(people.anna)
    modifier = next(m for m in one.modifiers if m.per and m.value)
    address = url(game, "axis", f"forecasts/elr-change?set=1&{modifier.id}=2")
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    shifted = forecasts.of_table(one, 2 * int(modifier.value or 0))
    assert f"{shifted.finals[0].value}: 1/36" in part
    assert "<html" not in part


def test_dice_alone_are_forecast_too() -> None:
    found = forecasts.of_dice(Dice("dr"), 2)
    assert [final.value for final in found.finals] == [3, 4, 5, 6, 7, 8]
    assert {final.percent for final in found.finals} == {16.7}
    assert found.mean == distribution(Dice("dr")).mean + 2 == Fraction(11, 2)


def test_a_roll_that_waits_shows_its_odds_to_its_own_seat(begin: Begin, people: People) -> None:
    """With dice that the players roll themselves: what is still to come, and all its modifiers."""
    game = begin("rzhavets", entered_dice=True)
    seats = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    rng = Random(5)
    while True:
        waiting = []
        for one in seats:
            with tables.look(one) as table:
                waiting += [(one, asked) for asked in table.asked]
        one, asked = waiting[0]
        if asked.pending.question is None:
            break
        actions.answer(one, asked.mark, asked.pending.question.sample(rng))
    with tables.look(one) as table:
        coming = forecasts.coming_rolls(table)
    assert coming[0].drm == sum(m.value for m in coming[0].roll.modifiers)
    page = read(people.client(one.user), url(game, one.name, "forecasts"))
    assert coming[0].roll.label in page
    assert "odds-chart" in page
    for final in coming[0].plain.finals:
        assert f"{final.value}: {final.ways}/{final.total}" in page
    for other in seats:
        if other.name != one.name:
            theirs = read(people.client(other.user), url(game, other.name, "forecasts"))
            assert coming[0].roll.label not in theirs


def test_modifiers_are_set_as_they_last_counted(people: People) -> None:
    """They come from the seat's own log: a roll in secret changes nobody else's page."""
    game = fielded(people)
    secret = False
    for name, user in sitting(game, people).items():
        with tables.look(seat(game, user, name)) as table:
            for known in forecasts.tables(table).values():
                last = forecasts.last_used(table, known.table)
                if last is None:
                    continue
                entry = table.log[last.entry - 1].entry
                assert entry.type == "roll"
                secret |= entry.to is not None and name != "spectator"
                amounts = [w.amount for w in reference.weigh_modifiers(known.table, last.given)]
                if len(entry.body["modifiers"]) == len(last.given):
                    assert sum(amounts) == sum(m["value"] for m in entry.body["modifiers"])
    assert secret


@pytest.mark.parametrize("rest", ["forecasts/nothing", "forecasts/elr_x"])
def test_a_table_that_there_is_not_is_told(rest: str, begin: Begin, people: People) -> None:
    game: Game = begin("rzhavets")
    page = people.client(people.anna).get(url(game, "axis", rest))
    assert page.status_code == 404
    assert "no table is called" in page.content.decode()
    assert people.client(people.dora).get(url(game, "axis", rest)).status_code == 404
