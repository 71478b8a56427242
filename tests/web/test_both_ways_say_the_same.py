"""Two ways lead to an answer, Django's and the short one: the same rules refuse it, and the same goes with it."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from laager.base import Refusal, RefusedError
from laager.dice import SeededDice
from laager.web.campaigns import actions, changes, los, notebook, progress
from laager.web.campaigns.tables import look
from laager.web.models import Draft, EntryLine, Game, Member, Note, Throttle
from laager.web.play.short_way import batch, rows
from laager.web.shared import throttle, tokens
from laager.web.shared.http import STATUS_OF
from tests.web.api import short_way
from tests.web.conftest import add_spectator, seat, take_defaults
from tests.web.test_short_way import by_django, first_asked, sound

if TYPE_CHECKING:
    from collections.abc import Callable

    from laager.web.seats.permissions import Seat
    from tests.web.conftest import Begin, People

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]

WAYS: dict[str, Callable[..., Any]] = {"short": short_way, "long": by_django}


def path_of(one: Seat, mark: str) -> str:
    return f"/api/v1/campaigns/{one.game.pk}/{one.name}/asked/{mark}/answer"


@pytest.fixture(autouse=True)
def _same_dice(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Campaigns have the same dice and numbers, and nobody here writes too much."""
    monkeypatch.setattr(SeededDice, "fresh", staticmethod(lambda: SeededDice(b"s" * 32)))
    settings.CONFIG = settings.CONFIG.model_copy(update={"writes_a_minute": 100_000})


# What is refused ----------------------------------------------------------------------------------


def archive(game: Game, people: People) -> None:
    Game.objects.filter(pk=game.pk).update(archived=True)


def free_seat(game: Game, people: People) -> None:
    Member.objects.filter(game=game, user=people.anna).delete()


def make_mate(game: Game, people: People) -> None:
    Member.objects.filter(game=game, user=people.anna).update(role="mate")


def go_on(game: Game, people: People) -> None:
    take_defaults([seat(game, people.anna, "axis")], 1)


def end(game: Game, people: People) -> None:
    actions.concede(seat(game, people.bert, "allied"))


def write_too_much(game: Game, people: People) -> None:
    throttle.add(f"write:{people.anna.pk}", rows.current_window(), 100_000)


REFUSED: dict[str, tuple[Callable[[Game, People], None], int]] = {
    "in the archive": (archive, 409),
    "the seat is gone": (free_seat, 404),
    "a mate only prepares": (make_mate, 403),
    "it is no longer asked": (go_on, 409),
    "the campaign is over": (end, 409),
    "written too much": (write_too_much, 429),
}


def send(way: str, one: Seat, mark: str, value: Any, key: str) -> Any:
    return WAYS[way]("POST", path_of(one, mark), json.dumps({"answer": value}), key)


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_one_way_is_refused_the_other(what: str, people: People, begin: Begin) -> None:
    """The short way has nothing to say then, and Django says it; nothing has changed."""
    spoil, status = REFUSED[what]
    game = begin()
    axis, key = seat(game, people.anna, "axis"), tokens.make(people.anna, "test")
    mark, value = first_asked(axis)
    spoil(game, people)
    before = list(EntryLine.objects.filter(game=game).values_list("line", flat=True))
    assert send("short", axis, mark, value, key) is None
    assert send("long", axis, mark, value, key).status_code == status
    assert list(EntryLine.objects.filter(game=game).values_list("line", flat=True)) == before


@pytest.mark.parametrize("who", ["umpire", "spectator", "the other side"])
def test_only_the_side_that_is_asked_answers(who: str, people: People, begin: Begin) -> None:
    game = begin()
    axis = seat(game, people.anna, "axis")
    mark, value = first_asked(axis)
    one, user = {
        "umpire": (seat(game, people.cleo, "umpire"), people.cleo),
        "spectator": (add_spectator(game, people.dora), people.dora),
        "the other side": (seat(game, people.bert, "allied"), people.bert),
    }[who]
    key = tokens.make(user, "test")
    assert send("short", one, mark, value, key) is None
    assert send("long", one, mark, value, key).status_code in (403, 409)
    assert sum(entry.type == "answer" for entry in sound(game).entries) == 0


def test_every_answer_that_a_question_refuses_is_refused_both_ways(people: People, begin: Begin) -> None:
    """Of each question of a campaign, with all that no form takes."""
    game = begin()
    keys = {name: tokens.make(user, "test") for name, user in (("axis", people.anna), ("allied", people.bert))}
    both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    for _ in range(12):
        for one in both:
            with look(one) as table:
                asked = [found.mark for found in table.asked if found.pending.question is not None]
            for mark in asked[:1]:
                value: Any
                for value in ("nonsense", [[[]]], {"no": "such"}, -1, None):
                    long = send("long", one, mark, value, keys[one.name])
                    if long.status_code == 422:
                        assert send("short", one, mark, value, keys[one.name]) is None, value
                    else:
                        break
        if not take_defaults(both, 1):
            break
    sound(game)


def test_a_rule_that_is_new_holds_both_ways(people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    real = changes.check_may_change

    def no_titles(one: Seat, *more: Any) -> None:
        real(one, *more)
        if one.game.title == "refused":
            raise RefusedError(Refusal.OVER, "this title plays no more")

    for module in (changes, actions):
        monkeypatch.setattr(module, "check_may_change", no_titles)
    key = tokens.make(people.anna, "test")
    for title, statuses in (("refused", (None, 409)), ("taken", (200, 409))):
        axis = seat(begin(title=title), people.anna, "axis")
        mark, value = first_asked(axis)
        got = send("short", axis, mark, value, key), send("long", axis, mark, value, key)
        assert tuple(one and one.status_code for one in got) == statuses


# What goes with it --------------------------------------------------------------------------------


def play(way: str, people: People, begin: Begin, most: int = 1000, **options: Any) -> dict[str, Any]:
    """Play a campaign to its end, or for a while, with the proposals, and return all that is stored and told of it."""
    game = begin(**options)
    keys = {name: tokens.make(user, "test") for name, user in (("axis", people.anna), ("allied", people.bert))}
    both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    take_defaults(both, 8)
    with look(both[0]) as table:
        own = next(seen for seen in reversed(table.view.log) if seen.entry.type == "answer")
        note = notebook.write(both[0], notebook.find_subject(table, f"entry {own.number}"), "remember this")
    Member.objects.filter(game=game).update(mail_due=None, untold={}, noticed=[])
    mails, taken = list[Any](), 0
    for _ in range(most):
        with look(both[0]) as table:
            if table.campaign.over:
                break
            one = next(one for one in both if one.name in table.view.waiting_for)
        with look(one) as table:
            asked = table.asked[0]
        if asked.pending.question is None:
            dice = (
                path_of(one, asked.mark).replace("/answer", "/dice"),
                json.dumps({"faces": [3] * asked.need_roll().dice.count}),
            )
            assert short_way("POST", *dice, keys[one.name]) is None
            assert by_django("POST", *dice, keys[one.name]).status_code == 200
            continue
        answer = send(way, one, asked.mark, value := asked.pending.question.default, keys[one.name])
        taken += answer is not None
        if answer is None:
            # What needs LOS, Django looks up.
            answer = send("long", one, asked.mark, value, keys[one.name])
        assert answer.status_code == 200
        due = Member.objects.filter(game=game).order_by("pk")
        mails.append([(member.seat, member.mail_due is not None, len(member.noticed)) for member in due])
    note.refresh_from_db()
    entries = [(entry.type, entry.body, entry.to) for entry in sound(game).entries]
    written = sum(Throttle.objects.filter(what=f"write:{people.anna.pk}").values_list("count", flat=True))
    Throttle.objects.all().delete()
    return {
        "log": json.loads(json.dumps(entries[1:], default=str)),
        "mails": mails,
        "note": (note.about, note.text),
        "written": written,
        "taken": taken,
    }


def test_a_whole_campaign_is_the_same_both_ways(people: People, begin: Begin) -> None:
    short, long = (play(way, people, begin) for way in ("short", "long"))
    assert short.pop("taken") > 10
    long.pop("taken")
    assert short == long
    assert Note.objects.count() == 2
    assert any(due for seats in short["mails"] for _, due, _ in seats)


def test_what_needs_more_than_memory_is_left_to_django(
    people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draft, whose dice go with the answer; lines of sight, which take long."""
    key = tokens.make(people.anna, "test")
    axis = seat(begin(), people.anna, "axis")
    mark, value = first_asked(axis)
    Draft.objects.create(game=axis.game, seat="axis", asked=mark, value=value)
    assert send("short", axis, mark, value, key) is None
    Draft.objects.all().delete()
    with monkeypatch.context() as patch:
        patch.setattr(los, "needed_los", lambda *_: "lines")
        assert send("short", axis, mark, value, key) is None
    assert send("short", axis, mark, value, key).status_code == 200


# Several answers at once, and dice -----------------------------------------------------------------


@pytest.mark.parametrize("what", [what for what in REFUSED if what != "written too much"])
def test_what_is_refused_of_one_answer_is_refused_of_several_and_of_dice(
    what: str, people: People, begin: Begin
) -> None:
    spoil, status = REFUSED[what]
    for entered in (False, True):
        game = begin(entered_dice=entered)
        axis = seat(game, people.anna, "axis")
        mark, value = first_asked(axis) if not entered else (first_roll(game, people), None)
        spoil(game, people)
        before = list(EntryLine.objects.filter(game=game).values_list("line", flat=True))
        act = partial(enter_faces, mark) if entered else partial(answer_several, {mark: value})
        with pytest.raises(RefusedError) as caught:
            act(game, people)
        assert STATUS_OF[caught.value.code] == status
        assert list(EntryLine.objects.filter(game=game).values_list("line", flat=True)) == before


def enter_faces(mark: str, game: Game, people: People) -> None:
    actions.enter_dice(seat(game, people.anna, "axis"), mark, [3, 4])


def answer_several(raws: dict[str, Any], game: Game, people: People) -> None:
    actions.answer_all(seat(game, people.anna, "axis"), raws)


def first_roll(game: Game, people: People) -> str:
    """Play until the axis' side rolls dice; return the mark."""
    both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    while True:
        with look(both[0]) as table:
            if table.asked and table.asked[0].pending.roll:
                return table.asked[0].mark
        assert take_defaults(both, 1)


def test_several_answers_at_once_leave_the_same_as_one_after_the_other(people: People, begin: Begin) -> None:
    def play_on(at_once: bool) -> tuple[Any, ...]:
        game = begin("kokusa-ridge")
        key, several = tokens.make(people.anna, "test"), 0
        both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
        while several < 2:
            for one in both:
                with look(one) as table:
                    asked = {one.mark: one.need_question().default for one in progress.on_one_page(table)}
                if one is both[0] and asked:
                    several += 1
                    if at_once:
                        actions.answer_all(one, asked)
                        continue
                    for _answer in asked:
                        mark, value = first_asked(one)
                        assert send("short", one, mark, value, key).status_code == 200
                else:
                    take_defaults([one], 1)
        due = Member.objects.filter(game=game).order_by("pk")
        mails = [(member.seat, member.mail_due is not None, len(member.noticed)) for member in due]
        return several, mails, [(entry.type, entry.body, entry.to) for entry in sound(game).entries[1:]]

    at_once, one_by_one = play_on(True), play_on(False)
    assert at_once[0] > 1
    assert at_once == one_by_one


def test_dice_that_are_entered_leave_the_same_both_ways(people: People, begin: Begin) -> None:
    """Answers go the short way, dice only Django's."""
    short, long = (play(way, people, begin, most=20, entered_dice=True) for way in ("short", "long"))
    assert short.pop("taken") > 5
    long.pop("taken")
    assert short == long
    assert any(kind == "roll" and body["source"] == "entered" for kind, body, _to in short["log"])


# Where the rules stand ----------------------------------------------------------------------------


def nodes(thing: Any) -> list[ast.AST]:
    return list(ast.walk(ast.parse(textwrap.dedent(inspect.getsource(thing)))))


@pytest.mark.parametrize("way", [actions.answer, actions.answer_with_los, actions._storing, actions._changing])
def test_django_s_way_has_no_rule_of_its_own(way: Any) -> None:
    """A rule belongs into `changes`, where it holds for both ways."""
    assert not [node for node in nodes(way) if isinstance(node, ast.Raise | ast.If | ast.Assert)]


def test_the_short_way_refuses_nothing_and_answers_through_changes_alone() -> None:
    found = nodes(batch)
    names = {node.name for node in found if isinstance(node, ast.alias)}
    assert not names & {"Refusal", "RefusedError", "Action", "Notifier", "notebook", "los", "notices"}
    calls = [node.func for node in found if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    answered = [ast.unparse(one) for one in calls if one.attr in {"answer", "answer_all"}]
    assert answered == ["applied.answer"]
    assert "archived" not in inspect.getsource(batch)
