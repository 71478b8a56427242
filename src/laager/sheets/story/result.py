"""The result of a campaign that is over, as a picture to share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from laager.base import Refusal, RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.speech import in_words_of_card
from laager.campaign.views import view
from laager.hexmap import HexMap
from laager.hexmap.draw import RESULT_SIZE, Layers, ResultCard, draw_png, draw_result
from laager.sheets.story import losses
from laager.sheets.story.ground import only_control, scene
from laager.sheets.story.sentences import Teller
from laager.sheets.words import words_of


@in_words_of_card
def result_picture(campaign: Campaign, viewer: str, language: str = "en", name: str = "") -> Callable[[], bytes]:
    """Return what draws the result of a campaign as a PNG of `RESULT_SIZE`; it needs the campaign no more.

    A name of the campaign's own stands above that of its card.
    Raises RefusedError (no-such) while a campaign goes on, or without a map.
    """
    if not campaign.over:
        raise RefusedError(Refusal.NO_SUCH, "the campaign goes on", "come back when it is over")
    return standing_picture(campaign, viewer, language, name)


@in_words_of_card
def standing_picture(campaign: Campaign, viewer: str, language: str = "en", name: str = "") -> Callable[[], bytes]:
    """Return what draws how a campaign stands, or its result once it is over, as `result_picture` does.

    Raises RefusedError (no-such) without a map.
    """
    seen = view(campaign, viewer)
    teller = Teller(campaign, seen, words_of(language))
    battles = [battle for battle in teller.battles if battle.fought]
    points = losses.points(seen, battles, teller.sides)
    scores = tuple((side, teller.name(side), _points(points, side)) for side in teller.sides)
    headline, below = _ending(teller) if campaign.over else _standing(teller)
    card = seen.title if name and name != seen.title else ""
    result = ResultCard(name or seen.title, card, headline, below, scores)
    map_, layers = scene(campaign, seen, len(seen.log))
    return partial(_draw, map_, only_control(layers), result)


def _ending(teller: Teller) -> tuple[str, str]:
    """Return who won, and why."""
    state, words = teller.seen.state, teller.words
    winner = getattr(state, "winner", "")
    won = words("Winner: {side}", side=teller.name(winner)) if winner else words("Nobody won.")
    return won, teller.without_codes(teller.translate(getattr(state, "ending", "")))


def _standing(teller: Teller) -> tuple[str, str]:
    """Return how far the campaign has come, and how the sides stand."""
    first, *rest = teller.standing() or [""]
    return first, " · ".join(rest)


def _draw(map_: HexMap, layers: Layers, result: ResultCard) -> bytes:
    return draw_png(draw_result(map_, layers, result), RESULT_SIZE[0])


def _points(points: tuple[losses.BattlePoints, ...], side: str) -> str:
    """Return what a side has scored in all battles: its CVP, and its TVP where the rules have them."""
    last = next((row for row in reversed(points) if row.side == side), None)
    if last is None:
        return ""
    with_tvp = any(row.tvp_total for row in points)
    return f"CVP {last.cvp_total}, TVP {last.tvp_total}" if with_tvp else f"CVP {last.cvp_total}"
