"""Sentences as players post them: who attacked, what it cost, what was won, which roll they will talk about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from laager.base.counting import list_counts
from laager.campaign import find_ruleset
from laager.campaign.engine import Campaign
from laager.campaign.speech import say
from laager.campaign.views import View
from laager.sheets.story.battles import Battle, battles, events
from laager.sheets.story.ground import Won
from laager.sheets.story.losses import LOST, Loss, Points
from laager.sheets.story.luck import Noted, Tally
from laager.sheets.words import Words, marked

MOST_PLACES = 8
"""So many Locations are named in a sentence; of more their number is told."""

FATES = dict(zip(
    (*LOST, "reduced", "replaced"),
    marked("eliminated", "captured", "evacuated", "Recalled", "reduced to", "replaced by"),
    strict=True,
))  # fmt: skip
"""What became of units, in words."""

marked("Squads", "Half-squads and crews", "Leaders and heroes", "Vehicles", "Guns", "Support weapons", "Others")


class Teller:
    """A viewer's campaign, told in a language."""

    def __init__(self, campaign: Campaign, seen: View, words: Words) -> None:
        self.campaign, self.seen, self.words = campaign, seen, words
        self.sides = tuple(campaign.ruleset.sides)

    @cached_property
    def battles(self) -> tuple[Battle, ...]:
        """All battles of the campaign, Idle ones too."""
        return battles(self.campaign, self.seen)

    def name(self, side: str) -> str:
        """Return what players call a side."""
        return self.said(self.campaign.context.people_of(side))

    def said(self, text: str) -> str:
        """Return what the rules say in the language of the story."""
        return say(text, self.words.language)

    def standing(self) -> Sequence[str]:
        """Return where the campaign stands, or how it ended."""
        rules = find_ruleset(self.campaign.opening["ruleset"])
        lines = rules.headline(self.campaign.context, self.seen.state)
        told = [self.said(line) for line in lines]
        for side in self.sides:
            # A story is for people, who need no word to type for a side.
            told = [line.replace(f" ({side}):", ":") for line in told]
        return told

    # A battle -------------------------------------------------------------------------------------

    def what_happened(
        self,
        battle: Battle,
        found: Sequence[Loss],
        won: Sequence[Won],
        points: Sequence[Points],
        rolls: Sequence[Noted],
    ) -> Iterator[str]:
        """Yield paragraphs that tell of a battle."""
        yield " ".join(filter(None, (self._play(battle), self._winner(battle))))
        yield " ".join(self._cost(one, found, points) for one in self.sides)
        ground = " ".join(filter(None, (self._ground(one) for one in won)))
        yield ground or self.words("No ground changed hands.")
        if rolls:
            yield self.words("The roll to talk about: {roll}", roll=self.roll(rolls[0]))

    def _play(self, battle: Battle) -> str:
        """Return what kind of battle it was, in which weather, and how long it took."""
        words, weather, turn = self.words, "", 0
        for one in events(self.seen):
            if battle.begun <= one.number <= battle.before and one.kind == "weather-set":
                weather = str(one.fact.get("weather", "")) or weather
            if battle.counts(one.number) and one.kind == "play-ended":
                turn = int(one.fact["turn"])
        parts = {"kind": self.said(battle.kind or battle.title), "weather": self.said(weather), "turn": turn}
        if weather:
            return words("{kind}, weather: {weather}. Play ended in turn {turn}.", **parts)
        return words("{kind}. Play ended in turn {turn}.", **parts)

    def _winner(self, battle: Battle) -> str:
        """Return who won, where the rules have a winner of each battle."""
        for one in events(self.seen):
            if one.kind == "firefight-won" and battle.counts(one.number):
                winner, why = one.fact.get("winner", ""), one.fact.get("why", "")
                if not winner:
                    return self.words("Nobody won.")
                return self.words("The {side} won: {why}.", side=self.name(winner), why=self.said(why))
        return ""

    def _cost(self, side: str, found: Sequence[Loss], points: Sequence[Points]) -> str:
        words, name = self.words, self.name(side)
        lost = [one for one in found if one.side == side]
        scored = next((one.cvp for one in points if one.side == side), 0)
        if not lost:
            return words("The {side} lost nothing and scored {cvp} CVP.", side=name, cvp=scored)
        return words("The {side} lost {units}, and scored {cvp} CVP.", side=name, units=self.lost(lost), cvp=scored)

    def lost(self, found: Iterable[Loss]) -> str:
        """Return losses as players list them: `3 x 4-6-7, 9-1; captured: LMG; reduced to: 2-4-7`."""
        by_fate: dict[str, Counter[str]] = {}
        for one in found:
            by_fate.setdefault(one.fate, Counter())[one.type] += 1
        parts = []
        for fate, word in FATES.items():
            if fate in by_fate:
                units = list_counts(by_fate[fate])
                parts.append(units if fate == "eliminated" else f"{self.words(word)}: {units}")
        return "; ".join(parts)

    def _ground(self, won: Won) -> str:
        words, name = self.words, self.name(won.side)
        gained = self._places(won.blocks_gained, won.gained)
        return words("The {side} won {places}.", side=name, places=gained) if gained else ""

    def _places(self, blocks: tuple[str, ...], places: tuple[str, ...]) -> str:
        words = self.words
        parts = []
        if blocks:
            parts.append(words("Block {names}", names=", ".join(blocks)))
        if 0 < len(places) <= MOST_PLACES:
            parts.append(", ".join(places))
        elif places:
            parts.append(words("{n} Locations", n=len(places)))
        return words(" and ").join(parts)

    # Dice -----------------------------------------------------------------------------------------

    def roll(self, one: Noted) -> str:
        """Return a roll of note with its odds."""
        words, rolled = self.words, one.rolled
        faces = "+".join(map(str, rolled.faces))
        bound = rolled.original
        extreme = words("{n} or less", n=bound) if one.low else words("{n} or more", n=bound)
        if bound in (2, 12):
            extreme = words("an Original {n}", n=bound)
        odds = words("{what} comes {ways} times in {total}", what=extreme, ways=one.ways, total=one.total)
        if one.ways == 1:
            odds = words("{what} comes once in {total}", what=extreme, total=one.total)
        head = words("{side}, {label}: {faces}", side=self.name(one.side), label=self.said(one.label), faces=faces)
        final = f" (Final {rolled.final})" if rolled.modifiers else ""
        return f"{head}{final}; {odds}." + (f" {self.said(one.outcome)}." if one.outcome else "")

    def luck(self, one: Tally) -> str:
        """Return in words how far rolls were from what fair dice give."""
        words = self.words
        far = abs(one.sigmas)
        if far < 1:
            return words("as fair dice go")
        if one.sigmas < 0:
            return words("low") if far < 2 else words("very low")
        return words("high") if far < 2 else words("very high")

    # Purchases ------------------------------------------------------------------------------------

    def bought(self, side: str) -> list[tuple[str, int, int]]:
        """Return what a side bought: the name of a group or fortification, how often, for how many points in all."""
        times, cost = Counter[str](), Counter[str]()
        context: Any = self.campaign.context
        for group in self.seen.state.groups_of(side):
            if not group.given:
                name = context.group_name(group)
                times[name] += 1
                cost[name] += group.cost
        groups = [(name, times[name], cost[name]) for name in times]
        forts, points = Counter[str](), Counter[str]()
        for fort in self._forts(side):
            forts[fort["kind"]] += fort.get("count", 1)
            points[fort["kind"]] += fort["fp"]
        return groups + [(name, forts[name], points[name]) for name in forts]

    def _forts(self, side: str) -> Iterable[Any]:
        """Return the fortifications that a side paid for, each once, those that are gone too."""
        found = {one.fact["fort"]["id"]: one.fact["fort"] for one in events(self.seen) if one.kind == "fort-joined"}
        return [fort for fort in found.values() if fort["side"] == side and fort.get("fp", 0)]
