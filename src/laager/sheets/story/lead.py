"""The lead of a battle: a paragraph of plain sentences made of what mattered in it, as far as the viewer knows it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from laager.campaign import find_ruleset
from laager.campaign.views import state_at
from laager.sheets.story.battles import Battle, Event, events
from laager.sheets.story.ground import Won
from laager.sheets.story.losses import BattlePoints, Loss, without_weakened
from laager.sheets.words import mark_texts

if TYPE_CHECKING:
    from laager.sheets.story.sentences import Teller

MOST_PLACES = 4
"""Most Locations that a sentence names; of the rest it gives the number."""

LEADERS = frozenset({"leader", "commissar", "armor-leader", "hero"})
"""Kinds of units whose fate is told one by one."""

ONE_AND_MANY: Mapping[str, tuple[str, ...]] = {
    "squad": mark_texts("{n} squad", "{n} squads"),
    "half-squad": mark_texts("{n} half-squad", "{n} half-squads"),
    "crew": mark_texts("{n} crew", "{n} crews"),
    "leader": mark_texts("{n} leader", "{n} leaders"),
    "hero": mark_texts("{n} hero", "{n} heroes"),
    "vehicle": mark_texts("{n} vehicle", "{n} vehicles"),
    "gun": mark_texts("{n} Gun", "{n} Guns"),
    "sw": mark_texts("{n} support weapon", "{n} support weapons"),
    "": mark_texts("{n} other unit", "{n} other units"),
}
"""How units of a kind are counted: one, and more; those of unknown and rare kinds last."""

_SAME_KIND = {"commissar": "leader", "armor-leader": "leader", "afv": "vehicle"}
"""Kinds of the catalogue that a lead counts with another one."""

FATES: Mapping[str, str] = dict(zip(
    ("eliminated", "captured", "evacuated", "recalled", "wounded", "Replaced", "Battle Hardened"),
    mark_texts("{who} killed", "{who} captured", "{who} evacuated", "{who} Recalled", "{who} wounded",
               "replaced by {who}", "promoted to {who}"),
    strict=True,
))  # fmt: skip
"""What became of a leader, the last fate of the battle first in rank: who is lost isn't told as wounded too."""

WINS: Mapping[str, str] = dict(zip(
    (
        "it fulfilled the objective of the firefight",
        r"CVP (?P<cvp>\d+) against (?P<less>\d+)",
        r"CVP (?P<cvp>\d+) each: the defender wins",
        r"CVP (?P<cvp>\d+) each: the side that moved second wins",
        r"CVP (?P<cvp>\d+) each in a Dual Attack: neither side wins",
    ),
    mark_texts(
        "The {side} won: they fulfilled the objective of the firefight.",
        "The {side} won with {cvp} CVP against {less}.",
        "The {side} won as the defenders, with {cvp} CVP on each side.",
        "The {side} won, as they moved second, with {cvp} CVP on each side.",
        "Nobody won: each side scored {cvp} CVP in a Dual Attack.",
    ),
    strict=True,
))  # fmt: skip
"""Why a side won, as the rules note it, and the sentence that tells it."""

_AGREED = re.compile(r"play ended (.+), turn \d+")
_GAME_END = "Game End dr "
_TURN = re.compile(r" \([Tt]urn \d+\)$")


def tell_battle(
    teller: Teller, battle: Battle, losses: Sequence[Loss], won: Sequence[Won], points: Sequence[BattlePoints]
) -> Iterator[str]:
    """Yield three paragraphs: who attacked and what for; how it ended, who won what ground; what it cost, leaders."""
    taken = [ground for side in won if (ground := _ground(teller, side))]
    paragraphs = (
        (_attack(teller, battle), *_objectives(teller, battle)),
        (_end(teller, battle), _winner(teller, battle), *(taken or [teller.words("No ground changed hands.")])),
        (*(_cost(teller, side, losses, points) for side in teller.sides), *_leaders(teller, battle)),
    )
    yield from (" ".join(filter(None, sentences)) for sentences in paragraphs)


def _attack(teller: Teller, battle: Battle) -> str:
    """Return who attacked, and the weather."""
    words, weather, attackers = teller.words, "", list[str]()
    for event in _events(teller, battle.begun, battle.before):
        if event.kind == "weather-set":
            weather = str(event.fact.get("weather", "")) or weather
        elif event.kind == "firefight-determined":
            attackers = [side for side, attacks in event.fact["attacked"].items() if attacks]
        elif event.kind == "chits-revealed":
            attackers = [side for side, chit in event.fact["chits"].items() if chit == "attack"]
    if len(attackers) > 1:
        opening = words("Both sides attacked.")
    elif attackers:
        opening = teller.of_side("The {side} attacked.", attackers[0])
    else:
        opening = f"{teller.translate(battle.kind or battle.title)}."
    if not weather:
        return opening
    return f"{opening} {words('Weather: {weather}.', weather=teller.translate(weather))}"


def _objectives(teller: Teller, battle: Battle) -> Iterator[str]:
    """Yield what each side had to do to win this battle, where the card says so."""
    rules = find_ruleset(teller.campaign.opening["ruleset"])
    state = state_at(teller.campaign, teller.seen.viewer, battle.before)
    for side, text in rules.objectives(teller.campaign.context, state):
        yield teller.of_side("Objective of the {side}: {goal}", side, goal=teller.translate(text))


def _end(teller: Teller, battle: Battle) -> str:
    """Return in which turn play ended, and by what."""
    ended = [event.fact for event in _events(teller, battle) if event.kind == "play-ended"]
    turn, why = (int(ended[-1]["turn"]), str(ended[-1].get("why", ""))) if ended else (0, "")
    if why.startswith(_GAME_END):
        why = f"play ended by the Game End dr, turn {turn}"  # Its modifiers stand in the log.
    agreed = _AGREED.fullmatch(why)
    if agreed:
        return teller.words("Play ended in turn {turn} {how}.", turn=turn, how=teller.translate(agreed[1]))
    reason = _TURN.sub("", teller.translate(why))
    if not reason:
        return teller.words("Play ended in turn {turn}.", turn=turn)
    return teller.words("Play ended in turn {turn}: {reason}.", turn=turn, reason=reason)


def _winner(teller: Teller, battle: Battle) -> str:
    """Return who won, where the rules have a winner of each battle."""
    won = (event.fact for event in _events(teller, battle) if event.kind == "firefight-won")
    return next((say_winner(teller, fact) for fact in won), "")


def say_winner(teller: Teller, fact: Mapping[str, Any]) -> str:
    """Return who won and why, as a sentence about people."""
    winner, why = fact.get("winner", ""), fact.get("why", "")
    for noted, sentence in WINS.items():
        if reason := re.fullmatch(noted, why):
            parts = reason.groupdict()
            return teller.of_side(sentence, winner, **parts) if winner else teller.words(sentence, **parts)
    if not winner:
        return teller.words("Nobody won.")
    return teller.of_side("The {side} won: {why}.", winner, why=teller.translate(why))


def _ground(teller: Teller, won: Won) -> str:
    """Return what a side took; "" if it took nothing."""
    words, places = teller.words, won.gained
    parts = [words("Block {names}", names=", ".join(won.blocks_gained))] if won.blocks_gained else []
    if places:
        parts.append(", ".join(places[:MOST_PLACES]))
    if rest := len(places[MOST_PLACES:]):
        parts.append(words("{n} more", n=rest))
    return teller.of_side("The {side} took {places}.", won.side, places=_join(teller, parts)) if parts else ""


def _cost(teller: Teller, side: str, losses: Sequence[Loss], points: Sequence[BattlePoints]) -> str:
    """Return what a side lost by kind, and its CVP."""
    words = teller.words
    lost = Counter(_SAME_KIND.get(loss.kind, loss.kind) for loss in without_weakened(losses) if loss.side == side)
    counts = {kind: lost.pop(kind, 0) for kind in ONE_AND_MANY}
    counts[""] += lost.total()
    parts = [words(ONE_AND_MANY[kind][number > 1], n=number) for kind, number in counts.items() if number]
    cvp = next((row.cvp for row in points if row.side == side), 0)
    if not parts:
        return teller.of_side("The {side} lost nothing and scored {cvp} CVP.", side, cvp=cvp)
    return teller.of_side("The {side} lost {units}, and scored {cvp} CVP.", side, units=_join(teller, parts), cvp=cvp)


def _leaders(teller: Teller, battle: Battle) -> Iterator[str]:
    """Yield for each side what became of its leaders and heroes, each by the fate that counts most."""
    units = getattr(teller.seen.state, "units", {})
    fates: dict[str, str] = {}
    types: dict[str, str] = {}
    for event in _events(teller, battle):
        number = str(event.fact.get("unit", ""))
        if not number or getattr(units.get(number), "kind", "") not in LEADERS:
            continue
        fate, order = _fate(event), list(FATES)
        if fate and (number not in fates or order.index(fate) < order.index(fates[number])):
            fates[number] = fate
        types[number] = event.fact.get("type", types.get(number, units[number].type))
    for side in teller.sides:
        known_fates = [
            teller.words(FATES[fate], who=" ".join(filter(None, (types[number], teller.seen.named.get(number, "")))))
            for number, fate in fates.items()
            if units[number].side == side
        ]
        if known_fates:
            yield teller.of_side("Leaders of the {side}: {fates}.", side, fates=", ".join(known_fates))


def _fate(event: Event) -> str:
    """Return the fate in `FATES` that a fact brings on its unit; "" for none."""
    fate = {
        "unit-gone": event.fact.get("place", ""),
        "unit-changed": event.fact.get("how", ""),
        "unit-marked": "wounded" if "wounded" in event.fact.get("add", ()) else "",
    }.get(event.kind, "")
    return fate if fate in FATES else ""


def _events(teller: Teller, first: Battle | int, last: int = 0) -> Iterator[Event]:
    """Yield what the viewer knows of a battle and its aftermath, or between two of its entries."""
    for event in events(teller.seen):
        if first.counts(event.number) if isinstance(first, Battle) else first <= event.number <= last:
            yield event


def _join(teller: Teller, parts: Sequence[str]) -> str:
    """Return a list as it is said: `a, b and c`."""
    *before, last = parts
    return teller.words(" and ").join(filter(None, (", ".join(before), last)))
