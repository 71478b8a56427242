"""Campaigns as they lie on the table: opened from the database, kept in memory while unchanged.

Memory is a convenience only: what is kept is used as long as its last hash is the one in the
database. Any number of workers can serve the same campaign.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.db import Error, transaction
from django.urls import reverse

from laager.base import DataError, Refusal, RefusedError
from laager.campaign import PlayedRuleset, Question, Roll, find_ruleset
from laager.campaign.describing import Wish, pending_json, wishes
from laager.campaign.engine import Campaign
from laager.campaign.house import HouseLine
from laager.campaign.house.in_campaign import campaign_house_lines
from laager.campaign.log import Entry, Loaded, Store
from laager.campaign.pending import Pending
from laager.campaign.speech import take_texts_of_card
from laager.campaign.telling import Told, log_in_words
from laager.campaign.views import View, view
from laager.commanders.seats import held_seats, is_for_commander
from laager.web.campaigns.answerers import names_of_answerers
from laager.web.campaigns.store import Appended, DatabaseStore
from laager.web.models import Game
from laager.web.shared.names import RulesByHouse
from laager.web.shared.recent import Recent
from laager.web.shared.storing import in_turn
from laager.web.shared.translation import language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from laager.web.seats.permissions import Seat

KEPT = 1000
"""How many campaigns a worker keeps in memory at most."""
OF_A_CAMPAIGN, OF_AN_ENTRY = 500_000, 2_500
"""About how many bytes a campaign in memory takes: its card and map; each line of its log with what is said of it."""

NOT_STORED = "this could not be stored and does not count; look at the table, and try again if it is still asked"
"""What is said when the database fails in the middle of a change."""


@dataclass
class Held:
    """A campaign in memory, for one thread at a time."""

    lock: RLock = field(default_factory=RLock)
    campaign: Campaign | None = None
    head: str = ""
    shown: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    """What is sent to a seat, as long as the campaign stands as it did (`short_way.statuses`)."""


def _weight(held: Held) -> int:
    campaign = held.campaign
    return OF_A_CAMPAIGN + OF_AN_ENTRY * len(campaign.entries) if campaign else 0


SHELF: Recent[UUID, Held] = Recent(KEPT, settings.CONFIG.campaigns_megabytes * 2**20, _weight)
"""The campaigns that this worker holds in memory."""


class _Switch:
    """A store that writes only while a change is under way; what a look adds is kept in mind.

    While it gathers, lines are kept here for who stores those of several campaigns together.
    """

    def __init__(self, under: DatabaseStore) -> None:
        self.under = under
        self.name: str = under.name
        self.writing = False
        self.gathered: list[Appended] | None = None

    def load(self) -> Loaded:
        return self.under.load()

    def append(self, entries: Sequence[Entry]) -> None:
        if self.gathered is not None:
            new = self.under.encode(entries)
            self.under.head, self.under.length = new.head, new.length
            self.gathered.append(new)
        elif self.writing:
            self.under.append(entries)


@dataclass(frozen=True)
class Table:
    """A campaign as one seat sees it. Pages and API show what is in here and nothing else.

    `campaign` itself is for rules and sheets that take a context; whatever is shown of it must have
    come through `view`.
    """

    seat: Seat
    campaign: Campaign

    def __post_init__(self) -> None:
        take_texts_of_card(self.campaign.context.texts)
        house = getattr(self.campaign.context, "house", None)
        if house:
            game = self.seat.game
            address = reverse("seat-rules", args=[game.pk, self.seat.name])
            game.ruleset = RulesByHouse(str(game.ruleset), house, address)

    @cached_property
    def house_lines(self) -> tuple[HouseLine, ...]:
        """What the campaign plays differently from the rules as printed, and why."""
        return campaign_house_lines(self.campaign)

    @property
    def ruleset(self) -> PlayedRuleset:
        """The ruleset with all that players meet of it."""
        return find_ruleset(self.campaign.opening["ruleset"])

    @cached_property
    def view(self) -> View:
        """What the seat may know."""
        return view(self.campaign, self.seat.viewer)

    @cached_property
    def log(self) -> list[Told]:
        """The log in words, in the reader's language."""
        return log_in_words(self.campaign, self.view, language())

    @cached_property
    def answerers(self) -> Mapping[int, str]:
        """Who gave the answers of the seat's own side, if several people play it: for that side alone."""
        return names_of_answerers(self.seat)

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """What waits for consent."""
        return tuple(wishes(self.campaign, self.view, language()))

    @cached_property
    def asked(self) -> tuple[Asked, ...]:
        """What is waited for of this seat; of all sides, for the umpire."""
        asked = []
        for pending in self.view.pending:
            wanted = pending_json(pending)
            asked.append(Asked(pending, self._mark(pending, wanted), wanted))
        return tuple(asked)

    def find(self, mark: str) -> Asked:
        """Return the question with this mark. Raises RefusedError (stale) if it is open no more."""
        for asked in self.asked:
            if asked.mark == mark:
                return asked
        raise RefusedError(Refusal.STALE, "this is no longer asked: it was answered, or the campaign has gone on")

    def find_open(self, mark: str) -> Asked:
        """Return the question with this mark, which people are to answer.

        Raises RefusedError if it is open no more, or a commander who holds its side thinks it over: who plays that
        side's counters waits until it has answered.
        """
        asked = self.find(mark)
        if is_for_commander(self.campaign, asked.pending):
            name = held_seats(self.campaign.opening)[asked.pending.side]
            sentence = f"the commander {name} holds this side, and is thinking this over"
            raise RefusedError(Refusal.NOT_ASKED, sentence, "wait: it answers by itself")
        return asked

    def _mark(self, pending: Pending, wanted: Mapping[str, Any]) -> str:
        # From nothing but what the seat knows: what the other side does must not change it.
        text = json.dumps([self.view.turn, self.view.given.get(pending.side, 0), wanted], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @cached_property
    def tag(self) -> str:
        """A mark of all that this seat can see; it changes when something new can be seen."""
        view = self.view
        parts: list[Any] = [view.version, list(view.waiting_for)]
        parts += [asked.mark for asked in self.asked]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Asked:
    """A question, or dice to be rolled, with the mark by which it is answered.

    The mark is the same as long as the same thing is asked; it changes with every answer of the
    side, so that one answer cannot be given twice.
    """

    pending: Pending
    mark: str
    told: Mapping[str, Any] = field(compare=False, repr=False)
    """What is wanted, as plain values."""

    def describe(self) -> dict[str, Any]:
        """Return it as JSON, for its own side only."""
        step = self.pending.step
        shown = {"id": step.id, "clause": step.clause, "title": step.title}
        return {**self.told, "mark": self.mark, "step": shown}

    def need_question(self) -> Question:
        """Return the question. Raises RefusedError if dice are to be rolled."""
        if self.pending.question is None:
            raise RefusedError(Refusal.BAD_ANSWER, "this asks for dice, not for an answer")
        return self.pending.question

    def need_roll(self) -> Roll:
        """Return the roll. Raises RefusedError if a question is asked."""
        if self.pending.roll is None:
            raise RefusedError(Refusal.BAD_ANSWER, "this asks for an answer, not for dice")
        return self.pending.roll

    def need_side(self, seat: Seat) -> None:
        """Raise RefusedError unless the seat's side is asked: the umpire only sees what is asked."""
        if seat.viewer != self.pending.side:
            raise RefusedError(Refusal.NOT_YOURS, "only the side that is asked prepares its answer")


@contextmanager
def look(seat: Seat) -> Iterator[Table]:
    """Open a campaign for a seat to look at; nothing is written.

    It is shown at least as far as it was when the seat was looked up: that is not asked again.
    """
    held = SHELF.get(seat.game.pk, Held)
    with held.lock:
        yield Table(seat, _campaign(held, seat.game.pk, _head(held, seat.game)))
    SHELF.weigh(seat.game.pk)


@contextmanager
def act(seat: Seat) -> Iterator[Table]:
    """Open a campaign for a seat to change, for this worker alone until the end.

    All that was done is stored when this returns; if anything is raised, none of it is. What is
    shown afterwards must come from a new `look`. Raises RefusedError (broken-log) if the database
    does not store it.
    """
    held = SHELF.get(seat.game.pk, Held)
    with held.lock:
        campaign = None
        try:
            # Read now if it must be: in the transaction others would wait for that.
            _campaign(held, seat.game.pk, _head(held, seat.game))
            with in_turn(), transaction.atomic():
                game = Game.objects.select_for_update().get(pk=seat.game.pk)
                campaign = _campaign(held, game.pk, game.head)
                before = campaign.version
                with _writing(campaign.store):
                    yield Table(seat, campaign)
            held.head = seat.game.head = _database_store(campaign.store).head
        except (RefusedError, DataError):
            if campaign is None or campaign.version != before:
                held.campaign = None
            raise
        except Error as err:
            held.campaign = None
            raise RefusedError(Refusal.BROKEN_LOG, NOT_STORED) from err
        except BaseException:
            # What memory holds may be more than what was stored.
            held.campaign = None
            raise


def _head(held: Held, game: Game) -> str:
    """Return the hash of a campaign's last line. It is that of the row, unless memory stands elsewhere."""
    if held.campaign is None or held.head == game.head:
        return game.head
    head: str = Game.objects.values_list("head", flat=True).get(pk=game.pk)
    return head


@contextmanager
def _writing(store: Store) -> Iterator[None]:
    assert isinstance(store, _Switch)
    before, store.writing = store.writing, True
    try:
        yield
    finally:
        store.writing = before


@contextmanager
def collect_appended(campaign: Campaign) -> Iterator[list[Appended]]:
    """Let a campaign in memory go on, and yield the lines that somebody else must store before any of it counts."""
    store = campaign.store
    assert isinstance(store, _Switch)
    store.gathered = []
    try:
        yield store.gathered
    finally:
        store.gathered = None


def _database_store(store: Store) -> DatabaseStore:
    assert isinstance(store, _Switch)
    return store.under


def _campaign(held: Held, game: UUID, head: str) -> Campaign:
    if in_memory(held, head) is None:
        store = DatabaseStore(game)
        campaign = Campaign(_Switch(store))
        if campaign.begun_again:
            _go_on(campaign)
        held.campaign, held.head = campaign, store.head
    assert held.campaign is not None
    return held.campaign


def in_memory(held: Held, head: str) -> Campaign | None:
    """Return a campaign that stands in memory, after what other workers have stored since; None if it must be read."""
    if held.campaign is not None and held.head != head:
        _catch_up(held)
    if held.campaign is None or held.head != head:
        held.campaign = None
    return held.campaign


def _catch_up(held: Held) -> None:
    """Take in what another worker has stored since; forget the campaign if that doesn't fit what is here."""
    campaign, held.campaign = held.campaign, None
    assert campaign is not None
    store = _database_store(campaign.store)
    if campaign.version != store.length:
        return
    fresh = store.fresh()
    if fresh is None:
        return
    campaign.catch_up(fresh)
    if not campaign.begun_again:
        held.campaign, held.head = campaign, store.head


def _go_on(campaign: Campaign) -> None:
    """Store that a step begins again after a correction of its rule, so that it is asked anew."""
    with in_turn(), transaction.atomic(), _writing(campaign.store):
        try:
            campaign.advance()
        except RefusedError:
            # Another worker has stored the same before.
            campaign.reload()


def units_of(entry: Entry) -> frozenset[str]:
    """Return the ids of the units that a fact is about."""
    fact = entry.body.get("fact", {})
    units: set[str] = set()
    for name, value in fact.items():
        if "unit" in name:
            units |= set(_ids(value))
    return frozenset(units)


def _ids(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case {"id": str(name)}:
            yield name
        case [*items]:
            for item in items:
                yield from _ids(item)
