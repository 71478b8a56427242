"""A save of VASL as an answer at a table on a server: by the command line, and by the API."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from laager.campaign.engine import Campaign
from laager.web.campaigns.store import DatabaseStore
from laager.web.models import Draft, Game
from laager.web.shared import tokens
from tests.vasl.save_writer import save_bytes
from tests.vasl.test_dice_from_log import CHATS, logged
from tests.web.conftest import Begin, People
from tests.web.fielded import fielded
from tests.web.test_server_cli import Sitter, run
from tests.web.test_setup_save import ready, who

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from tests.web.test_server_cli import Run

__all__ = ["run"]

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_setup_is_answered_over_the_server(run: Run, live_server: LiveServer, people: People, tmp_path: Path) -> None:
    game = fielded(people, "rzhavets", until=("setup",))
    side, _, data = ready(game, people, tmp_path)
    (tmp_path / "mine.vlog").write_bytes(data)
    sitter = Sitter(run, live_server.url, who(people, side))
    words = ("answer", "--side", side, "--from-vasl", "mine.vlog")
    assert "leave --boards out" in sitter(*words, "--boards", ".").err
    told = json.loads(sitter.well(*words, "--json"))
    assert (told["key"], told["side"], told["file"]) == ("setup", side, "mine.vlog")
    assert any("Laager set it up" in one["why"] for one in told["certain"])
    assert "laager: answers/1" in sitter.well(*words, "--template")
    assert Draft.objects.filter(game=game).exists()
    choices = [word for one in told["not_found"] for word in ("--choose", f"{one['key']}=proposed")]
    done = sitter(*words, *choices)
    assert ("the setup is given" in done.out) == (not told["problems"]), done.text
    if told["problems"]:
        # Nothing was given: the form of the draft or an answers file goes on from here.
        assert "nothing was given" in done.err
    still = any(one.key == "setup" and one.side == side for one in Campaign(DatabaseStore(game.pk)).pending())
    assert still == bool(told["problems"])


def test_a_save_is_read_for_its_own_side_alone(people: People, tmp_path: Path) -> None:
    game = fielded(people, "rzhavets", until=("setup",))
    side, mark, data = ready(game, people, tmp_path)
    other = "allied" if side == "axis" else "axis"
    sent = {"data": b64encode(data).decode(), "file": "mine.vlog"}

    def post(as_side: str, at_side: str, body: object) -> tuple[int, str]:
        key = tokens.make(who(people, as_side), "test")
        address = f"/api/v1/campaigns/{game.pk}/{at_side}/asked/{mark}/vasl"
        headers = {"Authorization": f"Bearer {key}"}
        answer = people.client(None).post(address, body, content_type="application/json", headers=headers)
        return answer.status_code, answer.content.decode()

    status, text = post(side, side, sent)
    assert status == 200
    assert json.loads(text)["settled"] in (True, False)
    for at_side in (side, other):
        status, text = post(other, at_side, sent)
        assert status in (403, 404, 409)
        assert "4-4-7" not in text
    for wrong, told in (
        ({"data": b64encode(b"hello").decode(), "file": "mine.vsav"}, "mine.vsav"),
        ({**sent, "choices": {"unit:X1": "gone"}}, "nothing called"),
        ({**sent, "owner": 0}, "owner"),
    ):
        status, text = post(side, side, wrong)
        assert status == 422
        assert told in text


def test_a_roll_of_a_log_is_entered_over_the_server(
    run: Run, live_server: LiveServer, people: People, begin: Begin, tmp_path: Path
) -> None:
    game: Game = begin("rzhavets", entered_dice=True)
    campaign = Campaign(DatabaseStore(game.pk))
    while not any(one.roll is not None for one in campaign.pending()):
        one = campaign.pending()[0]
        assert one.question is not None
        campaign.answer(one.side, one.key, one.question.default)
    wanted = next(one for one in campaign.pending() if one.roll is not None)
    (tmp_path / "game.vlog").write_bytes(save_bytes(logged(*CHATS)))
    sitter = Sitter(run, live_server.url, who(people, wanted.side))
    words = ("answer", "--side", wanted.side, "--from-vasl", "game.vlog")
    assert "which of them is it?" in sitter(*words).err
    told = json.loads(sitter.well(*words, "--json"))
    number = told["rolls"][-1]["number"]
    assert "entered:" in sitter.well(*words, "--choose", f"roll={number}")
    rolls = [one.body for one in DatabaseStore(game.pk).load().entries if one.type == "roll"]
    entered = [list(one["faces"]) for one in rolls if one["source"] == "entered"]
    assert entered == [told["rolls"][-1]["faces"]]
