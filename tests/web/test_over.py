"""The end: the dice shown, the log proven and had by all who took part; before, by the umpire."""

from __future__ import annotations

import json
import re

import pytest

from laager.web.models import EntryLine, Game
from laager.web.services import actions, store
from tests.web.conftest import People, seat
from tests.web.fielded import fielded
from tests.web.seen import SEATS, read, sitting, url


@pytest.fixture
def game(people: People) -> Game:
    return fielded(people, "sorgiva")


def seed_of(game: Game) -> str:
    line = EntryLine.objects.get(game=game, number=2).line
    return str(json.loads(line)["body"]["seed"])


def test_before_the_end_only_the_umpire_has_the_whole_log(game: Game, people: People) -> None:
    seed = seed_of(game)
    for name, user in sitting(game, people).items():
        client = people.client(user)
        page = read(client, url(game, name, "over"))
        assert "The campaign goes on" in page
        assert seed not in page
        allowed = 200 if name == "umpire" else 403
        log = client.get(url(game, name, "over/campaign.laager"))
        assert log.status_code == allowed
        assert (seed.encode() in log.content) is (name == "umpire")
        proof = client.post(url(game, name, "over/verify"))
        assert proof.status_code == allowed
        assert ("The log is sound" in proof.content.decode()) is (name == "umpire")


def test_when_it_is_over_everybody_sees_the_dice_and_proves_the_log(
    game: Game, people: People
) -> None:
    who = sitting(game, people)
    actions.concede(seat(game, people.bert, "allied"))
    whole = store.text_of(game.pk)
    lines = whole.count(b"\n")
    game.refresh_from_db()
    for name in SEATS:
        client = people.client(who[name])
        page = read(client, url(game, name, "over"))
        assert "The campaign is over" in page
        assert seed_of(game) in page
        assert "has won" in page
        log = client.get(url(game, name, "over/campaign.laager"))
        assert log.content == whole
        assert 'filename="fielded.laager"' in log["Content-Disposition"]
        assert client.get(url(game, name, "over/verify")).status_code == 405
    proof = people.client(people.dora).post(url(game, "spectator", "over/verify"))
    text = re.sub("<[^>]*>", " ", proof.content.decode())
    assert "The log is sound" in text
    assert str(lines) in text
    assert game.head in text
    assert ">The end<" in read(people.client(people.anna), url(game, "axis", "log"))


def test_a_log_that_was_changed_is_not_sound(game: Game, people: People) -> None:
    line = EntryLine.objects.get(game=game, number=9)
    line.line = line.line.replace('"type"', '"typf"')
    EntryLine.objects.filter(pk=line.pk).update(line=line.line)
    from laager.web.services import proving

    proof = proving.prove(seat(game, people.cleo, "umpire"))
    assert not proof.sound
    assert proof.findings[0].number == 9


def test_outsiders_find_nothing(game: Game, people: People) -> None:
    for rest in ("over", "over/campaign.laager"):
        assert people.client(people.dora).get(url(game, "umpire", rest)).status_code == 404
        assert people.client(None).get(url(game, "umpire", rest)).status_code == 302
