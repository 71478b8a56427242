"""Simulations in the browser: begun from a card, played in parts, paused, looked at, downloaded."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from django.db import close_old_connections
from django.utils import timezone

from laager.simulation.balance import balance_of_card
from laager.simulation.play import play_campaign
from laager.web.models import Game, SimulatedPart, Simulation
from laager.web.simulating import jobs, runs
from laager.web.starting import pages as starting

if TYPE_CHECKING:
    from tests.web.conftest import Desk, People

FORM = {"campaigns": "4", "commander-axis": "sensible", "commander-allied": "chance", "intensity": "usual"}


def play_all() -> None:
    while runs.play_next_part():
        pass


@pytest.fixture
def made(people: People) -> Simulation:
    sent = people.client(people.anna).post(
        "/new/training/simulate", {**FORM, "figure-0": "axis.cp", "by-0": "+3", "figure-1": "", "by-1": "7"}
    )
    assert sent.status_code == 302
    return Simulation.objects.get()


def test_a_run_is_played_in_parts_and_shown(people: People, made: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "PART_SECONDS", 0)
    client = people.client(people.anna)
    page = f"/simulations/{made.pk}/"
    assert "Waiting for its turn" in client.get(page).content.decode()
    play_all()
    made.refresh_from_db()
    assert (made.state, made.done, made.changes) == ("ended", 8, ["axis.cp+3"])
    # One part for each campaign: each was stored when it had been played.
    assert list(SimulatedPart.objects.values_list("change", "first")) == [(c, n) for c in (0, 1) for n in (1, 2, 3, 4)]
    shown = client.get(page).content.decode()
    for told in ("The Mill at Olshanka: 4 campaigns", "Germans: 3 CP more", "is bought by", "Rules that never came up"):
        assert told in shown, told
    shown = client.get(page, headers={"accept-language": "de"}).content.decode()
    for told in ("<h1>Die Mühle von Olschanka</h1>", "Die Mühle von Olschanka: 4 Kampagnen", "<td >besonnen</td>"):
        assert told in shown, told
    listed = client.get("/new/training/simulate", headers={"accept-language": "de"}).content.decode()
    assert "Deutsche: 3 CP mehr" in listed
    assert "axis.cp+3" not in listed
    assert client.get(f"{page}winners.svg").content.startswith(b"<?xml")
    assert client.get(f"{page}control-2.svg")["Content-Type"] == "image/svg+xml"
    assert client.get(f"{page}nothing.svg").status_code == 404
    assert b"Slot" in client.get(f"{page}results.csv").content
    assert client.get(f"{page}results.pdf").content.startswith(b"%PDF")
    assert client.get(f"{page}results.doc").status_code == 404
    parquet = client.get(f"{page}results.parquet").content
    pq = pytest.importorskip("pyarrow.parquet")
    assert pq.read_table(BytesIO(parquet)).column("number").to_pylist() == [1, 2, 3, 4]


@pytest.mark.once
def test_the_other_settings_of_the_model_are_what_ifs(people: People) -> None:
    client = people.client(people.anna)
    wish = {**FORM, "campaigns": "1", "intensity": "mild", "settings": "on"}
    page = client.post("/new/training/simulate", wish)["Location"]
    run = Simulation.objects.get()
    assert (run.changes, run.total) == (["setting=usual", "setting=bloody"], 3)
    play_all()
    shown = client.get(page).content.decode()
    assert "Battles: usual" in shown
    assert "Battles: bloody" in shown


@pytest.mark.once
def test_the_server_plays_the_same_campaigns_as_the_command(made: Simulation) -> None:
    play_all()
    made.refresh_from_db()
    plan = jobs.unpack_plan(bytes(made.plan))
    alone = [play_campaign(plan, number).outcome for number in range(1, 5)]
    assert made.wins == {winner: sum(o.winner == winner for o in alone) for winner in {o.winner for o in alone}}
    packed = [bytes(part.data) for part in SimulatedPart.objects.filter(change=0)]
    assert list(jobs._outcomes(packed)) == alone


@pytest.mark.once
def test_one_campaign_opens_like_one_that_was_played(people: People, made: Simulation) -> None:
    play_all()
    client = people.client(people.anna)
    opened = client.post(f"/simulations/{made.pk}/open", {"campaign": "2"})
    game = Game.objects.get()
    assert opened["Location"] == f"/campaign/{game.pk}/axis/"
    assert client.get(f"/campaign/{game.pk}/allied/log").status_code == 200
    again = client.post(f"/simulations/{made.pk}/open", {"campaign": "2"})
    assert again["Location"] == opened["Location"]
    assert Game.objects.count() == 1
    assert client.post(f"/simulations/{made.pk}/open", {"campaign": "5"}).status_code == 404


@pytest.mark.once
def test_a_run_is_paused_goes_on_and_ends_early(
    people: People, made: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "PART_SECONDS", 0)
    client = people.client(people.anna)

    def steer(do: str) -> None:
        assert client.post(f"/simulations/{made.pk}/steer", {"do": do}).status_code == 302

    assert runs.play_next_part()
    steer("pause")
    assert not runs.play_next_part()
    assert "Go on" in client.get(f"/simulations/{made.pk}/").content.decode()
    steer("resume")
    assert runs.play_next_part()
    steer("cancel")
    assert not runs.play_next_part()
    made.refresh_from_db()
    assert (made.state, made.done) == ("ended", 2)
    steer("resume")
    assert not runs.play_next_part()
    assert "2 campaigns" in client.get(f"/simulations/{made.pk}/").content.decode()
    steer("remove")
    assert not Simulation.objects.exists()


def test_people_take_turns_and_one_plays_at_a_time(
    people: People, made: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "PART_SECONDS", 0)
    for who in (people.anna, people.bert):
        assert people.client(who).post("/new/training/simulate", {**FORM, "campaigns": "2"}).status_code == 302
    for _ in range(4):
        runs.play_next_part()
    done = {name: sum(run.done for run in Simulation.objects.filter(owner=name)) for name in (people.anna, people.bert)}
    assert done == {people.anna: 2, people.bert: 2}
    made.refresh_from_db()
    Simulation.objects.filter(pk=made.pk).update(held_until=timezone.now() + runs.HELD)
    assert not runs.play_next_part()
    # Its worker has died: after a while somebody else goes on.
    Simulation.objects.filter(pk=made.pk).update(held_until=timezone.now())
    assert runs.play_next_part()


@pytest.mark.once
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"campaigns": "0"}, "play at least one"),
        ({"campaigns": "6000"}, "you have 5000 left"),
        ({"commander-axis": "nobody"}, "no commander"),
        ({"intensity": "gory"}, "gory"),
        ({"figure-0": "axis.cp", "by-0": "many"}, "write +2 or -2"),
        ({"figure-0": "axis.cpx", "by-0": "+2"}, "no &#x27;cpx&#x27; there"),
    ],
)
def test_a_wrong_wish_is_refused_in_words(change: dict[str, str], said: str, people: People) -> None:
    answer = people.client(people.anna).post("/new/training/simulate", {**FORM, **change})
    assert answer.status_code in (404, 422)
    assert said in answer.content.decode()
    assert not Simulation.objects.exists()


def test_nobody_sees_anothers_run(people: People, made: Simulation) -> None:
    bert = people.client(people.bert)
    for address in ("", "winners.svg", "results.csv"):
        assert bert.get(f"/simulations/{made.pk}/{address}").status_code == 404
    for address in ("steer", "open"):
        assert bert.post(f"/simulations/{made.pk}/{address}", {"do": "remove", "campaign": "1"}).status_code == 404
    assert Simulation.objects.exists()


def test_figures_of_a_card_that_was_changed_since_are_called_so(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, earlier = people.client(people.bert), "these figures are of an earlier version"
    assert earlier not in client.get("/new/training").content.decode()
    figures = balance_of_card("training")
    assert figures is not None
    other = figures.model_copy(update={"digest": "0" * 64})
    monkeypatch.setattr(starting, "balance_of_card", lambda _card: other)
    assert earlier in client.get("/new/training").content.decode()


def test_the_cards_page_has_the_balance_of_the_largest_run(people: People) -> None:
    client = people.client(people.bert)
    assert "simulated by Laager&#x27;s makers" in client.get("/new/training").content.decode().replace("'", "&#x27;")
    client.post("/new/training/simulate", {**FORM, "commander-allied": "sensible"})
    Simulation.objects.update(wins={"axis": 30, "allied": 10}, done=40)
    shown = people.client(people.anna).get("/new/training").content.decode()
    assert "75%" in shown
    assert "40 campaigns simulated on this server" in shown
    Simulation.objects.update(wins={"axis": 5, "allied": 5})
    assert "campaigns simulated on this server" not in client.get("/new/training").content.decode()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_simulation_in_the_browser(desk: Callable[..., Desk], people: Any) -> None:
    one = desk(people.anna)
    one.go("/new/training")
    one.page.get_by_role("link", name="Simulate").click()
    one.page.get_by_label("How many campaigns").fill("3")
    one.page.get_by_role("button", name="Play them").click()
    one.page.get_by_text("Waiting for its turn").wait_for()
    play_all()
    close_old_connections()
    one.page.get_by_role("link", name="Show the results").click()
    one.page.get_by_role("heading", name="What is bought").wait_for()
    plot = one.page.locator("img.plot").first
    plot.scroll_into_view_if_needed()
    assert plot.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    one.page.get_by_role("button", name="Open it").click()
    one.page.wait_for_url("**/campaign/**")
