"""In which campaigns a file of a library is used, as far as somebody may know of them.

A campaign is known to those who sit in it, and to nobody else: the owner of a file, too, learns neither that others use
it nor how many.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from laager.web.library.sharing.shares import SharedFile
from laager.web.models import FileUse, Game, Member, OwnFile, Player


def record_uses(owner: Player, names: Iterable[str], game: Game) -> None:
    """Note that a campaign was begun from files of somebody's library."""
    files = OwnFile.objects.filter(owner=owner, name__in=names)
    FileUse.objects.bulk_create((FileUse(file=file, game=game) for file in files), ignore_conflicts=True)


def list_uses(shared: SharedFile) -> list[Member]:
    """Return a seat of the viewer in each of the viewer's campaigns that began from a file or a copy of it."""
    uses = FileUse.objects.filter(Q(file=shared.file) | Q(file__copied_from=shared.file))
    seats = Member.objects.filter(user=shared.viewer, game__in=uses.values("game")).select_related("game")
    # The first seat of each campaign.
    first = {member.game_id: member for member in seats.order_by("game__made", "-pk")}
    return list(first.values())
