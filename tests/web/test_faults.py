"""Faults that engines for such games have been seen to have: here none of them can happen.

Secrets on the first page, in the log of the other side, in what an open page is told; dice that
are known before they are rolled; what is shown and not stored; answers that are lost, or refused
without a word; campaigns that one player ends alone, or that strangers see.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from laager.dice import SeededDice
from laager.web.campaigns import actions, drafts
from laager.web.campaigns.tables import look
from laager.web.models import EntryLine, Game
from laager.web.records.log import feed
from laager.web.shared.forms import data as forms
from tests.web import planted
from tests.web.conftest import add_spectator, seat, take_defaults, untokened
from tests.web.fielded import fielded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from laager.web.seats.permissions import Seat
    from tests.web.conftest import Begin, People

CARDS = (
    "rzhavets",
    "rijnoord",
    "vistula",
    *(pytest.param(card, marks=pytest.mark.soak) for card in ("kokusa-ridge", "sorgiva")),
)
WORD = "plantedword"


@pytest.fixture(autouse=True)
def _no_hurry(settings: Any) -> None:
    """Nobody here is refused for sending too much."""
    settings.CONFIG = settings.CONFIG.model_copy(update={"writes_a_minute": 100_000})


def sides(game: Game, people: People) -> tuple[Seat, Seat]:
    """Return the seats of both sides."""
    return seat(game, people.anna, "axis"), seat(game, people.bert, "allied")


@pytest.fixture
def buying(people: People, begin: Begin) -> Game:
    """Return a campaign in which both sides buy in secret."""
    game = begin()
    assert take_defaults(list(sides(game, people)), until="purchases")
    return game


def buy(one: Seat, group: str, setup: str = "reserve") -> None:
    """Give a purchase, with a note beside it."""
    with look(one) as table:
        asked = table.asked[0]
    question = asked.pending.question
    assert question is not None
    drafts.keep_note(one, question.key, WORD)
    row = {"rg": group, "setup": setup, "count": 1}
    actions.answer(one, asked.mark, question.default | {"groups": [row]})


# Secrets ------------------------------------------------------------------------------------------


@pytest.mark.once
def test_no_page_carries_what_the_other_side_bought(people: People, buying: Game) -> None:
    axis, allied = sides(buying, people)
    watching = add_spectator(buying, people.dora)
    innocent = planted.words("".join(planted.all_pages(people.client(people.bert), allied).values()))
    buy(axis, "I3")
    for one, user in ((allied, people.bert), (watching, people.dora)):
        secret = (planted.hidden_words(one) | {WORD}) - innocent
        assert WORD in secret
        assert len(secret) > 5
        for address, text in planted.all_pages(people.client(user), one).items():
            assert not planted.found_in(text, secret), address
    # The umpire may see the purchase, the side's note even the umpire may not.
    client, home = people.client(people.cleo), f"/campaign/{buying.pk}/umpire/"
    pages = "".join(client.get(home + page).content.decode() for page in ("", "log", "notes", "units"))
    assert "I3" in planted.words(pages)
    assert WORD not in pages


@pytest.mark.once
@pytest.mark.parametrize(
    ("card", "names"), [("rzhavets", ("allied",)), ("rijnoord", ("axis",)), ("kokusa-ridge", ("spectator",))]
)
def test_no_page_of_a_battle_carries_what_is_hidden(card: str, names: tuple[str, ...], people: People) -> None:
    game = fielded(people, card)
    add_spectator(game, people.dora)
    users = {"axis": people.anna, "allied": people.bert, "spectator": people.dora}
    for name in names:
        user = users[name]
        one = seat(game, user, name)
        secret = planted.hidden_names(one)
        assert secret, "the battle has something to hide"
        for address, text in planted.all_pages(people.client(user), one).items():
            assert not planted.found_in(text, secret), address
    # The search finds what is there: the other side's own first page tells much of it.
    theirs = planted.hidden_names(seat(game, people.bert, "allied"))
    home = people.client(people.anna).get(f"/campaign/{game.pk}/axis/").content.decode()
    units = people.client(people.anna).get(f"/campaign/{game.pk}/axis/units").content.decode()
    assert planted.found_in(home + units, theirs)


@pytest.mark.once
def test_the_dice_seed_leaves_the_server_only_when_all_is_over(people: People, begin: Begin) -> None:
    game = begin()
    axis, allied = sides(game, people)
    umpire = seat(game, people.cleo, "umpire")
    # The owner; who sees both sides. What others get is searched in `test_authorisation`.
    for one, user in ((axis, people.anna), (umpire, people.cleo)):
        pages = planted.all_pages(people.client(user), one)
        for address, text in pages.items():
            assert not planted.found_in(text, planted.never(game)), (one.name, address)
    with look(axis) as table:
        dice = table.campaign.app_dice()
        assert not any(seen.entry.type == "seed" for seen in table.view.log)
        assert table.view.opening["dice"]["commitment"] == dice.commitment
    actions.propose_draw(axis)
    actions.answer_draw(allied, True)
    with look(allied) as table:
        shown = [seen.entry.body for seen in table.view.log if seen.entry.type == "revealed"]
    assert len(shown) == 1
    assert SeededDice.verify(bytes.fromhex(shown[0]["seed"]), dice.commitment)


def test_secret_answers_are_not_in_the_others_log_nor_counted_in_it(people: People, buying: Game) -> None:
    axis, allied = sides(buying, people)
    watching = add_spectator(buying, people.dora)

    def told(one: Seat) -> Any:
        with look(one) as table:
            log = [(line.number, line.text, line.entry.at) for line in table.log]
            return log, table.tag, table.view.version, [n.id for n in feed.items(one)]

    before = {one.name: told(one) for one in (allied, watching)}
    buy(axis, "I3")
    for one in (allied, watching):
        log, tag, version, items = told(one)
        was = before[one.name]
        assert (log, version, items) == (was[0], was[2], was[3])
        if one is allied:
            assert tag == was[1]
    with look(axis) as table:
        assert "I3" in json.dumps([seen.entry.body for seen in table.view.log])
    with look(allied) as table:
        numbers = [seen.number for seen in table.view.log]
        assert numbers == list(range(1, len(numbers) + 1))
        hidden = [e for e in table.campaign.entries if e.to is not None and "allied" not in e.to]
        assert not {id(entry) for entry in hidden} & {id(seen.entry) for seen in table.view.log}


# Dice ---------------------------------------------------------------------------------------------


def rolls(one: Seat) -> list[dict[str, Any]]:
    """Return all rolls of a campaign, also those that were taken back."""
    with look(one) as table:
        return [entry.body for entry in table.campaign.entries if entry.type == "roll"]


def test_a_roll_taken_back_is_rolled_with_other_dice(people: People, begin: Begin) -> None:
    """What was taken back is known to all: it must say nothing of the dice that come instead."""
    game = begin()
    axis, allied = both = sides(game, people)
    before = len(rolls(axis))
    while len(rolls(axis)) == before:
        assert take_defaults(list(both), 1)
    clients = people.client(people.anna), people.client(people.bert)
    known: list[tuple[str, int]] = [(one["stream"], one["number"]) for one in rolls(axis)]
    faces = []
    for _ in range(6):
        last = rolls(axis)[-1]
        wish(clients[0], axis, "take-back")
        wish(clients[1], allied, "consent", agree="yes")
        count = len(rolls(axis))
        while len(rolls(axis)) == count:
            assert take_defaults(list(both), 1)
        new = rolls(axis)[count:]
        assert new[0]["label"], "a roll is asked again"
        places = [(one["stream"], one["number"]) for one in new]
        assert not set(places) & set(known), "no place in the dice is used twice"
        known += places
        faces.append((last["faces"], new[-1]["faces"]))
    assert any(was != now for was, now in faces)
    wish(clients[0], axis, "bring-back", expect=404)


def test_bringing_back_gives_the_old_roll_and_no_new_one(people: People, begin: Begin) -> None:
    game = begin()
    axis, allied = both = sides(game, people)
    while not rolls(axis):
        assert take_defaults(list(both), 1)
    before = rolls(axis)
    wish(people.client(people.anna), axis, "take-back")
    wish(people.client(people.bert), allied, "consent", agree="yes")
    wish(people.client(people.anna), axis, "bring-back")
    assert rolls(axis) == before


def wish(client: Client, one: Seat, what: str, expect: int = 302, **data: str) -> str:
    """Send a wish to change something that has happened; return the page."""
    answer = client.post(f"/campaign/{one.game.pk}/{one.name}/changing/{what}/", data)
    assert answer.status_code == expect, answer.content.decode()[-500:]
    return answer.content.decode()


# Refusals -----------------------------------------------------------------------------------------

NONSENSE: tuple[dict[str, Any], ...] = (
    {"do": "give", "view": "text", "text": "certainly not"},
    {"do": "give", forms.ROOT: "certainly not"},
    {"do": "give", "view": "text", "text": "nonsense: [1"},
    {"do": "give", "view": "text", "text": "[[[[9999999]]]]"},
    {"do": "give", "faces": "7 7 7"},
    {"do": "give"},
)


def alarm(page: str) -> str:
    """Return what a page says in its alert; "" if it has none, or an empty one."""
    found = re.search(r'role="alert"[^>]*>(.*?)</div>', page, re.S)
    return re.sub(r"<[^>]+>|\s+", " ", found[1]).strip() if found else ""


@pytest.mark.parametrize("card", CARDS)
def test_no_answer_is_refused_without_a_word(card: str, people: People, begin: Begin) -> None:
    game = begin(card)
    both = sides(game, people)
    users = {"axis": people.anna, "allied": people.bert}
    refused = 0
    for _ in range(8):
        one, mark = asked_first(both)
        client = people.client(users[one.name])
        address = reverse("ask", args=[game.pk, one.name, mark])
        for sent in NONSENSE:
            before = EntryLine.objects.filter(game=game).count()
            answer = client.post(address, sent)
            if answer.status_code == 302:
                break
            assert EntryLine.objects.filter(game=game).count() == before
            if answer.status_code == 200:
                # Nothing was given, which would close something for good: asked once more.
                assert 'id="sure"' in answer.content.decode()
                continue
            assert 400 <= answer.status_code < 500, (sent, answer.status_code)
            assert len(alarm(answer.content.decode())) > 15, (sent, answer.content.decode())
            refused += 1
        take_defaults(list(both), 1)
        late = client.post(address, {"do": "give"})
        assert late.status_code == 409
        assert "no longer asked" in alarm(late.content.decode())
    assert refused >= 8


def asked_first(both: tuple[Seat, ...]) -> tuple[Seat, str]:
    """Return who is asked first, and the mark of the question."""
    for one in both:
        with look(one) as table:
            if table.asked:
                return one, table.asked[0].mark
    raise AssertionError("nothing is asked")


# Endings ------------------------------------------------------------------------------------------


def over(game: Game, people: People) -> bool:
    with look(seat(game, people.anna, "axis")) as table:
        return not table.view.waiting_for


def test_no_player_ends_a_campaign_alone(people: People, begin: Begin) -> None:
    """Anna also owns the campaign; neither that nor any page lets her end it but by conceding."""
    game = begin()
    axis, allied = sides(game, people)
    anna, bert = people.client(people.anna), people.client(people.bert)
    wish(anna, axis, "draw")
    assert "consent" in alarm(wish(anna, axis, "answer-draw", 403, agree="yes")) or not over(game, people)
    assert alarm(wish(anna, axis, "draw", 409))
    for name in ("allied", "umpire", "spectator"):
        address = f"/campaign/{game.pk}/{name}/changing/"
        for what, data in (("answer-draw", {"agree": "yes"}), ("concede", {"sure": "yes"})):
            assert anna.post(f"{address}{what}/", data).status_code == 404
    assert not over(game, people)
    wish(bert, allied, "answer-draw", agree="no")
    assert not over(game, people)
    # Laying it away ends nothing: it is taken out again, and stands as it stood.
    for archived in ("yes", "no"):
        answer = anna.post(f"/campaign/{game.pk}/axis/people/archive/", {"archive": archived})
        assert answer.status_code == 302
    assert not over(game, people)
    # Who concedes gives up, and wins nothing.
    wish(anna, axis, "concede", sure="yes")
    assert over(game, people)
    with look(allied) as table:
        last = [seen.entry for seen in table.view.log if seen.entry.type == "declared"][-1]
    assert "axis" in json.dumps(last.body["fact"])
    lines = EntryLine.objects.filter(game=game).count()
    assert alarm(wish(bert, allied, "concede", 409, sure="yes"))
    assert EntryLine.objects.filter(game=game).count() == lines


def test_no_page_deletes_a_campaign(people: People, begin: Begin) -> None:
    """Of all addresses of the site none is left with which its owner could make it disappear."""
    game = begin()
    anna = people.client(people.anna)
    for address in addresses(game, "axis"):
        anna.post(address, {"sure": "yes", "agree": "yes", "archive": "no", "to": "1"})
        anna.delete(address)
    game.refresh_from_db()
    assert EntryLine.objects.filter(game=game).count() == game.length > 0


# Strangers ----------------------------------------------------------------------------------------


PART = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>")


def routes(found: list[Any], before: str = "") -> Iterator[str]:
    """Yield all routes of the site."""
    for one in found:
        if isinstance(one, URLResolver):
            yield from routes(one.url_patterns, before + str(one.pattern))
        elif isinstance(one, URLPattern):
            yield before + str(one.pattern)


def addresses(game: Game, name: str) -> list[str]:
    """Return all addresses that name a campaign, for a seat at it."""
    values = {"seat": name, "name": "C5", "number": "1", "pk": "1", "mark": "a" * 32}

    def filled(part: re.Match[str]) -> str:
        if part["kind"] == "uuid":
            return str(game.pk)
        return values.get(part["name"], "1" if part["kind"] == "int" else "x")

    found = [
        "/" + PART.sub(filled, route)
        for route in routes(get_resolver().url_patterns)
        if "<uuid:" in route and not route.startswith("admin/")
    ]
    assert len(found) > 25
    return found


def test_strangers_see_nothing_of_a_campaign(people: People, begin: Begin) -> None:
    game = begin(title="Unmistakable title")
    buy_or_answer = take_defaults(list(sides(game, people)), 3)
    assert buy_or_answer
    anonymous, outsider = people.client(None), people.client(people.dora)
    before = EntryLine.objects.filter(game=game).count()
    for address in [*addresses(game, "axis"), *addresses(game, "umpire"), "/"]:
        for send in (anonymous.get, anonymous.post, anonymous.head, anonymous.delete):
            answer = send(address)
            assert answer.status_code in {302, 401, 403, 404, 405}, (address, answer.status_code)
            if answer.status_code == 302:
                assert answer.headers["Location"].startswith("/login/")
            text = b"".join(answer) if answer.streaming else answer.content
            assert b"Unmistakable" not in text
        if address.startswith(("/campaign/", "/api/")):
            answer = outsider.get(address)
            assert answer.status_code in {401, 404, 405}, (address, answer.status_code)
            assert b"Unmistakable" not in answer.content
    assert EntryLine.objects.filter(game=game).count() == before
    # A campaign that there is and one that there is not look the same to them.
    there, nowhere = (reverse("table", args=[game.pk, "axis"]), reverse("table", args=[OTHER, "axis"]))
    for client in (anonymous, outsider):
        pages = [client.get(address) for address in (there, nowhere)]
        assert pages[0].status_code == pages[1].status_code
        assert untokened(pages[0].content) == untokened(pages[1].content)


OTHER = "00000000-0000-4000-8000-000000000000"
