"""The end: the dice shown, the log proven and had by all who took part."""

from __future__ import annotations

import json
import re

import pytest

from laager.campaign.views import find
from laager.web.campaigns import actions, notebook, store, tables
from laager.web.models import EntryLine, Game
from tests.web.conftest import People, seat
from tests.web.fielded import fielded
from tests.web.seen import SEATS, read, sitting, unknown, url
from tests.web.test_story import begun


@pytest.fixture
def game(people: People) -> Game:
    return fielded(people, "sorgiva")


def seed_of(game: Game) -> str:
    return str(json.loads(store.text_of(game.pk).splitlines()[1])["body"]["seed"])


PAGES = ("sheets", "log", "map", "history", "units")


def test_when_it_is_over_everybody_sees_both_sides_and_not_before(game: Game, people: People) -> None:
    who = sitting(game, people)
    hidden = {name: unknown(game, user, name) for name, user in who.items()}
    assert min(len(hidden[name]) for name in ("axis", "allied", "spectator")) > 5
    for name, user in who.items():
        text = "".join(read(people.client(user), url(game, name, page)) for page in PAGES)
        assert not any(one in text for one in hidden[name])
    actions.concede(seat(game, people.bert, "allied"))
    for name, user in who.items():
        assert unknown(game, user, name) == set()
        client = people.client(user)
        for page in PAGES:
            read(client, url(game, name, page))
        units = read(client, url(game, name, "units"))
        with tables.look(seat(game, user, name)) as table:
            assert table.view.state == table.campaign.state
            in_play = [one.id for one in table.view.state.units.values() if one.in_play]
        assert all(one in units for one in in_play)


def test_notes_about_entries_stay_with_them_when_it_is_over(game: Game, people: People) -> None:
    mine = seat(game, people.anna, "axis")
    with tables.look(mine) as table:
        answer = next(s for s in table.view.log if s.entry.type == "answer" and s.number > 5)
        real = answer.entry.number
        assert real != answer.number
        subject = notebook.find_subject(table, f"entry {answer.number}")
    notebook.write(mine, subject, "remember this")
    notebook.write(mine, notebook.Subject("campaign"), "and that")
    actions.concede(mine)
    assert [one.text for one in notebook.notes_about(mine, f"entry {real}")] == ["remember this"]
    with tables.look(mine) as table:
        assert find(table.view, real).entry.body == answer.entry.body


def test_before_the_end_nobody_has_the_whole_log_and_the_umpire_may_prove_it(game: Game, people: People) -> None:
    seed = seed_of(game)
    for name, user in sitting(game, people).items():
        client = people.client(user)
        page = read(client, url(game, name, "over"))
        assert "The campaign goes on" in page
        assert seed not in page
        log = client.get(url(game, name, "over/campaign.laager"))
        assert log.status_code == 403
        assert seed.encode() not in log.content
        proof = client.post(url(game, name, "over/verify"))
        assert proof.status_code == (200 if name == "umpire" else 403)
        assert seed not in proof.content.decode()
        assert ("The log is sound" in proof.content.decode()) is (name == "umpire")


def test_when_it_is_over_everybody_sees_the_dice_and_proves_the_log(game: Game, people: People) -> None:
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
        assert "Winner" in page
        table = read(client, url(game, name, ""))
        assert f'<a class="button primary" href="{url(game, name, "over")}">' in table
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
    from laager.web.records import verification

    proof = verification.prove(seat(game, people.cleo, "umpire"))
    assert not proof.sound
    assert proof.findings[0].number == 9


def test_outsiders_find_nothing(game: Game, people: People) -> None:
    for rest in ("over", "over/campaign.laager"):
        assert people.client(people.dora).get(url(game, "umpire", rest)).status_code == 404
        assert people.client(None).get(url(game, "umpire", rest)).status_code == 302


def test_the_end_names_its_rule_and_leads_to_story_and_pdf(people: People) -> None:
    game = begun(people, share=1.0)
    for name, user in sitting(game, people).items():
        page = read(people.client(user), url(game, name, "over"))
        assert "won by the Soviets" in page
        assert "Rule: <a" in page
        assert "PL 1.4 CG End" in page
        assert "story/file?as=pdf" in page


def test_a_campaign_that_goes_on_names_no_rule_of_its_end(people: People) -> None:
    game = begun(people, share=0.35)
    for name, user in sitting(game, people).items():
        assert "Rule: <a" not in read(people.client(user), url(game, name, "over"))
