"""What must not reach a seat, and all that does reach it."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter, deque
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from django.utils.html import escape

from laager.campaign.describing import export_view
from laager.campaign.facts import UMPIRE
from laager.campaign.views import view
from laager.web.campaigns import tables
from laager.web.campaigns.store import text_of
from laager.web.rules import reference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.test import Client

    from laager.campaign.engine import Campaign
    from laager.web.models import Game
    from laager.web.seats.permissions import Seat

WORD = re.compile(r"[A-Za-z0-9_-]{2,}")
NUMBERED = re.compile(r"A[XL]F?\d+|\d{6}")
"""What names one thing only: a unit or work by its number, a moment by its microseconds."""
OF_THE_RULES = re.compile(r"\b\d+[a-z]+\b \w+")
"""What stands in a rule and could be told of a unit: "1st Line"."""
OF_THE_CLOCK = re.compile(r"\d\d|\d{4}-\d\d-\d\dT\d\d")
"""Day and hour, minutes, seconds: other things happen in the same ones."""
EXAMPLES = {"AX3"}
"""What stands in the help of a form, whatever there is in a campaign."""
LINK = re.compile(r"""(?:href|src|hx-get|action|data-[a-z-]+)="(/[^"]*)\"""")
ELSEWHERE = re.compile(r"^/(static|rules|admin|account|new|library|log(in|out)|api/v1/docs)\b|/feed/renew")
"""Pages that are the same for everybody, whatever happens in a campaign; what is sent, not read."""
PACKED = re.compile(r"map\.png|result\.png|print|pdf|vasl/board")
"""What is compressed cannot be searched; it is made of what is read here unpacked."""
ALIKE = re.compile(r"(?<=[/=])(\d+|[0-9a-f]{32}|[A-Z]{1,2}\d+)(?=[/&?]|$)|(?<=\?).*")
"""What differs between pages of one kind: numbers, marks, hexes, what is searched for."""
OF_A_KIND = 1
"""Most pages of a kind that are read."""


def words(text: str) -> set[str]:
    """Return the words of a text."""
    return set(WORD.findall(text))


def known(campaign: Campaign, viewer: str) -> set[str]:
    """Return the words of all that a viewer may know."""
    seen = view(campaign, viewer)
    asked = [str(pending.question or pending.roll) for pending in seen.pending]
    # The card lies open on the table.
    card = json.dumps(seen.opening, default=str)
    return words(json.dumps(export_view(campaign, seen), default=str) + card + " ".join(asked))


def hidden_words(one: Seat) -> set[str]:
    """Return the words that the umpire may know, and this seat may not."""
    with tables.look(one) as table:
        campaign = table.campaign
        hidden = known(campaign, UMPIRE) - known(campaign, one.viewer)
    return {word for word in hidden if not OF_THE_CLOCK.fullmatch(word)}


def hidden_names(one: Seat) -> set[str]:
    """Return the units, works and moments that this seat may not know of."""
    with tables.look(one) as table:
        board = getattr(table.campaign.context, "map", None)
        hexes = set(getattr(board, "hexes", ()))
    return {word for word in hidden_words(one) if NUMBERED.fullmatch(word)} - hexes - EXAMPLES


def never(game: Game) -> set[str]:
    """Return what nobody may know before the end: the dice seed as it could be written, hashes."""
    return seeds(game) | {line["hash"] for line in _lines(game)}


def seeds(game: Game) -> set[str]:
    """Return the dice seed of a campaign as it could be written."""
    found = next(line for line in _lines(game) if line["type"] == "seed")["body"]["seed"]
    seed = bytes.fromhex(found)
    plain = base64.b64encode(seed).decode().rstrip("=")
    forms = {seed.hex(), plain, plain.translate(str.maketrans("+/", "-_")), repr(seed)[2:-1]}
    return forms | {str(int.from_bytes(seed))}


def _lines(game: Game) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text_of(game.pk).splitlines()]


def found_in(text: str, planted: Iterable[str]) -> set[str]:
    """Return what of the planted words stands in a text, as a word of its own."""
    there = words(text)
    return {one for one in planted if one in there or (len(one) > 20 and one in text)}


def phrases(ruleset: str) -> list[str]:
    """Return what the rules' tables say, the longest first: a phrase of theirs tells nothing of a campaign.

    Its words alone would: "1st Line infantry platoon" is a condition of PL 3.47, "1st" may be of an enemy's unit.
    """
    said: set[str] = set()
    for table in reference.book(ruleset).tables.values():
        said |= {table.title, *table.notes}
        said |= {text for one in table.modifiers for text in (one.when, one.per) if " " in text}
    return sorted((text for text in said if OF_THE_RULES.search(text)), key=len, reverse=True)


def unquoted(text: str, quoted: Iterable[str]) -> str:
    """Return a text without phrases that stand in it, as they are or as HTML writes them."""
    for phrase in quoted:
        text = text.replace(phrase, " ").replace(escape(phrase), " ")
    return text


def reached(client: Client, first: Iterable[str]) -> dict[str, str]:
    """Return the pages to which links lead from some addresses, by their addresses."""
    todo, pages = deque(first), {}
    kinds: Counter[str] = Counter()
    while todo:
        address = todo.popleft()
        kind = ALIKE.sub("…", address)
        if address in pages or ELSEWHERE.match(address) or PACKED.search(address):
            continue
        if kinds[kind] == OF_A_KIND:
            continue
        kinds[kind] += 1
        answer = client.get(address)
        if answer.status_code == 405:
            continue
        body = b"".join(answer) if answer.streaming else answer.content
        text = body.decode("utf-8", "replace") + repr(sorted(answer.headers.items()))
        pages[address] = text
        links = (urldefrag(link.replace("&amp;", "&")).url for link in LINK.findall(text))
        todo.extend(link for link in dict.fromkeys(links) if link not in pages)
    return pages


def all_pages(client: Client, one: Seat) -> dict[str, str]:
    """Return all that a seat's browser can fetch: the table, and wherever links lead from it."""
    home = f"/campaign/{one.game.pk}/{one.name}/"
    found = reached(client, ("/", home, home + "tag", home + "map.svg", home + "history"))
    assert home in found
    return found
