"""The cards from which a campaign can be begun, shipped or of one's own: their facts, a small picture of the map.

What was read or drawn is kept by its content, so that a list of many cards is read once.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, thread_time

from laager.base import LaagerError, Refusal, RefusedError, did_you_mean
from laager.base.blanks import is_blank
from laager.base.files import parse_document, read_text
from laager.campaign import PlayedRuleset, find_ruleset
from laager.campaign.cards import rules_of, shipped_cards
from laager.campaign.house import add_house
from laager.campaign.readings import Reading, Readings
from laager.campaign.ruleset import NewCampaign
from laager.campaign.summary import CardSummary
from laager.web.library.files import checks
from laager.web.library.files import files as library
from laager.web.models import OwnFile, Player
from laager.web.shared import processes
from laager.web.shared.fair_queue import BusyError
from laager.web.shared.recent import Recent

processes.PRELOADED.append(checks.__name__)

BUDGET = 0.5
"""Seconds of work for cards that were not read before, for one list; the others are read next time."""
LARGE = 30_000
"""A card of somebody's own with more characters is read in a process of its own; it can take seconds."""

SUMMARIES: Recent[str, CardSummary | None] = Recent(1000)
PREVIEWS: Recent[str, bytes] = Recent(1000, 16 * 2**20, len)
"""The small pictures drawn last."""


@dataclass(frozen=True)
class ListedCard:
    """A card as a list shows it. `summary` is None if the card isn't valid, or there was no time to read it."""

    offer: Offer
    summary: CardSummary | None

    @property
    def hours(self) -> float:
        """About how long it takes; cards that don't tell come last."""
        takes = self.summary.takes if self.summary else None
        return takes.hours if takes else float("inf")


def list_cards(offers: Iterable[Offer], rules: str = "") -> list[ListedCard]:
    """Return cards with their facts, the shortest first; with `rules` only those of one rule system."""
    # Other processes read the large ones: there it is the waiting that counts.
    end, wait_until = thread_time() + BUDGET, monotonic() + BUDGET
    cards = [
        ListedCard(card, summary(card, read=thread_time() < end and (not _is_large(card) or monotonic() < wait_until)))
        for card in offers
        if rules in ("", card.rules)
    ]
    return sorted(cards, key=lambda card: card.hours)


def summary(offer: Offer, read: bool = True) -> CardSummary | None:
    """Return the facts of a card; None if it isn't valid. Unless `read`, None for a card not read before."""

    def make() -> CardSummary | None:
        if not read:
            raise _NotNowError
        try:
            if offer.owner is not None and _is_large(offer):
                return processes.SLOW.do(offer.owner.pk, checks.summarize_card, offer.rules, offer.text, offer.id)
            return checks.summarize_card(offer.rules, offer.text, offer.id)
        except BusyError:
            raise _NotNowError from None
        except LaagerError:
            return None

    try:
        return SUMMARIES.get(_digest(offer.rules, offer.text), make)
    except _NotNowError:
        return None


def _is_large(offer: Offer) -> bool:
    return offer.owner is not None and len(offer.text) > LARGE


class _NotNowError(Exception):
    """There is no time left to read a card."""


@dataclass(frozen=True)
class System:
    """A rule system of which there are cards, and how many."""

    id: str
    title: str
    cards: int


def systems(offers: Sequence[Offer]) -> list[System]:
    """Return the rule systems of cards, by title."""
    counts = Counter(each.rules for each in offers)
    counted = (System(name, find_ruleset(name).title, count) for name, count in counts.items())
    return sorted(counted, key=lambda each: each.title)


# The picture --------------------------------------------------------------------------------------


def picture(offer: Offer, *, whole: bool = False) -> tuple[bytes, str]:
    """Return a card's map as SVG, and its ETag: small, or whole, with hexes that a page can make clickable.

    Raises RefusedError (no-such) if the card has no map, DataError if card or map aren't valid.
    """
    facts = summary(offer)
    if facts is None or not facts.map:
        raise RefusedError(Refusal.NO_SUCH, f"there is no map of {offer.title!r}")
    beside = OwnFile.objects.filter(owner=offer.owner, name=facts.map).first() if offer.owner else None
    key = _digest(offer.rules, facts.map, beside.text if beside else "", "whole" if whole else "small")

    def draw() -> bytes:
        if offer.owner is None:
            return checks.draw_shipped_map(offer.rules, offer.path, whole)
        texts = library.texts_of(offer.owner)
        queue = processes.SLOW if max(len(offer.text), len(texts.get(facts.map, ""))) > LARGE else processes.QUICK
        return queue.do(offer.owner.pk, checks.draw_own_map, offer.rules, texts, offer.id, whole)

    return PREVIEWS.get(key, draw), f'"{key[:32]}"'


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


CARD_KINDS = ("pl-card", "hasl-card", "dyo")
"""The kinds of files from which a campaign, or a purchase, can be begun."""


@dataclass(frozen=True)
class Offer:
    """A card from which a campaign can be begun: its file, its rules, where its data come from.

    `owner` has it in the own library, else it is shipped and lies at `path`. `text` is the card as it is written.
    """

    id: str
    title: str
    rules: str
    source: str
    path: Path
    owner: Player | None = None
    text: str = field(default="", repr=False)

    @property
    def ruleset(self) -> PlayedRuleset:
        """The rule system of the card."""
        return find_ruleset(self.rules)

    @property
    def readings(self) -> Mapping[str, Reading]:
        """Where the rules can be read in several ways."""
        return Readings.load_packaged(self.ruleset.package)

    def read(self, readings: Mapping[str, str] | None = None) -> NewCampaign:
        """Read the card and all files that it names, large ones of one's own in a process of its own.

        Raises DataError if it isn't valid, RefusedError as `Processes.do` does.
        """
        chosen = dict(readings or {})
        if self.owner is None:
            return self.ruleset.read_card(self.path, chosen)
        texts = library.texts_of(self.owner)
        if library.is_large(texts, self.id):
            return processes.SLOW.do(self.owner.pk, checks.read_card, self.rules, texts, self.id, chosen)
        return checks.read_card(self.rules, texts, self.id, chosen)


def list_shipped() -> list[Offer]:
    """Return the cards that come with Laager."""
    return [
        Offer(card.id, card.title, card.ruleset, card.source, card.path, text=read_text(card.path))
        for card in shipped_cards()
    ]


def find_shipped(name: str) -> Offer:
    """Return a shipped card. Raises RefusedError, with advice."""
    by_id = {offer.id: offer for offer in list_shipped()}
    if name not in by_id:
        advice = did_you_mean(name, by_id, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"no card is called {name!r}", advice)
    return by_id[name]


def own_cards(user: Player) -> list[Offer]:
    """Return the cards in somebody's library, by name."""
    files = OwnFile.objects.filter(owner=user).defer("before")
    return [_own_card(user, file) for file in files if library.kind_in(file.text) in CARD_KINDS]


def find_own(user: Player, name: str) -> Offer:
    """Return a card of somebody's library. Raises RefusedError, with advice."""
    file = library.find(user, name)
    if library.kind_in(file.text) not in CARD_KINDS:
        names = [offer.id for offer in own_cards(user)]
        advice = did_you_mean(name, names, "your cards are")
        raise RefusedError(Refusal.NO_SUCH, f"{name} isn't a card that can start a campaign", advice)
    return _own_card(user, file)


@dataclass(frozen=True)
class HouseOffer:
    """A file of house rules in somebody's library: its name there, and what its group calls it."""

    name: str
    title: str


def house_files(user: Player, rules: str) -> list[HouseOffer]:
    """Return the house rules for a rule system in somebody's library, by name."""
    files = OwnFile.objects.filter(owner=user).defer("before")
    named = [
        (file.name, library.read_tops(file.text, ("title", "ruleset")))
        for file in files
        if library.kind_in(file.text) == "house"
    ]
    return [HouseOffer(name, tops.get("title", name)[:200]) for name, tops in named if tops.get("ruleset") == rules]


def record_files(user: Player, card: Offer) -> list[str]:
    """Return the names of the records of a card in somebody's library."""
    files = OwnFile.objects.filter(owner=user).defer("before")
    records = (file for file in files if library.kind_in(file.text) == f"{card.rules}-record")
    title = " ".join(card.title.split())
    return [file.name for file in records if library.read_tops(file.text, ("card",)).get("card") == title]


def files_of_record(user: Player, rules: str) -> list[str]:
    """Return the names of the records of a rule system in somebody's library."""
    files = OwnFile.objects.filter(owner=user).defer("before")
    return [file.name for file in files if library.kind_in(file.text) == f"{rules}-record"]


def find_card_of_record(user: Player, file: OwnFile) -> Offer:
    """Return the card that a record names: somebody's own, else a shipped one. Raises RefusedError."""
    title = library.read_tops(file.text, ("card",)).get("card", "")
    kind = library.kind_in(file.text)
    if not kind.endswith("-record"):
        raise RefusedError(Refusal.NO_SUCH, f"{file.name} isn't a record")
    for card in (*own_cards(user), *list_shipped()):
        if kind == f"{card.rules}-record" and " ".join(card.title.split()) == title:
            return card
    right = "put its card into your library, or correct its title in the record"
    raise RefusedError(Refusal.NO_SUCH, f"there is no card {title[:80]!r} of these rules", right)


def add_house_file(user: Player, card: Offer, made: NewCampaign, name: str) -> NewCampaign:
    """Return a campaign about to begin, with the house rules of a file in somebody's library.

    Raises RefusedError if there is no such file, DataError with all that is wrong with it.
    """
    return add_house(card.ruleset, made, parse_document(library.find(user, name).text, name))


def _own_card(user: Player, file: OwnFile) -> Offer:
    # For a list no card is read whole: its own check does that, and tells what is wrong with it.
    tops = library.read_tops(file.text, ("title", "ruleset", "source"))
    rules = rules_of(tops | {"laager": library.kind_in(file.text)})
    title = tops.get("title", file.name)[:200]
    title = file.name if is_blank(title) else title
    return Offer(file.name, title, rules, tops.get("source", "")[:80], Path(file.name), user, file.text)


def check_card(card: Offer, readings: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the warnings about a card. Raises DataError with all that is wrong with it."""
    return card.read(readings).warnings
