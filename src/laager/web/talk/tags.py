"""What templates ask about the talk at a table: `{% load talk %}`."""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from laager.web.models import Game, SessionPlan, TalkMessage
from laager.web.seats.permissions import Seat
from laager.web.talk import dates
from laager.web.talk.messages import TalkNews, list_quotes, talk_news

register = template.Library()


@register.simple_tag(name="talk_news")
def talk_news_tag(seat: Seat) -> TalkNews:
    """Return what is new for a seat in the channels that it reads."""
    return talk_news(seat)


@register.simple_tag
def next_session(game: Game) -> SessionPlan | None:
    """Return what is planned for a campaign's next session; None if nothing is."""
    return dates.current_plan(game)


@register.simple_tag
def talk_quotes(game: Game) -> Sequence[TalkMessage]:
    """Return what was said to everybody in a campaign and may be quoted."""
    return list_quotes(game)
