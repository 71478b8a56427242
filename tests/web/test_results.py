"""Results, the ladder and the balance of cards: who is listed, what is rated, what stays private."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from laager.campaign.cards import find_card
from laager.campaign.ruleset import find_ruleset
from laager.simulation.balance import digest_setting, load_balances
from laager.web.accounts import deletion
from laager.web.campaigns import actions
from laager.web.library.files import files as library
from laager.web.library.files import offers
from laager.web.models import Game, KeptEnding, Member, Player, Role, Simulation
from laager.web.public.past import public_key
from laager.web.results import endings, pages
from laager.web.results.balance import balance_cards
from laager.web.results.finished import CampaignResult, list_results
from laager.web.results.ratings import NEEDED_CAMPAIGNS, rate_players
from laager.web.shared import tokens
from tests.web.conftest import Begin, People, seat

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def result(number: int, winner: str, **more: object) -> CampaignResult:
    """Return a result of anna, axis, against bert, allied."""
    players: dict[str, tuple[str, ...]] = {"axis": ("anna",), "allied": ("bert",)}
    made = CampaignResult(
        UUID(int=number), f"No. {number}", "platoon-leader", "A card", players, {}, winner,
        NOON, NOON + timedelta(days=number), 3,
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


@pytest.fixture
def ended(begin: Begin, people: People) -> Game:
    """A campaign that anna, axis, has won, as bert conceded."""
    game = begin("rzhavets", title="A duel of friends")
    actions.concede(seat(game, people.bert, "allied"))
    return game


def agree(people: People, game: Game, user: Player, side: str, listed: str = "yes") -> None:
    address = f"/campaign/{game.pk}/{side}/people/listed/"
    assert people.client(user).post(address, {"listed": listed}).status_code == 302


def page(people: People, query: str = "") -> str:
    """Return the page as somebody sees it who has no seat anywhere."""
    return people.client(people.dora).get(f"/results/{query}").content.decode()


def test_a_result_is_listed_once_all_players_agree_and_as_long_as_they_do(ended: Game, people: People) -> None:
    agree(people, ended, people.anna, "axis")
    assert "A duel of friends" not in page(people)
    agree(people, ended, people.bert, "allied")
    text = page(people)
    assert all(word in text for word in ("A duel of friends", "anna", "bert"))
    assert "cleo" not in text
    assert "Germans" in text
    assert ">Axis</span>" not in text
    (listed,) = list_results()
    assert (listed.winner, listed.is_rated, listed.days) == ("axis", True, 1)
    agree(people, ended, people.bert, "allied", "no")
    assert "A duel of friends" not in page(people)


def test_titles_of_cards_are_in_the_readers_language_and_their_links_in_every_language(
    ended: Game, people: People
) -> None:
    Member.objects.update(listed=True)
    english, german = "Night March to Rzhavets", "Nachtmarsch nach Rschawez"
    assert (page(people).count(english), page(people).count(german)) == (5, 0)
    Player.objects.update(language="de")
    for query in ("", f"?card={english}"):
        text = page(people, query)
        assert text.count(german) == 4
        assert f'<option value="{english}"' in text
    assert "A duel of friends" in text
    assert call(people.dora, "GET", "/results")[1][0]["card"] == english


def test_a_title_leads_to_the_page_for_everybody_where_there_is_one(ended: Game, people: People) -> None:
    Member.objects.update(listed=True)
    address = f'href="/public/{public_key(ended)}/"'
    Member.objects.filter(side="axis").update(public_delay="day")
    assert address not in page(people)
    Member.objects.filter(side="allied").update(public_delay="battle")
    assert address in page(people)


def test_a_campaign_that_goes_on_is_not_listed(begin: Begin, people: People) -> None:
    game = begin("rzhavets", title="Not yet decided")
    Member.objects.update(listed=True)
    assert "Not yet decided" not in page(people)
    actions.concede(seat(game, people.anna, "axis"))
    assert [row.winner for row in list_results()] == ["allied"]


def test_each_player_of_a_team_must_agree_and_those_who_came_later_need_not(ended: Game, people: People) -> None:
    Member.objects.update(listed=True)
    late = Member.objects.create(game=ended, user=people.dora, role=Role.PLAYER, side="axis")
    Member.objects.filter(pk=late.pk).update(since=late.since + timedelta(days=1))
    (listed,) = list_results()
    assert listed.players["axis"] == ("anna",)
    Member.objects.filter(pk=late.pk).update(since=late.since - timedelta(days=1))
    assert list_results() == []
    Member.objects.filter(pk=late.pk).update(listed=True)
    (listed,) = list_results()
    assert set(listed.players["axis"]) == {"anna", "dora"}


def test_the_name_of_a_deleted_account_disappears(ended: Game, people: People) -> None:
    Member.objects.update(listed=True)
    assert "bert" in page(people)
    deletion.delete_own(people.bert)
    text = page(people)
    assert "bert" not in text
    assert "A duel of friends" not in text


def test_only_players_can_agree(ended: Game, people: People) -> None:
    address = f"/campaign/{ended.pk}/umpire/people/listed/"
    assert people.client(people.cleo).post(address, {"listed": "yes"}).status_code in {302, 403}
    assert list_results() == []


def test_a_place_takes_campaigns_and_uncertainty_shrinks() -> None:
    few = [result(number, "axis") for number in range(NEEDED_CAMPAIGNS - 1)]
    anna, bert = rate_players(few)
    assert (anna.player, anna.place, anna.missing) == ("anna", None, 1)
    assert anna.rating > bert.rating
    more = rate_players([*few, result(99, "axis")])
    assert [(row.player, row.place) for row in more] == [("anna", 1), ("bert", 2)]
    assert more[0].margin < anna.margin


def test_draws_and_the_order_of_the_list_change_nothing() -> None:
    anna, bert = rate_players([result(1, "")])
    assert anna.rating == pytest.approx(bert.rating)
    played = [result(1, "axis"), result(2, "allied"), result(3, "axis")]
    assert rate_players(played) == rate_players(reversed(played))


def test_commanders_and_who_plays_alone_are_not_rated() -> None:
    alone = result(1, "axis", players={"axis": ("anna",), "allied": ("anna",)})
    against = result(2, "axis", commanders={"allied": "bold"})
    assert rate_players([alone, against]) == []


def test_teams_are_rated_as_teams_and_sides_apart() -> None:
    team = {"axis": ("anna", "cleo"), "allied": ("bert",)}
    rows = {row.player: row for row in rate_players([result(1, "axis", players=team)])}
    assert rows["anna"].rating == rows["cleo"].rating > rows["bert"].rating
    swapped = {"axis": ("bert",), "allied": ("anna",)}
    results = [result(1, "axis"), result(2, "axis", players=swapped)]
    assert {row.player: row.campaigns for row in rate_players(results, "axis")} == {"anna": 1, "bert": 1}
    assert {row.player: row.campaigns for row in rate_players(results)} == {"anna": 2, "bert": 2}


def test_the_balance_has_an_interval_and_counts_draws(people: People) -> None:
    results = [result(1, "axis"), result(2, "axis"), result(3, "allied"), result(4, "")]
    (card,) = balance_cards(results, people.anna)
    axis = card.sides[0]
    assert (card.campaigns, card.draws, axis.wins) == (4, 1, 2)
    assert axis.played is not None
    assert axis.played.low < 0.5 < axis.played.high
    assert axis.simulated is None


def test_the_simulated_balance_of_the_very_card_stands_beside(ended: Game, people: People) -> None:
    Member.objects.update(listed=True)
    path, rules = find_card("rzhavets", None)
    setting = find_ruleset(rules).read_card(path, {}).setting
    run = Simulation.objects.create(
        owner=people.anna, title="x", card="rzhavets", ruleset=rules, plan=b"", intensity="usual", campaigns=1000,
        commanders={"axis": "sensible", "allied": "sensible"}, wins={"axis": 600, "allied": 400},
        digest=digest_setting(setting),
    )  # fmt: skip
    (card,) = balance_cards(list_results(), people.anna)
    assert card.shipped_current
    assert card.card == "Night March to Rzhavets"
    assert [str(side.simulated)[:5] for side in card.sides] == ["60.0%", "40.0%"]
    # The run is anna's: others see the figures that ship with the card.
    (other,) = balance_cards(list_results(), people.bert)
    shipped = load_balances()["rzhavets"].wins
    assert [side.simulated for side in other.sides] == [None, None]
    assert [side.shipped and side.shipped.count for side in other.sides] == [shipped["axis"], shipped["allied"]]
    run.delete()
    (changed,) = balance_cards([replace(row, digest="0" * 64) for row in list_results()], people.anna)
    assert (changed.sides[0].simulated, changed.sides[0].shipped) == (None, None)


def call(user: Player, method: str, path: str, **sent: object) -> tuple[int, Any]:
    """Return the status and the answer of a program's call."""
    headers = {"Authorization": f"Bearer {tokens.make(user, 'tests')}"}
    answer = Client().generic(method, f"/api/v1{path}", json.dumps(sent), "application/json", headers=headers)
    return answer.status_code, json.loads(answer.content) if answer.content else None


def test_programs_have_the_same(ended: Game, people: People) -> None:
    for user, side in ((people.anna, "axis"), (people.bert, "allied")):
        assert call(people.dora, "GET", "/results") == (200, [])
        assert call(user, "PUT", f"/campaigns/{ended.pk}/{side}/listed", listed=True)[0] == 204
    status, rows = call(people.dora, "GET", "/results")
    assert status == 200
    assert rows[0]["players"] == {"axis": ["anna"], "allied": ["bert"]}
    _, ladder = call(people.dora, "GET", "/ladder?side=axis")
    assert [(row["player"], row["place"]) for row in ladder] == [("anna", None)]
    assert call(people.dora, "GET", "/results?card=none") == (200, [])


def test_programs_have_the_balance_of_the_cards_that_were_played(ended: Game, people: People) -> None:
    assert call(people.dora, "GET", "/balance") == (200, [])
    Member.objects.update(listed=True)
    _, (card,) = call(people.dora, "GET", "/balance")
    assert (card["card"], card["ruleset"], card["campaigns"], card["draws"]) == ("Night March to Rzhavets", "pl", 1, 0)
    axis, allied = card["sides"]
    assert (axis["side"], axis["wins"], axis["played"]["part"], allied["played"]["part"]) == ("axis", 1, 1.0, 0.0)
    assert axis["played"]["low"] < 0.5, "one campaign says little"
    assert (axis["simulated"], axis["shipped"]["total"]) == (None, card["shipped"]["campaigns"])
    assert call(people.dora, "GET", "/balance?card=none") == (200, [])


def test_programs_have_the_balance_of_a_card_that_nobody_has_played(people: People) -> None:
    status, card = call(people.dora, "GET", "/cards/shipped/rzhavets/balance")
    figures = load_balances()["rzhavets"]
    assert (status, card["campaigns"], card["shipped_current"]) == (200, 0, True)
    for row in card["sides"]:
        low, high = figures.intervals[row["side"]]
        assert (row["wins"], row["played"], row["shipped"]["count"]) == (0, None, figures.wins[row["side"]])
        assert (row["shipped"]["low"], row["shipped"]["high"]) == pytest.approx((low / 100, high / 100))
    assert card["shipped"]["day"] == figures.day.isoformat()


def test_the_balance_of_an_own_card_has_nothing_that_ships_and_only_own_simulations(people: People) -> None:
    path, rules = find_card("rzhavets", None)
    library.save(people.anna, "mine.yaml", path.read_text(encoding="utf-8"))
    library.save(people.anna, "rzhavets-map.yaml", (path.parent / "rzhavets-map.yaml").read_text(encoding="utf-8"))
    digest = digest_setting(offers.find_own(people.anna, "mine.yaml").read().setting)
    for owner, wins in ((people.anna, {"axis": 30, "allied": 10}), (people.bert, {"axis": 90, "allied": 10})):
        Simulation.objects.create(
            owner=owner, title="x", card="mine.yaml", own=True, ruleset=rules, plan=b"", intensity="usual",
            campaigns=40, commanders={"axis": "sensible", "allied": "sensible"}, wins=wins, digest=digest,
        )  # fmt: skip
    status, card = call(people.anna, "GET", "/cards/own/mine.yaml/balance")
    assert (status, card["shipped"], card["shipped_current"]) == (200, None, False)
    assert [side["simulated"]["count"] for side in card["sides"]] == [30, 10]
    assert call(people.bert, "GET", "/cards/own/mine.yaml/balance")[0] == 404


# Many campaigns -----------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of the campaigns whose logs are read for the results from now on."""
    titles: list[str] = []
    read = endings._read_ending

    def read_and_tell(game: Game) -> endings.Ending | None:
        titles.append(game.title)
        return read(game)

    monkeypatch.setattr(endings, "_read_ending", read_and_tell)
    return titles


def test_a_log_is_read_once_and_again_when_it_has_changed(ended: Game, people: People, opened: list[str]) -> None:
    agree(people, ended, people.anna, "axis")
    agree(people, ended, people.bert, "allied")
    assert opened == ["A duel of friends"]
    (first,) = list_results()
    assert list_results() == [first]
    assert opened == ["A duel of friends"]
    KeptEnding.objects.update(head="x" * 64)
    assert (list_results(), len(opened)) == ([first], 2)
    KeptEnding.objects.update(shape=0)
    assert (list_results(), len(opened)) == ([first], 3)


def test_a_campaign_that_goes_on_is_not_even_opened(begin: Begin, people: People, opened: list[str]) -> None:
    game = begin("rzhavets", title="Not yet decided")
    Member.objects.update(listed=True)
    assert (list_results(), opened) == ([], [])
    actions.concede(seat(game, people.anna, "axis"))
    assert len(list_results()) == len(opened) == 1


def test_logs_that_there_is_no_time_to_read_are_read_the_next_time(
    ended: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    Member.objects.update(listed=True)
    with monkeypatch.context() as patch:
        patch.setattr(endings, "BUDGET", 0)
        assert list_results() == []
    assert len(list_results()) == 1


def test_campaigns_come_on_pages(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    results = [result(number, "axis") for number in range(120, 0, -1)]
    monkeypatch.setattr(pages, "list_results", lambda: results)
    first, last = page(people, "?card=A card"), page(people, "?card=A card&page=3")
    listed = [[int(number) for number in re.findall(r"No\. (\d+)", text)] for text in (first, last)]
    assert listed == [list(range(120, 70, -1)), list(range(20, 0, -1))]
    assert 'href="?page=3&amp;card=A%20card&amp;side="' in first
    assert last.count(">120</td>") == 2, "the ladder counts all"
