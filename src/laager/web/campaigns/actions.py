"""All that changes a campaign, by whom it may be done, and whom it concerns afterwards.

Each function checks the right to it, changes the campaign as one transaction, and tells the
subscribers (`events`) once it is stored. Each raises RefusedError or DataError with a sentence
for people; then nothing has changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from laager.base import Refusal, RefusedError
from laager.campaign import UMPIRE, ending, find_ruleset, naming, patience, rulings, settling, undo
from laager.campaign.engine import Campaign
from laager.campaign.log import Entry, MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.record import take_up
from laager.campaign.ruleset import NewCampaign
from laager.commanders.lateness import answer_late
from laager.commanders.seats import play_held_seats
from laager.rules.board.rulings import proposing
from laager.simulation.settling import agree_to_settle
from laager.web.campaigns import drafts, los, notices, reminding
from laager.web.campaigns.changes import Change, change, check_may_change
from laager.web.campaigns.store import DatabaseStore
from laager.web.campaigns.tables import Table, act, look
from laager.web.models import Game, Member, Player, Role
from laager.web.seats import seating, seatlog
from laager.web.seats.members import check_title
from laager.web.seats.permissions import Action, Seat
from laager.web.shared import events

if TYPE_CHECKING:
    from laager.base.files import Document


@contextmanager
def _storing(seat: Seat, action: Action = Action.ANSWER) -> Iterator[Change]:
    """Let a seat change its campaign, and store it with its effects; the rules are in `changes` alone."""
    # Who may not change it need not wait until it is open.
    check_may_change(seat, action)
    with act(seat) as table:
        with change(table, action) as made:
            yield made
        events.publish(seat.game.pk)
        made.store_effects()


@contextmanager
def _changing(seat: Seat, action: Action = Action.ANSWER) -> Iterator[Table]:
    with _storing(seat, action) as made:
        yield made.table


def answer(seat: Seat, mark: str, raw: Any) -> None:
    """Give the answer to the question with this mark. What is found about LOS is recorded with it."""
    seat.need(Action.ANSWER)
    with look(seat) as table:
        wanted = los.needed_los(table, table.find(mark), raw)
    answer_with_los(seat, mark, raw, wanted)


def answer_with_los(seat: Seat, mark: str, raw: Any, wanted: los.NeededLos | None) -> None:
    """Give the answer to a question, for which `los.needed_los` has said what to look up along lines of sight."""
    seat.need(Action.ANSWER)
    results = los.look_up_los(wanted)
    with _storing(seat) as made:
        made.answer(mark, raw, results, drafts.dice(seat, mark))


def answer_all(seat: Seat, raws: Mapping[str, Any]) -> None:
    """Give the answers to several questions of one side, by their marks: all, or none if one is refused."""
    with _changing(seat) as table:
        asked = [table.find_open(mark) for mark in raws]
        for question in asked:
            question.need_side(seat)
        values = {question.need_question().key: raw for question, raw in zip(asked, raws.values(), strict=True)}
        table.campaign.answer_all(seat.viewer, values)


def enter_dice(seat: Seat, mark: str, faces: Any) -> None:
    """Enter the dice that the players rolled."""
    with _changing(seat) as table:
        asked = table.find_open(mark)
        asked.need_roll()
        table.campaign.answer(asked.pending.side, asked.pending.key, faces)


def roll(seat: Seat, mark: str) -> None:
    """Let the campaign's own dice roll what the players were to roll themselves."""
    with _changing(seat) as table:
        asked = table.find_open(mark)
        asked.need_roll()
        table.campaign.roll_for(asked.pending.side)


def ask_back(seat: Seat, to: int | None = None) -> bool:
    """Ask to take back to just after an entry (the viewer's own number); None: the last answer.

    Return True if it's done: the umpire takes back alone, and a side that from which nothing has followed yet.
    """
    action = Action.TAKE_BACK_ALONE if seat.viewer == UMPIRE else Action.ANSWER
    with _changing(seat, action) as table:
        done = undo.ask(table.campaign, seat.viewer, undo.target(table.campaign, seat.viewer, to))
        table.campaign.advance()
    return done


def consent_back(seat: Seat, agree: bool, request: int | None = None) -> None:
    """Agree to the other side's wish to take back, or refuse it; withdraw one's own.

    `request` is the number of the request that is meant, in the seat's own numbers: another one
    may have come meanwhile, and is not answered unseen.
    """
    with _changing(seat) as table:
        _check_meant(table, "undo", request)
        undo.consent(table.campaign, seat.viewer, agree)
        table.campaign.advance()


def _check_meant(table: Table, kind: str, request: int | None) -> None:
    open_ = next((wish.request for wish in table.wishes if wish.kind == kind), None)
    if request is not None and request != open_:
        raise RefusedError(Refusal.STALE, "this is no longer asked", "look at what is asked now")


def rename_unit(seat: Seat, unit: str, name: str) -> None:
    """Let a side call one of its units by another name; "" takes its name away."""
    with _changing(seat) as table:
        naming.rename(table.campaign, seat.viewer, unit, name)


def bring_back(seat: Seat) -> None:
    """Ask to bring back what was last taken back, if nothing new has happened.

    The umpire brings back alone, a side needs the other's consent.
    """
    action = Action.TAKE_BACK_ALONE if seat.viewer == UMPIRE else Action.ANSWER
    with _changing(seat, action) as table:
        undo.redo(table.campaign, seat.viewer)
        table.campaign.advance()


def consent_redo(seat: Seat, agree: bool, request: int | None = None) -> None:
    """Agree to the other side's wish to bring back, or refuse it; withdraw one's own."""
    with _changing(seat) as table:
        _check_meant(table, "redo", request)
        undo.consent_redo(table.campaign, seat.viewer, agree)
        table.campaign.advance()


def consent_ruling(seat: Seat, agree: bool, request: int | None = None) -> None:
    """Agree to the ruling that is asked for, or refuse it; withdraw one's own.

    `request` is the number of the request that is meant, in the seat's own numbers.
    """
    action = Action.TAKE_BACK_ALONE if seat.viewer == UMPIRE else Action.ANSWER
    with _changing(seat, action) as table:
        _check_meant(table, "ruling", request)
        rulings.consent(table.campaign, seat.viewer, agree)


def reopen(seat: Seat, number: int, why: str) -> bool:
    """Ask to reopen an earlier answer (the viewer's own number), for a reason; return True if it is open at once.

    The umpire reopens alone where the campaign's terms say so, a side needs consent.
    """
    action = Action.TAKE_BACK_ALONE if seat.viewer == UMPIRE else Action.ANSWER
    with _changing(seat, action) as table:
        return rulings.propose(table.campaign, rulings.Ruling(seat.viewer, why, reopens=number))


def answer_as_before(seat: Seat, onward: bool = False) -> None:
    """Answer as before a ruling all that still holds; `onward`: in the steps that follow too."""
    with _changing(seat) as table:
        rulings.answer_as_before(table.campaign, seat.viewer, onward=onward)


def propose_ruling(seat: Seat, document: Document) -> bool:
    """Ask the table for the ruling in a file; return True if it counts at once. Raises DataError, RefusedError."""
    action = Action.TAKE_BACK_ALONE if seat.viewer == UMPIRE else Action.ANSWER
    with _changing(seat, action) as table:
        return proposing.propose_ruling(table.campaign, seat.viewer, document)


def concede(seat: Seat) -> None:
    """Concede the campaign for your own side."""
    with _changing(seat) as table:
        ending.concede(table.campaign, table.ruleset.concession_fact(seat.viewer))


def propose_draw(seat: Seat) -> None:
    """Propose to end the campaign as a draw."""
    with _changing(seat) as table:
        ending.propose(table.campaign, seat.viewer)


def answer_draw(seat: Seat, agree: bool, request: int | None = None) -> None:
    """Agree to the proposed draw, or refuse it; withdraw one's own proposal."""
    with _changing(seat) as table:
        _check_meant(table, "draw", request)
        ending.answer(table.campaign, seat.viewer, agree, table.ruleset.concession_fact(None))


def settle_battle(seat: Seat, agree: bool, request: int | None = None) -> bool:
    """Let the battle that is to be reported be settled by the model, or refuse it; True if both sides agreed."""
    with _changing(seat) as table:
        _check_meant(table, "settle", request)
        if agree:
            agree_to_settle(table.campaign, seat.viewer)
        else:
            settling.refuse(table.campaign, seat.viewer)
    # A commander has agreed by now.
    return settling.is_settled(table.campaign)


def propose_patience(seat: Seat, days: int, then: str) -> None:
    """Propose other terms about the time that a side has for a move."""
    with _changing(seat) as table:
        patience.propose(table.campaign, seat.viewer, patience.Patience(days, then))


def answer_patience(seat: Seat, agree: bool, request: int | None = None) -> None:
    """Agree to the proposed terms about time, or refuse them; withdraw one's own proposal."""
    with _changing(seat) as table:
        _check_meant(table, "patience", request)
        patience.consent(table.campaign, seat.viewer, agree)
        if agree:
            reminding.look_soon(table.seat.game)


def answer_for_late(seat: Seat, side: str) -> None:
    """Let the sensible commander answer for a side that is late, where the campaign's terms allow it."""
    action = Action.TAKE_BACK_ALONE if seat.viewer == UMPIRE else Action.ANSWER
    with _changing(seat, action) as table:
        answer_late(table.campaign, seat.viewer, side, timezone.now())


def begin(
    owner: Player,
    card: Path,
    rules: str,
    seats: Mapping[str, Player],
    readings: Mapping[str, str] | None = None,
    entered_dice: bool = False,
    title: str = "",
    waiting_days: int = seating.WAITING_DAYS,
    drawn: bool = True,
) -> Game:
    """Begin a campaign from a card; `seats` gives sides (or `umpire`) to people.

    `waiting_days` is how long an announcement must stand before a seat is freed. Numbers of units
    are `drawn`: counted ones would tell how many the enemy does not see.

    Raises DataError if the card isn't valid, RefusedError for an unknown side, or a wait
    that is too short or too long.
    """
    made = find_ruleset(rules).read_card(card, dict(readings or {}))
    return begin_from(owner, made, card.stem, rules, seats, entered_dice, title, waiting_days, drawn)


def begin_from(
    owner: Player,
    made: NewCampaign,
    card: str,
    rules: str,
    seats: Mapping[str, Player],
    entered_dice: bool = False,
    title: str = "",
    waiting_days: int = seating.WAITING_DAYS,
    drawn: bool = True,
    secrets: Mapping[str, Any] | None = None,
) -> Game:
    """Begin a campaign from what was read of a card with this name; see `begin`.

    `secrets` are the sides' own parts of the record from which it goes on.
    """
    ruleset = find_ruleset(rules)
    for name in seats:
        if name not in (*ruleset.sides, UMPIRE):
            raise RefusedError(Refusal.NO_SUCH, f"there is no side {name!r}")
    if not 1 <= waiting_days <= seating.LONGEST_WAIT:
        raise RefusedError(
            Refusal.BAD_ANSWER, f"a seat is freed after 1 to {seating.LONGEST_WAIT} days, not {waiting_days}"
        )
    # A card may fold its title over several lines.
    name = check_title(title or " ".join(made.title.split()))
    # Played on to the first question before anything is stored: nobody else's changes wait for that.
    begun = MemoryStore()
    begun.append(opening_entries(rules, name, made.setting, entered_dice, drawn=drawn))
    campaign = Campaign(begun)
    take_up(campaign, secrets or {})
    play_held_seats(campaign, patient=False)
    with transaction.atomic():
        game = Game.objects.create(title=name, ruleset=rules, card=card, owner=owner, waiting_days=waiting_days)
        seatlog.write(game, seatlog.Kind.OWNER, owner)
        DatabaseStore(game.pk).append(campaign.entries)
        for seat, user in seats.items():
            umpire = seat == UMPIRE
            member = Member.objects.create(
                game=game, user=user, role=Role.UMPIRE if umpire else Role.PLAYER, side="" if umpire else seat
            )
            seatlog.write_of(member, seatlog.Kind.TAKEN)
        notices.Notifier(game, campaign, owner, begins=True).tell()
        if patience.PATIENCE in campaign.opening:
            reminding.look_soon(game)
    game.refresh_from_db()
    return game


def keep_played(owner: Player, title: str, card: str, rules: str, entries: Sequence[Entry]) -> Game:
    """Keep a campaign that was played elsewhere, over as it is; its owner sits on both sides."""
    with transaction.atomic():
        game = Game.objects.create(title=check_title(title), ruleset=rules, card=card, owner=owner)
        seatlog.write(game, seatlog.Kind.OWNER, owner)
        DatabaseStore(game.pk).append(entries)
        for side in find_ruleset(rules).sides:
            seatlog.write_of(
                Member.objects.create(game=game, user=owner, role=Role.PLAYER, side=side), seatlog.Kind.TAKEN
            )
    game.refresh_from_db()
    return game
