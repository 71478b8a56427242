"""The short way of programs: it answers as Django does, stores before it answers, and forgets nobody's rights."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.utils import timezone

from laager.campaign.engine import Campaign
from laager.web.campaigns import notebook, store, tables
from laager.web.campaigns.shapes import status_json
from laager.web.campaigns.tables import look
from laager.web.models import ApiToken, EntryLine, Game, Member, Throttle
from laager.web.play.short_way import batch, memory, rows
from laager.web.play.short_way.front import ShortWay
from laager.web.seats import pending_mails
from laager.web.seats.permissions import Seat
from laager.web.shared import tokens
from tests.web.api import long_way, short_way
from tests.web.conftest import add_spectator, is_asked, seat, take_defaults
from tests.web.serving import in_a_loop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.conftest import Begin, People

ROOT = "/api/v1/campaigns"
Answer = tuple[int, Any]
pytestmark = pytest.mark.django_db(transaction=True)


class Server:
    """The application as a server has it, with Django behind it; counts what Django was asked."""

    def __init__(self) -> None:
        self.front = ShortWay(self._django)
        self.handed_on: list[str] = []

    async def _django(self, scope: Any, receive: Any, send: Any) -> None:
        self.handed_on.append(scope["path"])
        body = (await receive())["body"].decode()
        key = dict(scope["headers"])[b"authorization"].decode().removeprefix("Bearer ")
        path = scope["path"] + (f"?{scope['query_string'].decode()}" if scope["query_string"] else "")
        answer = await asyncio.to_thread(_asked_django, scope["method"], path, body, key)
        await send({"type": "http.response.start", "status": answer.status_code, "headers": []})
        await send({"type": "http.response.body", "body": answer.content})

    async def ask(self, key: str, path: str, sent: Any = None) -> Answer:
        """Return the status and what was answered."""
        where, _, query = path.partition("?")
        body = b"" if sent is None else json.dumps(sent).encode()
        headers = [(b"host", b"testserver"), (b"authorization", f"Bearer {key}".encode())]
        method = "GET" if sent is None else "POST"
        scope = {"type": "http", "method": method, "path": where, "query_string": query.encode(), "headers": headers}
        given: list[Any] = []
        came = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            if came:
                return came.pop()
            return await asyncio.Event().wait()

        async def send(message: Any) -> None:
            given.append(message)

        await self.front(scope, receive, send)
        return given[0]["status"], json.loads(given[1]["body"])


def _asked_django(*asked: str) -> Any:
    try:
        return long_way(*asked)
    finally:
        connection.close()


def by_django(*asked: str) -> Any:
    """Return what Django answers in a thread of its own: a browser that was open before has an event loop in this."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(_asked_django, *asked).result()


@contextmanager
def served() -> Iterator[Server]:
    server = Server()
    try:
        yield server
    finally:
        server.front.end()


def both(game: Game, people: People) -> tuple[Seat, Seat]:
    return seat(game, people.anna, "axis"), seat(game, people.bert, "allied")


def address(one: Seat) -> str:
    return f"{ROOT}/{one.game.pk}/{one.name}"


def key_of(one: Seat) -> str:
    return tokens.make(one.user, "test")


def first_asked(one: Seat) -> tuple[str, Any]:
    """Return the mark of the first question and its proposal."""
    with look(one) as table:
        asked = table.asked[0]
        return asked.mark, asked.need_question().default


def sound(game: Game) -> Campaign:
    """Return a campaign read from its stored lines alone; each stands there once."""
    numbers = list(EntryLine.objects.filter(game=game).order_by("number").values_list("number", flat=True))
    game.refresh_from_db()
    assert numbers == list(range(1, game.length + 1))
    under = store.DatabaseStore(game.pk)
    campaign = Campaign(under)
    assert under.head == game.head
    return campaign


def given(game: Game, side: str) -> int:
    """Return how many answers of a side are stored."""
    return sum(e.type == "answer" and e.body["side"] == side for e in sound(game).entries)


# The same answers ---------------------------------------------------------------------------------


@pytest.mark.once
@pytest.mark.parametrize("card", ["rzhavets", "rijnoord"])
def test_both_ways_say_the_same(card: str, people: People, begin: Begin) -> None:
    game = begin(card)
    seats = [*both(game, people), seat(game, people.cleo, "umpire"), add_spectator(game, people.dora)]
    keys = {one: key_of(one) for one in seats}
    for _ in range(4):
        take_defaults(seats[:2], 3)
        for one in seats:
            for path in ("", "/asked", "/wait?seconds=0", "/wait?tag=00&seconds=0"):
                short = short_way("GET", address(one) + path, "", keys[one])
                long = by_django("GET", address(one) + path, "", keys[one])
                assert short is not None, path
                assert (short.status_code, json.loads(short.content)) == (200, json.loads(long.content))
                assert _comparable(short.headers) == _comparable(long.headers)


def _comparable(headers: Any) -> dict[str, Any]:
    # Only Django compresses, and what is short not even Django.
    values = {name.lower(): value for name, value in headers.items() if name.lower() != "content-length"}
    return values | {"vary": values["vary"].replace(", Accept-Encoding", "")}


def test_two_hosts_or_two_tokens_go_the_long_way() -> None:
    """Django refuses them; to take the last ones would be another answer."""
    front = ShortWay(None)  # type: ignore[arg-type]
    host, token = (b"host", b"testserver"), (b"authorization", b"Bearer laager_x")
    assert front._token({"headers": [host, token]}) == "laager_x"
    for headers in ([host, host, token], [(b"host", b"evil.example"), host, token], [host, token, token]):
        given = front._token({"headers": headers})
        assert given is None or "," in given, headers


def test_an_answer_is_told_as_django_tells_it(people: People, begin: Begin) -> None:
    game = begin()
    axis, _ = both(game, people)
    key = key_of(axis)
    mark, proposal = first_asked(axis)
    sent = json.dumps({"answer": proposal})
    weight = tables.SHELF.bytes
    told = short_way("POST", f"{address(axis)}/asked/{mark}/answer", sent, key)
    assert told is not None
    # What has grown counts before a page looks at it, or more is kept in memory than may be.
    assert tables.SHELF.bytes > weight
    outcome = json.loads(told.content)
    assert outcome["status"] == json.loads(by_django("GET", address(axis), "", key).content)
    assert (
        outcome["news"]
        == json.loads(by_django("GET", f"{address(axis)}/log", "", key).content)[-len(outcome["news"]) :]
    )
    assert given(game, "axis") == 1
    assert Throttle.objects.get(what=f"write:{people.anna.pk}").count == 1


def test_the_last_answer_shows_all_and_notes_stay_with_their_entries(people: People, begin: Begin) -> None:
    game = begin("rzhavets")
    seats = both(game, people)
    keys = {one: key_of(one) for one in seats}
    take_defaults(list(seats), 8)
    axis, _ = seats
    with look(axis) as table:
        own = next(seen for seen in reversed(table.view.log) if seen.entry.type == "answer")
        assert own.number != own.entry.number
        note = notebook.write(axis, notebook.find_subject(table, f"entry {own.number}"), "remember this")
    outcome: Any = {"status": {"over": False}}
    while not outcome["status"]["over"]:
        with look(axis) as table:
            before = table.campaign.version
            one = next(one for one in seats if one.name in table.view.waiting_for)
        mark, proposal = first_asked(one)
        call = ("POST", f"{address(one)}/asked/{mark}/answer", json.dumps({"answer": proposal}), keys[one])
        told = short_way(*call)
        # What asks about LOS is left to Django.
        outcome = json.loads((told or by_django(*call)).content)
    assert told is not None
    for seen in seats:
        status = json.loads(by_django("GET", address(seen), "", keys[seen]).content)
        assert status["over"]
        assert status["version"] == sound(game).version
    log = json.loads(by_django("GET", f"{address(one)}/log", "", keys[one]).content)
    assert outcome["news"] == [entry for entry in log if entry["number"] > before and entry["text"]]
    note.refresh_from_db()
    assert note.about == f"entry {own.entry.number}"


def test_what_is_wrong_django_says_and_counts_once(people: People, begin: Begin) -> None:
    game = begin()
    axis, allied = both(game, people)
    key = key_of(axis)
    mark, _ = first_asked(axis)
    other, proposal = first_asked(allied)
    asked = f"{address(axis)}/asked/{mark}/answer"
    for path, sent in (
        (asked, {"answer": "nonsense"}),
        (asked, {"answer": [[[]]], "more": 1}),
        (asked, {}),
        (f"{address(axis)}/asked/{other}/answer", {"answer": proposal}),
        (f"{address(axis)}/asked/{'0' * 32}/answer", {"answer": 1}),
        (f"{address(allied)}/asked/{other}/answer", {"answer": proposal}),
    ):
        assert short_way("POST", path, json.dumps(sent), key) is None
    for path in ("/wait?seconds=56", "/wait?seconds=-1", "/wait?tag=x", "?a=1"):
        assert short_way("GET", address(axis) + path, "", key) is None
    assert short_way("GET", address(axis), "", key[:-1]) is None
    assert not Throttle.objects.filter(what__startswith="write:").exists()
    assert given(game, "axis") == given(game, "allied") == 0


def test_who_writes_too_much_is_stopped(people: People, begin: Begin, settings: Any) -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update={"writes_a_minute": 1})
    game = begin()
    axis, _ = both(game, people)
    key = key_of(axis)
    mark, proposal = first_asked(axis)
    path, sent = f"{address(axis)}/asked/{mark}/answer", json.dumps({"answer": proposal})
    assert short_way("POST", path, sent, key) is not None
    assert short_way("POST", path, sent, key) is None
    assert by_django("POST", path, sent, key).status_code == 429


# Rights -------------------------------------------------------------------------------------------


def test_a_token_or_seat_that_is_gone_opens_nothing_from_that_moment_on(people: People, begin: Begin) -> None:
    """The server keeps answers in memory; another process takes the rights away."""
    game = begin()
    axis, allied = both(game, people)
    keys = key_of(axis), key_of(allied)
    first_asked(axis)

    async def main() -> list[Answer]:
        found = [await server.ask(keys[0], address(axis)), await server.ask(keys[1], address(allied))]
        assert not server.handed_on
        await asyncio.to_thread(_gone)
        found += [await server.ask(keys[0], address(axis)), await server.ask(keys[1], address(allied))]
        return found

    def _gone() -> None:
        ApiToken.objects.filter(user=people.anna).delete()
        Member.objects.filter(game=game, user=people.bert).delete()
        connection.close()

    with served() as server:
        assert [status for status, _ in in_a_loop(main)] == [200, 200, 401, 404]


# Storing ------------------------------------------------------------------------------------------


def answer_together(server: Server, seats: list[Seat]) -> list[Answer]:
    """Answer from all seats at once."""
    asked = [(key_of(one), address(one), *first_asked(one)) for one in seats]

    async def main() -> list[Answer]:
        calls = [server.ask(key, f"{path}/asked/{mark}/answer", {"answer": value}) for key, path, mark, value in asked]
        return await asyncio.gather(*calls)

    return in_a_loop(main)


def test_answers_that_arrive_together_are_stored_together(
    people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [begin(title=str(i)) for i in range(3)]
    seats = [one for game in games for one in both(game, people)]
    times: list[int] = []
    real = rows.store

    def noted(appended: Any, *more: Any) -> Any:
        several = list(appended)
        times.append(len(several))
        return real(several, *more)

    monkeypatch.setattr(rows, "store", noted)
    with served() as server:
        found = answer_together(server, seats)
        assert not server.handed_on
    assert [status for status, _ in found] == [200] * 6
    assert sum(times) <= 6
    assert max(times) > 1
    assert [given(game, side) for game in games for side in ("axis", "allied")] == [1] * 6


def test_who_asks_for_something_is_at_the_table_and_gets_no_mail_now(people: People, begin: Begin) -> None:
    """Once a minute at most that is for Django; waiting alone doesn't count."""
    game = begin()
    axis, allied = both(game, people)
    keys = {one: key_of(one) for one in (axis, allied)}
    mine = Member.objects.filter(pk=allied.member.pk)
    first_asked(allied)
    assert mine.get().mail_due is not None
    mine.update(mail_due=timezone.now() + pending_mails.SOON / 2)

    async def main() -> list[int]:
        found = []
        for one, path in [(allied, "/wait?seconds=0"), (axis, ""), (allied, "/asked"), (allied, "/asked")]:
            assert (await server.ask(keys[one], address(one) + path))[0] == 200
            found.append(len(server.handed_on))
        return found

    with served() as server:
        assert in_a_loop(main) == [0, 0, 1, 1]
    assert not pending_mails.is_soon(mine.get().mail_due)


def test_answers_that_are_stored_together_announce_each_question_once(people: People, begin: Begin) -> None:
    game = begin()
    seats = both(game, people)
    Member.objects.update(noticed=[], untold={}, mail_due=None)
    for _ in range(4):
        with served() as server:
            answer_together(server, [one for one in seats if is_asked(one)])
    told = [one for one in Member.objects.filter(game=game) if one.mail_due is not None]
    assert told
    for one in told:
        assert set(one.untold) <= set(one.noticed)
        assert len(one.noticed) == len(set(one.noticed))


def test_an_answer_that_is_sent_again_is_given_once(people: People, begin: Begin) -> None:
    """A program that has heard nothing sends it again; it may arrive together with the first, or later."""
    game = begin()
    axis, _ = both(game, people)
    key = key_of(axis)
    mark, value = first_asked(axis)
    path = f"{address(axis)}/asked/{mark}/answer"

    async def main() -> list[Answer]:
        together = await asyncio.gather(*[server.ask(key, path, {"answer": value}) for _ in range(3)])
        return [*together, await server.ask(key, path, {"answer": value})]

    with served() as server:
        found = in_a_loop(main)
        assert len(server.handed_on) == 3
    told = [said.get("refused", "taken") for _, said in sorted(found, key=lambda one: one[0])]
    assert sorted(status for status, _ in found) == [200, 409, 409, 409]
    assert told == ["taken", "stale", "stale", "stale"]
    assert given(game, "axis") == 1


@pytest.mark.parametrize("where", ["current_window", "_now_value"])
def test_what_could_not_be_stored_was_not_given(
    where: str, people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database refuses a part, counting or the lines: nobody is told that it counts, and Django tries it again."""
    game = begin()
    monkeypatch.setattr(rows, where, lambda: None)
    with served() as server:
        found = answer_together(server, list(both(game, people)))
        assert len(server.handed_on) == 2
    assert [status for status, _ in found] == [200, 200]
    assert given(game, "axis") == given(game, "allied") == 1


def test_lines_that_another_process_has_stored_are_taken_in(
    people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin()
    axis, _ = both(game, people)
    key = key_of(axis)
    first_asked(axis)
    elsewhere(game, "allied")
    # Reading it from the beginning would fail.
    monkeypatch.setattr(store.DatabaseStore, "load", None)
    told = short_way("GET", address(axis), "", key)
    assert told is not None
    assert json.loads(told.content)["waiting_for"] == ["axis"]


def elsewhere(game: Game, side: str) -> None:
    """Answer for a side in another process, which has read the campaign by itself."""
    other = Campaign(store.DatabaseStore(game.pk))
    question = next(one.question for one in other.pending() if one.side == side)
    assert question is not None
    other.answer(side, question.key, question.default)


def test_who_comes_too_late_is_answered_by_django(
    people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process stores an answer of the other side just before ours."""
    game = begin()
    axis, _ = both(game, people)
    real = batch.Batch._store

    def beaten(self: Any, used: Any) -> Any:
        monkeypatch.setattr(batch.Batch, "_store", real)
        elsewhere(game, "allied")
        return real(self, used)

    monkeypatch.setattr(batch.Batch, "_store", beaten)
    with served() as server:
        ((status, _),) = answer_together(server, [axis])
        assert len(server.handed_on) == 1
    assert status == 200
    assert given(game, "axis") == given(game, "allied") == 1


def test_what_the_other_side_does_in_secret_makes_nothing_anew(
    people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sees nothing new is sent the same bytes again; who sees something new is not."""
    game = begin()
    seats = both(game, people)
    take_defaults(list(seats), until="purchases")
    axis, allied = seats
    keys = {one: key_of(one) for one in seats}
    made: list[str] = []
    real = status_json

    def noted(table: Any) -> Any:
        made.append(table.seat.name)
        return real(table)

    monkeypatch.setattr(memory, "status_json", noted)

    async def main() -> list[tuple[Answer, list[str]]]:
        found = []
        for answering in (None, axis, allied):
            made.clear()
            if answering is not None:
                mark, value = await asyncio.to_thread(_asked_now, answering)
                await server.ask(keys[answering], f"{address(answering)}/asked/{mark}/answer", {"answer": value})
            found.append((await server.ask(keys[allied], address(allied)), list(made)))
        return found

    def _asked_now(one: Seat) -> tuple[str, Any]:
        try:
            return first_asked(one)
        finally:
            connection.close()

    with served() as server:
        (first, _), (same, of_first), (other, _) = in_a_loop(main)
    assert same == first
    assert "allied" not in of_first
    assert other[1]["version"] > first[1]["version"]


# Waiting ------------------------------------------------------------------------------------------


def test_those_who_wait_need_no_threads_and_hear_only_of_their_own(people: People, begin: Begin) -> None:
    """An answer in secret wakes nobody of the other side; one that both can see wakes all of them at once."""
    game = begin()
    seats = both(game, people)
    take_defaults(list(seats), until="purchases")
    axis, allied = seats
    keys = {one: key_of(one) for one in seats}
    asked = {one: first_asked(one) for one in seats}

    async def main() -> tuple[list[Answer], int]:
        tag = (await server.ask(keys[allied], address(allied)))[1]["tag"]
        # Whoever knows something older hears at once.
        late = await server.ask(keys[allied], f"{address(allied)}/wait?tag=00&seconds=20")
        assert late == (200, {"tag": tag, "changed": True})
        before = threading.active_count()
        path = f"{address(allied)}/wait?tag={tag}&seconds=20"
        listening = [asyncio.create_task(server.ask(keys[allied], path)) for _ in range(12)]
        await asyncio.sleep(0.3)
        more = threading.active_count() - before
        mark, value = asked[axis]
        status, _ = await server.ask(keys[axis], f"{address(axis)}/asked/{mark}/answer", {"answer": value})
        assert status == 200
        await asyncio.sleep(0.5)
        assert not any(task.done() for task in listening)
        mark, value = asked[allied]
        await server.ask(keys[allied], f"{address(allied)}/asked/{mark}/answer", {"answer": value})
        return list(await asyncio.wait_for(asyncio.gather(*listening), 10)), more

    with served() as server:
        found, more = in_a_loop(main)
        assert not server.handed_on
    assert all(status == 200 and told["changed"] for status, told in found)
    assert more <= 5
