"""Every question of every rule system is answered through its form, as a browser would."""

from __future__ import annotations

import json
import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.db import OperationalError

from laager.base import RefusedError
from laager.campaign.forms import Rows
from laager.catalogue.dyo.write import to_yaml
from laager.rules.design_your_own.files import DraftTerms as Terms
from laager.rules.design_your_own.files import draft_data
from laager.web.campaigns import actions, drafts
from laager.web.campaigns.tables import look
from laager.web.models import Draft, EntryLine, Member, Note, Role
from laager.web.play.asking import checks
from laager.web.shared.forms import data as forms
from tests.cli.test_dyo_from_nothing import TYPED
from tests.web.conftest import add_spectator, seat, take_defaults
from tests.web.typing_in import ask_form

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from django.test import Client

    from laager.campaign.questions import Question
    from laager.web.campaigns.tables import Asked
    from laager.web.models import Game, Player
    from tests.web.conftest import Begin, Desk, People

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge", "sorgiva", "vistula")
SECRET = "plantedword"


def asked_of(game: Game, user: Player, side: str) -> Asked | None:
    """Return what a side is asked first."""
    with look(seat(game, user, side)) as table:
        return table.asked[0] if table.asked else None


def address_of(game: Game, side: str, asked: Asked, page: str = "ask") -> str:
    """Return the address of a question's page."""
    return f"/campaign/{game.pk}/{side}/{page}/{asked.mark}/"


def question_of(asked: Asked | None) -> Question:
    """Return the question that is asked."""
    assert asked is not None
    assert asked.pending.question is not None
    return asked.pending.question


def typed(client: Client, address: str, asked: Asked, value: Any) -> dict[str, list[str]]:
    """Return what a browser sends for an answer: it is put into the form, and read from there."""
    data = forms.data_of(question_of(asked).form, value) | {"do": ["save"]}
    page = client.post(address, data)
    assert page.status_code == 200, page.content.decode()[:2000]
    return ask_form(page.content).data


class Sitting:
    """Two players at their browsers, who answer whatever they are asked."""

    def __init__(self, people: People, game: Game, rng: Random) -> None:
        self.game, self.rng = game, rng
        self.users = {"axis": people.anna, "allied": people.bert}
        self.clients = {side: people.client(user) for side, user in self.users.items()}
        self.keys: list[str] = []

    def asked(self) -> tuple[str, Asked] | None:
        """Return what one of the sides is asked."""
        found = [(side, one) for side, u in self.users.items() if (one := asked_of(self.game, u, side))]
        return self.rng.choice(found) if found else None

    def answer(self, choose: Callable[[Question], Any]) -> bool:
        """Answer one question through its page; False if nothing is asked any more."""
        found = self.asked()
        if found is None:
            return False
        side, asked = found
        client, address = self.clients[side], address_of(self.game, side, asked)
        if asked.pending.question is None:
            done = client.post(address, {"do": "roll"})
        else:
            question = question_of(asked)
            value = choose(question)
            if question.key in self.keys:
                data = forms.data_of(question.form, value)
            else:
                # The first time the page is read as a browser reads it.
                data = typed(client, address, asked, value)
                read = forms.value_of(question.form, data)
                assert question.accept(read) == question.accept(value)
            self.keys.append(question.key)
            agreed = {"do": ["sure"], "sure-of": [question.warning(value)]}
            done = client.post(address, data | agreed)
        assert done.status_code == 302, done.content.decode()[:3000]
        return True


@pytest.mark.parametrize("card", CARDS)
def test_campaigns_are_played_through_forms(card: str, people: People, begin: Begin) -> None:
    rng = Random(4)
    sitting = Sitting(people, begin(card), rng)
    for _ in range(12):
        if not sitting.answer(lambda question: question.sample(rng)):
            break
    assert len(set(sitting.keys)) > 3


def from_nothing(people: People, folder: Path) -> Game:
    """Begin a purchase of Italians against British, of whom nearly nothing ships."""
    terms = Terms("desert", "1942-06", ("italian", "british"), (700, 600), weather="Clear")
    (folder / "desert.yaml").write_text(to_yaml(draft_data(terms)), encoding="utf-8")
    seats = {"axis": people.anna, "allied": people.bert}
    return actions.begin(people.anna, folder / "desert.yaml", "dyo", seats)


def test_a_purchase_without_a_catalogue_is_typed_into_the_forms(people: People, tmp_path: Path) -> None:
    sitting = Sitting(people, from_nothing(people, tmp_path), Random(4))
    for _ in range(80):
        found = sitting.asked()
        assert found is not None
        if found[1].pending.key == "open-roster":
            break
        sitting.answer(lambda question: TYPED.get(question.key, question.default))
    assert {key for key in TYPED if key.startswith("sections-")} <= set(sitting.keys)
    with look(seat(sitting.game, people.anna, "axis")) as table:
        ob = table.view.state.ob("axis")
    assert [(entry.type, entry.number) for entry in ob.infantry][:1] == [("3-4-6", 20)]


@pytest.mark.browser
def test_rows_of_a_section_are_added_in_the_browser(people: People, tmp_path: Path, desk: Callable[..., Desk]) -> None:
    game = from_nothing(people, tmp_path)
    found = asked_of(game, people.anna, "axis")
    assert found is not None
    one = desk(people.anna)
    one.go(address_of(game, "axis", found))
    page = one.page
    page.get_by_role("button", name="Add a line").click()
    page.locator('[name="a.squads.0.type"]').fill("3-4-6")
    page.locator('[name="a.squads.0.class"]').select_option("first-line")
    page.locator('[name="a.squads.0.bpv"]').fill("6")
    page.locator('[name="a.pf_range"]').fill("0")
    page.locator('button[value="give"]').click()
    page.get_by_text("What Infantry do you buy?").first.wait_for()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("card", CARDS)
def test_long_campaigns_are_played_through_forms(card: str, seed: int, people: People, begin: Begin) -> None:
    rng = Random(seed)
    sitting = Sitting(people, begin(card), rng)
    for _ in range(160):
        if not sitting.answer(lambda question: question.sample(rng)):
            break
    assert len(set(sitting.keys)) > 12


@pytest.mark.once
@pytest.mark.parametrize(
    "card", ["rzhavets", *(pytest.param(card, marks=pytest.mark.soak) for card in ("rijnoord", "kokusa-ridge"))]
)
def test_the_second_purchase_is_reached_through_forms(card: str, people: People, begin: Begin) -> None:
    sitting = Sitting(people, begin(card), Random(1))
    for _ in range(250):
        # Both buy for the first battle, fight it, report it, go through the refit, buy again.
        if sitting.keys.count("purchases") > 2:
            break
        assert sitting.answer(lambda question: question.default)
    assert sitting.keys.count("purchases") > 2
    reports = {"battle-report", "scenario-report"} & set(sitting.keys)
    assert reports


# What was typed is never lost ---------------------------------------------------------------------


def to_purchase(people: People, begin: Begin, key: str = "purchases", card: str = "rzhavets") -> Game:
    """Return a campaign in which both sides are asked what they buy."""
    game = begin(card)
    take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], until=key)
    return game


def the_cart(people: People, game: Game) -> tuple[Client, str, Asked]:
    asked = asked_of(game, people.anna, "axis")
    assert asked is not None
    assert question_of(asked).key == "purchases"
    return people.client(people.anna), address_of(game, "axis", asked), asked


DEAR: dict[str, list[str]] = {
    "a.groups": ["0", "4"],
    "a.groups.0.rg": ["A1"], "a.groups.0.setup": ["on-map"], "a.groups.0.count": ["3"],
    "a.groups.4.rg": ["I1"], "a.groups.4.setup": ["off-map"], "a.groups.4.count": ["drei"],
    "a.patrols": ["0"],
}  # fmt: skip


def test_a_refused_answer_stays_typed_with_its_problems(people: People, begin: Begin) -> None:
    client, address, _ = the_cart(people, to_purchase(people, begin))
    page = client.post(address, DEAR | {"do": ["give"]})
    assert page.status_code == 422
    text = page.content.decode()
    assert "Reinforcement groups, row 2 (I1" in text
    assert "groups[2].count" not in text
    assert "a whole number from 1 to 20" in text
    data = ask_form(text).data
    assert (data["a.groups.0.rg"], data["a.groups.1.count"]) == (["A1"], ["drei"])
    # It is kept for later, too.
    again = ask_form(client.get(address).content).data
    assert again["a.groups.1.count"] == ["drei"]
    back = client.post(address, {"do": "default"})
    assert back.status_code == 302
    assert ask_form(client.get(address).content).data.get("a.groups.1.count") != ["drei"]


def test_an_empty_cart_is_bought_only_by_who_is_sure(people: People, begin: Begin) -> None:
    game = to_purchase(people, begin)
    client, address, asked = the_cart(people, game)
    warning = "You buy nothing now. Your 22 CP are kept."
    assert warning not in client.get(address).content.decode(), "something is proposed"
    empty = forms.data_of(question_of(asked).form, {"groups": []})
    once = client.post(address, empty | {"do": ["give"]})
    page = once.content.decode()
    assert once.status_code == 200
    assert warning in page
    assert "Are you sure?" in page
    assert "Are you sure?" in client.post(address, empty | {"do": ["enter"]}).content.decode()
    bought = forms.data_of(question_of(asked).form, {"groups": [{"rg": "I1", "setup": "on-map", "count": 1}]})
    checked = client.post(address_of(game, "axis", asked, "check"), bought, headers={"HX-Request": "true"})
    assert "sure-of" not in checked.content.decode()
    # To be sure of something else is not enough.
    other = client.post(address, empty | {"do": ["sure"], "sure-of": ["You buy a tank."]})
    assert "Are you sure?" in other.content.decode()
    assert "Are you sure?" not in client.post(address, empty | {"do": ["save"]}).content.decode()
    # What is not legal is said before anybody is asked again.
    wrong = forms.data_of(question_of(asked).form, {"groups": [{"rg": "I9"}]})
    refused = client.post(address, wrong | {"do": ["give"]})
    assert refused.status_code == 422
    assert "Are you sure?" not in refused.content.decode()
    data = empty | {"do": ["give"], "sure-of": [warning]}
    assert client.post(address, data).status_code == 302


def test_a_cart_with_something_in_it_is_bought_at_once(people: People, begin: Begin) -> None:
    game = to_purchase(people, begin)
    client, address, asked = the_cart(people, game)
    row = {"rg": "I1", "setup": "on-map", "count": 1}
    data = forms.data_of(question_of(asked).form, {"groups": [row]})
    assert client.post(address, data | {"do": ["give"]}).status_code == 302


def test_the_page_says_that_points_are_lost_and_asks_twice(people: People, begin: Begin) -> None:
    game = to_purchase(people, begin, "fortifications", "kokusa-ridge")
    asked = asked_of(game, people.bert, "allied")
    assert asked is not None
    client, address = people.client(people.bert), address_of(game, "allied", asked)
    words = question_of(asked).warning({"works": []})
    assert re.fullmatch(r"You leave \d+ FPP unspent, and they are lost.", words)
    assert "FPP that you do not spend now are lost." in client.get(address).content.decode()
    empty = forms.data_of(question_of(asked).form, {"works": []})
    assert "Are you sure?" in client.post(address, empty | {"do": ["give"]}).content.decode()
    assert asked_of(game, people.bert, "allied") is not None


def test_checks_say_what_is_wrong_and_what_it_costs(people: People, begin: Begin) -> None:
    game = to_purchase(people, begin)
    client, address, asked = the_cart(people, game)
    check = address_of(game, "axis", asked, "check")
    wrong = client.post(check, DEAR, headers={"HX-Request": "true"}).content.decode()
    assert "f-a-groups-1-count" in wrong
    dear = DEAR | {"a.groups.4.count": ["1"]}
    told = client.post(check, dear, headers={"HX-Request": "true"}).content.decode()
    assert "You want" in told
    assert "CP, and you have" in told
    assert json.dumps({"groups[1]": 30, "groups[2]": 4}).replace('"', "&quot;") in told
    # Nothing was answered by it.
    assert client.get(address).status_code == 200


def test_rows_are_added_without_a_script(people: People, begin: Begin) -> None:
    client, address, _ = the_cart(people, to_purchase(people, begin))
    client.post(address, {"do": ["save"], "a.patrols": ["0"]})
    form = ask_form(client.get(address).content)
    more = next(one for one in form.buttons if one.endswith(":rg=I2&setup=on-map") and one.startswith("more:"))
    page = client.post(address, form.data | {"do": [more]})
    page = client.post(address, ask_form(page.content).data | {"do": [more]})
    data = ask_form(page.content).data
    assert (data["a.groups"], data["a.groups.0.rg"], data["a.groups.0.setup"]) == (["0"], ["I2"], ["on-map"])
    assert data["a.groups.0.count"] == ["2"]
    page = client.post(address, data | {"do": [more.replace("more:", "less:")]})
    data = ask_form(page.content).data
    assert data["a.groups.0.count"] == ["1"]
    page = client.post(address, data | {"do": ["copy:groups/0"]})
    data = ask_form(page.content).data
    assert data["a.groups"] == ["0", "1"]
    page = client.post(address, data | {"do": ["strike:groups/0"]})
    assert ask_form(page.content).data["a.groups"] == ["0"]


def test_an_answer_is_given_once(people: People, begin: Begin) -> None:
    client, address, asked = the_cart(people, to_purchase(people, begin))
    row = {"rg": "I1", "setup": "on-map", "count": 1}
    data = forms.data_of(question_of(asked).form, {"groups": [row]}) | {"do": ["give"]}
    assert client.post(address, data).status_code == 302
    assert not Draft.objects.exists()
    again = client.post(address, data | {"a.patrols": ["1"]})
    assert again.status_code == 409
    text = again.content.decode()
    assert "no longer asked" in text
    # What was typed is handed back.
    assert "a.patrols: &#x27;1&#x27;" in text
    assert client.get(address).status_code == 409


def test_what_cannot_be_stored_does_not_count(people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    game = to_purchase(people, begin)
    client, address, asked = the_cart(people, game)
    before = EntryLine.objects.count()
    question = question_of(asked)
    value = question.default | {"groups": [{"rg": "I1", "setup": "off-map", "count": 1}]}
    data = forms.data_of(question.form, value) | {"do": ["give"]}
    with monkeypatch.context() as broken:
        broken.setattr(EntryLine.objects, "bulk_create", full_disk)
        page = client.post(address, data)
    assert page.status_code == 503
    text = page.content.decode()
    assert "could not be stored" in text
    assert "I1" in text
    table = f"/campaign/{game.pk}/axis/?since=0"
    assert "Panzergrenadier platoon, off map" not in client.get(table).content.decode()
    assert EntryLine.objects.count() == before
    again = client.post(address, data)
    assert again.status_code == 302
    assert EntryLine.objects.count() > before
    assert "Panzergrenadier platoon, off map" in client.get(table).content.decode()


def full_disk(*_: Any, **__: Any) -> None:
    """Fail as a database does whose disk is full."""
    raise OperationalError("disk is full")


def test_after_an_answer_one_sees_what_came_of_it_and_what_is_next(people: People, begin: Begin) -> None:
    client, address, asked = the_cart(people, to_purchase(people, begin))
    question = question_of(asked)
    value = question.default | {"groups": [{"rg": "I1", "setup": "off-map", "count": 1}]}
    done = client.post(address, forms.data_of(question.form, value) | {"do": ["give"]})
    assert re.fullmatch(r"/campaign/[^/]+/axis/(ask/\w+/)?\?since=\d+", done["Location"])
    page = client.get(done["Location"]).content.decode()
    assert 'id="news"' in page
    assert "Panzergrenadier platoon, off map: 4 CP" in page


# As text ------------------------------------------------------------------------------------------


def test_an_answer_can_be_written_as_text(people: People, begin: Begin) -> None:
    client, address, asked = the_cart(people, to_purchase(people, begin))
    form = ask_form(client.get(f"{address}?view=text").content)
    assert form.data["view"] == ["text"]
    assert form.data["text"][0].startswith("groups:")
    wrong = "groups:\n- {rg: I1, setup: off-map}\n- {rg: I2, setup: nowhere}\npatrols: 0\n"
    page = client.post(address, {"view": "text", "text": wrong, "do": "give"})
    assert page.status_code == 422
    text = page.content.decode()
    assert 'data-line="3"' in text
    assert ask_form(text).data["text"][0].replace("\r\n", "\n") == wrong
    broken = client.post(address, {"view": "text", "text": "groups: [", "do": "give"})
    assert broken.status_code == 422
    assert "groups: [" in ask_form(broken.content).data["text"][0]
    good = wrong.replace("nowhere", "on-map")
    page = client.post(address, {"view": "text", "text": good, "do": "as-form"})
    assert ask_form(page.content).data["a.groups.1.setup"] == ["on-map"]
    done = client.post(address, {"view": "text", "text": good, "do": "give"})
    assert done.status_code == 302
    assert asked_of(asked_game(asked, people), people.anna, "axis") != asked


def asked_game(_: Asked, people: People) -> Game:
    """Return the only campaign of a test."""
    return Member.objects.filter(user=people.anna).get().game


# Who may see and do what --------------------------------------------------------------------------


def test_mates_prepare_and_players_give(people: People, begin: Begin) -> None:
    game = to_purchase(people, begin)
    client, address, _ = the_cart(people, game)
    Member.objects.create(game=game, user=people.dora, role=Role.MATE, side="axis")
    mate = people.client(people.dora)
    page = mate.post(address, DEAR | {"do": ["save"]})
    assert page.status_code == 200
    assert "give" not in ask_form(page.content).buttons
    assert mate.post(address, DEAR | {"do": ["give"]}).status_code == 403
    assert ask_form(client.get(address).content).data["a.groups.1.count"] == ["drei"]
    assert "prepared" in client.get(f"/campaign/{game.pk}/axis/").content.decode()


def test_notes_of_a_side_stay_its_own(people: People, begin: Begin) -> None:
    game = to_purchase(people, begin)
    client, address, asked = the_cart(people, game)
    noted = {"a.patrols": ["0"], "note": [f"{SECRET}: a\r\nreserve"], "do": ["save"]}
    client.post(address, noted)
    assert ask_form(client.get(address).content).data["note"] == [f"{SECRET}: a\r\nreserve"]
    other = asked_of(game, people.bert, "allied")
    assert other is not None
    page = people.client(people.bert).get(address_of(game, "allied", other)).content.decode()
    assert 'name="note"' in page
    assert SECRET not in page
    client.post(address_of(game, "axis", asked, "check"), {"note": ""})
    assert not Note.objects.exists()


def test_nobody_else_sees_what_is_prepared(people: People, begin: Begin) -> None:
    game = to_purchase(people, begin)
    client, address, asked = the_cart(people, game)
    before = {
        side: people.client(user).get(f"/campaign/{game.pk}/{side}/").content
        for side, user in (("allied", people.bert), ("umpire", people.cleo))
    }
    planted = DEAR | {"a.groups.0.rg": [SECRET], "do": ["save"]}
    assert SECRET in client.post(address, planted).content.decode()
    add_spectator(game, people.dora)
    others = (("allied", people.bert), ("umpire", people.cleo), ("spectator", people.dora))
    for side, user in others:
        other = people.client(user)
        for page in ("ask", "check"):
            found = other.get(address_of(game, side, asked, page))
            assert SECRET not in found.content.decode()
            refused = other.post(address_of(game, side, asked, page), {"do": "save"})
            assert refused.status_code in {403, 405, 409}
            assert SECRET not in refused.content.decode()
        assert SECRET not in other.get(f"/campaign/{game.pk}/{side}/").content.decode()
    with look(seat(game, people.cleo, "umpire")) as table:
        seen = next(one for one in table.asked if one.pending.side == "axis")
    umpire, address_there = people.client(people.cleo), address_of(game, "umpire", seen)
    assert "You have 22 CP" in umpire.get(address_there).content.decode()
    assert SECRET not in umpire.get(address_there).content.decode()
    for do in ("save", "give", "add:groups"):
        refused = umpire.post(address_there, DEAR | {"do": [do]})
        assert refused.status_code == 403
    assert people.client(people.bert).get(address).status_code == 404
    # Not even that something is prepared can be seen.
    after = people.client(people.bert).get(f"/campaign/{game.pk}/allied/").content
    assert steady(after) == steady(before["allied"])


def steady(content: bytes) -> str:
    """Return a page without what changes with every request: tokens and the time of day."""
    text = re.sub(r"[A-Za-z0-9]{64}", "TOKEN", content.decode())
    return re.sub(r"<time data-clock.*?</time>", "", text)


def test_the_opponent_learns_nothing_from_a_sealed_purchase(people: People, begin: Begin) -> None:
    game = to_purchase(people, begin)
    client, address, asked = the_cart(people, game)
    mine = people.client(people.bert)
    before = steady(mine.get(f"/campaign/{game.pk}/allied/").content)
    question = question_of(asked)
    value = question.default | {"groups": [{"rg": "HW1", "setup": "reserve", "count": 2}]}
    data = forms.data_of(question.form, value) | {"do": ["give"]}
    assert client.post(address, data).status_code == 302
    page = steady(mine.get(f"/campaign/{game.pk}/allied/").content)
    for secret in ("HW1", "Machine gun section", "reserve"):
        assert secret not in page
    # Whether the axis still thinks about it cannot be told either, as long as it has more to do.
    assert page == before


def test_drafts_of_questions_that_are_gone_are_forgotten(people: People, begin: Begin) -> None:
    game = to_purchase(people, begin)
    mine = seat(game, people.anna, "axis")
    _, _, asked = the_cart(people, game)
    drafts.keep(mine, asked.mark, {"groups": [], "patrols": "many\0\ud800"})
    assert Draft.objects.get().value == {"groups": [], "patrols": "many"}
    with pytest.raises(RefusedError, match="too large; 256 KB at most; it was not kept"):
        drafts.keep(mine, asked.mark, {"patrols": "m" * drafts.LARGEST})
    assert Draft.objects.get().value == {"groups": [], "patrols": "many"}
    actions.answer(mine, asked.mark, question_of(asked).default)
    following = asked_of(game, people.anna, "axis")
    assert following is not None
    drafts.keep(mine, following.mark, [])
    assert [draft.asked for draft in Draft.objects.all()] == [following.mark]


def test_long_reports_are_taken(people: People, begin: Begin) -> None:
    game = to_purchase(people, begin, "battle-report")
    asked = asked_of(game, people.anna, "axis")
    assert asked is not None
    form = question_of(asked).form
    units = next(part for part in form.fields if part.name == "units")  # type: ignore[attr-defined]
    assert isinstance(units.form, Rows)
    value = dict(question_of(asked).default)
    value["units"] = [dict(value["units"][0], name=f"row {i}") for i in range(300)]
    page = people.client(people.anna).post(
        address_of(game, "axis", asked), forms.data_of(form, value) | {"do": ["save"]}
    )
    assert page.status_code == 200
    assert len(ask_form(page.content).data["a.units"]) == 300


@pytest.mark.parametrize(
    ("key", "line", "shown", "hidden"),
    [
        ("purchases", "I3", ("squad-8-3-8", "sw-ft", "sw-dc"), ("squad-4-6-7",)),
        ("fortifications", "Foxhole 3S", ("fort-3-foxhole",), ("fort-2-foxhole",)),
    ],
)
def test_a_line_of_the_shop_shows_its_counters(
    key: str, line: str, shown: tuple[str, ...], hidden: tuple[str, ...], people: People, begin: Begin
) -> None:
    game = to_purchase(people, begin, key)
    asked = asked_of(game, people.anna, "axis")
    assert asked is not None
    page = people.client(people.anna).get(address_of(game, "axis", asked)).content.decode()
    row = re.search(rf'<tr data-line-of="{line}".*?</tr>', page, re.DOTALL)
    assert row, page
    counters = re.findall(r'href="#counter-0-([^"]*)"', row[0])
    assert all(any(counter.startswith(name) for counter in counters) for name in shown), counters
    assert not any(counter.startswith(hidden) for counter in counters)
    assert all(page.count(f'<symbol id="counter-0-{counter}"') == 1 for counter in counters)


def test_the_chart_says_what_each_group_is_made_of(people: People, begin: Begin) -> None:
    with look(seat(to_purchase(people, begin), people.anna, "axis")) as table:
        campaign, state = table.campaign, table.view.state
        beside = table.ruleset.sheets_beside(campaign.context, state, "purchases", "axis")
    assert "8-3-8" in checks.goods_of(beside)["I3"].contents
