"""A tiny rule system for the engine's own tests: two sides bid in secret and roll for points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from laager.campaign.engine import Campaign
from laager.campaign.facts import Fact
from laager.campaign.forms import Number, YesNo
from laager.campaign.log import MemoryStore, Store
from laager.campaign.opening import opening_entries
from laager.campaign.questions import Question
from laager.campaign.steps import Context, Procedure, Step, ask, ask_all, roll, step
from laager.dice import Dice, Modifier
from laager.dice.sources import DiceSource

SIDES = ("red", "blue")


@dataclass(frozen=True)
class ToyState:
    viewer: str
    round: int = 0
    done: tuple[str, ...] = ()
    points: Mapping[str, int] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    over: bool = False


class PointsChanged(Fact):
    side: str
    by: int

    def apply(self, state: ToyState) -> ToyState:
        points = {**state.points, self.side: state.points.get(self.side, 0) + self.by}
        return replace(state, points=points)


class SecretKept(Fact):
    side: str
    text: str

    def apply(self, state: ToyState) -> ToyState:
        return replace(state, secrets={**state.secrets, self.side: self.text})


class RoundOver(Fact):
    over: bool

    def apply(self, state: ToyState) -> ToyState:
        return replace(state, round=state.round + 1, over=self.over)


@step("TOY 1", "Saving", each_side=True)
def saving(cg: Context, side: str) -> Procedure[None]:
    amount = yield from ask(Question("amount", side, "How much?", Number(0, 9), secret=True, default=1))
    rolled = yield from roll(side, "Interest", Dice.dr, [Modifier(amount, "saved", "TOY 1")], secret=True)
    yield SecretKept(side=side, text=f"{side} saved {amount} and got {rolled.final}", to=(side,))
    yield PointsChanged(side=side, by=rolled.final, to=(side,), why="interest")


@step("TOY 2", "Bidding")
def bidding(cg: Context) -> Procedure[None]:
    bids = yield from ask_all(
        Question("bid", side, "Your bid?", Number(0, 99), secret=True, default=0) for side in SIDES
    )
    winner = max(SIDES, key=lambda side: (bids[side], side))
    rolled = yield from roll(winner, "Prize", Dice.DR)
    yield PointsChanged(side=winner, by=rolled.final)


@step("TOY 3", "Closing")
def closing(cg: Context) -> Procedure[None]:
    more = yield from ask(Question("more", "red", "Another round?", YesNo(), default=False))
    yield RoundOver(over=not more)


class Toy:
    id = "toy"
    title = "Toy"
    sides = SIDES
    facts: Mapping[str, type[Fact]] = {cls.kind: cls for cls in (PointsChanged, SecretKept, RoundOver)}

    def __init__(self, *order: Step) -> None:
        self.order = order or (saving, bidding, closing)
        self.steps = {step.id: step for step in self.order}

    def context(self, opening: Mapping[str, Any]) -> Context:
        return Context()

    def start(self, opening: Mapping[str, Any], viewer: str) -> ToyState:
        return ToyState(viewer)

    def next_step(self, state: ToyState) -> Step | None:
        if state.over:
            return None
        return next((step for step in self.order if step.id not in state.done), None)

    def step_done(self, state: ToyState, step: str) -> ToyState:
        return replace(state, done=() if step == "closing" else (*state.done, step))

    def describe(self, state: ToyState) -> dict[str, Any]:
        return {"points": dict(state.points), "secrets": dict(state.secrets), "round": state.round}


TOY = Toy()
SEED = bytes(range(32))


def fresh_store(entered: bool = False) -> MemoryStore:
    store = MemoryStore()
    store.append(opening_entries("toy", "A toy", {}, entered_dice=entered, seed=SEED))
    return store


def toy_campaign(
    store: Store | None = None, dice: DiceSource | None = None, entered: bool = False, toy: Toy = TOY
) -> Campaign:
    campaign = Campaign(store or fresh_store(entered), dice, ruleset=toy)
    campaign.advance()
    return campaign


def play_round(campaign: Campaign, more: bool = True) -> None:
    campaign.answer("red", "amount", 3)
    campaign.answer("blue", "amount", 4)
    campaign.answer("blue", "bid", 10)
    campaign.answer("red", "bid", 20)
    campaign.answer("red", "more", more)
