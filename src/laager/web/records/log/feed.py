"""A seat's feed: that an answer is needed, and an item for each step in which something happened that all may know.

What only one side may know is never in it: feeds are read by programs of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.core import signing
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils import feedgenerator, translation
from django.utils.html import format_html_join
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from laager.base import Refusal, RefusedError
from laager.campaign.telling import Told, brief, join_alike
from laager.web.campaigns.seat_pages import seat_page
from laager.web.campaigns.tables import Table, look
from laager.web.models import Member, Role
from laager.web.seats import seatlog
from laager.web.seats.permissions import Action, Seat, find_seat
from laager.web.shared import throttle, tokens
from laager.web.shared.http import absolute_address, address_of
from laager.web.shared.translation import translate

SALT = "laager.feed"
MOST = 30
"""Most steps in a feed: the last ones."""
MOST_LINES = 40
"""Most lines of an item."""
UNTOLD = frozenset({"answer", "done", "open", "seed", "step"})
"""Entries that aren't told: what follows from an answer is."""


@dataclass(frozen=True)
class FeedItem:
    """An item of a feed: its title, what happened line by line, and when the last of it did."""

    id: str
    title: str
    at: datetime
    lines: tuple[str, ...] = ()


def items(seat: Seat) -> list[FeedItem]:
    """Return a seat's feed, what is needed first, then the newest."""
    spectator = Seat(seat.game, seat.user, Member(game=seat.game, role=Role.SPECTATOR))
    with look(seat) as table:
        asked = table.asked if seat.may(Action.ANSWER) else ()
        last = _time(table.view.log[-1].entry.at)
        needed = [FeedItem(f"asked:{seat.name}:{item.mark}", _("Your answer is needed"), last) for item in asked[:1]]
        happened = list(_steps(Table(spectator, table.campaign)))[-MOST:]
    happened += [
        FeedItem(f"seat:{item.pk}", seatlog.words(item), item.at) for item in seatlog.changes(seat.game)[:MOST]
    ]
    happened.sort(key=lambda item: item.at)
    return needed + happened[::-1]


def _steps(table: Table) -> Iterator[FeedItem]:
    """Yield an item for each step that tells something."""
    # With the end all entries are seen, under other numbers; no two items may have the same ID.
    kind = "all" if table.campaign.over else "entry"
    head: Told | None = None
    run: list[Told] = []
    for line in (*table.log, None):
        if line is not None and line.entry.type != "step":
            run += [line] if line.text and line.counts and line.entry.type not in UNTOLD else []
            continue
        if run:
            yield _item(table, kind, head, run)
        head, run = line, []


def _item(table: Table, kind: str, head: Told | None, run: Sequence[Told]) -> FeedItem:
    short = (join_alike(list(same)) for _like, same in groupby(run, key=lambda line: line.like))
    lines = [brief(line.text.strip()) for some in short for line in some]
    # A step of an older Laager may be gone.
    step = table.campaign.ruleset.steps.get(head.entry.body["step"]) if head else None
    title = translate(step.title) if step else ""
    if len(lines) == 1:
        said = lines[0].casefold().startswith(title.casefold())
        title, lines = lines[0] if said else f"{title}: {lines[0]}", []
    elif not title:
        title, lines = lines[0], lines[1:]
    more = len(lines) - MOST_LINES
    if more > 0:
        lines = [*lines[:MOST_LINES], _("… and %(n)s more lines") % {"n": more}]
    first, at = head or run[0], max(_time(line.entry.at) for line in run)
    return FeedItem(f"{kind}:{first.number}", title, at, tuple(lines))


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def feed_key(seat: Seat) -> str:
    """Return the key of a seat's feed: it opens the feed, and nothing else."""
    return signing.dumps([seat.member.pk, seat.member.feed], salt=SALT)


def renew_feed(seat: Seat) -> None:
    """Make the key of a seat's feed useless; there is a new one."""
    seat.need(Action.LOOK)
    Member.objects.filter(pk=seat.member.pk).update(feed=F("feed") + 1)


def by_feed_key(key: str) -> Seat:
    """Return the seat of a feed's key. Raises RefusedError for any that is not good."""
    try:
        pk, turn = signing.loads(key, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        pk, turn = None, None
    member = Member.objects.filter(pk=pk, feed=turn, user__is_active=True).select_related("user", "game").first()
    if member is None:
        raise RefusedError(Refusal.NO_SUCH, "this feed doesn't exist, or no longer exists")
    return Seat(member.game, member.user, member)


# Pages --------------------------------------------------------------------------------------------

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
"""What must not stand in XML."""


@require_safe
def by_key(request: HttpRequest, key: str) -> HttpResponse:
    """Give the feed whose key stands in the address."""
    return _render_feed(request, by_feed_key(key))


@require_safe
def by_token(request: HttpRequest, game: UUID, seat: str) -> HttpResponse:
    """Give the feed of a seat to a program with a token."""
    scheme, _space, key = request.headers.get("Authorization", "").partition(" ")
    user = tokens.find(key) if scheme == "Bearer" else None
    if user is None:
        throttle.count_opening(address_of(request))
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return _render_feed(request, find_seat(user, game, seat))


def _render_feed(request: HttpRequest, seat: Seat) -> HttpResponse:
    home = absolute_address(request, reverse("table", args=[seat.game.pk, seat.name]))
    with translation.override(seat.user.language or translation.get_language()):
        atom = feedgenerator.Atom1Feed(
            title=_clean(f"{seat.game.title} · Laager"), link=home, description="", feed_guid=f"urn:uuid:{seat.game.pk}"
        )
        for item in items(seat):
            atom.add_item(
                title=_clean(item.title),
                link=home,
                description=format_html_join("", "<p>{}</p>", ((_clean(line),) for line in item.lines)),
                unique_id=f"urn:laager:{seat.game.pk}:{item.id}",
                updateddate=item.at,
                pubdate=item.at,
            )
        text = atom.writeString("utf-8")
    return HttpResponse(
        text, content_type="application/atom+xml; charset=utf-8", headers={"Cache-Control": "private, no-store"}
    )


def _clean(text: str) -> str:
    return CONTROL.sub(" ", text)


@seat_page(post=True)
def renew(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give the feed another address."""
    renew_feed(seat)
    return redirect("people", seat.game.pk, seat.name)


urlpatterns = [path("feed/<str:key>/", by_key, name="feed")]


seat_patterns = [path("feed/", by_token, name="seat-feed"), path("feed/renew/", renew, name="feed-renew")]
