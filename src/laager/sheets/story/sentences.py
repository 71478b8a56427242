"""Sentences as players post them: who attacked, what it cost, what was won, which roll they will talk about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from laager.base import RefusedError
from laager.base.counting import list_counts
from laager.campaign import find_ruleset
from laager.campaign.engine import Campaign
from laager.campaign.sentences import names_of, with_names, without_needless_article
from laager.campaign.speech import ENGLISH, say
from laager.campaign.views import Seen, View
from laager.rules.board.units import fort_words
from laager.sheets.story.battles import Battle, battles, events
from laager.sheets.story.ground import Won
from laager.sheets.story.lead import tell_battle
from laager.sheets.story.losses import LOST, BattlePoints, Loss, losses
from laager.sheets.story.luck import NotableRoll, Tally
from laager.sheets.words import Words, mark_texts

FATES = dict(zip(
    (*LOST, "reduced", "replaced"),
    mark_texts("eliminated", "captured", "evacuated", "Recalled", "reduced to", "replaced by"),
    strict=True,
))  # fmt: skip
"""What became of units, in words."""

mark_texts("Squads", "Half-squads and crews", "Leaders and heroes", "Vehicles", "Guns", "Support weapons", "Others")


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
        return self.translate(self.campaign.context.people_of(side))

    def of_side(self, text: str, side: str, **parts: object) -> str:
        """Return a sentence about a side, which has it as `the {side}`."""
        name = self.name(side)
        said = self.words(text, side=name, **parts)
        return without_needless_article(said, name, side) if self.words.language == ENGLISH else said

    def translate(self, text: str) -> str:
        """Return what the rules say in the language of the story."""
        return say(text, self.words.language)

    def losses(self, battle: Battle | None = None) -> tuple[Loss, ...]:
        """Return the losses of the campaign, or of a battle; units that are out of sight are of their type's kind."""
        return tuple(replace(loss, kind=loss.kind or self._kind(loss)) for loss in losses(self.seen, battle))

    def _kind(self, loss: Loss) -> str:
        """Return the kind that the side's catalogue has for a type; "" if it has none."""
        context: Any = self.campaign.context
        try:
            return str(context.nation(loss.side).unit(loss.type).kind)
        except RefusedError:
            return ""

    def standing(self) -> Sequence[str]:
        """Return where the campaign stands, or how it ended."""
        rules = find_ruleset(self.campaign.opening["ruleset"])
        lines = rules.headline(self.campaign.context, self.seen.state)
        translated = [self.translate(line) for line in lines]
        return [self.without_codes(line) for line in translated]

    def without_codes(self, text: str) -> str:
        """Return a text with what people call the sides: a story is for people, who need no word to type for a side."""
        for side in self.sides:
            text = text.replace(f" ({side}):", ":")
        return with_names(text, names_of(self.campaign, self.words.language), self.words.language)

    def sum_up(self, known: Sequence[Battle], lost: Mapping[str, Counter[str]]) -> str:
        """Return how many battles were fought, and what each side lost for good in all of them, by kind."""
        words, many = self.words, len(known)
        sentences = [words("One battle was fought.") if many == 1 else words("{n} battles were fought.", n=many)]
        for side in self.sides:
            units = ", ".join(f"{words(kind)} {counts[side]}" for kind, counts in lost.items() if counts[side])
            if units:
                sentences.append(self.of_side("Lost for good by the {side}: {units}.", side, units=units))
        return " ".join(sentences)

    # A battle -------------------------------------------------------------------------------------

    def what_happened(
        self,
        battle: Battle,
        losses: Sequence[Loss],
        won: Sequence[Won],
        points: Sequence[BattlePoints],
        rolls: Sequence[NotableRoll],
    ) -> Iterator[str]:
        """Yield paragraphs that tell of a battle: its lead, and the roll of which players will talk."""
        yield from tell_battle(self, battle, losses, won, points)
        if rolls:
            yield self.words("The roll to talk about: {roll}", roll=self.roll(rolls[0]))

    def list_losses(self, losses: Iterable[Loss]) -> str:
        """Return losses as players list them: `3 x 4-6-7, 9-1; captured: LMG; reduced to: 2-4-7`."""
        by_fate: dict[str, Counter[str]] = {}
        for loss in losses:
            by_fate.setdefault(loss.fate, Counter())[loss.type] += 1
        parts = []
        for fate, word in FATES.items():
            if fate in by_fate:
                units = list_counts(by_fate[fate])
                parts.append(units if fate == "eliminated" else f"{self.words(word)}: {units}")
        return "; ".join(parts)

    def list_career(self, unit: Any) -> tuple[str, str]:
        """Return the group of a unit as far as the viewer knows it, with its own name, and what became of it."""
        group = next((group for group in self.seen.state.groups_of(unit.side) if group.id == unit.group), None)
        context: Any = self.campaign.context
        parts = (self.seen.named.get(unit.id, ""), f"{context.group_name(group)} ({group.id})" if group else "")
        fate = self.words(FATES[unit.place]) if unit.place in FATES else self.words("in action")
        return ", ".join(filter(None, parts)) or "–", fate

    # Dice -----------------------------------------------------------------------------------------

    def roll(self, noted: NotableRoll) -> str:
        """Return a roll of note with its odds."""
        words, rolled = self.words, noted.rolled
        faces = "+".join(map(str, rolled.faces))
        bound = rolled.original
        extreme = words("{n} or less", n=bound) if noted.low else words("{n} or more", n=bound)
        if bound in (2, 12):
            extreme = words("an Original {n}", n=bound)
        odds = words("{what} comes {ways} times in {total}", what=extreme, ways=noted.ways, total=noted.total)
        if noted.ways == 1:
            odds = words("{what} comes once in {total}", what=extreme, total=noted.total)
        head = words("{side}, {label}: {faces}", side=self.name(noted.side), label=noted.label, faces=faces)
        final = f" (Final {rolled.final})" if rolled.modifiers else ""
        return f"{head}{final}; {odds}." + (f" {noted.outcome}." if noted.outcome else "")

    def ruling(self, line: Seen) -> str:
        """Return what the table decided, with its reason in the players' words."""
        body = line.entry.body
        who = self.name(body["by"]) if body["by"] in self.sides else self.words("The umpire")
        return self.words("{who}: “{why}”", who=who, why=body["why"])

    def luck(self, tally: Tally) -> str:
        """Return in words how far rolls were from what fair dice give."""
        words = self.words
        far = abs(tally.sigmas)
        if far < 1:
            return words("as fair dice go")
        if tally.sigmas < 0:
            return words("low") if far < 2 else words("very low")
        return words("high") if far < 2 else words("very high")

    # Purchases ------------------------------------------------------------------------------------

    def list_purchases(self, side: str) -> list[tuple[str, int, int]]:
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
        return groups + [(self.translate(fort_words(kind)), forts[kind], points[kind]) for kind in forts]

    def _forts(self, side: str) -> Iterable[Any]:
        """Return the fortifications that a side paid for, each once, those that are gone too."""
        forts = {
            event.fact["fort"]["id"]: event.fact["fort"] for event in events(self.seen) if event.kind == "fort-joined"
        }
        return [fort for fort in forts.values() if fort["side"] == side and fort.get("fp", 0)]
