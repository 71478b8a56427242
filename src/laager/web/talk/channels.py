"""The channels of a campaign's talk, and who reads and writes in which. The one place that decides it.

- `table`: everybody. Spectators read it, and write in a channel of their own.
- `side-axis`: the players and team mates of one side. Neither the umpire nor the campaign's owner reads it.
- `umpire-axis`: the same people and the umpire.
- `spectators`: spectators and the umpire. Players don't read it, even from a second seat as spectators: who watches
  could give a side hints.

Each channel counts for itself, so that nobody can tell from numbers, marks or times whether another one is used.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from laager.base import Refusal, RefusedError
from laager.campaign import find_ruleset
from laager.web.models import Game, Member, Role
from laager.web.seats.permissions import Seat
from laager.web.shared.names import side_name

TABLE, SIDE, UMPIRE, SPECTATORS = "table", "side", "umpire", "spectators"


@dataclass(frozen=True)
class Channel:
    """A channel as one seat has it."""

    kind: str
    side: str = ""
    writable: bool = True
    """False if the seat only reads it."""

    @property
    def name(self) -> str:
        """Its name in addresses and in the database."""
        return f"{self.kind}-{self.side}" if self.side else self.kind

    @property
    def is_public(self) -> bool:
        """True if people of both sides, or anybody who watches, read it: the owner can mute somebody there."""
        return not self.side

    def title(self, game: Game) -> str:
        """Return what it is called in the reader's language."""
        side = side_name(self.side, game) if self.side else ""
        match self.kind:
            case "side":
                return _("{side} only").format(side=side)
            case "umpire":
                return _("{side} and umpire").format(side=side)
            case "spectators":
                return _("Spectators")
            case _:
                return _("Everybody")

    def readers(self) -> Q:
        """Return the seats that read it, as a condition for members. Who also plays is left out elsewhere."""
        team = Q(side=self.side, role__in=[Role.PLAYER, Role.MATE])
        match self.kind:
            case "side":
                return team
            case "umpire":
                return team | Q(role=Role.UMPIRE)
            case "spectators":
                return Q(role__in=[Role.SPECTATOR, Role.UMPIRE])
            case _:
                return Q()


def readable_channels(seat: Seat) -> tuple[Channel, ...]:
    """Return the channels that a seat reads."""
    match seat.role:
        case Role.UMPIRE:
            sides = find_ruleset(str(seat.game.ruleset)).sides
            return (Channel(TABLE), *(Channel(UMPIRE, side) for side in sides), Channel(SPECTATORS))
        case Role.SPECTATOR:
            table = Channel(TABLE, writable=False)
            return (table,) if _plays(seat) else (table, Channel(SPECTATORS))
        case _:
            side = seat.member.side
            return (Channel(TABLE), Channel(SIDE, side), Channel(UMPIRE, side))


def _plays(seat: Seat) -> bool:
    """Return True if a spectator sits on a side, too."""
    return Member.objects.filter(game=seat.game, user=seat.user).exclude(side="").exists()


def find_channel(seat: Seat, name: str) -> Channel:
    """Return a channel that a seat reads.

    Raises RefusedError in the same words whether there is no such channel or only no right to it.
    """
    for channel in readable_channels(seat):
        if channel.name == name:
            return channel
    raise RefusedError(Refusal.NO_SUCH, "you have no channel of this name", "look at your page Talk")
