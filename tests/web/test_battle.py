"""Go and play: the battle's own page, from each seat."""

from __future__ import annotations

import pytest

from laager.web.models import Game
from laager.web.services.play import tables
from tests.web.conftest import People, seat
from tests.web.fielded import fielded
from tests.web.seen import read, sitting, unknown, url

PLAY = ("play", "play-status")


@pytest.fixture
def game(people: People) -> Game:
    return fielded(people, "rzhavets", PLAY)


def test_the_table_leads_to_the_battle_and_the_battle_to_all_else(game: Game, people: People) -> None:
    client = people.client(people.anna)
    assert url(game, "axis", "battle") in read(client, url(game, "axis"))
    page = read(client, url(game, "axis", "battle"))
    for rest in ("map", "vasl", "sheets.pdf?id=battle-axis&id=report-axis"):
        assert url(game, "axis", rest) in page
    with tables.look(seat(game, people.anna, "axis")) as table:
        for one in table.asked:
            assert url(game, "axis", f"ask/{one.mark}") in page
    assert client.get(url(game, "axis", "sheets.pdf?id=battle-axis&id=report-axis")).content.startswith(b"%PDF")


def test_the_game_end_dr_is_made_with_one_click(game: Game, people: People) -> None:
    client = people.client(people.anna)
    with tables.look(seat(game, people.anna, "axis")) as table:
        mark, before = table.asked[0].mark, table.campaign.version
    for page in (url(game, "axis", "battle"), url(game, "axis")):
        assert "Make the Game End dr" in read(client, page)
    once = client.post(url(game, "axis", f"ask/{mark}/"), {"do": "give", "view": "proposal"})
    assert once.status_code == 302
    with tables.look(seat(game, people.anna, "axis")) as table:
        told = [one.entry for one in table.view.log if one.entry.number > before]
        answered = next(one.body["value"] for one in told if one.type == "answer")
        wanted = [one.body["label"] for one in told if one.type == "roll"]
        asked = [one.pending.roll.label for one in table.asked if one.pending.roll]
    assert answered["status"] == "roll"
    assert [label for label in wanted + asked if label.startswith("Game End, turn")]


def test_nobody_reads_what_only_the_other_side_knows(game: Game, people: People) -> None:
    for name, user in sitting(game, people).items():
        page = read(people.client(user), url(game, name, "battle"))
        assert not [one for one in unknown(game, user, name) if one in page]
        assert ("The battle: " in page) == (name != "spectator")
        assert page.count("The battle: ") == {"umpire": 2, "spectator": 0}.get(name, 1)


def test_before_the_battle_the_page_says_so(people: People) -> None:
    game = fielded(people, "rzhavets", ("agreements",))
    client = people.client(people.anna)
    assert "No battle is being fought now" in read(client, url(game, "axis", "battle"))
    assert url(game, "axis", "battle") not in read(client, url(game, "axis"))
