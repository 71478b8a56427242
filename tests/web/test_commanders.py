"""A commander holds a seat on a server: chosen when the campaign begins, it answers within the player's own request."""

from __future__ import annotations

import json
import time

import pytest

import laager
from laager.base import Refusal, RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.log import Entry, MemoryStore
from laager.commanders.seats import AT_THE_TABLE, find_pondered, orders_of, play_held_seats, ponder_entries
from laager.simulation import ahead
from laager.web.campaigns import actions, tables, thinking
from laager.web.models import Game
from laager.web.seats.permissions import Seat
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


@pytest.mark.once
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


@pytest.mark.once
def test_an_unknown_commander_is_refused_and_nothing_begins(people: People) -> None:
    client = people.client(people.anna)
    sent = {"seat": "allied", "commander-axis": "brave", "waiting-days": "14", "corrections": "agreed"}
    answer = client.post("/new/training", sent)
    assert "brave" in answer.content.decode()
    assert not Game.objects.exists()


def test_one_who_looks_ahead_thinks_outside_the_request_and_the_page_says_so(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "AFTER", 0.0)
    monkeypatch.setattr(thinking.THINKING, "do", lambda _who, job, *args: job(*args))
    monkeypatch.setattr(ahead, "play_out", lambda *_: 1.0)
    game = begin(people, **{"commander-axis": "ahead"})
    client, mine = people.client(people.anna), seat(game, people.anna, "allied")
    asked: list[str] = []
    for _ in range(20):
        page = client.get(f"/campaign/{game.pk}/allied/").content.decode()
        assert "held by a commander: looks ahead" in page
        with tables.look(mine) as table:
            open_here = find_pondered(table.campaign)
        assert (open_here is not None) == ("The commander is thinking." in page)
        if open_here is not None:
            asked.append(open_here.key)
            while thinking.think_next():
                pass
            with tables.look(mine) as table:
                assert find_pondered(table.campaign) is None
                log = json.dumps([line.entry.body for line in table.view.log])
            assert "I played out" not in log
        elif mine_now := _asked_of(mine):
            actions.answer(mine, mine_now[0].mark, mine_now[0].need_question().default)
        else:
            break
    assert {"purchases", "setup"} <= set(asked)
    with tables.look(seat(game, people.anna, "axis")) as table:
        log = json.dumps([line.entry.body for line in table.view.log])
    assert "I played out" in log


def _asked_of(mine: Seat) -> tuple[tables.Asked, ...]:
    with tables.look(mine) as table:
        return table.asked


def test_it_really_thinks_in_a_process_of_its_own() -> None:
    held = laager.new("training", seed=bytes(range(32)), commanders={"axis": "cautious"})._campaign
    entries = list(held.entries[:2])
    entries[0].body["commanders"] = {"axis": "ahead"}
    store = MemoryStore()
    store.append(entries)
    campaign = Campaign(store)
    campaign.advance()
    play_held_seats(campaign, patient=False)
    campaign.answer("allied", "agreements", campaign.pending()[0].question.default)  # type: ignore[union-attr]
    thought = thinking.THINKING.do(1, ponder_entries, tuple(campaign.entries))
    thinking.THINKING.close()
    assert thought is not None
    assert (thought.side, thought.key) == ("axis", "purchases")
    assert "I played out" in (thought.remarks or {})["why"]


def test_a_commander_that_cannot_think_takes_the_proposal(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RefusedError(Refusal.BAD_DATA, "this takes more than 30 seconds")

    monkeypatch.setattr(thinking, "AFTER", 0.0)
    monkeypatch.setattr(thinking.THINKING, "do", refuse)
    game = begin(people, **{"commander-axis": "ahead"})
    mine = seat(game, people.anna, "allied")
    for _ in range(10):
        with tables.look(mine) as table:
            open_here = find_pondered(table.campaign)
        if open_here is not None:
            break
        actions.answer(mine, _asked_of(mine)[0].mark, _asked_of(mine)[0].need_question().default)
    assert open_here is not None
    while thinking.think_next():
        pass
    with tables.look(mine) as table:
        assert find_pondered(table.campaign) is None


def test_nobody_answers_in_place_of_a_commander_who_thinks(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "AFTER", 3600.0)
    game = begin(people, **{"commander-axis": "ahead"})
    mine, beside = seat(game, people.anna, "allied"), seat(game, people.anna, "axis")
    for _ in range(10):
        with tables.look(mine) as table:
            open_here = find_pondered(table.campaign)
        if open_here is not None:
            break
        actions.answer(mine, _asked_of(mine)[0].mark, _asked_of(mine)[0].need_question().default)
    assert open_here is not None
    pondered = next(asked for asked in _asked_of(beside) if asked.pending.key == open_here.key)
    version = len(_entries_of(mine))
    with pytest.raises(RefusedError, match="ahead holds this side"):
        actions.answer(beside, pondered.mark, pondered.need_question().default)
    with pytest.raises(RefusedError, match="ahead holds this side"):
        actions.answer_all(beside, {pondered.mark: pondered.need_question().default})
    assert len(_entries_of(mine)) == version


def _entries_of(mine: Seat) -> list[Entry]:
    with tables.look(mine) as table:
        return list(table.campaign.entries)


def test_simulations_do_not_wait_for_one_who_thinks_long(people: People) -> None:
    page = people.client(people.anna).get("/new/training/simulate").content.decode()
    assert 'value="bold"' in page
    assert 'value="ahead"' not in page
