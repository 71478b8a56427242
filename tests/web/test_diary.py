"""The log as a war diary: folded, filtered, paged, explained; from every seat."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from laager.campaign.engine import Campaign
from laager.sheets import catalogue
from laager.web.campaigns import actions, tables
from laager.web.campaigns.store import DatabaseStore
from laager.web.models import Game, Member, Role
from laager.web.records.log import diary, explanation
from laager.web.records.log.diary import Filter
from tests.web.conftest import Begin, Desk, People, seat, take_defaults
from tests.web.fielded import Memory, fielded, played
from tests.web.seen import SEATS, read, sitting, unknown, url

CARDS = (
    ("rzhavets", ("allied", "umpire")),
    ("rijnoord", ("axis", "spectator")),
    ("vistula", ("axis", "allied")),
    *(pytest.param(card, SEATS, marks=pytest.mark.soak) for card in ("kokusa-ridge", "sorgiva", "rijnoord")),
)


@pytest.mark.parametrize(("card", "names"), CARDS)
def test_every_seat_reads_all_and_nothing_that_is_hidden(card: str, names: tuple[str, ...], people: People) -> None:
    """The diary, units, sheets, rules, forecasts: of every rule system, from every seat."""
    game = fielded(people, card)
    some = False
    who = sitting(game, people)
    for name, user in ((name, who[name]) for name in names):
        client = people.client(user)
        with tables.look(seat(game, user, name)) as table:
            last = table.view.version
            pages = diary.find_page(diary.sections(table, Filter())).of
            offers = [one.id for one in catalogue(table.campaign, name)]
        rest = [f"log?page={i + 1}" for i in range(pages)]
        rest += [f"log/{n}" for n in {1, 2, last, *range(3, last, 150)}]
        rest += [f"sheets/{one}" for one in offers if one != "diary"]
        rest += ["log?kind=purchases", "log?q=a", "units?state=all", "units?by=location"]
        rest += ["units?by=unit", "sheets", "rules", "forecasts", "over"]
        text = "".join(read(client, url(game, name, one)) for one in rest)
        if card != "vistula":
            hidden = unknown(game, user, name)
            some |= bool(hidden)
            assert not {one for one in hidden if one in text}
    assert some or card == "vistula"


def test_secret_answers_are_found_in_their_own_diary_alone(people: People) -> None:
    game = fielded(people)
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        secret = next(
            one for one in table.log
            if one.entry.type == "answer" and one.entry.to == ("allied",) and one.text
        )  # fmt: skip
    words = secret.entry.body["text"]
    for name, user, there in (
        ("axis", people.anna, False),
        ("allied", people.bert, True),
        ("umpire", people.cleo, True),
    ):
        page = read(people.client(user), url(game, name, "log?kind=answers"))
        assert (f"British answer: {words}" in page) is there


def test_every_line_is_on_one_page_and_found_by_its_number(people: People) -> None:
    game = fielded(people)
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        found = diary.sections(table, Filter())
        pages = diary.find_page(found).of
        assert pages > 2
        told: list[int] = []
        for number in range(1, pages + 1):
            for section in diary.find_page(found, number).sections:
                for line in section.lines:
                    told += [number for one in (line.more or [line]) for number in one.told.numbers]
        spoken = [one.number for one in table.log if one.text and one.entry.type != "step"]
        assert len(set(told)) == len(told)
        assert sorted(told) == spoken
        for number in spoken[::25]:
            page = diary.find_page(found, at=number)
            lines = [line for s in page.sections for one in s.lines for line in (one.more or [one])]
            assert any(number in one.told.numbers for one in lines)
    client = people.client(people.cleo)
    text = read(client, url(game, "umpire", f"log?at={spoken[30]}"))
    assert text.count('id="here"') == 1


def long_game(people: People, rounds: int) -> Game:
    """A campaign in which somebody asks again and again to take back, and is refused."""
    game = fielded(people)
    store = Memory()
    store.entries = list(played("rijnoord"))
    before = len(store.entries)
    campaign = Campaign(store)
    for _ in range(rounds):
        campaign.record("undo-asked", {"to": 3, "by": "axis"})
        campaign.record("undo-refused", {"by": "allied"})
    kept = DatabaseStore(game.pk)
    kept.load()
    kept.append(store.entries[before:])
    return game


def test_a_long_log_comes_in_pages_of_a_bounded_size(people: People) -> None:
    game = long_game(people, 1000)
    client = people.client(people.anna)
    newest = read(client, url(game, "axis", "log"))
    assert 'rel="prev"' in newest
    assert 'rel="next"' not in newest
    first = read(client, url(game, "axis", "log?page=1"))
    assert 'rel="next"' in first
    for page in (newest, first):
        assert page.count('class="diary-number"') <= diary.PAGE + diary.PAGE
    with tables.look(seat(game, people.anna, "axis")) as table:
        assert table.view.version > 2000
        found = diary.sections(table, Filter())
        of = diary.find_page(found).of
        asked = sum(
            line.text.startswith("Germans ask to take back")
            for i in range(of)
            for section in diary.find_page(found, i + 1).sections
            for line in section.lines
        )
        assert asked == 1000


# Looking for something ----------------------------------------------------------------------------


def numbers(people: People, game: Game, wanted: Filter) -> list[int]:
    with tables.look(seat(game, people.anna, "axis")) as table:
        return [one.number for s in diary.sections(table, wanted) for one in s.lines]


def test_the_diary_can_be_narrowed(people: People) -> None:
    game = fielded(people)
    with tables.look(seat(game, people.anna, "axis")) as table:
        log = table.log
    rolls = [one.number for one in log if one.entry.type == "roll"]
    assert numbers(people, game, Filter("rolls")) == rolls
    answers = [one.number for one in log if one.entry.type == "answer"]
    assert numbers(people, game, Filter("answers")) == answers
    bought = numbers(people, game, Filter("purchases"))
    assert {log[n - 1].entry.body.get("key") for n in bought} >= {"purchases"}
    assert "unit-moved" not in {log[n - 1].entry.body.get("kind") for n in bought}
    units = numbers(people, game, Filter("units"))
    assert {log[n - 1].entry.body["kind"].split("-")[0] for n in units} <= {"unit", "vehicle"}
    assert numbers(people, game, Filter("undone")) == []
    moved = numbers(people, game, Filter(text="H-I6/1 RETAINED"))
    assert moved
    assert all("H-I6/1" in log[n - 1].text and "Retained" in log[n - 1].text for n in moved)
    late = numbers(people, game, Filter(since=len(log) - 20))
    assert late
    assert min(late) > len(log) - 20


def test_what_stands_in_an_answer_is_found(people: People) -> None:
    game = fielded(people)
    with tables.look(seat(game, people.anna, "axis")) as table:
        setup = next(
            one for one in table.log
            if one.entry.type == "answer" and one.entry.body["key"] == "setup"
        )  # fmt: skip
    unit = setup.entry.body["value"]["units"][0]["unit"]
    assert unit not in setup.text
    assert setup.number in numbers(people, game, Filter("answers", unit))
    page = read(people.client(people.anna), url(game, "axis", f"log/{setup.number}"))
    assert f"<td>{unit}</td>" in page


def test_what_came_since_one_last_looked(people: People, begin: Begin) -> None:
    game = begin("rzhavets")
    anna, bert = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    client = people.client(people.anna)

    def told_to() -> int:
        return Member.objects.get(game=game, side="axis").told_to

    client.head(url(game, "axis", "log"))
    client.get(url(game, "axis", "log?kind=rolls"))
    assert told_to() == 0
    read(client, url(game, "axis", "log"))
    before = told_to()
    with tables.look(anna) as table:
        assert before == table.view.version
    assert "since you last looked" not in read(client, url(game, "axis", "log"))
    take_defaults([anna, bert], most=3)
    page = read(client, url(game, "axis", "log"))
    assert f'href="?since={before}"' in page
    assert "is-new" in page
    assert told_to() > before
    after = read(client, url(game, "axis", f"log?since={before}"))
    shown = [int(n) for n in re.findall(r'diary-number"\s+href="[^"]*/log/(\d+)"', after)]
    assert shown
    assert min(shown) > before


def test_chapters_are_the_rounds_that_still_count(people: People, begin: Begin) -> None:
    game = begin("rzhavets")
    seats = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    take_defaults(seats, most=14)
    with tables.look(seats[0]) as table:
        before = diary.chapters(table)
        assert diary.chapters(table) == before
        target = next(one.number for one in table.log if one.entry.type == "step")
    actions.ask_back(seats[0], target)
    actions.consent_back(seats[1], True)
    with tables.look(seats[0]) as table:
        after = diary.chapters(table)
        undone = numbers(people, game, Filter("undone"))
        assert after[0] == before[0]
        assert all(table.log[one.number - 1].counts for one in after)
        assert undone
    page = read(people.client(people.anna), url(game, "axis", "log?kind=undone"))
    assert 'class="undone' in page
    assert "taken back to" in page


# One entry ----------------------------------------------------------------------------------------


def test_a_roll_is_shown_with_each_modifier_its_reason_and_rule(people: People) -> None:
    game = fielded(people)
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        roll = next(one for one in table.log if one.entry.type == "roll" and one.entry.body["modifiers"])
        told = explanation.explain(table, roll.number)
    body = roll.entry.body
    page = read(people.client(people.cleo), url(game, "umpire", f"log/{roll.number}"))
    for modifier in body["modifiers"]:
        assert modifier["reason"] in page
        assert modifier["rule"] in page
    assert f"<strong>{body['final']}</strong>" in page
    assert f'aria-label="{", ".join(map(str, body["faces"]))}"' in page
    assert told.followed
    for fact in told.followed[:3]:
        assert f"log/{fact.number}" in page


def test_what_follows_and_what_it_follows_from_are_one_relation(people: People) -> None:
    game = fielded(people)
    with tables.look(seat(game, people.anna, "axis")) as table:
        pairs = 0
        for one in table.log:
            if one.entry.type != "fact" or not one.text:
                continue
            for cause in explanation.explain(table, one.number).causes:
                after = explanation.explain(table, cause.number).followed
                assert one.number in {fact.number for fact in after}
                pairs += 1
            if pairs > 25:
                break
    assert pairs > 25


def test_who_may_ask_to_take_back_is_offered_it_at_an_entry(people: People) -> None:
    game = fielded(people)
    Member.objects.create(game=game, user=people.dora, role=Role.MATE, side="axis")
    form = "just after this entry"
    address = url(game, "axis", "log/9")
    assert form in read(people.client(people.anna), address)
    assert form not in read(people.client(people.dora), address)
    assert "all that came after" in read(people.client(people.cleo), url(game, "umpire", "log/9"))
    client = people.client(people.anna)
    answer = client.post(url(game, "axis", "changing/take-back/"), {"to": "9"})
    assert answer.status_code == 302
    with tables.look(seat(game, people.bert, "allied")) as table:
        assert [wish.by for wish in table.wishes] == ["axis"]


def test_a_line_is_explained_in_place(people: People) -> None:
    game = fielded(people)
    client = people.client(people.anna)
    part = client.get(url(game, "axis", "log/9"), headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert b"<html" not in part.content


@pytest.mark.parametrize(
    "rest",
    ["log/0", "log/99999", "log?at=0", "log?at=x", "log?at=99999", "log?page=0", "log?page=999",
     "log?page=-1", "log?since=x", "log?kind=nothing", "log?at=%C2%BD", "log/" + "9" * 30],
)  # fmt: skip
def test_what_is_not_in_the_log_is_said_so(rest: str, people: People) -> None:
    game = fielded(people)
    page = people.client(people.anna).get(url(game, "axis", rest))
    assert page.status_code == 404
    assert people.client(people.dora).get(url(game, "axis", rest)).status_code == 404


# In a browser -------------------------------------------------------------------------------------


@pytest.mark.browser
def test_a_line_opens_and_the_diary_prints_without_its_frame(people: People, desk: Callable[..., Desk]) -> None:
    game = fielded(people)
    anna = desk(people.anna, width=390, height=844)
    anna.go(url(game, "axis", "log?kind=rolls"))
    page = anna.page
    line = page.locator(".diary > li").first
    with page.expect_response("**/log/*"):
        line.locator("summary").click()
    assert line.locator(".why-rule").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.emulate_media(media="print")
    for hidden in (".diary-find", ".tabs", ".top"):
        assert not page.locator(hidden).first.is_visible()
    assert line.is_visible()
