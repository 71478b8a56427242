"""The setup question on the web, answered with a save of VASL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from laager.campaign.engine import Campaign
from laager.vasl.archive import Archive
from laager.web.campaigns.store import DatabaseStore
from laager.web.campaigns.tables import look
from laager.web.models import Draft, Game, OwnBoard
from tests.vasl.fields import CODE
from tests.vasl.save_writer import save_bytes
from tests.vasl.test_dice_from_log import CHATS, logged
from tests.vasl.test_setup_from_save import placed, side_of
from tests.web.conftest import Begin, People, seat
from tests.web.fielded import fielded
from tests.web.seen import url


@pytest.fixture
def game(people: People) -> Game:
    return fielded(people, "rzhavets", until=("setup",))


def who(people: People, side: str) -> Any:
    return {"axis": people.anna, "allied": people.bert}[side]


def mark_of(game: Game, people: People, side: str) -> str:
    with look(seat(game, who(people, side), side)) as table:
        return next(one.mark for one in table.asked if one.pending.key == "setup")


def ready(game: Game, people: People, folder: Path) -> tuple[str, str, bytes]:
    """Return the side that sets up, the mark of its question, and a log with its counters in their places."""
    campaign = Campaign(DatabaseStore(game.pk))
    side = side_of(campaign)
    _, battle, _ = placed(campaign, folder)
    data = (folder / f"bd{CODE}").read_bytes()
    archive = Archive(data, f"bd{CODE}")
    OwnBoard.objects.create(
        owner=who(people, side), name=archive.name, sha256=archive.sha256, size=len(data), data=data
    )
    return side, mark_of(game, people, side), battle.log()


def test_a_save_fills_the_form_and_submits_nothing(game: Game, people: People, tmp_path: Path) -> None:
    side, mark, data = ready(game, people, tmp_path)
    client = people.client(who(people, side))
    asked = client.get(url(game, side, f"ask/{mark}/")).content.decode()
    assert 'id="from-vasl"' in asked
    sent = {"save": SimpleUploadedFile("mine.vlog", data)}
    answer = client.post(url(game, side, f"ask/{mark}/save"), sent)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "Read from mine.vlog" in text
    assert "This is in the form below" in text
    assert "Laager set it up" in text
    assert mark_of(game, people, side) == mark, "it is still asked"
    assert Draft.objects.filter(game=game).exists()


def test_another_side_and_another_question_take_no_save(game: Game, people: People, tmp_path: Path) -> None:
    side, mark, data = ready(game, people, tmp_path)
    other = "allied" if side == "axis" else "axis"
    for user, as_side in ((who(people, other), other), (who(people, other), side)):
        sent = {"save": SimpleUploadedFile("mine.vlog", data)}
        answer = people.client(user).post(url(game, as_side, f"ask/{mark}/save"), sent)
        assert answer.status_code in (403, 404, 409)
        assert "4-4-7" not in answer.content.decode()


@pytest.mark.parametrize("data", [b"hello", b"PK\x03\x04"])
def test_what_is_no_save_is_refused(game: Game, people: People, tmp_path: Path, data: bytes) -> None:
    side, mark, _ = ready(game, people, tmp_path)
    sent = {"save": SimpleUploadedFile("mine.vlog", data)}
    answer = people.client(who(people, side)).post(url(game, side, f"ask/{mark}/save"), sent)
    assert answer.status_code == 422
    assert "mine.vlog" in answer.content.decode()
    assert not Draft.objects.filter(game=game).exists()


def test_a_log_lists_the_rolls_and_a_click_enters_one(begin: Begin, people: People) -> None:
    game = begin("rzhavets", entered_dice=True)
    campaign = Campaign(DatabaseStore(game.pk))
    while not any(one.roll is not None for one in campaign.pending()):
        one = campaign.pending()[0]
        assert one.question is not None
        campaign.answer(one.side, one.key, one.question.default)
    wanted = next(one for one in campaign.pending() if one.roll is not None)
    assert wanted.roll is not None
    with look(seat(game, who(people, wanted.side), wanted.side)) as table:
        mark = next(one.mark for one in table.asked if one.pending.roll is not None)
    client = people.client(who(people, wanted.side))
    sent = {"save": SimpleUploadedFile("game.vlog", save_bytes(logged(*CHATS)))}
    page = client.post(url(game, wanted.side, f"ask/{mark}/log"), sent).content.decode()
    faces = "6 1" if wanted.roll.dice.count == 2 else "5"
    assert f'value="{faces}"' in page
    assert "3d6" not in page
    answer = client.post(url(game, wanted.side, f"ask/{mark}/"), {"do": "enter", "faces": faces})
    assert answer.status_code == 302
    rolls = [one.body for one in DatabaseStore(game.pk).load().entries if one.type == "roll"]
    assert [list(one["faces"]) for one in rolls if one["source"] == "entered"] == [[int(one) for one in faces.split()]]
