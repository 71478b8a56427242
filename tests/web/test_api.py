"""The JSON API: a whole firefight by it, nothing secret in it, and every refusal told."""

from __future__ import annotations

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import AsyncClient, Client
from ninja import NinjaAPI

from laager.campaign.facts import UMPIRE
from laager.campaign.views import view
from laager.web.campaigns import actions, drafts, tables
from laager.web.models import Game, Member, OwnFile, Role
from laager.web.seats import members
from laager.web.shared import tokens
from tests.web.api import Program, RefusedCallError, at
from tests.web.conftest import seat
from tests.web.fielded import fielded
from tests.web.test_map import secrets

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People


def asked(program: Program, game: Game, side: str) -> dict[str, Any]:
    """Return what is asked of a side first."""
    found: list[dict[str, Any]] = program.get(at(game, side))["asked"]
    return found[0]


def give(program: Program, game: Game, side: str, one: dict[str, Any], value: Any = None) -> Any:
    """Answer something that is asked; with the proposal, unless a value is given."""
    path = f"{at(game, side)}/asked/{one['mark']}"
    if one["what"] == "roll":
        return program.post(f"{path}/roll")
    return program.post(f"{path}/answer", {"answer": one["default"] if value is None else value})


def play(game: Game, programs: dict[str, Program], until: str, most: int = 120) -> list[str]:
    """Let both sides take what is proposed until they are asked something; return what was."""
    keys: list[str] = []
    while len(keys) < most:
        before = len(keys)
        for side, program in programs.items():
            status = program.get(at(game, side))
            while open_now := [one for one in status["asked"] if one["key"] != until]:
                status = give(program, game, side, open_now[0])["status"]
                keys.append(open_now[0]["key"])
        if len(keys) == before:
            return keys
    raise AssertionError(f"{until} was never asked; {keys}")


# Playing ------------------------------------------------------------------------------------------


@pytest.mark.once
def test_a_whole_firefight_is_played_by_the_api(people: People, begin: Begin) -> None:
    game = begin()
    programs = {"axis": Program.of(people.anna), "allied": Program.of(people.bert)}
    axis = programs["axis"]
    first = axis.get(at(game, "axis"))
    assert (first["role"], first["version"], first["over"]) == ("player", 2, False)
    play(game, programs, "purchases")
    cart = asked(axis, game, "axis")
    value = cart["default"] | {"groups": [{"rg": "I1", "setup": "on-map", "count": 1}]}
    address = f"{at(game, 'axis')}/asked/{cart['mark']}/check"
    checked = axis.post(address, {"answer": value})
    assert checked["totals"] or checked["problems"]
    emptied = axis.post(address, {"answer": cart["default"] | {"groups": []}})
    assert emptied["warning"] == "You buy nothing now. Your 22 CP are kept."
    # What is proposed gives nothing up, so that nothing is said of it.
    assert (cart["warning"], cart["nothing"]) == ("", "")
    # CP are kept, so only buying nothing is asked again.
    assert not checked["warning"]
    keys = play(game, programs, "battle-report")
    assert {"purchases", "setup"} & set(keys)
    keys = play(game, programs, "purchases", 200)
    assert "battle-report" in keys
    status = axis.get(at(game, "axis"))
    assert status["headline"][0].startswith("Firefight 2 of 8")
    log = axis.get(f"{at(game, 'axis')}/log")
    assert [one["number"] for one in log] == list(range(1, status["version"] + 1))
    lines = axis.get(f"{at(game, 'axis')}/log/lines?since=10")
    assert lines["version"] == status["version"]
    facts = [one["number"] for one in log if one["type"] == "fact"]
    why = axis.get(f"{at(game, 'axis')}/log/{facts[-1]}/why")
    assert why["entry"]["number"] == facts[-1]
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        assert Program.of(people.cleo).get(f"{at(game, 'umpire')}/verify")["sound"]
        assert len(table.campaign.entries) > 150


@pytest.mark.once
def test_everything_that_can_be_looked_at_is_there(people: People, begin: Begin) -> None:
    game = fielded(people)
    axis = Program.of(people.anna)
    here = at(game, "axis")
    sheets = axis.get(f"{here}/sheets")
    assert {one["id"] for one in sheets["offers"]} >= {"setup-axis", "roster-axis"}
    assert axis.get(f"{here}/sheets/roster")[0]["rows"]
    assert axis.get(f"{here}/print?name=roster-axis").startswith("%PDF")
    assert axis.get(f"{here}/map.svg").startswith("<svg")
    hexes = axis.get(f"{here}/map/hexes")
    assert axis.get(f"{here}/map/hexes/{hexes[0]['name']}")["name"] == hexes[0]["name"]
    stops = axis.get(f"{here}/history")
    moment = axis.get(f"{here}/history/{stops[1]['number']}")
    assert moment["headline"]
    assert axis.get(f"{here}/state")["viewer"] == "axis"
    mine = axis.get("/campaigns")
    assert [(one["campaign"], one["asked"]) for one in mine] == [(str(game.pk), 1)]
    assert {"axis", "allied", "umpire"} == {m["seat"] for m in axis.get(f"{here}/people")["members"]}


@pytest.mark.once
def test_rules_are_read_by_the_api(people: People) -> None:
    program = Program.of(people.dora)
    assert {"pl", "abtf", "er", "dyo"} <= {one["id"] for one in program.get("/rules")}
    book = program.get("/rules/pl")
    assert program.get("/rules/pl/clauses/PL%203.47")["title"]
    hits = program.get("/rules/pl/clauses?q=weather")
    assert 0 < len(hits) < book["clauses"]
    table = program.get(f"/rules/pl/tables/{book['table_ids'][0]}?drm=1")
    assert sum(row["ways"] for row in table["rows"]) == table["rows"][0]["of"]


def test_a_campaign_is_begun_from_ones_own_card_and_others_invited(people: People) -> None:
    owner, guest = Program.of(people.anna), Program.of(people.bert)
    from laager.campaign.cards import find_card

    text = find_card("rzhavets", None)[0].read_text(encoding="utf-8")
    text = re.sub(r"(?m)^title:.*$", "title: My own march", text)
    text = re.sub(r"(?m)^map: .*$", "map: packs/rzhavets.map.yaml", text)
    report = owner.ask("PUT", "/files/mine.yaml", {"text": text})
    assert report["kind"] == "pl-card"
    assert [one["name"] for one in owner.get("/files")] == ["mine.yaml"]
    with pytest.raises(RefusedCallError) as missing:
        guest.get("/files/mine.yaml")
    assert missing.value.status == 404
    begun = owner.post("/campaigns", {"card": "rzhavets", "seat": "axis", "title": "March",
                                      "invite": ["player:allied"]})  # fmt: skip
    key = begun["invitations"][0]["key"]
    taken = guest.post("/invitations/accept", {"key": key})
    assert taken == {"campaign": begun["campaign"], "seat": "allied"}
    with pytest.raises(RefusedCallError) as twice:
        Program.of(people.dora).post("/invitations/accept", {"key": key})
    assert twice.value.status == 404
    assert guest.get(f"/campaigns/{begun['campaign']}/allied")["title"] == "March"


def test_an_invitation_to_the_server_alone_leads_to_no_seat(people: People) -> None:
    taken = Program.of(people.bert).post("/invitations/accept", {"key": members.owner_key()})
    assert taken == {"campaign": None, "seat": ""}


def test_notes_and_drafts_are_kept_for_the_side(people: People, begin: Begin) -> None:
    game = begin()
    axis, allied = Program.of(people.anna), Program.of(people.bert)
    note = axis.post(f"{at(game, 'axis')}/notes", {"text": "SECRETNOTE", "about": ""})
    axis.ask("PUT", f"{at(game, 'axis')}/notes/{note['id']}", {"text": "SECRETNOTE two"})
    mark = asked(axis, game, "axis")["mark"]
    axis.ask("PUT", f"{at(game, 'axis')}/asked/{mark}/draft", {"answer": {"balance": ["DRAFTED"]}})
    kept = axis.get(f"{at(game, 'axis')}/asked/{mark}/draft")
    assert kept["answer"] == {"balance": ["DRAFTED"]}
    assert allied.get(f"{at(game, 'allied')}/notes") == []
    with pytest.raises(RefusedCallError):
        allied.ask("DELETE", f"{at(game, 'allied')}/notes/{note['id']}")
    allied.get(at(game, "allied"))
    assert not [text for text in allied.heard if "SECRETNOTE" in text or "DRAFTED" in text]
    axis.ask("DELETE", f"{at(game, 'axis')}/notes/{note['id']}")
    assert axis.get(f"{at(game, 'axis')}/notes") == []


def test_taking_back_needs_the_other_side_and_nobody_ends_the_game_alone(people: People, begin: Begin) -> None:
    game = begin()
    axis, allied = Program.of(people.anna), Program.of(people.bert)
    play(game, {"axis": axis, "allied": allied}, "purchases")
    before = axis.get(at(game, "axis"))["version"]
    told = axis.post(f"{at(game, 'axis')}/take-back", {"to": before - 2})
    assert told["status"]["wishes"][0]["kind"] == "undo"
    with pytest.raises(RefusedCallError) as own:
        axis.post(f"{at(game, 'axis')}/take-back/consent", {"agree": True})
    assert own.value.told["refused"] == "not-yours"
    assert allied.post(f"{at(game, 'allied')}/take-back/consent", {"agree": False})
    axis.post(f"{at(game, 'axis')}/draw")
    status = axis.get(at(game, "axis"))
    assert not status["over"]
    assert status["wishes"][0]["kind"] == "draw"
    with pytest.raises(RefusedCallError):
        axis.post(f"{at(game, 'axis')}/draw/consent", {"agree": True})
    assert not axis.get(at(game, "axis"))["over"]
    assert allied.post(f"{at(game, 'allied')}/draw/consent", {"agree": True})["status"]["over"]
    assert axis.get(f"{at(game, 'axis')}/verify")["sound"]
    assert axis.get(f"{at(game, 'axis')}/log.laager").startswith("{")


# Secrets ------------------------------------------------------------------------------------------


def everything(program: Program, game: Game, name: str) -> str:
    """Call all that a seat can look at; return every byte of the answers."""
    here = at(game, name)
    program.heard.clear()
    with tables.look(seat(game, program.user, name)) as table:
        last = table.view.version
    paths = ["", "/asked", "/log", "/log/lines?full=1", "/state", "/sheets", "/map.svg"]
    paths += ["/map/hexes", "/history", f"/history/{last}", "/people", "/wait?seconds=0"]
    paths += [f"/log/{number}/why" for number in range(1, last + 1, max(1, last // 10))]
    for path in paths:
        program.get(here + path)
    for path in ("/notes", "/verify", "/log.laager", f"/log/{last + 1}/why", "/history/99999"):
        with suppress(RefusedCallError):
            program.get(here + path)
    program.get("/campaigns")
    return "\n".join(program.heard)


@pytest.mark.once
@pytest.mark.parametrize(("card", "names"), [("rijnoord", ("axis", "spectator")), ("rzhavets", ("allied",))])
def test_no_answer_tells_the_opponent_what_is_hidden(card: str, names: tuple[str, ...], people: People) -> None:
    game = fielded(people, card)
    Member.objects.create(game=game, user=people.dora, role=Role.SPECTATOR)
    seats = {"axis": people.anna, "allied": people.bert, "spectator": people.dora}
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        seed = json.dumps(table.campaign.entries[1].body)
    for name in names:
        text = everything(Program.of(seats[name]), game, name)
        for other in {"axis", "allied"} - {name}:
            planted = secrets(game, people, other)
            assert planted, "the campaign must have something to hide"
            assert not {one for one in planted if re.search(rf"\b{one}\b", text)}
        assert not [part for part in re.findall(r"[0-9a-f]{64}", seed) if part in text]
    umpire = everything(Program.of(people.cleo), game, "umpire")
    assert all(re.search(rf"\b{one}\b", umpire) for one in secrets(game, people, "allied"))


@pytest.mark.once
def test_a_secret_answer_changes_nothing_that_the_opponent_is_told(people: People, begin: Begin) -> None:
    game = begin()
    axis, allied = Program.of(people.anna), Program.of(people.bert)
    play(game, {"axis": axis, "allied": allied}, "purchases")
    before = everything(allied, game, "allied")
    cart = asked(axis, game, "axis")
    give(axis, game, "axis", cart)
    after = everything(allied, game, "allied")
    # That the axis is waited for no more is what both sides see; the rest is as it was.
    assert _steady(after) == _steady(before)


def _steady(text: str) -> str:
    text = re.sub(r'"waiting_for": \[[^\]]*\]', "", text)
    return re.sub(r'"tag": "[0-9a-f]*"', "", text)


# Refusals -----------------------------------------------------------------------------------------


def test_an_answer_cannot_be_given_twice(people: People, begin: Begin) -> None:
    game = begin()
    axis = Program.of(people.anna)
    one = asked(axis, game, "axis")
    give(axis, game, "axis", one)
    with pytest.raises(RefusedCallError) as twice:
        give(axis, game, "axis", one)
    assert (twice.value.status, twice.value.told["refused"]) == (409, "stale")
    assert "no longer asked" in twice.value.told["text"]


@pytest.mark.once
def test_a_refused_answer_says_all_that_is_wrong(people: People, begin: Begin) -> None:
    game = begin()
    axis = Program.of(people.anna)
    one = asked(axis, game, "axis")
    with pytest.raises(RefusedCallError) as wrong:
        give(axis, game, "axis", one, {"balance": 7, "nonsense": 1})
    told = wrong.value.told
    assert (wrong.value.status, told["refused"]) == (422, "bad-answer")
    assert {problem["field"] for problem in told["problems"]} >= {"nonsense"}
    assert asked(axis, game, "axis")["mark"] == one["mark"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422), (b"{", 400), (b"[1", 400), (b'{"answer": NaN}', 400), (b"\xff", 400),
        (b'{"answer": "\\ud800"}', 400), (b'{"answer": "\\u0000"}', 400), (b"null", 422),
        (b'{"answer": ' + b"[" * 100 + b"]" * 100 + b"}", 400), (b"7", 422), (b'"x"', 422),
        (b"[" * 100_000, 400), (b'{"answer": 1' + b"0" * 5000 + b"}", 400), (b"{}", 422),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused_in_the_same_shape(body: bytes, status: int, people: People, begin: Begin) -> None:
    game = begin()
    axis = Program.of(people.anna)
    mark = asked(axis, game, "axis")["mark"]
    response = Client().generic(
        "POST", f"/api/v1{at(game, 'axis')}/asked/{mark}/answer", body, "application/json",
        headers={"Authorization": f"Bearer {axis.key}"},
    )  # fmt: skip
    assert response.status_code == status, response.content
    told = response.json()
    assert set(told) == {"refused", "text", "problems"}
    assert told["text"]


def test_what_is_too_large_is_refused(people: People, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    with pytest.raises(RefusedCallError) as large:
        Program.of(people.anna).ask("PUT", "/files/a.yaml", {"text": "x" * 2000})
    assert large.value.status == 413


def test_wrong_tokens_are_refused_whoever_is_logged_in(people: People) -> None:
    client = people.client(people.anna)
    assert client.get("/api/v1/me").status_code == 200
    for header in ("Bearer laager_wrong", "Bearer "):
        answer = client.get("/api/v1/me", headers={"Authorization": header})
        if header != "Bearer ":
            assert answer.status_code == 401
            assert answer["WWW-Authenticate"] == "Bearer"
            assert "laager_wrong" not in answer.content.decode()
    key = tokens.make(people.bert, "x")
    people.bert.is_active = False
    people.bert.save()
    answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 401


def test_a_token_makes_no_tokens_and_can_be_withdrawn(people: People) -> None:
    program = Program.of(people.anna)
    with pytest.raises(RefusedCallError) as refused:
        program.post("/tokens", {"name": "another"})
    assert refused.value.status == 401
    page = people.client(people.anna)
    made = page.post("/api/v1/tokens", {"name": "two"}, content_type="application/json")
    assert made.status_code == 201
    key = made.json()["token"]
    listed = program.get("/tokens")
    assert [one["name"] for one in listed] == ["two", "tests"]
    assert not [text for text in program.heard if key in text]
    program.ask("DELETE", f"/tokens/{listed[0]['id']}")
    answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 401


def test_programs_that_write_too_often_are_told_to_wait(people: People, settings: Any) -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update={"writes_a_minute": 3})
    program = Program.of(people.anna)
    for _ in range(3):
        program.ask("PUT", "/files/a.yaml", {"text": "laager: pl-card/1\n"})
    with pytest.raises(RefusedCallError) as often:
        program.ask("PUT", "/files/a.yaml", {"text": "x"})
    assert (often.value.status, often.value.told["refused"]) == (429, "too-often")
    assert [text for text in program.heard if text.startswith("Retry-After: ")]
    assert OwnFile.objects.get().text == "laager: pl-card/1\n"


def test_addresses_that_are_none_are_told_in_the_same_shape(people: People) -> None:
    with pytest.raises(RefusedCallError) as nothing:
        Program.of(people.anna).get("/nothing/there")
    assert (nothing.value.status, nothing.value.told["refused"]) == (404, "no-such")


@pytest.mark.once
def test_the_reference_page_needs_nothing_from_elsewhere(people: People) -> None:
    page = Client().get("/api/v1/docs")
    text = page.content.decode()
    assert page.status_code == 200
    assert "/api/v1/campaigns/{game}/{seat}/asked/{mark}/answer" in text
    assert "<script>" not in text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)
    spec = Client().get("/api/v1/openapi.json").json()
    assert len(spec["paths"]) > 50
    calls = [call for methods in spec["paths"].values() for call in methods.values()]
    assert len({call["operationId"] for call in calls}) == len(calls)


# At the same time ---------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_two_answers_at_the_same_time_both_are_stored(people: People, begin: Begin) -> None:
    game = begin()
    axis, allied = Program.of(people.anna), Program.of(people.bert)
    play(game, {"axis": axis, "allied": allied}, "purchases")
    sides = {"axis": axis, "allied": allied}
    wanted = {side: asked(program, game, side) for side, program in sides.items()}

    def answer(side: str) -> int:
        try:
            give(sides[side], game, side, wanted[side])
        except RefusedCallError as err:
            return err.status
        finally:
            connection.close()
        return 200

    with ThreadPoolExecutor(4) as pool:
        # Each answer comes doubled, too: one of each is stored, the other refused.
        found = list(pool.map(answer, ["axis", "allied", "axis", "allied"]))
    assert sorted(found) == [200, 200, 409, 409]
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        stored = view(table.campaign, UMPIRE).log
        given = [s.entry.body["side"] for s in stored if s.entry.type == "answer"
                 and s.entry.body["key"] == "purchases"]  # fmt: skip
    assert sorted(given) == ["allied", "axis"]


@pytest.mark.django_db(transaction=True)
def test_who_waits_is_answered_when_there_is_something_new(people: People, begin: Begin) -> None:
    game = begin()
    key = tokens.make(people.bert, "x")
    both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    with tables.look(both[1]) as table:
        tag = table.tag
    with tables.look(both[0]) as table:
        mine = table.asked[0]
    path = f"/api/v1{at(game, 'allied')}/wait"

    async def waited() -> tuple[float, dict[str, Any]]:
        client = AsyncClient()
        headers = {"Authorization": f"Bearer {key}"}
        call = client.get(path, {"tag": tag, "seconds": "20"}, headers=headers)
        clock = asyncio.get_running_loop().time
        begun, task = clock(), asyncio.ensure_future(call)
        await asyncio.sleep(0.2)
        assert not task.done()
        await asyncio.to_thread(_answered, both[0], mine)
        response = await task
        return clock() - begun, json.loads(response.content)

    seconds, told = asyncio.run(waited())
    assert told["changed"]
    assert told["tag"] != tag
    assert seconds < 15
    at_once = Program.of(people.bert).get(f"{at(game, 'allied')}/wait?tag=other")
    assert at_once["changed"]


def _answered(mine: Any, wanted: Any) -> None:
    try:
        actions.answer(mine, wanted.mark, wanted.pending.question.default)
        drafts.drop(mine, wanted.mark)
    finally:
        connection.close()


@pytest.mark.once
def test_the_document_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from laager.web.serving.api import api

    first = Client().get("/api/v1/openapi.json").content
    monkeypatch.setattr(NinjaAPI, "get_openapi_schema", lambda *_, **__: pytest.fail("made again"))
    assert Client().get("/api/v1/openapi.json").content == first
    assert api.get_openapi_schema() is api.get_openapi_schema()
