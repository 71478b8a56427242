"""Battles reported on the map and from saves of VASL, by each side for itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse

from laager.web.campaigns import tables
from laager.web.models import Draft, Game
from laager.web.play.battle import saves
from tests.vasl.battle_saves import PASSWORDS
from tests.vasl.save_writer import hidden
from tests.web.conftest import People, add_spectator, seat
from tests.web.fielded import fielded
from tests.web.reporting import SIDES, asked, board_of, doubtful, player, proposal, saved, serve_boards, state_of, url


@pytest.fixture
def game(people: People) -> Game:
    return fielded(people, "rzhavets")


@pytest.fixture
def boards(tmp_path: Path, settings: Any) -> Path:
    return serve_boards(tmp_path, settings)


# Who may ------------------------------------------------------------------------------------------


def test_each_side_finds_its_own_report(game: Game, people: People) -> None:
    for side in SIDES:
        client = player(people, side)
        first = client.get(f"/campaign/{game.pk}/{side}/report")
        assert first["Location"] == url(game, side, asked(game, people, side).mark)
        board = board_of(client.get(first["Location"]))
        assert board["side"] == side
        assert {row["unit"] for row in board["value"]["units"]} == {u["id"] for u in board["units"]}
        becomes = {unit["type"]: unit["becomes"] for unit in board["units"]}
        leaders = {unit["type"] for unit in board["units"] if unit["kind"] == "leader"}
        assert all(set(becomes[leader]) <= {"replaced", "hardened"} for leader in leaders)
        if side == "axis":
            assert becomes["4-6-7"] == {"reduced": "2-4-7", "replaced": "4-4-7", "hardened": "4-6-8"}


def test_in_a_settled_battle_changes_count_from_what_was_before_it(game: Game, people: People) -> None:
    anna = player(people, "axis")
    before = board_of(anna.get(url(game, "axis", asked(game, people, "axis").mark)))
    assert before["unchanged"] is None
    for side in SIDES:
        player(people, side).post(f"/campaign/{game.pk}/{side}/changing/settle/", {"agree": "yes"})
    after = board_of(anna.get(url(game, "axis", asked(game, people, "axis").mark)))
    assert after["unchanged"] == before["default"]
    assert after["default"] == after["value"] != before["default"]


def test_nobody_else_reports(game: Game, people: People) -> None:
    mark = asked(game, people, "axis").mark
    add_spectator(game, people.dora)
    assert player(people, "allied").get(url(game, "allied", mark)).status_code == 409
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        theirs = table.asked[0].mark
    assert people.client(people.cleo).get(url(game, "umpire", theirs)).status_code == 403
    assert people.client(people.dora).get(url(game, "spectator", mark)).status_code == 403
    assert people.client(None).get(url(game, "axis", mark)).status_code == 302
    for rest in ("check", "save"):
        answer = people.client(people.cleo).post(url(game, "umpire", theirs, rest), {"value": "{}"})
        assert answer.status_code in {403, 422}
    assert not Draft.objects.exists()


def test_no_report_is_asked_before_the_battle(people: People, begin: Callable[..., Game]) -> None:
    game = begin("rzhavets")
    answer = people.client(people.anna).get(f"/campaign/{game.pk}/axis/report")
    assert answer.status_code == 409


# Checking, keeping, giving ------------------------------------------------------------------------


def test_a_change_is_checked_and_kept_for_the_form_too(game: Game, people: People) -> None:
    client, one = player(people, "axis"), asked(game, people, "axis")
    value = proposal(one)
    value["units"] = [dict(row) for row in value["units"]]
    value["units"][0] |= {"fate": "on-map", "at": "ZZ99"}
    told = client.post(url(game, "axis", one.mark, "check"), {"value": json.dumps(value)}).json()
    assert any(problem["field"].startswith("units[1]") for problem in told["problems"])
    again = board_of(client.get(url(game, "axis", one.mark)))
    assert again["value"]["units"][0]["at"] == "ZZ99"
    form = client.get(f"/campaign/{game.pk}/axis/ask/{one.mark}/").content.decode()
    assert "ZZ99" in form


def test_a_refused_report_is_not_lost_and_a_right_one_counts_once(game: Game, people: People) -> None:
    client, one = player(people, "axis"), asked(game, people, "axis")
    value = proposal(one)
    wrong = value | {"control": [{"location": "ZZ99", "side": "axis"}]}
    answer = client.post(url(game, "axis", one.mark), {"value": json.dumps(wrong), "do": "give"})
    assert answer.status_code == 422
    assert board_of(answer)["value"]["control"] == wrong["control"]
    assert "Nothing was submitted" in answer.content.decode()
    given = client.post(url(game, "axis", one.mark), {"value": json.dumps(value), "do": "give"})
    assert given.status_code == 302
    assert not Draft.objects.filter(asked=one.mark).exists()
    with tables.look(seat(game, people.anna, "axis")) as table:
        assert not saves.reports_of(table)
    twice = client.post(url(game, "axis", one.mark), {"value": json.dumps(value), "do": "give"})
    assert twice.status_code == 409


@pytest.mark.parametrize("sent", ["", "{", "[" * 100_000, "nan", "7", '"x"', "[]", "null"])
def test_what_is_no_report_is_refused_in_words(sent: str, game: Game, people: People) -> None:
    client, one = player(people, "axis"), asked(game, people, "axis")
    answer = client.post(url(game, "axis", one.mark), {"value": sent, "do": "give"})
    assert answer.status_code == 422
    assert client.get(url(game, "axis", one.mark)).status_code == 200
    assert asked(game, people, "axis").mark == one.mark


@pytest.mark.parametrize("side", SIDES)
def test_a_report_page_tells_nothing_hidden_of_the_enemy(side: str, game: Game, people: People) -> None:
    enemy = SIDES[side == "axis"]
    units = state_of(game, people).units.values()
    planted = {unit.id for unit in units if unit.side == enemy and not unit.known}
    assert planted
    answer = player(people, side).get(url(game, side, asked(game, people, side).mark))
    text = answer.content.decode()
    assert not {one for one in planted if re.search(rf"\b{one}\b", text)}


# From a save --------------------------------------------------------------------------------------


def sent(
    client: Any,
    game: Game,
    side: str,
    mark: str,
    data: bytes,
    more: Mapping[str, str] | None = None,
    as_json: bool = True,
) -> HttpResponse:
    file = BytesIO(data)
    file.name = "our game.vsav"
    headers = {"accept": "application/json"} if as_json else {}
    made: HttpResponse = client.post(url(game, side, mark, "save"), {"save": file, **(more or {})}, headers=headers)
    return made


@pytest.mark.usefixtures("boards")
@pytest.mark.parametrize("side", SIDES)
def test_a_save_becomes_the_draft_and_can_be_given(side: str, game: Game, people: People) -> None:
    client, mark = player(people, side), asked(game, people, side).mark
    answer = sent(client, game, side, mark, saved(game, people).save())
    assert answer.status_code == 200, answer.content
    told = json.loads(answer.content)
    assert Draft.objects.get(asked=mark).value == told["value"]
    kept = board_of(client.get(url(game, side, mark)))["value"]
    assert kept == told["value"]
    units = {u.id: u for u in state_of(game, people).units.values() if u.side == side and u.on_map}
    placed = {row["unit"]: row["at"] for row in kept["units"] if row.get("fate") == "on-map"}
    same = [one for one in units if placed.get(one) == units[one].at]
    assert len(same) > len(units) // 2


@pytest.mark.usefixtures("boards")
def test_the_dice_of_a_log_are_kept_with_the_report(game: Game, people: People) -> None:
    client, one = player(people, "axis"), asked(game, people, "axis")
    chats = (
        "*** (IFT DR) 3,4 ***   <Ann>",
        "*** (MC DR) 6,5 ***   <Ann>",
        "*** (Other dr) 2 ***   <Bob>",
        "Well rolled!",
    )
    answer = sent(client, game, "axis", one.mark, saved(game, people).save(chats=chats))
    assert answer.status_code == 200, answer.content
    client.post(url(game, "axis", one.mark), {"value": json.dumps(proposal(one)), "do": "give"})
    told = "3 rolls in the game&#x27;s log: Ann 2 DR (average 9.00), Bob 1 dr (average 2.00)."
    assert told in client.get(f"/campaign/{game.pk}/axis/log").content.decode()
    with tables.look(seat(game, people.anna, "axis")) as table:
        (body,) = [e.entry.body for e in table.view.log if "dice" in e.entry.body and e.entry.type == "answer"]
    assert body["dice"][0] == ["Ann", "IFT", "DR", [3, 4]]
    # A report that is given later, from no log, has none of them.
    other = asked(game, people, "allied")
    player(people, "allied").post(url(game, "allied", other.mark), {"value": json.dumps(proposal(other)), "do": "give"})
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        assert len([e for e in table.view.log if e.entry.type == "answer" and "dice" in e.entry.body]) == 1


@pytest.mark.usefixtures("boards")
def test_choices_settle_what_is_open_and_are_kept_from_turn_to_turn(game: Game, people: People) -> None:
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    data = doubtful(game, people)
    first = json.loads(sent(client, game, "axis", mark, data).content)["html"]
    keys = re.findall(r'<select[^>]*name="choice:([^"]*)"', first)
    assert keys, "the battle leaves something open"
    options = re.findall(r'<option value="([^"]+)"', first.split(f'name="choice:{keys[0]}"')[1])
    more = {f"choice:{keys[0]}": options[0]}
    second = json.loads(sent(client, game, "axis", mark, data, more).content)["html"]
    assert f'<input type="hidden" name="choice:{keys[0]}" value="{options[0]}">' in second
    wrong = sent(client, game, "axis", mark, data, {f"choice:{keys[0]}": "nonsense"})
    assert wrong.status_code == 422
    assert "nonsense" in json.loads(wrong.content)["html"]


@pytest.mark.usefixtures("boards")
def test_a_save_is_read_without_a_script_too(game: Game, people: People) -> None:
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    page = sent(client, game, "axis", mark, saved(game, people).save(), as_json=False)
    assert page.status_code == 200
    assert "our game.vsav" in page.content.decode()
    assert 'data-findings="certain"' in page.content.decode()


def everything_stored() -> str:
    """Return all that the database holds, as text."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            found += [str(row) for row in cursor.fetchall()]
    return "\n".join(found)


@pytest.mark.usefixtures("boards")
def test_no_password_and_no_hidden_piece_leaves_a_save(
    game: Game, people: People, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    battle = saved(game, people)
    for side, name, code, at in (("allied", "6-2-8 Esq", "ru", "F8"),
                                 ("axis", "8-3-8 Esq", "ge", "B9")):  # fmt: skip
        battle.put(at, battle.counter(name, hidden(PASSWORDS[side]), code=code), pile=9)
    data, answers = battle.save(), {}
    for side in SIDES:
        client, mark = player(people, side), asked(game, people, side).mark
        answers[side] = sent(client, game, side, mark, data).content.decode()
        answers[side] += client.get(url(game, side, mark)).content.decode()
        sent(client, game, side, mark, data[: len(data) // 2])
    assert "6-2-8" not in answers["axis"]
    assert "8-3-8" not in answers["allied"]
    assert "8-3-8" in answers["axis"], "its own hidden squad is asked of the side itself"
    out = capfd.readouterr()
    everything = "".join([*answers.values(), everything_stored(), caplog.text, out.out, out.err])
    for password in PASSWORDS.values():
        assert password not in everything
        assert password.encode().hex() not in everything


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04" + b"\0" * 200, bytes(range(256)) * 50])
def test_files_that_are_no_saves_are_refused_in_words(data: bytes, game: Game, people: People) -> None:
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    answer = sent(client, game, "axis", mark, data)
    assert answer.status_code == 422
    assert 'role="alert"' in json.loads(answer.content)["html"]
    assert not Draft.objects.exists()
    assert sent(client, game, "axis", mark, data, as_json=False).status_code == 422


def test_a_save_without_its_board_or_of_another_one_is_refused(game: Game, people: People) -> None:
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    answer = sent(client, game, "axis", mark, saved(game, people).save())
    assert answer.status_code == 422
    assert "not on the campaign" in json.loads(answer.content)["html"]


def test_names_of_files_are_shown_without_folders_or_markup(game: Game, people: People) -> None:
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    file = BytesIO(b"nothing")
    file.name = "C:\\secret\\<b>x.vsav"
    answer = client.post(url(game, "axis", mark, "save"), {"save": file}, headers={"accept": "application/json"})
    text = json.loads(answer.content)["html"]
    assert "secret" not in text
    assert "<b>" not in text


def test_a_file_too_large_is_not_read(
    game: Game, people: People, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 1000
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    answer = sent(client, game, "axis", mark, b"x" * 2000)
    assert answer.status_code == 422
    assert "no file arrived" in json.loads(answer.content)["html"]
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 2**24
    monkeypatch.setattr(saves, "MOST", 1000)
    answer = sent(client, game, "axis", mark, b"x" * 2000)
    assert "too large" in json.loads(answer.content)["html"]
