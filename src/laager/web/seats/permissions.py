"""Who may do what. The one place that decides it, for pages and API alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError
from laager.campaign.facts import SPECTATOR, UMPIRE
from laager.web.models import Game, Member, Player, Role

if TYPE_CHECKING:
    from uuid import UUID


class Action(StrEnum):
    """What can be done at a campaign's table."""

    LOOK = "look"
    """See what the seat may know: pages, log, map, sheets, API."""
    DRAFT = "draft"
    """Begin answers, write notes of the side."""
    ANSWER = "answer"
    """Answer, roll, agree and refuse, ask to take back, concede: all that changes a campaign."""
    TAKE_BACK_ALONE = "take-back-alone"
    INVITE = "invite"
    """Make and withdraw invitations; only the campaign's owner."""
    MANAGE = "manage"
    """Rename, hand on, send spectators away; only the campaign's owner."""
    ARCHIVE = "archive"
    """Archive a campaign, take it out of the archive: the campaign's owner and the server's."""
    FREE = "free"
    """Announce that the seat of somebody who is gone is to be freed; the owner may, too."""
    PROVE = "prove"
    """Verify the log before the end: the umpire. Afterwards everybody who takes part may."""


MAY: Mapping[Role, frozenset[Action]] = {
    Role.PLAYER: frozenset({Action.LOOK, Action.DRAFT, Action.ANSWER, Action.FREE}),
    Role.MATE: frozenset({Action.LOOK, Action.DRAFT}),
    Role.UMPIRE: frozenset({Action.LOOK, Action.DRAFT, Action.TAKE_BACK_ALONE, Action.PROVE, Action.FREE}),
    Role.SPECTATOR: frozenset({Action.LOOK}),
}
"""What each role can do; `Seat.may` adds what only owners can."""


@dataclass(frozen=True)
class Seat:
    """Somebody's seat at a campaign: through whose eyes it is seen, and what may be done.

    It is looked up once for each request; `game` is the campaign's row as it was then, or after the seat's own change.
    """

    game: Game
    user: Player
    member: Member
    others: tuple[Seat, ...] = field(default=(), compare=False, repr=False)
    """The other seats that the same person has in the campaign, if they were looked up."""

    @property
    def role(self) -> Role:
        """What the person is in this seat."""
        return Role(self.member.role)

    @property
    def name(self) -> str:
        """The seat's name in addresses."""
        return self.member.seat

    @property
    def viewer(self) -> str:
        """Through whose eyes the campaign is seen (`laager.campaign.views`)."""
        if self.role is Role.UMPIRE:
            return UMPIRE
        return SPECTATOR if self.role is Role.SPECTATOR else self.member.side

    def may(self, action: Action) -> bool:
        """Return True if this seat may do something."""
        if action in {Action.INVITE, Action.MANAGE}:
            return self.game.owner_id == self.user.pk
        if action is Action.ARCHIVE:
            return self.game.owner_id == self.user.pk or self.user.is_superuser
        if action is Action.FREE and self.game.owner_id == self.user.pk:
            return True
        return action in MAY[self.role]

    def may_now(self, action: Action) -> bool:
        """Return True if this seat may do something that nobody does in an archived campaign."""
        return self.may(action) and not self.game.archived

    def need(self, action: Action) -> None:
        """Raise RefusedError unless this seat may do it."""
        if not self.may(action):
            raise RefusedError(Refusal.NOT_YOURS, f"a {self.role.label} can't do this")


def seats_of(user: Player, game: UUID) -> list[Seat]:
    """Return all seats that somebody has in a campaign: sides first."""
    members = Member.objects.select_related("game").filter(game_id=game, user=user)
    seats = [Seat(member.game, user, member) for member in members]
    order = list(Role)
    return sorted(seats, key=lambda seat: (order.index(seat.role), seat.name))


def find_seat(user: Player, game: UUID, name: str) -> Seat:
    """Return somebody's seat of this name.

    Raises RefusedError (no-such) in the same words if the campaign doesn't exist, the seat doesn't exist
    or only no right to it.
    """
    seats = seats_of(user, game)
    for seat in seats:
        if seat.name == name:
            return replace(seat, others=tuple(other for other in seats if other is not seat))
    raise RefusedError(Refusal.NO_SUCH, "this campaign doesn't exist, or you have no seat in it")
