"""Taking back by consent, bringing back, draws and conceding, by their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from laager.web.campaigns import actions
from laager.web.campaigns.tables import look
from laager.web.models import EntryLine, Member, Role
from tests.web.conftest import add_spectator, seat, take_defaults

if TYPE_CHECKING:
    from django.test import Client

    from laager.web.models import Game
    from tests.web.conftest import Begin, People


@pytest.fixture
def game(people: People, begin: Begin) -> Game:
    made = begin()
    both = [seat(made, people.anna, "axis"), seat(made, people.bert, "allied")]
    assert take_defaults(both, until="purchases")
    return made


def kinds(game: Game) -> list[str]:
    """Return the kinds of the last entries."""
    lines = EntryLine.objects.filter(game=game).order_by("-number").values_list("line", flat=True)
    return [line.split('"type":"')[1].split('"')[0] for line in lines[:3]]


def do(client: Client, game: Game, side: str, what: str, **data: str) -> int:
    """Send a wish; return the status of the answer."""
    return client.post(f"/campaign/{game.pk}/{side}/changing/{what}/", data).status_code


def table_of(client: Client, game: Game, side: str) -> str:
    return client.get(f"/campaign/{game.pk}/{side}/").content.decode()


def test_a_sealed_answer_is_taken_back_with_one_click(people: People, begin: Begin, anna: Client, bert: Client) -> None:
    made = begin()
    axis = seat(made, people.anna, "axis")
    with look(axis) as table:
        one = table.asked[0]
        mark, key, default = one.mark, one.pending.key, one.need_question().default
    assert "Take it back" not in table_of(anna, made, "axis")
    actions.answer(axis, mark, default)
    assert "Take it back" in table_of(anna, made, "axis")
    assert "Take it back" not in table_of(bert, made, "allied")
    assert do(anna, made, "axis", "take-back") == 302
    assert kinds(made)[0] == "undo"
    with look(axis) as table:
        assert [asked.pending.key for asked in table.asked] == [key]
    assert "asked to take back" not in table_of(bert, made, "allied")


def test_taking_back_needs_the_other_side(game: Game, anna: Client, bert: Client) -> None:
    assert do(anna, game, "axis", "take-back") == 302
    assert kinds(game)[0] == "undo-asked"
    assert "(Germans): take back" in table_of(bert, game, "allied")
    assert "You asked to take back" in table_of(anna, game, "axis")
    # Nobody agrees to his own wish.
    assert do(anna, game, "axis", "consent", agree="yes") == 403
    assert do(bert, game, "allied", "consent") == 422
    assert do(bert, game, "allied", "consent", agree="yes") == 302
    assert kinds(game)[0] == "undo"


def test_bringing_back_needs_the_other_side_too(game: Game, anna: Client, bert: Client) -> None:
    assert do(anna, game, "axis", "take-back") == 302
    assert do(bert, game, "allied", "consent", agree="yes") == 302
    assert do(bert, game, "allied", "bring-back") == 302
    assert kinds(game)[0] == "redo-asked"
    assert "(Soviets): bring back" in table_of(anna, game, "axis")
    assert "would come back, from" in table_of(anna, game, "axis")
    assert do(bert, game, "allied", "consent-redo", agree="yes") == 403
    assert do(anna, game, "axis", "consent-redo", agree="yes") == 302
    assert kinds(game)[0] == "redo"


def test_a_request_says_what_would_go(game: Game, anna: Client, bert: Client) -> None:
    assert do(anna, game, "axis", "take-back") == 302
    for client, side in ((anna, "axis"), (bert, "allied")):
        page = table_of(client, game, side)
        assert "entries would go, from" in page or "Nothing that you can see would go" in page
    assert do(anna, game, "axis", "take-back") == 409
    assert do(anna, game, "axis", "consent", agree="no") == 302
    assert "asks to take back" not in table_of(bert, game, "allied").split('id="news"')[0]


def test_nobody_agrees_to_a_request_that_he_has_not_seen(game: Game, anna: Client, bert: Client) -> None:
    assert do(anna, game, "axis", "take-back") == 302
    page = table_of(bert, game, "allied")
    request = page.split('name="request" value="')[1].split('"')[0]
    assert do(anna, game, "axis", "consent", agree="no") == 302
    assert do(anna, game, "axis", "take-back", to="2") == 302
    assert do(bert, game, "allied", "consent", agree="yes", request=request) == 409
    assert kinds(game)[0] == "undo-asked"
    assert do(bert, game, "allied", "consent", agree="yes", request="x") == 422


@pytest.mark.parametrize("what", ["take-back", "draw"])
def test_who_was_refused_finds_it_on_the_table_until_he_goes_on(
    what: str, game: Game, anna: Client, bert: Client
) -> None:
    assert do(anna, game, "axis", what) == 302
    answer = {"take-back": "consent", "draw": "answer-draw"}[what]
    assert do(bert, game, "allied", answer, agree="no") == 302
    assert "Soviets refused" in table_of(anna, game, "axis")
    assert "Soviets refused" not in table_of(bert, game, "allied")
    assert do(anna, game, "axis", "draw") == 302
    assert "Soviets refused" not in table_of(anna, game, "axis")


@pytest.mark.parametrize(
    ("what", "answer", "more", "asks", "refused"),
    [
        ("draw", "answer-draw", {}, "You proposed a draw", "No draw"),
        (
            "patience",
            "answer-patience",
            {"patience-days": "7", "patience-then": "sensible"},
            "You asked for other terms",
            "stay as",
        ),
        ("settle", "settle", {"agree": "yes"}, "You would let the model settle", "The battle is to be played"),
    ],
)
def test_who_asks_reads_what_he_asked_and_can_withdraw_it(
    what: str, answer: str, more: dict[str, str], asks: str, refused: str,
    people: People, game: Game, anna: Client, bert: Client,
) -> None:  # fmt: skip
    assert take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], until="battle-report")
    assert do(anna, game, "axis", what, **more) == 302
    assert asks in table_of(anna, game, "axis")
    assert do(anna, game, "axis", answer, agree="withdraw") == 302
    page = table_of(anna, game, "axis")
    assert "It is withdrawn." in page
    assert asks not in page
    assert do(anna, game, "axis", what, **more) == 302
    assert do(bert, game, "allied", answer, agree="no") == 302
    assert refused in table_of(anna, game, "axis")


def test_once_both_would_settle_the_battle_their_reports_are_filled_in(
    people: People, game: Game, anna: Client, bert: Client
) -> None:
    assert take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], until="battle-report")
    assert do(anna, game, "axis", "settle", agree="yes") == 302
    assert "The model has settled" not in table_of(anna, game, "axis")
    assert do(bert, game, "allied", "settle", agree="yes") == 302
    assert "The model has settled the battle: look at your report" in table_of(bert, game, "allied")


def test_taking_back_can_be_refused(game: Game, anna: Client, bert: Client) -> None:
    with look(seat(game, Member.objects.get(game=game, side="axis").user, "axis")) as table:
        number = next(seen.number for seen in table.view.log if seen.entry.type == "answer")
    page = anna.get(f"/campaign/{game.pk}/axis/changing/").content.decode()
    assert f'<option value="{number}">' in page
    assert do(anna, game, "axis", "take-back", to=str(number)) == 302
    assert f"take back to entry {number}" in table_of(bert, game, "allied")
    assert do(bert, game, "allied", "consent", agree="no") == 302
    assert kinds(game)[0] == "undo-refused"
    assert do(bert, game, "allied", "consent", agree="yes") == 409


@pytest.mark.parametrize("to", ["0", "99999", "x", "-3", "9" * 12])
def test_there_must_be_something_to_take_back_to(to: str, game: Game, anna: Client) -> None:
    length = EntryLine.objects.count()
    assert do(anna, game, "axis", "take-back", to=to) in {404, 409, 422}
    assert EntryLine.objects.count() == length


def test_a_draw_needs_both(game: Game, anna: Client, bert: Client) -> None:
    assert do(bert, game, "allied", "answer-draw", agree="yes") == 409
    assert do(anna, game, "axis", "draw") == 302
    assert do(anna, game, "axis", "draw") == 409
    assert do(anna, game, "axis", "answer-draw", agree="yes") == 403
    assert "(Germans): a draw" in table_of(bert, game, "allied")
    assert do(bert, game, "allied", "answer-draw", agree="no") == 302
    assert "The campaign is over" not in table_of(bert, game, "allied")
    assert do(bert, game, "allied", "draw") == 302
    assert do(anna, game, "axis", "answer-draw", agree="yes") == 302
    assert "The campaign is over" in table_of(bert, game, "allied")


def test_conceding_must_be_meant(game: Game, anna: Client, bert: Client) -> None:
    assert do(anna, game, "axis", "concede") == 422
    assert "The campaign is over" not in table_of(bert, game, "allied")
    assert do(anna, game, "axis", "concede", sure="yes") == 302
    assert "The campaign is over" in table_of(bert, game, "allied")
    assert do(bert, game, "allied", "concede", sure="yes") == 409


WISHES = ("take-back", "consent", "bring-back", "draw", "answer-draw", "concede")


@pytest.mark.parametrize("what", WISHES)
def test_who_only_looks_on_changes_nothing(what: str, people: People, game: Game) -> None:
    add_spectator(game, people.dora)
    Member.objects.create(game=game, user=people.dora, role=Role.MATE, side="axis")
    length = EntryLine.objects.count()
    data = {"agree": "yes", "sure": "yes"}
    for side in ("spectator", "axis", "allied"):
        status = do(people.client(people.dora), game, side, what, **data)
        assert status == (404 if side == "allied" else 403)
    assert do(people.client(None), game, "axis", what, **data) == 302
    if what not in {"take-back", "bring-back"}:
        assert do(people.client(people.cleo), game, "umpire", what, **data) == 403
    assert people.client(people.anna).get(
        f"/campaign/{game.pk}/axis/changing/{what}/"
    ).status_code == 405  # fmt: skip
    assert EntryLine.objects.count() == length


def test_the_umpire_takes_back_alone(people: People, game: Game) -> None:
    with look(seat(game, people.cleo, "umpire")) as table:
        number = next(seen.number for seen in table.view.log if seen.entry.type == "answer")
    cleo = people.client(people.cleo)
    assert do(cleo, game, "umpire", "take-back", to=str(number)) == 302
    assert kinds(game)[0] != "undo-asked"
    assert "taken back to" in table_of(cleo, game, "umpire")
