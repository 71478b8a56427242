"""Taking a campaign in from a file, as `laager new` or another server wrote it."""

from __future__ import annotations

from django.db import transaction

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore, read_lines
from laager.web.campaigns.store import DatabaseStore
from laager.web.models import Game, Member, Player, Role
from laager.web.seats import seatlog
from laager.web.seats.members import LONGEST_TITLE, check_title


def take_in(owner: Player, data: bytes, name: str) -> Game:
    """Store a campaign file as a campaign of this server. Its owner sits there as umpire, and invites the players.

    A file has the secrets of both sides; so its owner takes another seat only if the players agree. Raises DataError if
    the file can't be read or doesn't verify, RefusedError if its rules aren't installed.
    """
    loaded, _good = read_lines(data, name)
    if loaded.repaired:
        raise DataError([Problem(loaded.repaired, "take another copy of the file", file=name)], Refusal.BROKEN_LOG)
    campaign = Campaign(MemoryStore(data))
    if findings := audit(campaign).findings:
        first = findings[0]
        raise DataError(
            [Problem(f"the campaign doesn't verify: {first.what}", line=first.number, file=name)], Refusal.BROKEN_LOG
        )
    opening = campaign.opening
    title = check_title(" ".join(str(opening["title"]).split())[:LONGEST_TITLE])
    with transaction.atomic():
        game = Game.objects.create(title=title, ruleset=campaign.ruleset.id, card="", owner=owner)
        seatlog.write(game, seatlog.Kind.OWNER, owner)
        store = DatabaseStore(game.pk)
        store.append(loaded.entries)
        if store.head != loaded.head:
            raise RefusedError(Refusal.BROKEN_LOG, "this Laager would write that campaign otherwise", "update Laager")
        seatlog.write_of(Member.objects.create(game=game, user=owner, role=Role.UMPIRE), seatlog.Kind.TAKEN)
    game.refresh_from_db()
    return game
