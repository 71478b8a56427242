"""What happened to a campaign's seats and its place in the archive, in words that everybody in the campaign can read.

It is also what the server knows of who has seen whose secrets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from laager.web.models import Game, Member, Player, Role, SeatChange
from laager.web.shared.names import side_name

Kind = SeatChange.Kind

WORDS: Mapping[str, str] = {
    Kind.TAKEN: gettext_noop("%(who)s took the seat “%(seat)s”."),
    Kind.LEFT: gettext_noop("%(who)s left the seat “%(seat)s”."),
    Kind.PASSED: gettext_noop("%(who)s gave up the seat “%(seat)s” when %(by)s came to play."),
    Kind.ANNOUNCED: gettext_noop(
        "%(by)s announced that %(who)s may lose the seat “%(seat)s” from %(until)s on, unless %(who)s comes back."
    ),
    Kind.RETURNED: gettext_noop("%(who)s came back and keeps the seat “%(seat)s”."),
    Kind.CALLED_OFF: gettext_noop("%(by)s called it off, and %(who)s keeps the seat “%(seat)s”."),
    Kind.FREED: gettext_noop("%(by)s freed the seat “%(seat)s” of %(who)s."),
    Kind.OWNER: gettext_noop("%(who)s is the owner of the campaign now."),
    Kind.ASKED: gettext_noop("%(who)s asks for the seat “%(seat)s”, but has seen secrets that it shouldn't know."),
    Kind.AGREED: gettext_noop("%(by)s agreed that %(who)s takes the seat “%(seat)s”."),
    Kind.REFUSED: gettext_noop("%(by)s refused the seat “%(seat)s” to %(who)s."),
    Kind.ARCHIVED: gettext_noop("%(who)s archived the campaign."),
    Kind.UNARCHIVED: gettext_noop("%(who)s took the campaign out of the archive."),
}


def write(
    game: Game,
    kind: str,
    who: Player,
    role: str = "",
    side: str = "",
    by: Player | None = None,
    until: datetime | None = None,
) -> None:
    """Write down a change. Belongs into the transaction of the change itself."""
    SeatChange.objects.create(
        game=game,
        kind=kind,
        who=who,
        who_name=who.username,
        by_name=by.username if by else "",
        role=role,
        side=side,
        until=until,
    )


def write_of(member: Member, kind: str, by: Player | None = None) -> None:
    """Write down a change of somebody's seat."""
    write(member.game, kind, member.user, member.role, member.side, by, member.freed_on)


def changes(game: Game, side: str | None = None) -> list[SeatChange]:
    """Return what happened, the newest first; of one side's seats and the umpire's, if named."""
    rows = game.seat_changes.all()  # Each knows its campaign, which isn't asked for again.
    return list(rows if side is None else rows.filter(Q(side=side) | Q(role=Role.UMPIRE)))


def words(change: SeatChange) -> str:
    """Return a change in the reader's language."""
    return _(WORDS[change.kind]) % {
        "who": change.who_name,
        "by": change.by_name,
        "seat": seat_words(change.role, change.side, change.game),
        "until": day(change.until),
    }


def seat_words(role: str, side: str, game: Game | None) -> str:
    """Return what a seat is called: the side and what one is there, or that alone."""
    label = str(Role(role).label) if role else ""
    return f"{side_name(side, game)}, {label}" if side else label


def day(at: datetime | None) -> str:
    """Return a time as the reader writes it."""
    return date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT") if at else ""


# Who has seen what --------------------------------------------------------------------------------


def viewer_of(role: str, side: str) -> str:
    """Return through whose eyes a seat looks: a side, `umpire` or `spectator`."""
    return side or role


def secrets_seen(game: Game) -> Mapping[int, set[str]]:
    """Return for each person whose secrets it has ever seen: sides, `umpire` for all of them."""
    secrets: defaultdict[int, set[str]] = defaultdict(set)
    # Whose account is gone sits nowhere again.
    taken = SeatChange.objects.filter(game=game, kind=Kind.TAKEN).exclude(who=None)
    rows = [
        *taken.values_list("who_id", "role", "side"),
        *Member.objects.filter(game=game).values_list("user_id", "role", "side"),
    ]
    for who, role, side in rows:
        if role != Role.SPECTATOR:
            secrets[who].add(viewer_of(role, side))
    return secrets
