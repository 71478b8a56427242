"""Two people play evenings of their campaigns in two real browsers, at a server of its own.

The answers are those of the demo; what somebody decides is typed into the pages, what follows by
proposal in between is given by the services beneath (in the soak every answer is given in the
browser). After every step all that has come into either browser is searched for what its side may
not know: pages, parts of pages, scripts' answers, pictures, events, answers of the API.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from laager.base.files import check, read_document
from laager.campaign.cards import find_card
from laager.campaign.engine import Campaign
from laager.campaign.forms import Record, Rows
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.campaign.wording import yaml_text
from laager.cli.play.answers import AnswersFile, give_one
from laager.web.campaigns import actions, tables
from laager.web.campaigns.store import DatabaseStore
from laager.web.models import Game, Member, Note, Role
from laager.web.shared.forms import data as forms
from tests.web import planted
from tests.web.conftest import seat
from tests.web.fielded import Memory
from tests.web.serving import Served, serving_tests_database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Error, Page, Response

    from laager.campaign.forms import Form
    from laager.campaign.questions import Question
    from laager.cli.play.answers import AnswerEntry
    from laager.web.campaigns.tables import Asked
    from laager.web.seats.permissions import Seat
    from tests.web.conftest import People

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OTHER = {"axis": "allied", "allied": "axis"}
ROUND = ("map", "log", "units", "sheets", "history", "people/", "notes")
"""Pages that the one who waits looks at in turn."""
TELLING = re.compile(r"(?!CG\d)(?=.*\d)(?=.*[A-Za-z]).{2,}|\d{6}|planted\w*")
"""Words that name something: numbers of units, groups, moments, and what was planted; no rules."""
MOST_ROWS = 8
"""Longer lists are written as text, as people would."""
EARS = """
window.heard = [];
const Source = window.EventSource;
window.EventSource = class extends Source {
  constructor(...given) {
    super(...given);
    for (const name of ["tag", "gone", "message"]) {
      this.addEventListener(name, (event) => window.heard.push(`${name} ${event.data}`));
    }
  }
};
"""
FILL = """
(form, data) => {
  for (const [name, values] of Object.entries(data)) {
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (field.type === "hidden") continue;
      if (field.type === "checkbox" || field.type === "radio") {
        field.checked = values.includes(field.value);
      } else {
        field.value = values.join(", ");
      }
      field.dispatchEvent(new Event("change", {bubbles: true}));
    }
  }
}
"""


def looked_up(taken: Seat) -> Seat:
    """Return a seat looked up again: one looked up before shows the campaign as it was then."""
    return seat(taken.game, taken.user, taken.name)


@dataclass
class Chair:
    """One side's browser, all that has come into it, and all words that it has seen by right."""

    taken: Seat
    context: BrowserContext
    page: Page
    url: str
    arrived: list[Response] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    searched: int = 0
    complaints: list[str] = field(default_factory=list)
    looks: int = 0

    @property
    def seat(self) -> Seat:
        """The side's seat as it is now: the server is another process, and has gone on."""
        return looked_up(self.taken)

    def listen(self) -> None:
        """Keep all that arrives, and what goes wrong in the page."""

        def arrived(response: Response) -> None:
            self.arrived.append(response)

        def wrong(err: Error) -> None:
            self.complaints.append(str(err))

        self.page.on("response", arrived)
        self.page.on("pageerror", wrong)

    @property
    def home(self) -> str:
        return f"{self.url}/campaign/{self.seat.game.pk}/{self.seat.name}/"

    def look_about(self) -> None:
        """Look at the table, another page, and what the API tells."""
        self.page.goto(self.home)
        self.search()
        self.page.goto(self.home + ROUND[self.looks % len(ROUND)])
        self.looks += 1
        api = f"/api/v1/campaigns/{self.seat.game.pk}/{self.seat.name}"
        self.page.evaluate(
            "(paths) => Promise.all(paths.map(async (p) => (await fetch(p)).text()))",
            [api, api + "/state", api + "/log"],
        )
        self.search()

    def search(self) -> None:
        """Search all that has come since the last time for what this side may not know."""
        hidden = {word for word in planted.hidden_words(self.seat) if TELLING.fullmatch(word)}
        others = Note.objects.filter(game=self.seat.game).exclude(seat=self.seat.name)
        hidden |= {word for note in others for word in planted.words(note.text)}
        hidden -= self.seen | hexes(self.seat) | planted.EXAMPLES
        printed = planted.phrases(self.seat.game.ruleset)
        texts = [*self._bodies(), self.page.content(), *self.page.evaluate("window.heard || []")]
        texts = [planted.unquoted(text, printed) for text in texts]
        for text in texts:
            assert not planted.found_in(text, hidden), (self.seat.name, self.page.url, text[:200])
        self.seen |= {word for text in texts for word in planted.words(text)}
        self.searched += len(texts)

    def _bodies(self) -> Iterator[str]:
        arrived, self.arrived = self.arrived, []
        for response in arrived:
            kind = response.headers.get("content-type", "")
            if response.status >= 300 or "/static/" in response.url or "event-stream" in kind:
                continue
            if kind.startswith("image/png"):
                continue
            yield str(response.headers)
            try:
                yield response.text()
            except Exception:
                # The browser has thrown it away already: it is asked for again. A check of what
                # was typed, that came when the page had been left, never showed anything.
                if response.request.method == "GET":
                    yield self.context.request.get(response.url).text()
                else:
                    assert "/check/" in response.url


def hexes(one: Seat) -> set[str]:
    """Return the names of a campaign's hexes: they are on everybody's map."""
    with tables.look(one) as table:
        return set(getattr(getattr(table.campaign.context, "map", None), "hexes", ()))


@dataclass
class Evening:
    """Both chairs, and what is played at them."""

    game: Game
    chairs: dict[str, Chair]
    watching: Seat
    everything: bool = False
    """Whether every answer is given in the browser."""
    rolled: int = 0
    typed: int = 0
    written: int = 0
    early: list[AnswerEntry] = field(default_factory=list)
    """Entries that stand before what is asked first: they are played as soon as they are asked."""

    @property
    def umpire(self) -> Seat:
        """The umpire's seat as it is now."""
        return looked_up(self.watching)

    def asked(self) -> list[Asked]:
        """Return what is asked of both sides, in the order of the engine."""
        with tables.look(self.umpire) as table:
            return [self._own(one) for one in table.asked]

    def _own(self, asked: Asked) -> Asked:
        with tables.look(self.chairs[asked.pending.side].seat) as table:
            return next(one for one in table.asked if one.pending.key == asked.pending.key)

    def play(self, entry: AnswerEntry) -> None:
        """Do what an entry of the answers says."""
        if entry.until is not None:
            self.until(entry.until)
            return
        assert entry.side is not None
        for faces in entry.rolls:
            self.roll(entry.side, faces)
        if entry.key is None:
            return
        asked = self.find(entry.side, entry.key)
        if asked is None:
            self.early.append(entry)
            return
        question = asked.pending.question
        assert question is not None
        if entry.default:
            self.propose(asked, question)
        else:
            self.type_in(asked, question, entry.answer)

    def until(self, key: str) -> None:
        """Take all proposals until a question is asked."""
        while True:
            waiting = self.asked()
            keys = {(one.pending.side, one.pending.key) for one in waiting}
            due = next((one for one in self.early if (one.side, one.key) in keys), None)
            if due is not None:
                self.early.remove(due)
                self.play(due)
                continue
            if not waiting or any(one.pending.key == key for one in waiting):
                return
            first = waiting[0]
            question = first.pending.question
            if question is not None:
                self.propose(first, question)
            elif self.everything:
                page = self.open(first)
                page.get_by_role("button", name="Laager rolls").click()
                self.after(first)
            else:
                actions.roll(self.chairs[first.pending.side].seat, first.mark)

    def find(self, side: str, key: str) -> Asked | None:
        """Return what is asked; what is rolled before it, or leaves nothing to decide, is done on the way.

        None if something else must be decided before.
        """
        while True:
            asked = self.asked()
            found = [o for o in asked if (o.pending.side, o.pending.key) == (side, key)]
            if found:
                return found[0]
            dice = next((o for o in asked if o.pending.roll is not None and o.pending.side == side), None)
            if dice is not None:
                actions.roll(self.chairs[side].seat, dice.mark)
                continue
            empty = next((o for o in asked if (q := o.pending.question) and q.empty), None)
            if empty is None:
                return None
            assert empty.pending.question is not None
            self.propose(empty, empty.pending.question)

    def propose(self, asked: Asked, question: Question) -> None:
        """Give the proposal as it stands."""
        if not self.everything:
            actions.answer(self.chairs[asked.pending.side].seat, asked.mark, question.default)
            return
        self.open(asked)
        self.give(asked)

    def give(self, asked: Asked) -> None:
        """Give what is on the page; say that it is meant if that is asked."""
        chair = self.chairs[asked.pending.side]
        page = chair.page
        page.locator('#ask button.primary[value="give"]').click()
        page.locator("#sure, #news, .refused").first.wait_for()
        assert not page.locator(".refused").count(), page.locator(".refused").first.inner_text()
        if page.locator("#sure").count():
            # The page that asks once more is searched while the browser still has it.
            chair.search()
            page.locator('#sure button[value="sure"]').click()
        self.after(asked)

    def roll(self, side: str, faces: tuple[int, ...]) -> None:
        """Enter dice: the first of them click by click."""
        asked = self.find(side, "roll")
        assert asked is not None, side
        self.rolled += 1
        if self.rolled > 2 and not self.everything:
            actions.enter_dice(self.chairs[side].seat, asked.mark, list(faces))
            return
        page = self.open(asked)
        for i, face in enumerate(faces):
            # What is drawn over it is clicked.
            page.locator(f'[name="die{i}"][value="{face}"]').check(force=True)
        page.get_by_role("button", name="Enter these faces").click()
        self.after(asked)

    def type_in(self, asked: Asked, question: Question, value: Any) -> None:
        """Fill in the form of a question and give it."""
        page = self.open(asked)
        if question.totals is not None and page.locator("#note").count():
            page.locator("#note").evaluate(
                "(field, text) => { field.closest('details').open = true; field.value = text; }",
                f"planted{asked.pending.side}word",
            )
        if short(question.form, question.default, value):
            self.fill(page, question.form, value)
            self.typed += 1
        else:
            page.locator('#ask button[value="as-text"]').click()
            page.locator("#answer-text").wait_for()
            self.chairs[asked.pending.side].search()
            page.locator("#answer-text").fill(yaml_text(value))
            self.written += 1
        self.give(asked)

    def fill(self, page: Page, form: Form, value: Any) -> None:
        data = forms.data_of(form, value)
        lists = dict(row_lists(form, value))
        for name, count in lists.items():
            steps = name.removeprefix(forms.ROOT).removeprefix(".")
            for _ in range(count):
                page.locator(f'#ask [data-rows="{name}"] [data-add][value="add:{steps}"]').click()
        fields = {name: values for name, values in data.items() if name not in lists}
        page.locator("#ask").evaluate(FILL, fields)

    def open(self, asked: Asked) -> Page:
        chair = self.chairs[asked.pending.side]
        chair.page.goto(f"{chair.home}ask/{asked.mark}/")
        chair.search()
        return chair.page

    def after(self, asked: Asked) -> None:
        """See that the answer was taken; let the other side look about."""
        mine = self.chairs[asked.pending.side]
        mine.page.locator("#news").wait_for()
        mine.search()
        other = self.chairs[OTHER[asked.pending.side]]
        if asked.pending.secret or self.everything:
            other.look_about()
        else:
            # What all may know comes into its open page by itself.
            other.search()


def short(form: Form, default: Any, value: Any) -> bool:
    """Whether an answer is so short that it is filled in field by field, on a form still empty."""
    lists = [count for _, count in row_lists(form, value)]
    return max(lists, default=0) <= MOST_ROWS and not any(dict(row_lists(form, default)).values())


def row_lists(form: Form, value: Any) -> Iterator[tuple[str, int]]:
    """Yield the lists of rows in an answer, with how many rows they have."""
    if isinstance(form, Rows):
        yield forms.ROOT, len(value or ())
    elif isinstance(form, Record):
        for part in form.fields:
            if isinstance(part.form, Rows):
                given = forms.field_value(part, value or {})
                yield forms.part_name(forms.ROOT, part.name), len(given or ())


def entries_of(rules: str, name: str) -> tuple[AnswerEntry, ...]:
    """Return the entries of one of the demo's files of answers."""
    with as_file(files("laager.packs") / rules / "demo" / f"{name}.yaml") as path:
        return check(read_document(path), AnswersFile).answers


def begun(people: People, card: str, before: str = "", entered: bool = True) -> Game:
    """Begin a campaign in which dice are entered, or always the same; play a file of answers, if one is named."""
    path, rules = find_card(card, None)
    made = find_ruleset(rules).read_card(path, {})
    store = Memory()
    store.append(opening_entries(rules, made.title, made.setting, entered, bytes(32)))
    campaign = Campaign(store)
    campaign.advance()
    for entry in entries_of(rules, before) if before else ():
        give_one(campaign, entry)
    game = Game.objects.create(title=made.title, ruleset=rules, card=card, owner=people.anna)
    DatabaseStore(game.pk).append(store.entries)
    for name, user in (("axis", people.anna), ("allied", people.bert)):
        Member.objects.create(game=game, user=user, role=Role.PLAYER, side=name)
    Member.objects.create(game=game, user=people.cleo, role=Role.UMPIRE)
    game.refresh_from_db()
    return game


@contextmanager
def sitting(browser: Browser, served: Served, people: People, game: Game) -> Iterator[Evening]:
    """Two browsers at a server, one for each side; whatever goes wrong in them is a failure."""
    chairs = {}
    for name, user, width in (("axis", people.anna, 1366), ("allied", people.bert, 390)):
        context = browser.new_context(viewport={"width": width, "height": 844})
        context.add_init_script(EARS)
        client = Client()
        client.force_login(user)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
        context.add_cookies([{**cookie, "url": served.url}])  # type: ignore[typeddict-item]
        page = context.new_page()
        chair = Chair(seat(game, user, name), context, page, served.url)
        chair.listen()
        chairs[name] = chair
    try:
        yield Evening(game, chairs, seat(game, people.cleo, "umpire"))
    finally:
        for chair in chairs.values():
            chair.context.close()
    assert [text for chair in chairs.values() for text in chair.complaints] == []


REFITS = [
    pytest.param("rijnoord", "rijnoord-1", ("rijnoord-2",), id="abtf-refit"),
    pytest.param("kokusa-ridge", "kokusa-ridge-1", ("kokusa-ridge-2",), id="er-refit"),
]
EVENINGS = [pytest.param("rzhavets", "rzhavets-1", ("rzhavets-2",), id="pl-redeployment"), REFITS[0]]
LONG = [pytest.param("rzhavets", "", ("rzhavets-1", "rzhavets-2"), id="pl-two-firefights"), *REFITS]
"""Each begins with what the last firefight has left, or is played whole, with every answer in the browser.
`make test` has one evening in two browsers, in test_clicks, and purchases in test_cart."""


def play(
    people: People, browser: Browser, folder: Path, card: str, before: str, names: tuple[str, ...],
    everything: bool = False,
) -> Evening:  # fmt: skip
    game = begun(people, card, before)
    with (
        serving_tests_database(folder / "data", LAAGER_WRITES_A_MINUTE="100000") as served,
        sitting(browser, served, people, game) as evening,
    ):
        evening.everything = everything
        for name in names:
            for entry in entries_of(game.ruleset, name):
                evening.play(entry)
        assert not evening.early, "all that the answers say was asked"
        for chair in evening.chairs.values():
            chair.look_about()
            assert chair.searched > 40
            heard = chair.page.evaluate("window.heard")
            assert any(line.startswith("tag ") for line in heard), "the page hears of news"
        # There was something to find: one's own pages are full of what the other must not know.
        for name, chair in evening.chairs.items():
            hidden = planted.hidden_names(evening.chairs[OTHER[name]].seat)
            chair.page.goto(chair.home + "units")
            assert planted.found_in(chair.page.content(), hidden)
    # The two sides have come where the demo comes, and their notes were there to be found.
    assert evening.typed >= 3
    notes = set(Note.objects.filter(game=game).values_list("seat", "text"))
    assert notes == {("axis", "plantedaxisword"), ("allied", "plantedalliedword")}
    return evening


@pytest.mark.soak
@pytest.mark.parametrize(("card", "before", "names"), EVENINGS)
def test_an_evening_in_two_browsers(
    card: str, before: str, names: tuple[str, ...],
    people: People, chromium: Browser, tmp_path: Path,
) -> None:  # fmt: skip
    play(people, chromium, tmp_path, card, before, names)


@pytest.mark.soak
@pytest.mark.parametrize(("card", "before", "names"), LONG)
def test_an_evening_with_every_answer_in_the_browser(
    card: str, before: str, names: tuple[str, ...],
    people: People, chromium: Browser, tmp_path: Path,
) -> None:  # fmt: skip
    play(people, chromium, tmp_path, card, before, names, everything=True)
