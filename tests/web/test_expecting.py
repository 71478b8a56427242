"""What a side can expect of its campaign: a forecast in the browser, by what that side knows, for nobody else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from laager.web.campaigns.tables import look
from laager.web.models import Game, Simulation
from laager.web.simulating import jobs, runs
from tests.web.conftest import add_spectator, seat, take_defaults

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People


def play_all() -> None:
    while runs.play_next_part():
        pass


@pytest.fixture
def game(people: People, begin: Begin) -> Game:
    made = begin(card="training")
    assert take_defaults([seat(made, people.anna, "axis"), seat(made, people.bert, "allied")], until="battle-report")
    return made


def test_a_side_sees_how_likely_each_ending_is_and_what_it_will_have(game: Game, people: People) -> None:
    anna, page = people.client(people.anna), f"/campaign/{game.pk}/axis/forecasts"
    assert f'href="{page}/campaign"' in anna.get(page).content.decode()
    assert "Play it on" in anna.get(f"{page}/campaign").content.decode()
    for wrong in ("0", "9999", "x"):
        assert anna.post(f"{page}/campaign", {"campaigns": wrong}).status_code == 422
    shown_at = anna.post(f"{page}/campaign", {"campaigns": "2"})["Location"]
    play_all()
    run = Simulation.objects.get()
    assert (run.state, run.done, run.side) == ("ended", 6, "axis")
    shown = anna.get(shown_at).content.decode()
    for words in ("Who will win, by what your side knows", "mild", "bloody", "Another forecast"):
        assert words in shown
    assert "PDF" not in shown
    assert b"Who will win" in anna.get(f"{shown_at}results.csv").content
    assert anna.get(f"{shown_at}results.pdf").status_code == 404
    assert anna.post(f"{shown_at}open", {"campaign": "1"}).status_code == 404
    assert shown_at in anna.get(f"{page}/campaign").content.decode()
    assert anna.post(f"{shown_at}steer", {"do": "remove"})["Location"] == f"{page}/campaign"


def test_a_forecast_goes_on_from_nothing_that_the_enemy_hides(game: Game, people: People) -> None:
    bert = people.client(people.bert)
    assert bert.post(f"/campaign/{game.pk}/allied/forecasts/campaign", {"campaigns": "1"}).status_code == 302
    known = jobs.unpack_known(bytes(Simulation.objects.get().plan))
    with look(seat(game, people.cleo, "umpire")) as table:
        hidden = {unit.id for unit in table.view.state.units.values() if unit.side == "axis" and not unit.known}
    assert hidden
    assert not hidden & set(re.findall(r"\bA[XL]\d+\b", known.record))


def test_nobody_else_sees_a_forecast_or_asks_for_one(game: Game, people: People) -> None:
    page = f"/campaign/{game.pk}/axis/forecasts/campaign"
    shown_at = people.client(people.anna).post(page, {"campaigns": "1"})["Location"]
    add_spectator(game, people.dora)
    for who, name in ((people.bert, "allied"), (people.cleo, "umpire"), (people.dora, "spectator")):
        client = people.client(who)
        assert client.get(shown_at).status_code == 404
        assert client.post(page, {"campaigns": "1"}).status_code == 404
        if name != "allied":
            assert client.get(f"/campaign/{game.pk}/{name}/forecasts/campaign").status_code == 403
            assert "What can I expect" not in client.get(f"/campaign/{game.pk}/{name}/forecasts").content.decode()
    assert Simulation.objects.count() == 1


def test_a_card_has_no_forecasts_among_its_runs_and_no_balance_by_them(game: Game, people: People) -> None:
    anna = people.client(people.anna)
    shown_at = anna.post(f"/campaign/{game.pk}/axis/forecasts/campaign", {"campaigns": "30"})["Location"]
    Simulation.objects.update(wins={"axis": 30, "allied": 0}, done=30)
    assert shown_at not in anna.get("/new/training/simulate").content.decode()
    assert "campaigns simulated on this server" not in anna.get("/new/training").content.decode()
    game.delete()
    assert not Simulation.objects.exists()
