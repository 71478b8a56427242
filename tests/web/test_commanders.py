"""A commander holds a seat on a server: chosen when the campaign begins, it answers within the player's own request."""

from __future__ import annotations

import time

from laager.commanders.seats import AT_THE_TABLE, orders_of
from laager.web.campaigns import actions, tables
from laager.web.models import Game
from tests.web.conftest import People, seat


def begin(people: People, **more: str) -> Game:
    """Begin the training campaign against a commander by the page's form."""
    client = people.client(people.anna)
    page = client.get("/new/training").content.decode()
    assert 'name="commander-axis"' in page
    sent = {"seat": "allied", "commander-axis": "bold", "waiting-days": "14", "corrections": "agreed", **more}
    answer = client.post("/new/training", sent)
    assert answer.status_code == 302, answer.content.decode()
    return Game.objects.get()


def test_the_player_alone_is_waited_for_and_the_table_says_who_holds_which_seat(people: People) -> None:
    game = begin(people)
    client, mine = people.client(people.anna), seat(game, people.anna, "allied")
    page = client.get(f"/campaign/{game.pk}/allied/").content.decode()
    assert "held by a commander: bold" in page
    slowest = 0.0
    for _ in range(60):
        with tables.look(mine) as table:
            theirs = {pending.key for pending in table.campaign.pending() if pending.side == "axis"}
            orders = orders_of(table.view)
            over, asked = table.campaign.over, table.asked
        assert theirs <= AT_THE_TABLE
        assert over or not orders, "orders are the other side's secret"
        if over or not asked:
            break
        begun = time.process_time()
        actions.answer(mine, asked[0].mark, asked[0].need_question().default)
        slowest = max(slowest, time.process_time() - begun)
    assert theirs, "play has come to the battle, which its player reports for both sides"
    assert slowest < 1.0
    with tables.look(seat(game, people.anna, "axis")) as table:
        orders = orders_of(table.view)
    assert "Break off" in orders
    assert orders in client.get(f"/campaign/{game.pk}/axis/").content.decode()
    for page in ("", "log", "units", "sheets", "history"):
        assert orders not in client.get(f"/campaign/{game.pk}/allied/{page}").content.decode(), page


def test_an_unknown_commander_is_refused_and_nothing_begins(people: People) -> None:
    client = people.client(people.anna)
    sent = {"seat": "allied", "commander-axis": "brave", "waiting-days": "14", "corrections": "agreed"}
    answer = client.post("/new/training", sent)
    assert "brave" in answer.content.decode()
    assert not Game.objects.exists()
