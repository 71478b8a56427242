"""Beginning a campaign: which cards there are, what a card's check says, who sits where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from laager.base import Refusal, RefusedError, did_you_mean
from laager.base.files import read_text
from laager.campaign import UMPIRE, PlayedRuleset, find_ruleset
from laager.campaign.cards import rules_of, shipped_cards
from laager.campaign.readings import Reading, Readings
from laager.campaign.ruleset import NewCampaign
from laager.web.campaigns import actions
from laager.web.library.files import files as library
from laager.web.models import Game, OwnFile, Player, Role
from laager.web.seats import members, seating
from laager.web.seats.permissions import find_seat
from laager.web.shared import jobs, processes

BOTH = "both"
"""The seat of who plays alone."""

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
            return processes.SLOW.do(self.owner.pk, jobs.new_campaign, self.rules, texts, self.id, chosen)
        return jobs.new_campaign(self.rules, texts, self.id, chosen)


@dataclass(frozen=True)
class Beginning:
    """How to begin a campaign: `seat` is a side, `umpire`, or both sides (`both`).

    `invited` are the seats for which invitations are made at once, as `player:axis`, `umpire:`.
    `waiting_days` is how long an announcement must stand before a seat is freed.
    """

    title: str = ""
    seat: str = BOTH
    entered_dice: bool = False
    readings: Mapping[str, str] | None = None
    invited: tuple[str, ...] = ()
    waiting_days: int = seating.WAITING_DAYS


@dataclass(frozen=True)
class Link:
    """An invitation that was made: to which seat, and the key that opens it."""

    role: Role
    side: str
    key: str


# What there is ------------------------------------------------------------------------------------


def shipped() -> list[Offer]:
    """Return the cards that come with Laager."""
    return [
        Offer(card.id, card.title, card.ruleset, card.source, card.path, text=read_text(card.path))
        for card in shipped_cards()
    ]


def offer(name: str) -> Offer:
    """Return a shipped card. Raises RefusedError, with advice."""
    found = {one.id: one for one in shipped()}
    if name not in found:
        advice = did_you_mean(name, found, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"no card is called {name!r}", advice)
    return found[name]


def own(user: Player) -> list[Offer]:
    """Return the cards in somebody's library, by name."""
    files = OwnFile.objects.filter(owner=user).defer("before")
    return [_own(user, one) for one in files if library.kind_in(one.text) in CARD_KINDS]


def own_offer(user: Player, name: str) -> Offer:
    """Return a card of somebody's library. Raises RefusedError, with advice."""
    file = library.find(user, name)
    if library.kind_in(file.text) not in CARD_KINDS:
        names = [one.id for one in own(user)]
        advice = did_you_mean(name, names, "your cards are")
        raise RefusedError(Refusal.NO_SUCH, f"{name} isn't a card that can start a campaign", advice)
    return _own(user, file)


def _own(user: Player, file: OwnFile) -> Offer:
    # For a list no card is read whole: its own check does that, and tells what is wrong with it.
    told = library.tops(file.text, ("title", "ruleset", "source"))
    rules = rules_of(told | {"laager": library.kind_in(file.text)})
    title = told.get("title", file.name)[:200]
    return Offer(file.name, title, rules, told.get("source", "")[:80], Path(file.name), user, file.text)


def checked(card: Offer, readings: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the warnings about a card. Raises DataError with all that is wrong with it."""
    return card.read(readings).warnings


# Beginning ----------------------------------------------------------------------------------------


def invitable(card: Offer) -> list[tuple[str, Role, str]]:
    """Return the seats to which somebody can be invited: value, role, side."""
    return [
        *((f"{Role.PLAYER.value}:{side}", Role.PLAYER, side) for side in card.ruleset.sides),
        *((f"{role.value}:", role, "") for role in (Role.UMPIRE, Role.SPECTATOR)),
    ]


def begin(owner: Player, card: Offer, wanted: Beginning) -> tuple[Game, str, list[Link]]:
    """Begin a campaign; return it, the name of its owner's first seat, and the invitations.

    Raises DataError if the card or a reading isn't valid, RefusedError for an unknown seat.
    """
    sides = tuple(card.ruleset.sides)
    taken = sides if wanted.seat == BOTH else (wanted.seat,)
    if taken[0] not in (*sides, UMPIRE):
        advice = did_you_mean(wanted.seat, (*sides, UMPIRE, BOTH), "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no seat {wanted.seat!r}", advice)
    offered = {value: (role, side) for value, role, side in invitable(card)}
    for value in wanted.invited:
        if value not in offered:
            advice = did_you_mean(value, offered, "there are")
            raise RefusedError(Refusal.BAD_ANSWER, f"nobody sits as {value[:40]!r}", advice)
    game = actions.begin_from(
        owner,
        card.read(wanted.readings),
        Path(card.path).stem,
        card.rules,
        dict.fromkeys(taken, owner),
        wanted.entered_dice,
        wanted.title,
        wanted.waiting_days,
    )
    return game, taken[0], _invitations(owner, game, taken, [offered[v] for v in wanted.invited])


def not_made(wanted: Beginning) -> str:
    """Return the seat for which no link is made though one is wanted: its owner sits there."""
    own = {wanted.seat, f"{Role.PLAYER.value}:{wanted.seat}", f"{wanted.seat}:"}
    return wanted.seat if own.intersection(wanted.invited) else ""


def _invitations(owner: Player, game: Game, taken: Sequence[str], wanted: Sequence[tuple[Role, str]]) -> list[Link]:
    """Make invitations to seats, but for the one seat that the owner has taken (`not_made`)."""
    seat = find_seat(owner, game.pk, taken[0])
    own_seat = taken[0] if len(taken) == 1 else None
    return [
        Link(role, side, members.invite(seat, role.value, side)[1])
        for role, side in dict.fromkeys(wanted)
        if (side or role.value) != own_seat
    ]
