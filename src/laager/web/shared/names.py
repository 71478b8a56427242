"""What a campaign's pages call its sides, and its rules with what the house changes in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from django.utils.translation import gettext, gettext_noop

from laager.base import LaagerError
from laager.campaign.house import HouseRules
from laager.campaign.ruleset import find_ruleset
from laager.web.models import EntryLine, Game
from laager.web.shared.recent import Recent

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign

_SEATS = {
    "axis": gettext_noop("Axis"),
    "allied": gettext_noop("Allied"),
    "umpire": gettext_noop("Umpire"),
    "spectator": gettext_noop("Spectator"),
}
_PEOPLES = {
    "Germans": gettext_noop("Germans"),
    "Soviets": gettext_noop("Soviets"),
    "Russians": gettext_noop("Russians"),
    "Americans": gettext_noop("Americans"),
    "British": gettext_noop("British"),
    "Japanese": gettext_noop("Japanese"),
    "Italians": gettext_noop("Italians"),
    "French": gettext_noop("French"),
    "Finns": gettext_noop("Finns"),
    "Poles": gettext_noop("Poles"),
    "Hungarians": gettext_noop("Hungarians"),
    "Romanians": gettext_noop("Romanians"),
    "Chinese": gettext_noop("Chinese"),
    "Slovaks": gettext_noop("Slovaks"),
}
"""Other names, of cards that call their sides so, stay as they are."""

_CALLED: Recent[UUID, Mapping[str, str]] = Recent(1000)


def names_of_sides(game: Game) -> Mapping[str, str]:
    """Return what the log calls each side. It follows from the opening, and never changes."""
    return _CALLED.get(game.pk, lambda: _read(game))


def keep_names(game: Game, campaign: Campaign) -> None:
    """Keep the names of a campaign that is open anyway."""
    _CALLED.get(game.pk, lambda: _names(campaign.context.people_of, campaign.ruleset.sides))


def side_name(side: str, game: object = None) -> str:
    """Return what a side, or another seat, is called in the reader's language; without a campaign, its half."""
    name = names_of_sides(game).get(side, "") if isinstance(game, Game) else ""
    if name:
        return gettext(_PEOPLES[name]) if name in _PEOPLES else name
    return gettext(_SEATS[side]) if side in _SEATS else side.capitalize()


def _read(game: Game) -> Mapping[str, str]:
    line = EntryLine.objects.filter(game=game).order_by("number").values_list("line", flat=True).first()
    try:
        opening = json.loads(line or "")["body"]
        ruleset = find_ruleset(game.ruleset)
        return _names(ruleset.context(opening).people_of, ruleset.sides)
    except (LaagerError, ValueError, KeyError):
        # A log that cannot be read is told where it is opened.
        return {}


def _names(name: Callable[[str], str], sides: Sequence[str]) -> Mapping[str, str]:
    names = {side: name(side) for side in sides}
    return names if len(set(names.values())) == len(names) else {}


# Rules --------------------------------------------------------------------------------------------


class RulesByHouse(str):
    """The name of a campaign's rule system, together with what the campaign plays differently.

    Templates have it where others have the plain name, so that each clause cited is marked if it's changed.
    `address` is the page that lists the changes.
    """

    house: HouseRules
    address: str

    def __new__(cls, ruleset: str, house: HouseRules, address: str) -> RulesByHouse:
        """Return a name that compares as the plain one does."""
        made = super().__new__(cls, ruleset)
        made.house, made.address = house, address
        return made


_COMMANDERS = {
    "chance": gettext_noop("by chance"),
    "sensible": gettext_noop("sensible"),
    "bold": gettext_noop("bold"),
    "cautious": gettext_noop("cautious"),
    "ahead": gettext_noop("looks ahead"),
}


def commander_name(name: str) -> str:
    """Return what a commander is called in the reader's language; one from elsewhere by its own name."""
    return gettext(_COMMANDERS[name]) if name in _COMMANDERS else name
