"""The story in the browser: each seat its own, as files too, and nothing in them that the seat may not know."""

from __future__ import annotations

import gzip
import re
import struct
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from laager.campaign.log import Entry, read_lines
from laager.sheets.story import writing
from laager.web.campaigns import actions
from laager.web.campaigns.store import DatabaseStore
from laager.web.models import Game, Member, Role
from laager.web.shared.tags import unbroken
from tests.web.conftest import Begin, People, seat
from tests.web.planted import found_in, hidden_names, never
from tests.web.seen import SEATS, read, sitting, unknown, url

LOGS = Path(__file__).parent.parent / "old_campaigns" / "logs"


@cache
def beginning(name: str, share: float) -> tuple[Entry, ...]:
    found = gzip.decompress((LOGS / f"{name}.laager.gz").read_bytes()).splitlines(keepends=True)
    return read_lines(b"".join(found[: int(len(found) * share)]), name)[0].entries


def begun(people: People, name: str = "pl-rzhavets", share: float = 0.35) -> Game:
    """A recorded campaign in which battles have been fought; it goes on."""
    entries = beginning(name, share)
    rules = entries[0].body["ruleset"]
    game = Game.objects.create(title="Told", ruleset=rules, card="told", owner=people.anna)
    DatabaseStore(game.pk).append(entries)
    for side, user in (("axis", people.anna), ("allied", people.bert)):
        Member.objects.create(game=game, user=user, role=Role.PLAYER, side=side)
    Member.objects.create(game=game, user=people.cleo, role=Role.UMPIRE)
    game.refresh_from_db()
    return game


@pytest.mark.parametrize("name", SEATS)
def test_each_seat_reads_its_own_story_and_nothing_that_it_may_not_know(people: People, name: str) -> None:
    game = begun(people)
    user = sitting(game, people)[name]
    client = people.client(user)
    secret = set() if name == "umpire" else unknown(game, user, name) | hidden_names(seat(game, user, name))
    secret |= never(game)
    battle = read(client, url(game, name, "story/1"))
    assert "Rolls of note" in battle or "Losses" in battle
    whole = read(client, url(game, name, "story"))
    assert "How the front moved" in whole
    assert '<details class="story-film" open>' in whole
    # A source for print alone, or a lazy picture, isn't loaded yet when somebody prints the page.
    assert '<source media="(prefers-reduced-motion: reduce)"' in whole
    films = [image for image in re.findall(r"<img[^>]+>", whole) if "film.svg" in image]
    assert films
    assert not [image for image in films if "lazy" in image]
    assert ("secret until the campaign is over" in whole) is (name != "umpire")
    pages = [battle, whole]
    pages += [read(client, url(game, name, f"story/file?as=html&battle={one}")) for one in ("", "1")]
    pages.append(read(client, url(game, name, "story/film.svg")))
    for page in pages:
        assert not found_in(page, secret)


def test_a_player_gets_the_losses_of_his_own_groups_and_not_the_enemys(people: People) -> None:
    game = begun(people)
    ours = read(people.client(people.anna), url(game, "axis", "story/1"))
    assert "groups not known" in ours or "Soviets: no losses." in ours
    theirs = read(people.client(people.bert), url(game, "allied", "story/1"))
    assert "groups not known" in theirs or "Germans: no losses." in theirs


def test_the_story_comes_as_files(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "PIXELS", 40)
    game = begun(people)
    client = people.client(people.anna)
    packed = client.get(url(game, "axis", "story/file?as=bbcode&battle=1"))
    assert packed["Content-Disposition"] == 'attachment; filename="told-battle-1.zip"'
    with ZipFile(BytesIO(packed.content)) as archive:
        assert archive.namelist()[:3] == ["battle-1.txt", "battle-1-before.png", "battle-1-after.png"]
        assert "[b]" in archive.read("battle-1.txt").decode()
    pdf = client.get(url(game, "axis", "story/file?as=pdf"))
    assert pdf.content.startswith(b"%PDF")
    for wrong in ("as=doc", "battle=99", "battle=x", "paper=a0"):
        assert client.get(url(game, "axis", f"story/file?{wrong}")).status_code == 404, wrong


def test_the_table_the_diary_and_the_end_lead_to_the_last_report(people: People) -> None:
    game = begun(people)
    client = people.client(people.anna)
    for page in ("", "log"):
        assert "Report on the last battle" in read(client, url(game, "axis", page))


def test_before_the_first_battle_the_page_says_so(people: People) -> None:
    game = begun(people, share=0.02)
    client = people.client(people.anna)
    assert "No battle has been fought yet" in read(client, url(game, "axis", "story"))
    assert "Report on the last battle" not in read(client, url(game, "axis", "log"))


def test_a_purchase_has_no_story_and_no_link_to_one(people: People) -> None:
    game = begun(people, "dyo-vistula", 0.5)
    client = people.client(people.anna)
    assert client.get(url(game, "axis", "story")).status_code == 404
    assert "Report on the last battle" not in read(client, url(game, "axis", "log"))


def test_the_story_is_told_in_german(people: People) -> None:
    game = begun(people)
    page = people.client(people.anna).get(url(game, "axis", "story/1"), headers={"accept-language": "de"})
    text = page.content.decode()
    assert "Verluste" in text
    assert "Das Spiel endete in Turn" in text


def test_lines_of_the_diary_lead_to_the_map(people: People) -> None:
    game = begun(people)
    text = read(people.client(people.anna), url(game, "axis", "log"))
    assert 'class="diary-place"' in text


def test_who_took_part_shares_the_result_of_a_campaign_that_is_over(people: People) -> None:
    game = begun(people, share=1.0)
    link = url(game, "allied", "story/result.png")
    client = people.client(people.bert)
    assert link in read(client, url(game, "allied", "over"))
    assert link in read(client, url(game, "allied", "story"))
    picture = client.get(link)
    assert picture["Content-Type"] == "image/png"
    assert picture["Content-Disposition"] == 'attachment; filename="told-result.png"'
    assert picture.content.startswith(b"\x89PNG")
    # Width and height stand in the first chunk, after its length and name.
    assert struct.unpack(">II", picture.content[16:24]) == (1200, 630)
    assert people.client(people.dora).get(link).status_code == 404


def test_a_campaign_conceded_without_a_battle_has_a_result_to_share(begin: Begin, people: People) -> None:
    game = begin()
    client = people.client(people.anna)
    link = url(game, "axis", "story/result.png")
    assert link not in read(client, url(game, "axis", "over"))
    actions.concede(seat(game, people.bert, "allied"))
    assert link in read(client, url(game, "axis", "over"))
    assert link in read(client, url(game, "axis", "story"))
    assert client.get(link).content.startswith(b"\x89PNG")
    assert client.get(f"/api/v1/campaigns/{game.pk}/axis/story/result.png").content.startswith(b"\x89PNG")


def test_a_campaign_that_goes_on_has_no_result_to_share(people: People) -> None:
    game = begun(people)
    client = people.client(people.anna)
    assert client.get(url(game, "axis", "story/result.png")).status_code == 404
    assert "result.png" not in read(client, url(game, "axis", "story"))


def test_no_line_ends_within_a_leader(people: People) -> None:
    game = begun(people)
    page = people.client(people.anna).get(url(game, "axis", "story"))
    assert '<span class="whole">9-1</span>' in page.content.decode()
    assert unbroken("<b> 4-6-7, 8-0; +1-2, 1943-07-12, I1-8-0") == (
        '&lt;b&gt; <span class="whole">4-6-7</span>, <span class="whole">8-0</span>; '
        '+<span class="whole">1-2</span>, <span class="whole">1943-07-12</span>, I1-8-0'
    )
