"""The battle in VASL: people's own counters, and the setup as a file for the side that a seat sees."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.utils.text import slugify

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.rules.board.context import CardContext
from laager.web.campaigns.tables import Table
from laager.web.library.maps import boards
from laager.web.models import OwnCounters, Player
from laager.web.shared.recent import Recent

if TYPE_CHECKING:
    from laager.vasl import BattleSetup, VaslModule

KEPT = 4
"""How many people's counters a worker keeps in memory, taken apart; each some MB."""
MOST_SAVE = 16 * 2**20
"""The largest save that counters are added to, in bytes."""
SAVE, LOG = "vsav", "vlog"
COUNTERS_WANTED = "choose your VASL.vmod in a browser with scripts, or the file that laager vasl module made"

_READY: Recent[str, VaslModule] = Recent(KEPT)


@dataclass(frozen=True)
class SetupFile:
    """A setup as a file: its name, its content, how many counters are in it."""

    name: str
    data: bytes
    pieces: int


def counters_of(user: Player) -> OwnCounters | None:
    """Return what somebody has of a module, without the counters themselves; None without any."""
    return OwnCounters.objects.filter(owner=user).defer("data").first()


def keep_counters(user: Player, data: bytes, name: str) -> OwnCounters:
    """Keep somebody's file of counters in place of the one before. Raises DataError if it isn't one.

    It is what `laager vasl module` makes, or a module of which a browser has left the definitions alone.
    """
    from laager.vasl import MAX_PACKED, counters_in

    if not data or len(data) > MAX_PACKED:
        wrong = f"{len(data)} bytes is not the size of a file of counters"
        raise DataError([Problem(wrong, COUNTERS_WANTED, file=name)])
    module = counters_in(data, name)
    data = module.pack()
    kept, _ = OwnCounters.objects.update_or_create(
        owner=user,
        defaults={
            "version": module.version,
            "counters": len(module.slots),
            "sha256": hashlib.sha256(data).hexdigest(),
            "data": data,
        },
    )
    return kept


def forget_counters(user: Player) -> None:
    """Remove somebody's counters."""
    OwnCounters.objects.filter(owner=user).delete()


def has_boards(table: Table) -> bool:
    """Return True if a campaign's map was made from boards. Raises RefusedError for a campaign without a map."""
    context = table.campaign.context
    if not isinstance(context, CardContext):
        raise RefusedError(Refusal.NO_SUCH, "this campaign has no battle to set up", "campaigns on a map have")
    return bool(context.map.pictures)


def setup_at(table: Table, layout: str = "") -> BattleSetup:
    """Return the setup of the battle for the side of a seat; for umpires and spectators of what all know.

    Raises RefusedError without counters or a map on boards, DataError for boards that don't fit.
    """
    from laager.vasl import setup_of

    seat = table.seat
    own = OwnCounters.objects.filter(owner=seat.user).first()
    if own is None:
        right = "send the file that laager vasl module makes of your VASL module"
        raise RefusedError(Refusal.NO_SUCH, "Laager has no counters of yours", right)
    shelf = boards.Shelf(seat.user)
    side = seat.viewer if seat.viewer in table.ruleset.sides else None
    return setup_of(table.campaign, side, _module(own), shelf.battle_boards(), layout.strip()[:400], shelf.codes())


def _module(own: OwnCounters) -> VaslModule:
    from laager.vasl import unpack_counters

    return _READY.get(own.sha256, lambda: unpack_counters(bytes(own.data), "counters"))


def write_setup(table: Table, kind: str, layout: str = "", into: tuple[str, bytes] | None = None) -> SetupFile:
    """Return the setup as a save or a log; with `into` (name, content) what it lacks is added to that save.

    Raises RefusedError as `setup_at` does, and for a log or an addition from a seat without secrets of a side;
    DataError for a save that can't be used.
    """
    setup = setup_at(table, layout)
    if setup.side is None and (kind == LOG or into is not None):
        raise RefusedError(Refusal.NOT_YOURS, "your seat has no units of its own to add", "take the whole save")
    if into is not None:
        name, data = into
        if len(data) > MOST_SAVE:
            raise DataError([Problem(f"{len(data)} bytes is too large", f"{MOST_SAVE} at most", file=name)])
        made = setup.into(data, name)
    else:
        now = datetime.now(UTC)
        made = setup.log(now) if kind == LOG else setup.save(now)
    title = slugify(table.seat.game.title) or "campaign"
    part = f"-{setup.side}" if setup.side else ""
    ending = LOG if kind == LOG and into is None else SAVE
    return SetupFile(f"{title}-{setup.marks.battle}{part}.{ending}", made.data, made.pieces)
