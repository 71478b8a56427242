"""What a simulation plays: a card, who commands, which model settles battles, and a seed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel, ValidationError

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.files import Document, problems_of
from laager.campaign.cards import find_card
from laager.campaign.log import Entry, Loaded
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.rules.board.ruleset import BoardRuleset
from laager.simulation.battles import load_battles

CLOCK = datetime(2000, 1, 1, tzinfo=UTC)
"""The time of every entry of a simulated campaign: the same seed makes the same file."""


@dataclass(frozen=True)
class SimulationPlan:
    """All that decides how the campaigns of a run go; the same plan and number give the same campaign.

    `setting` is what the log opens with (card, map, readings). `commanders` are names, by side.
    `battles` names the model of battles, `intensity` its setting (mild, usual, bloody).
    """

    card: str
    ruleset: str
    title: str
    setting: Mapping[str, Any] = field(repr=False)
    commanders: Mapping[str, str]
    seed: int = 1
    battles: str = "stated"
    intensity: str = "usual"
    change: str = ""
    """What is other than on the card, as it was asked for (`axis.cp+2`); "" for nothing."""

    def campaign_seed(self, number: int) -> bytes:
        """Return the dice seed of a campaign, by its number from 1."""
        return sha256(f"laager simulate {self.seed}/{number}".encode()).digest()

    def opening(self, number: int) -> tuple[Entry, Entry]:
        """Return the first entries of a campaign."""
        return opening_entries(
            self.ruleset, self.title, self.setting, seed=self.campaign_seed(number), at=CLOCK, drawn=True
        )

    def chance(self, number: int, about: str) -> Random:
        """Return the chance by which a side's commander or a battle goes: a stream of its own for each.

        What one side does with its stream changes nothing for the other, so that comparisons share their luck.
        """
        return Random(f"{self.seed}/{number}/{about}")

    @property
    def key(self) -> str:
        """A digest of all that decides how the campaigns go, by which results of one run are known."""
        given = [self.ruleset, self.setting, dict(self.commanders), self.seed, self.battles, self.intensity]
        return sha256(json.dumps(given, sort_keys=True, default=str).encode()).hexdigest()

    def with_change(self, text: str) -> SimulationPlan:
        """Return the plan with one figure of the card changed: `axis.cp+2`, `allied.drm.leader-1`, `axis.elr=3`.

        `setting=bloody` changes how hard battles are, and nothing of the card. Raises DataError saying what is wrong
        with the change, or what the rules have against the changed card; RefusedError if there is no such setting.
        """
        if setting := SETTING.fullmatch(text.strip()):
            load_battles(self.battles, setting[1])
            return replace(self, intensity=setting[1], change=text)
        card = deepcopy(dict(self.setting["card"]))
        side, path, operation, number = _parse_change(text, list(self.commanders))
        place: Any = card["sides"][side]
        *folders, name = path
        for folder in folders:
            place = place.get(folder) if isinstance(place, dict) else None
            if not isinstance(place, dict):
                right = "name a figure of the side's half of the card, such as axis.cp+2"
                raise DataError([Problem(f"{text!r}: the card has no {folder!r} there", right)])
        name = "cpp" if name == "cp" and "cpp" in place else name
        before, known = place.get(name, 0), name in place
        numbers = [key for key, value in place.items() if isinstance(value, int) and not isinstance(value, bool)]
        if isinstance(before, bool) or not isinstance(before, int):
            raise DataError([Problem(f"{text!r}: {name} isn't a number", did_you_mean(name, numbers, "numbers are"))])
        place[name] = number if operation == "=" else before + (number if operation == "+" else -number)
        changed = replace(self, setting={**self.setting, "card": card}, change=text)
        try:
            find_ruleset(self.ruleset).context(changed.opening(1)[0].body)
        except ValueError as err:
            if not known:
                right = did_you_mean(name, [figure for figure in numbers if figure != name], "numbers are")
                raise DataError([Problem(f"{text!r}: the card has no {name!r} there", right)]) from None
            raise DataError([Problem(f"{text!r} makes a card that isn't valid: {_first_line(err, card)}")]) from None
        return changed


def read_plan(
    card: str, rules: str | None = None, readings: Mapping[str, str] | None = None, **how: Any
) -> SimulationPlan:
    """Return the plan for a card: a file, or the name of one that ships.

    Raises RefusedError if there is no such card, DataError with everything that is wrong with it.
    """
    path, ruleset = find_card(card, rules)
    if not isinstance(find_ruleset(ruleset), BoardRuleset):
        raise RefusedError(
            Refusal.NO_SUCH, f"{card} has no battles to be played: campaigns of these rules have no board"
        )
    made = find_ruleset(ruleset).read_card(path, dict(readings or {}))
    sides = find_ruleset(ruleset).sides
    commanders = {side: how.pop(side, "sensible") for side in sides}
    name = Path(card).stem if path == Path(card) else card
    return SimulationPlan(name, ruleset, made.title, made.setting, commanders, **how)


SETTING = re.compile(r"setting\s*=\s*(\w+)")
CHANGE = re.compile(r"(\w+)\.([\w.-]*?\w)\s*([+=-])\s*(\d+)")


def _parse_change(text: str, sides: list[str]) -> tuple[str, list[str], str, int]:
    match = CHANGE.fullmatch(text.strip())
    if match is None:
        raise DataError(
            [Problem(f"{text!r} is not a change", "write SIDE.FIGURE and +, - or = with a number: axis.cp+2")]
        )
    side, path, operation, number = match.groups()
    if side not in sides:
        raise DataError([Problem(f"{text!r}: there is no side {side!r}", did_you_mean(side, sides, "the sides are"))])
    return side, path.split("."), operation, int(number)


SHORT = {"cp": "CP", "cpp": "CPP", "fp": "FP", "fpp": "FPP", "elr": "ELR", "san": "SAN", "drm": "DRM"}
"""How players write the figures of a card that are abbreviations."""


def describe_change(text: str, side_names: Mapping[str, str]) -> str:
    """Return a change in words: "Germans: 2 CP more", "Soviets: ELR 3", "Battles: bloody"."""
    if match := SETTING.fullmatch(text.strip()):
        setting = match[1]
        return f"Battles: {setting}"
    side, path, operation, number = _parse_change(text, list(side_names))
    label = " ".join(SHORT.get(name, name.replace("_", " ")) for name in path)
    if operation == "=":
        return f"{side_names[side]}: {label} {number}"
    return f"{side_names[side]}: {number} {label} {'more' if operation == '+' else 'less'}"


def _first_line(err: ValueError, card: Mapping[str, Any]) -> str:
    if isinstance(err, ValidationError):
        return str(problems_of(err, Document(card, ""), BaseModel)[0])
    return str(err).splitlines()[0]


class EntryList:
    """Keeps a campaign's entries as they are: nothing is encoded where nothing is stored."""

    def __init__(self, entries: Sequence[Entry], name: str = "simulation") -> None:
        self.entries = list(entries)
        self.name = name

    def load(self) -> Loaded:
        """Return all entries; there is no hash, as no line was written."""
        return Loaded(tuple(self.entries), "")

    def append(self, entries: Sequence[Entry]) -> None:
        """Add entries."""
        self.entries += entries
