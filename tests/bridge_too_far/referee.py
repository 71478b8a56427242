"""Plays a campaign by script: answers and dice as told, step by step, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from laager.campaign.engine import Campaign
from laager.campaign.log import Entry
from laager.campaign.pending import Pending

Answers = Mapping[tuple[str, str], Any]
Dice = Iterable[tuple[str, str, tuple[int, ...]]]


@dataclass
class Stage:
    """What happened in a part of the campaign."""

    entries: list[Entry] = field(default_factory=list)
    campaign: Campaign | None = None

    @property
    def rolls(self) -> list[str]:
        """Every roll in a line: who, what, dice, DRM, final."""
        return [
            f"{body['side']} {body['label']}: {'+'.join(map(str, body['faces']))} "
            + "".join(f"{m['value']:+d} " for m in body["modifiers"])
            + f"= {body['final']}"
            for body in (entry.body for entry in self.entries if entry.type == "roll")
        ]

    def facts(self, *kinds: str) -> list[str]:
        """Every fact of these kinds, as the log tells it, with the sides that alone are told."""
        assert self.campaign is not None
        told = []
        for entry in self.entries:
            if entry.type == "fact" and entry.body["kind"] in kinds:
                secret = "" if entry.to is None else f" [{', '.join(entry.to)}]"
                told.append(self.campaign.fact_of(entry).tell() + secret)
        return told

    @property
    def steps(self) -> list[str]:
        """The clauses of the steps that began, in order."""
        return [entry.body["clause"] for entry in self.entries if entry.type == "step"]


def go(
    campaign: Campaign, until: str, answers: Answers | None = None, dice: Dice = (), proposals: Iterable[str] = ()
) -> Stage:
    """Play until a step begins, with these answers by side and key, and dice by side and label.

    Questions in `proposals` get their proposal. What is asked or rolled beside that is an error,
    and so is what is left over.
    """
    start, left, faces = campaign.version, dict(answers or {}), list(dice)
    agreeing = set(proposals)
    while campaign.pending() and not _begun(campaign, start, until):
        pending = campaign.pending()[0]
        if pending.question is None:
            campaign.answer(pending.side, "roll", _faces(pending, faces))
        elif (pending.side, pending.key) in left:
            campaign.answer(pending.side, pending.key, left.pop((pending.side, pending.key)))
        else:
            agreed = pending.key in agreeing or pending.question.empty
            assert agreed, f"no answer to {pending.side} {pending.key}: " + (pending.question.text)
            campaign.answer(pending.side, pending.key, pending.question.default)
    assert not left, f"never asked: {sorted(left)}"
    assert not faces, f"never rolled: {faces}"
    return Stage(campaign.entries[start:], campaign)


def _begun(campaign: Campaign, start: int, until: str) -> bool:
    begun = [entry.body["step"] for entry in campaign.entries[start:] if entry.type == "step"]
    return until in begun


def _faces(pending: Pending, dice: list[tuple[str, str, tuple[int, ...]]]) -> list[int]:
    assert pending.roll is not None
    for row in dice:
        side, label, faces = row
        if side == pending.side and pending.roll.label.startswith(label):
            dice.remove(row)
            return list(faces)
    raise AssertionError(f"no dice for {pending.side} {pending.roll.label}")
