"""Beginning a campaign: which cards there are, what a card's check says, who sits where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from laager.base import Refusal, RefusedError, did_you_mean
from laager.base.files import Document, parse_document
from laager.campaign import UMPIRE, rulings
from laager.campaign.patience import Patience, patience_setting
from laager.campaign.record import BegunOnPaper, begin_on_paper, chosen_readings
from laager.commanders.seats import commanders_setting
from laager.web.campaigns import actions
from laager.web.library.files import files as library
from laager.web.library.files import offers
from laager.web.library.files.offers import Offer
from laager.web.library.sharing.shares import find_named
from laager.web.library.sharing.uses import record_uses
from laager.web.models import Game, Player, Role
from laager.web.seats import members, seating
from laager.web.seats.permissions import find_seat

BOTH = "both"
"""The seat of who plays alone."""


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
    house: str = ""
    """The file of house rules in the owner's library; "" for none but the card's own."""
    corrections: str = "agreed"
    """Who agrees to corrections of what only one side knows (`rulings.CORRECTIONS`)."""
    umpire_alone: bool = True
    """True if the umpire's rulings need nobody's consent, and the umpire's consent is enough for a side's."""
    patience: Patience = field(default_factory=Patience)
    """How long a side is waited for, and what then."""
    record: str = ""
    """The record in the owner's library from which the campaign goes on; "" to begin at the beginning."""
    record_text: str = ""
    """The text of a record that isn't in the library; it goes before `record`."""
    commanders: Mapping[str, str] = field(default_factory=dict)
    """The commanders that hold sides, by side; the owner sits there too, to move their counters and report for them."""


@dataclass(frozen=True)
class Link:
    """An invitation that was made: to which seat, and the key that opens it."""

    role: Role
    side: str
    key: str


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
    taken = sides if wanted.seat == BOTH else tuple(dict.fromkeys((wanted.seat, *wanted.commanders)))
    if taken[0] not in (*sides, UMPIRE):
        advice = did_you_mean(wanted.seat, (*sides, UMPIRE, BOTH), "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no seat {wanted.seat!r}", advice)
    offered = {value: (role, side) for value, role, side in invitable(card)}
    for value in wanted.invited:
        if value not in offered:
            advice = did_you_mean(value, offered, "there are")
            raise RefusedError(Refusal.BAD_ANSWER, f"nobody sits as {value[:40]!r}", advice)
    record = _read_record(owner, wanted)
    readings = {**(chosen_readings(record) if record else {}), **(wanted.readings or {})}
    made = card.read(readings)
    if wanted.house:
        made = offers.add_house_file(owner, card, made, wanted.house)
    on_paper = begin_on_paper(card.rules, made, record) if record else BegunOnPaper(made)
    terms = rulings.terms_setting(wanted.corrections, wanted.umpire_alone)
    terms |= patience_setting(wanted.patience)
    terms |= commanders_setting(sides, wanted.commanders)
    made = on_paper.made
    game = actions.begin_from(
        owner,
        replace(made, setting={**made.setting, **terms}),
        Path(card.path).stem,
        card.rules,
        dict.fromkeys(taken, owner),
        wanted.entered_dice,
        wanted.title,
        wanted.waiting_days,
        secrets=on_paper.secrets,
    )
    _record_uses(owner, card, wanted.house, game)
    return game, taken[0], _invitations(owner, game, taken, [offered[v] for v in wanted.invited])


def _record_uses(owner: Player, card: Offer, house: str, game: Game) -> None:
    """Note from which files of the library a campaign began: the card, those that it names, house rules."""
    texts = library.texts_of(owner)
    names = {house} if house else set()
    if card.owner and card.id in texts:
        names |= {card.id, *find_named(card.id, texts)}
    record_uses(owner, names, game)


def begin_record(owner: Player, card: Offer) -> str:
    """Put a record to be filled in into somebody's library; return its name there. Raises LaagerError."""
    text = card.ruleset.record_template(card.read(None).setting)
    return library.save(owner, free_name(owner, Path(card.path).stem), text).name


def free_name(owner: Player, stem: str) -> str:
    """Return a name for a record that no file in somebody's library has."""
    names = {listed.file.name for listed in library.list_files(owner)}
    free = (f"{stem}-record{number or ''}.yaml" for number in range(len(names) + 1))
    return next(name for name in free if name not in names)


def _read_record(owner: Player, wanted: Beginning) -> Document | None:
    """Return the record from which a campaign goes on; None for a campaign from the beginning. Raises LaagerError."""
    if wanted.record_text.strip():
        return parse_document(wanted.record_text, "record.yaml")
    if wanted.record:
        return parse_document(library.find(owner, wanted.record).text, wanted.record)
    return None


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
