"""Sentences about sides and units: what players call a side, verbs that follow, clauses about one unit or several."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from laager.campaign.facts import UMPIRE, Side
from laager.campaign.speech import ENGLISH, note_missing, put, say

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign

Names = Mapping[Side, str]
"""What players call the sides: Germans, Soviets."""

VERBS = {
    "has": "have", "is": "are", "does": "do", "gets": "get", "scores": "score", "reveals": "reveal", "wins": "win",
    "moves": "move", "sets": "set", "invokes": "invoke", "inspects": "inspect", "Controls": "Control", "buys": "buy",
    "raises": "raise", "takes": "take", "receives": "receive", "announces": "announce", "adds": "add",
    "closes": "close", "shows": "show", "answers": "answer", "rolls": "roll", "asks": "ask", "proposes": "propose",
    "refuses": "refuse", "withdraws": "withdraw", "spends": "spend", "makes": "make", "joins": "join",
    "becomes": "become", "breaks": "break", "rallies": "rally", "goes": "go", "comes": "come", "loses": "lose",
    "agrees": "agree",
}  # fmt: skip
"""Facts tell of a side, and of a unit, as of one; lines, of its people and of several units. Verbs follow."""

_ONE_SIDE = re.compile(r"^it (?=fulfilled )")
"""How a reason speaks of a side as of one."""

_PEOPLE = re.compile(r"(?:s|men|ish|ese|[nt]ch|U\.S\.)$")
"""How the name of a people ends, in English: Germans, Guardsmen, British, Japanese, French, Dutch."""


def names_of(campaign: Campaign, language: str = ENGLISH) -> Names:
    """Return what players call the sides of a campaign."""
    return {side: say(campaign.context.people_of(side), language) for side in campaign.ruleset.sides}


def side_name(side: Side, language: str = ENGLISH) -> str:
    """Return a seat as it stands in commands and on its badge: Axis, Allied, or the umpire."""
    return say("the umpire", language) if side == UMPIRE else side.capitalize()


def people(names: Names, side: Side, language: str = ENGLISH) -> str:
    """Return who a side is within a sentence, with the article that English has: `the Germans`, `the umpire`, `Red`."""
    name = names.get(side) or side_name(side, language)
    return with_article(name, side) if language == ENGLISH and side in names else name


def is_many(name: str, side: Side, language: str = ENGLISH) -> bool:
    """True if a side is called as a people, which is many; Axis is one, and in English Red is."""
    return name != side_name(side) and (language != ENGLISH or _PEOPLE.search(name) is not None)


def with_article(name: str, side: Side) -> str:
    """Return a side's name in English as it stands within a sentence: `the Germans`, but `Red`."""
    return f"the {name}" if is_many(name, side) and not name.casefold().startswith("the ") else name


def without_needless_article(text: str, name: str, side: Side) -> str:
    """Return an English text about a side, without the article before a name that takes none: `Red attacked`."""
    if with_article(name, side) != name:
        return text
    return re.sub(rf"\b[Tt]he (?={re.escape(name)}(?!\w))", "", text, count=1)


def with_names(text: str, names: Names, language: str = ENGLISH) -> str:
    """Return a text with the sides in it as players call them: `Germans reveal` for `axis reveals`.

    Behind a preposition they have their article: `of the Germans`. `patrol axis-1` is patrol 1 of the Germans, and
    the points `Axis 3` are `Germans 3`.
    """
    if not names:
        return text
    text = _ONE_SIDE.sub("they ", text)
    by_word = {side_name(side): name for side, name in names.items()}
    counted = rf"\b({'|'.join(map(re.escape, by_word))})(?= -?\d)"
    text = re.sub(counted, lambda match: by_word[match[1]], text)

    def put_name(match: re.Match[str]) -> str:
        before, side, number = match["before"] or "", match["side"], match["number"]
        if number:
            side = people(names, side, language)
            return before + put("patrol {number} of {side}", language, number=number, side=side)
        name, verb = names[side], (match["verb"] or "").strip()
        if before or not verb:
            return before + (people(names, side, language) if before else name) + (match["verb"] or "")
        # Red answers, Germans answer.
        return f"{name} {say(VERBS[verb] if is_many(name, side, language) else verb, language)}"

    return _sides(tuple(names)).sub(put_name, text)


@lru_cache(maxsize=64)
def _sides(names: tuple[Side, ...]) -> re.Pattern[str]:
    """Return what finds a side in a text, a preposition before it and a verb behind it, or the number of a patrol."""
    side = rf"(?P<side>{'|'.join(map(re.escape, names))})"
    number, verb = r"-(?P<number>\d+)\b", rf"(?P<verb> (?:{'|'.join(VERBS)})\b)?"
    return re.compile(
        rf"(?<![\w-])(?:(?P<before>(?:of|by|for|to|from) ))?(?:patrol )?{side}(?:{number}|(?![\w-]){verb})"
    )


def who_does(names: Names, side: Side, verb: str, language: str) -> str:
    """Return who does what: `Germans roll`, `the umpire rolls`."""
    name = names.get(side) or side_name(side, language)
    return f"{name} {say(VERBS[verb] if side in names and is_many(name, side, language) else verb, language)}"


def join_clauses(*clauses: str, language: str = ENGLISH) -> str:
    """Return clauses about one subject as a list, which says `is` once: `is concealed, now in M3, rallies`."""
    verbs, state = _verbs(language), say("is", language)
    joined: list[str] = []
    is_said = False
    for clause in ", ".join(clauses).split(", "):
        verb = clause.partition(" ")[0]
        joined.append(clause.removeprefix(f"{state} ") if is_said else clause)
        if verb in verbs:
            is_said = verb == state
    return ", ".join(joined)


def said_of_many(predicate: str, language: str = ENGLISH) -> str:
    """Return what is said of one unit as it is said of several: `rally, are now in M3` for `rallies, is now in M3`."""
    verbs = _verbs(language)
    clauses = (clause.partition(" ") for clause in predicate.split(", "))
    return ", ".join(f"{verbs.get(verb, verb)}{space}{rest}" for verb, space, rest in clauses)


@lru_cache(maxsize=8)
def _verbs(language: str) -> Mapping[str, str]:
    """Return the verbs of a language as they are of one, with what they are of several."""
    with note_missing():  # No line is at fault that happens to be the first to ask.
        return {say(single, language): say(plural, language) for single, plural in VERBS.items()}
