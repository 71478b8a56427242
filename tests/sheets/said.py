"""The logs of played campaigns, and what nobody would say in one."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.sentences import VERBS
from laager.campaign.telling import Told, log_in_words
from laager.campaign.views import view
from tests.sheets.campaigns import DEMOS, played

LOGS = Path(__file__).parent.parent / "old_campaigns" / "logs"
OLD = tuple(sorted(path.name.partition(".")[0] for path in LOGS.glob("*.laager.gz")))
CAMPAIGNS = (*DEMOS, *(f"old {name}" for name in OLD))
"""All campaigns that tests have played: as their demo goes, and whole ones by chance, as an older Laager kept them."""

PLURAL = "Germans|Soviets|Russians|Italians|Americans"
THINGS = "Patrol|squad|half-squad|unit|group|leader|Location|point|module|fortification|link|card"
RAW = r"(?:axis|allied)"

WRONG: Mapping[str, str] = {
    r"→": "an arrow is no word",
    r"\bby itself\)": "a reason that only says the fact again",
    r"(?<!of )\b1 (?:" + "|".join(f"{thing}s" for thing in THINGS.split("|")) + r")\b": "one of a thing, in the plural",
    rf"(?<![\d.+/-])(?:[2-9]|\d\d+) (?:{THINGS})\b(?! [A-Z0-9])": "several of a thing, in the singular",
    rf"(?<!of the )\b(?:{PLURAL}) (?:{'|'.join(VERBS)})\b": "a people, with the verb of one",
    rf"\b(?:{PLURAL}) \w+ its\b": "a people is they",
    rf"\b(?:of|by|from) (?:{PLURAL})\b": "a people without its article",
    rf"(?<!\")\b{RAW}\b(?!-\w+, allied|-reserve)": "the name of a side in files",
    r"\((?:AX|AL)F?\d+\)|\b(?:AX|AL)F\d+\b": "the number of a unit or a fortification",
    r"\b(?:with|by) (?:AX|AL)F?\d+\b": "the number of a unit where its name belongs",
    r"\ba (?=[AEIOaeio]|8-|11)": "a before a vowel",
    r"\ban (?![AEIOaeiou81FHLMNRSX])": "an before a consonant",
    r"\bNone\b(?! of|:)|\bTrue\b|\bFalse\b|[{}\[\]]\s*,": "what Python says",
    r"\b(?:as-card|on-map|off-map|trip-flares|set-dc|[abp]-[abpt]-mines|fortified-building|hip-\w+)\b": "a file's word",
    r"(?<=\w) \(\)|\s,|\s:|(?<!\.)\.\.(?!\.)": "a hole in a sentence",
}
"""What nobody would say, with the reason."""


@cache
def campaign_of(name: str) -> Campaign:
    """One of the played campaigns. Not to be changed."""
    if name in DEMOS:
        return played(name)
    return Campaign(MemoryStore(gzip.decompress((LOGS / f"{name.removeprefix('old ')}.laager.gz").read_bytes())))


@cache
def lines(name: str, language: str = "en") -> tuple[Told, ...]:
    """What the umpire is told of a campaign."""
    campaign = campaign_of(name)
    return tuple(line for line in log_in_words(campaign, view(campaign, "umpire"), language) if line.text)


def spoken(name: str) -> Iterator[str]:
    """Yield the lines of a campaign, without what an older Laager has kept of its own words: reasons, questions."""
    for line in lines(name):
        if name in DEMOS:
            yield line.text
        elif line.entry.type == "fact":
            yield line.text.removesuffix(line.tail)
        elif line.entry.type == "answer":
            yield line.text.rpartition(" – ")[2]
        else:
            yield line.text


def wrong(text: str) -> Iterator[str]:
    """Yield what nobody would say in a line."""
    for pattern, why in WRONG.items():
        found = re.search(pattern, text)
        if found:
            yield f"{why}: {found[0]!r} in {text.strip()}"


ENGLISH_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        the of is are and with were its has have not that which your you for from by it they them their there been
        where when if
    """,
    )
)
GERMAN_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        der das den dem des ist sind und nicht von auf aus mit für wird werden haben hat ein eine einen zu zum zur bei
        nach vor über im seine ihre wer welche wo wann oder wenn kommt kommen antworten würfeln
    """,
    )
)
"""Words that only one of the languages has, and that hardly a sentence does without."""


def is_mixed(line: Told) -> bool:
    """True if a line has German and English words; names that players and cards give don't count, nor do terms."""
    if line.entry.type == "open":
        return False
    texts = re.sub(r'"[^"]*"|“[^”]*”|„[^“]*“|Heat of Battle', "", line.text)
    words = set(re.findall(r"[A-Za-zÄÖÜäöüß]{2,}", texts))
    return not (words.isdisjoint(ENGLISH_WORDS) or words.isdisjoint(GERMAN_WORDS))
