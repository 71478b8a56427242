"""Commanders who take long over an answer: they think in a process of their own, outside all requests.

A campaign that waits for one is noted by the change after which it waits, and by each look at its table: so it goes on
if a server stopped meanwhile. Workers that think over the same question come to the same answer, and it counts once.
"""

from __future__ import annotations

import logging
from threading import Event, Lock
from time import monotonic
from uuid import UUID

from django.db import connection

from laager.base import LaagerError
from laager.campaign import find_ruleset
from laager.commanders.answering import Thought, give_thought
from laager.commanders.seats import find_pondered, ponder_entries
from laager.web.campaigns.tables import act, look
from laager.web.models import Game, Member, Player, Role
from laager.web.seats.permissions import Seat
from laager.web.shared import events, processes
from laager.web.shared.fair_queue import BusyError

LOG = logging.getLogger("laager.web")
EVERY = 0.5
"""Seconds between two looks for campaigns that wait."""
AFTER = 1.0
"""Seconds after which a change that noted a campaign is stored, or never will be."""

THINKING = processes.Processes(lambda: 1)
"""The process that thinks."""

_LOCK = Lock()
_NOTED: dict[UUID, float] = {}


def note(game: UUID) -> None:
    """Note that a commander of a campaign has to think."""
    with _LOCK:
        _NOTED.setdefault(game, monotonic())


def keep_thinking(ended: Event) -> None:
    """Think over what was noted until the end, in the thread that calls this."""
    while not ended.wait(EVERY):
        try:
            while not ended.is_set() and think_next():
                pass
        except Exception as err:
            # A look at its table notes it again.
            LOG.warning("a commander could not answer: %s", type(err).__name__)
        connection.close()


def think_next() -> bool:
    """Think over one answer and store it; False if no campaign was noted, or only just now."""
    with _LOCK:
        number = next((game for game, noted in _NOTED.items() if monotonic() - noted >= AFTER), None)
        if number is None:
            return False
        del _NOTED[number]
    game = Game.objects.filter(pk=number, archived=False).first()
    if game is not None:
        _think_for(game)
    return True


def _think_for(game: Game) -> None:
    seat = _nobodys_seat(game)
    with look(seat) as table:
        asked = find_pondered(table.campaign)
        entries, version = tuple(table.campaign.entries), table.campaign.version
    if asked is None or asked.question is None:
        return
    try:
        thought = THINKING.do(game.owner_id, ponder_entries, entries)
    except BusyError:
        note(game.pk)
        raise
    except LaagerError as err:
        LOG.warning("a commander could not think, its side takes the proposal: %s", err)
        thought = Thought(asked.side, asked.key, asked.question.default)
    _store(seat, thought, version)


def _store(seat: Seat, thought: Thought | None, version: int) -> None:
    from laager.web.campaigns.changes import change

    with act(seat) as table:
        pending = find_pondered(table.campaign)
        if pending is None or thought is None or table.campaign.version != version:
            return  # Somebody was faster, or took something back; a look notes what is asked now.
        with change(table) as made:
            give_thought(table.campaign, pending, thought)
        events.publish(seat.game.pk)
        made.store_effects()


def _nobodys_seat(game: Game) -> Seat:
    """Return the seat of a commander: no person's, so that all who must answer next are told."""
    return Seat(game, Player(), Member(game=game, role=Role.PLAYER, side=find_ruleset(game.ruleset).sides[0]))
