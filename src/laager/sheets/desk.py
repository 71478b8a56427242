"""What the makers of printed forms have before them: one viewer's campaign, and nothing else.

All of it comes out of `view`, so that what the other side keeps secret cannot get on paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from laager.base.texts import with_own_texts
from laager.campaign import UMPIRE, Column, PlayedRuleset, Sheet, find_ruleset
from laager.campaign.engine import Campaign
from laager.campaign.views import View, view
from laager.sheets.leaf import Box, Cell, ticks
from laager.sheets.rulings import ruling_sheets
from laager.sheets.words import Words, mark_texts

mark_texts("ELR announced", "Patrols", "CVP total")
RATINGS = {
    "elr": "ELR",
    "announced_elr": "ELR announced",
    "san": "SAN",
    "cp": "CP",
    "cpp": "CPP",
    "fp": "FP",
    "fpp": "FPP",
    "patrols": "Patrols",
    "cvp": "CVP",
    "cvp_total": "CVP total",
    "tvp": "TVP",
}
"""The running numbers of a side that have a box at the head of its forms: exports' names, and labels."""

_SOURCES = mark_texts(
    "House data: made by the Laager project or its users, not published figures",
    "Data entered by the owner of the module",
    "Published data",
)
SOURCES = dict(zip(("house", "own", "published"), _SOURCES, strict=True))
"""Where the figures of a card come from."""

UNIT = frozenset({"id", "side", "type", "kind", "name", "group", "place", "at", "marks", "with_unit"})
"""What exports say of a unit where the rules have battles that are reported."""


@dataclass(frozen=True)
class Desk:
    """A viewer's campaign, with the words of the language in which forms are made."""

    campaign: Campaign
    seen: View
    words: Words

    @staticmethod
    def of(campaign: Campaign, viewer: str, words: Words) -> Desk:
        """Return what a viewer has before them. Raises RefusedError if there is no such viewer."""
        return Desk(campaign, view(campaign, viewer), words)

    @property
    def viewer(self) -> str:
        """Who looks: a side or the umpire."""
        return self.seen.viewer

    @cached_property
    def ruleset(self) -> PlayedRuleset:
        """The rules, with all that players meet of them."""
        return find_ruleset(self.campaign.opening["ruleset"])

    @cached_property
    def sheets(self) -> Sequence[Sheet]:
        """The record sheets that the viewer's state fills."""
        sheets = self.ruleset.sheets(self.campaign.context, self.seen.state)
        return (*sheets, *ruling_sheets(self.campaign, self.seen, self.words.language))

    @cached_property
    def told(self) -> Mapping[str, Any]:
        """The viewer's state as exports have it."""
        return self.ruleset.describe(self.seen.state)

    @cached_property
    def headline(self) -> Sequence[str]:
        """A few lines that say where the campaign stands."""
        return self.ruleset.headline(self.campaign.context, self.seen.state)

    @property
    def sides(self) -> Sequence[str]:
        """The sides of the campaign."""
        return self.campaign.ruleset.sides

    @property
    def over(self) -> bool:
        """True if the campaign has ended."""
        return self.ruleset.next_step(self.seen.state) is None

    def mine(self, side: str) -> bool:
        """True if the viewer knows the secrets of a side."""
        return self.seen.eyes in (UMPIRE, side)

    def sheets_beside(self, key: str, side: str) -> Sequence[Sheet]:
        """Return what the rules put before a side under this key."""
        return self.ruleset.sheets_beside(self.campaign.context, self.seen.state, key, side)

    # Parts of forms in the language of the reader ---------------------------------------------------

    def columns(self, *titles: str) -> tuple[Column, ...]:
        """Return columns with these titles; "" for one without a title."""
        return tuple(Column(self.words(title) if title else "") for title in titles)

    def ticks(self, *labels: str) -> Cell:
        """Return boxes to tick with these labels."""
        return ticks(map(self.words, labels))

    def of_side(self, form: str, side: str) -> str:
        """Return the title of a side's own form."""
        return f"{form}: {self.name(side)}"

    # What stands on the card ----------------------------------------------------------------------

    @cached_property
    def card(self) -> Mapping[str, Any]:
        """The card, or the terms of a purchase; empty if the rules have neither."""
        terms = self.seen.opening.get("card") or self.seen.opening.get("terms")
        return with_own_texts(terms) if isinstance(terms, Mapping) else {}

    def name(self, side: str) -> str:
        """Return what players call a side."""
        half = self.card.get("sides", {}).get(side, {})
        name = half.get("name") or str(half.get("nation", "")).title()
        return self.words.say(f"{name} ({side})") if name else self.words.say(side)

    @property
    def source(self) -> str:
        """Where the figures on the card come from, in words; "" if there is no card."""
        if not self.card:
            return ""
        if {"terms", "catalogue"} <= self.seen.opening.keys():
            return self._values_source
        # Terms leave out what goes without saying.
        code = str(self.card.get("source", "house"))
        return self.words(SOURCES[code]) if code in SOURCES else code

    @property
    def _values_source(self) -> str:
        """Where the values of a purchase's catalogue come from, in words: each kind of source, house data first."""
        from laager.catalogue.dyo import OriginKind, from_data

        names = {OriginKind.HOUSE: "house", OriginKind.USER: "own", OriginKind.PUBLISHED: "published"}
        nations = from_data(self.seen.opening["catalogue"]).values()
        kinds = {origin.kind for nation in nations for origin in nation.sources}
        return " · ".join(self.words(SOURCES[name]) for kind, name in names.items() if kind in kinds)

    @property
    def footer(self) -> str:
        """What stands at the foot of every page: rules, card, source, how far, for whom."""
        words, opening = self.words, self.seen.opening
        parts = [f"{self.ruleset.title} · Laager {opening.get('laager', '')}"]
        if self.card.get("id"):
            version = self.card.get("version")
            number = f" {version}" if version else ""
            parts.append(words("Card: {card}", card=f"{self.card['id']}{number}"))
        parts += [self.source] if self.source else []
        who = words("the umpire: holds the secrets of both sides") if self.viewer == UMPIRE else self.name(self.viewer)
        parts.append(words("as of entry {number}, seen by {viewer}", number=self.seen.version, viewer=who))
        return " · ".join(parts)

    # The head of a form ---------------------------------------------------------------------------

    def boxes(self, side: str = "") -> tuple[tuple[Box, ...], ...]:
        """Return the boxed fields at the head of a form: campaign, side, date, ratings."""
        words = self.words
        first = [Box(words("Campaign"), self.seen.title, 3)]
        if side:
            first.append(Box(words("Side"), self.name(side), 2))
        first.append(Box(words("Where it stands"), self.headline[0] if self.headline else "", 4))
        rows = [tuple(first)]
        numbers = tuple(self._ratings(side)) if side else ()
        return (*rows, numbers) if numbers else tuple(rows)

    def _ratings(self, side: str) -> Iterator[Box]:
        own = self.told.get("sides", {}).get(side, {})
        for name, label in RATINGS.items():
            if own.get(name) is not None:
                yield Box(self.words(label), str(own[name]))
        if "allotment" in own:
            yield Box(self.words("Points"), str(own["allotment"]))
        if "points" in own:
            yield Box(self.words("Points left"), str(own["points"]["left"]))
        yield Box(self.words("Player"), "", 2)

    # Units ----------------------------------------------------------------------------------------

    @cached_property
    def units(self) -> Sequence[Mapping[str, Any]]:
        """The units that the viewer knows; none if the rules have none as battles report them."""
        known = self.told.get("units")
        units = tuple(known.values()) if isinstance(known, Mapping) else ()
        whole = all(isinstance(unit, Mapping) and unit.keys() >= UNIT for unit in units)
        return units if whole else ()
