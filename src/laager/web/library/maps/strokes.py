"""Painting a map: strokes carried out one by one, what they change, floods, and what a card still needs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.blanks import without_blanks
from laager.base.files import parse_document
from laager.campaign.cards import shipped_cards
from laager.hexmap import HexMap, flood_fill, is_placeholder
from laager.hexmap.terrain import unknown_hexes
from laager.rules.board.card.needs import ARROW, Need, card_needs
from laager.vasl import mark
from laager.web.library.files import files as library
from laager.web.library.maps import board_maps, boards
from laager.web.library.maps.hex_editing import map_of
from laager.web.library.sharing.opened import OpenFile
from laager.web.models import Player
from laager.web.shared import processes
from laager.web.shared.recent import Recent

if TYPE_CHECKING:
    from laager.vasl import HexColours

MOST_STROKES = 200
MOST_LINES = 2000
MOST_TEXT = 400_000
TRIES = 4
"""Most tries to carry strokes out if somebody else changes the map meanwhile."""
CARD_KINDS = ("hasl-card", "pl-card")
ALIKE = ("terrain", "colour", "block")
"""By what a flood goes from hex to hex."""


# Strokes ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Carried:
    """What became of strokes: the file now, its map before and after, and what is wrong with some of them.

    `moved` tells that the map was another one than the sender knew.
    """

    opened: OpenFile
    before: HexMap
    after: HexMap
    problems: tuple[Problem, ...]
    moved: bool


def strokes_in(text: str) -> list[list[str]]:
    """Return strokes that were sent: each a list of changes as `laager vasl mark` has them. Raises DataError."""
    right = "a JSON list of strokes, each a list of changes"
    try:
        sent: Any = json.loads(text[: MOST_TEXT + 1])
    except (ValueError, RecursionError):
        raise DataError([Problem("the strokes can't be read", right, "strokes")]) from None
    lists = isinstance(sent, list) and all(isinstance(stroke, list) for stroke in sent)
    if not lists or not all(isinstance(line, str) for stroke in sent for line in stroke):
        raise DataError([Problem("the strokes aren't lists of changes", right, "strokes")])
    if len(sent) > MOST_STROKES or sum(map(len, sent)) > MOST_LINES:
        right = f"{MOST_STROKES} strokes and {MOST_LINES} changes at most"
        raise DataError([Problem("there are too many strokes at once", right, "strokes")])
    return [[str(line) for line in stroke] for stroke in sent]


def carry_out(opened: OpenFile, strokes: Sequence[Sequence[str]], was: str) -> Carried:
    """Carry strokes out on a map as it is now, each to be taken back by itself; wrong ones are left out.

    A stroke says what hexes become, so it counts on any state of the map: of two windows nothing is lost.
    Raises DataError or RefusedError if the map can't be changed at all.
    """
    for attempt in range(TRIES):
        opened = opened.reopen() if attempt else opened
        text, name, start = opened.file.text, opened.name, opened.was
        texts, problems = [text], list[Problem]()
        before = map_of(text, name)
        for stroke in strokes:
            try:
                texts.append(mark(texts[-1], stroke, name))
            except DataError as err:
                problems += err.problems
        steps = [text for last, text in pairwise(texts) if text != last]
        try:
            opened = opened.save_steps(steps, start) if steps else opened
        except RefusedError as err:
            if err.code is not Refusal.STALE or attempt == TRIES - 1:
                raise
            continue
        after = map_of(opened.file.text, name) if steps else before
        return Carried(opened, before, after, tuple(problems), moved=bool(was) and was != start)
    raise AssertionError("the last attempt returns or raises")


# Floods -------------------------------------------------------------------------------------------

_COLOURS: Recent[Any, HexColours] = Recent(4)


def flood_from(map_: HexMap, user: Player, name: str, by: str) -> tuple[str, ...]:
    """Return the hexes that are connected with a hex and like it: of its terrain, its colour or its Block.

    Raises RefusedError for a hex or a way to go that doesn't exist, or without the boards' pictures.
    """
    start = map_.hex(name)
    if by not in ALIKE:
        raise RefusedError(Refusal.NO_SUCH, f"{by[:20]!r} isn't what hexes can be alike in", did_you_mean(by, ALIKE))
    if by == "terrain":
        return flood_fill(map_, start.name, lambda hex_: map_.hexes[hex_].terrain == start.terrain)
    if by == "block":
        block = map_.blocks.block_at(start.name)
        return tuple(map_.in_order(map_.blocks.hexes[block])) if block else (start.name,)
    if not boards.has_boards(map_, user):
        raise RefusedError(Refusal.NO_SUCH, "you don't have the boards of this map", "flood by terrain instead")
    colours = _COLOURS.get(
        map_.pictures,
        lambda: processes.SLOW.do(user.pk, board_maps.colours_of_hexes, map_, boards.archives_of(map_, user)),
    )
    return flood_fill(map_, start.name, colours.similar_to(start.name).__contains__)


# What a card needs ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chooseable:
    """A card that a map can be drawn for: how a form calls it, its title, whether it names this very map."""

    id: str
    title: str
    fits: bool


BRUSHES = {"block": "@block", "area": "@setup", "arrow": "@arrow"}
"""What the editor paints to give the map what is missing; the other things are hexes."""


@dataclass(frozen=True)
class Missing:
    """Something that the card names and the map doesn't have; `brush` paints it, if anything does."""

    kind: str
    name: str
    field: str
    missing: str
    brush: str


@dataclass(frozen=True)
class Lacking:
    """What a map lacks: for the card's sake, and because nobody has said what hexes are."""

    needs: tuple[Need, ...]
    unknown: int
    nameless: tuple[str, ...]

    @property
    def missing(self) -> tuple[Missing, ...]:
        """What the card names and the map doesn't have."""
        lacking = (need for need in self.needs if not need.there)
        return tuple(
            Missing(need.kind, need.name, need.field, need.missing, BRUSHES.get(need.kind, "")) for need in lacking
        )

    @property
    def arrows(self) -> tuple[str, ...]:
        """The hexes of arrows that the card names and the map doesn't have."""
        return tuple(need.name for need in self.missing if need.kind == ARROW)

    @property
    def there(self) -> int:
        """How much of what the card names the map has."""
        return len(self.needs) - len(self.missing)

    @property
    def done(self) -> bool:
        """True if nothing is left to do."""
        return not (self.missing or self.unknown or self.nameless)


def cards_for(opened: OpenFile) -> list[Chooseable]:
    """Return the cards that a map can be drawn for; those that name it first, the shipped ones last."""
    own = []
    for name, text in sorted(opened.texts.items()):
        if library.kind_in(text) in CARD_KINDS:
            tops = library.read_tops(text, ("title", "map"))
            own.append(Chooseable(name, tops.get("title", name), tops.get("map") == opened.name))
    own.sort(key=lambda each: not each.fits)
    shipped = [Chooseable(card.id, card.title, False) for card in shipped_cards() if "map" in card.document.data]
    return own + shipped


def find_lacking(opened: OpenFile, map_: HexMap, chosen: str) -> Lacking:
    """Return what a map lacks for a card that lies with it or a shipped one; "" for no card.

    Raises RefusedError for a card that doesn't exist, DataError for one that isn't YAML.
    """
    card, charts = _card(opened.texts, chosen)
    needs = card_needs(card, map_, charts)
    blocks = map_.blocks
    nameless = [] if blocks.lettered else [block for block in blocks.hexes if is_placeholder(block)]
    return Lacking(needs, len(unknown_hexes(map_)), tuple(nameless))


def _card(texts: Mapping[str, str], chosen: str) -> tuple[Any, Any]:
    if not chosen:
        return {}, {}
    if chosen in texts:
        card = _data(texts, chosen)
        charts = card.get("charts") if isinstance(card, dict) else None
        try:
            return card, _data(texts, charts) if isinstance(charts, str) and charts in texts else {}
        except DataError:
            # The card's own check says what is wrong with its charts.
            return card, {}
    shipped = {each.id: each for each in shipped_cards()}
    if chosen not in shipped:
        advice = did_you_mean(chosen, [*texts, *shipped], "there are")
        raise RefusedError(Refusal.NO_SUCH, f"no card is called {chosen[:40]!r}", advice)
    return shipped[chosen].document.data, {}


def _data(texts: Mapping[str, str], name: str) -> Any:
    # A blank names nothing yet.
    return without_blanks(parse_document(texts[name], name))[0].data
