"""Who of a side answered, where several people play it. Said to the people of that side, and to nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.web.models import Answerer, Member, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from laager.campaign.log import Entry
    from laager.web.seats.permissions import Seat


def note_answerer(seat: Seat, entries: Sequence[Entry]) -> None:
    """Keep who gave the answers among these entries, if the seat's side has other players, too."""
    if seat.role is not Role.PLAYER or seat.member.pk is None:
        return  # A commander's seat is nobody's.
    side = seat.member.side
    answers = [entry.number for entry in entries if entry.type == "answer" and entry.body["side"] == side]
    if not answers:
        return
    mates = Member.objects.filter(game=seat.game.pk, role=Role.PLAYER, side=side).exclude(user=seat.user.pk)
    if not mates.exists():
        return
    name = Member.objects.values_list("user__username", flat=True).get(pk=seat.member.pk)
    Answerer.objects.bulk_create(
        Answerer(game_id=seat.game.pk, side=side, entry=number, name=name) for number in answers
    )


def names_of_answerers(seat: Seat) -> Mapping[int, str]:
    """Return who gave the answers of the seat's own side, by their numbers in the campaign's log."""
    if not seat.member.side:
        return {}
    rows = Answerer.objects.filter(game=seat.game.pk, side=seat.member.side)
    return dict(rows.values_list("entry", "name"))
