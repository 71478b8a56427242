"""Heads against tails: the smallest ruleset that plays, with secrets, dice, a table and sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from laager.base import DataError
from laager.base.files import load
from laager.campaign import (
    Column,
    Context,
    Course,
    Fact,
    NewCampaign,
    Number,
    PlayedRuleset,
    Procedure,
    Question,
    Readings,
    Sheet,
    Step,
    ask,
    implements,
    roll,
    step,
)
from laager.dice import Dice
from laager.tables import load_packaged

PACKAGE = "coin_toss"
HEADS, TAILS = SIDES = ("heads", "tails")


# The card: what a designer writes ---------------------------------------------------------------


class Card(BaseModel):
    """A card of the format `coin-card/1`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    laager: Literal["coin-card/1"]
    id: str
    title: str
    source: str
    coins: int = Field(ge=1)
    rounds: int = Field(ge=1)


# State and facts: what is, and what has happened ------------------------------------------------


@dataclass(frozen=True)
class State:
    """What one viewer knows."""

    viewer: str
    coins: Mapping[str, int] = field(default_factory=dict)
    stakes: Mapping[str, int] = field(default_factory=dict)
    rounds: int = 0
    done: tuple[str, ...] = ()
    over: bool = False
    ending: str = ""


class StakeLaid(Fact):
    """A side has staked coins, in secret."""

    side: str
    coins: int

    def apply(self, state: State) -> State:
        """Note the stake."""
        return replace(state, stakes={**state.stakes, self.side: self.coins})


class TossWon(Fact):
    """A round is over; `coins` have gone from the loser to the winner."""

    winner: str
    loser: str
    coins: int

    def apply(self, state: State) -> State:
        """Move the coins and clear the stakes."""
        held = dict(state.coins)
        held[self.winner] += self.coins
        held[self.loser] -= self.coins
        return replace(state, coins=held, stakes={}, rounds=state.rounds + 1)

    def tell(self) -> str:
        """Say it in words."""
        return f"{self.winner} win {self.coins} from {self.loser}"


class GameEnded(Fact):
    """The campaign is over."""

    ending: str

    def apply(self, state: State) -> State:
        """Stop."""
        return replace(state, over=True, ending=self.ending)


# Steps: procedures that read like their rules ---------------------------------------------------


class Coin(Context):
    """What the steps see: the card and the live state."""

    state: State

    def __init__(self, opening: Mapping[str, Any]) -> None:
        self.card = Card.model_validate(opening["card"])


@step("COIN 1", "Stakes", each_side=True)
def staking(cg: Coin, side: str) -> Procedure[None]:
    """Each side stakes in secret; neither waits for the other."""
    most = min(3, cg.state.coins[side])
    text = f"How many coins do you stake? You have {cg.state.coins[side]}."
    question = Question("stake", side, text, Number(0, most), "COIN 1", secret=True, default=0)
    coins = yield from ask(question)
    yield StakeLaid(side=side, coins=coins, to=(side,))


@step("COIN 2", "Toss")
def tossing(cg: Coin) -> Procedure[None]:
    """An open dr decides the round."""
    table = load_packaged(PACKAGE, "tables.yaml")["toss"]
    stakes = cg.state.stakes
    higher = table.modifier("higher-stake", times=int(stakes[TAILS] > stakes[HEADS]))
    rolled = yield from roll(HEADS, "Toss", Dice.dr, [higher])
    winner = str(table.result(rolled.final))
    loser = HEADS if winner == TAILS else TAILS
    yield TossWon(winner=winner, loser=loser, coins=stakes[loser], why=f"{rolled}")


@step("COIN 3", "End of the round")
def ending(cg: Coin) -> Procedure[None]:
    """After the last round the campaign is over."""
    if cg.state.rounds == cg.card.rounds:
        yield GameEnded(ending=result(cg.state.coins), why=f"{cg.card.rounds} rounds are played")


@implements("COIN 3")
def result(coins: Mapping[str, int]) -> str:
    """Say who has won with these coins."""
    if coins[HEADS] == coins[TAILS]:
        return "a draw"
    return f"{max(SIDES, key=coins.__getitem__)} have won"


# The ruleset ------------------------------------------------------------------------------------


class CoinToss(PlayedRuleset):
    """The ruleset `coin`."""

    id = "coin"
    title = "Coin Toss"
    sides = SIDES
    package = PACKAGE
    facts: Mapping[str, type[Fact]] = {cls.kind: cls for cls in (StakeLaid, TossWon, GameEnded)}
    steps: Mapping[str, Step] = {one.id: one for one in (staking, tossing, ending)}

    # For the engine

    def context(self, opening: Mapping[str, Any]) -> Coin:
        """Return what the steps of a campaign see."""
        return Coin(opening)

    def start(self, opening: Mapping[str, Any], viewer: str) -> State:
        """Return the state before the first fact."""
        return State(viewer, dict.fromkeys(SIDES, opening["card"]["coins"]))

    def next_step(self, state: State) -> Step | None:
        """Return the first step of the round that is not done."""
        if state.over:
            return None
        return next(one for name, one in self.steps.items() if name not in state.done)

    def step_done(self, state: State, step: str) -> State:
        """Tick a step off; the last one of a round clears the list."""
        return replace(state, done=() if step == ending.id else (*state.done, step))

    def describe(self, state: State) -> dict[str, Any]:
        """Return a viewer's state as JSON."""
        return {"coins": dict(state.coins), "stakes": dict(state.stakes), "ending": state.ending}

    # For the players

    def read_card(self, path: Path, readings: Mapping[str, str]) -> NewCampaign:
        """Read a card; its data go into the first line of the campaign file."""
        card = load(path, Card)
        problems = Readings.load_packaged(PACKAGE).check(readings)
        if problems:
            raise DataError(problems)
        return NewCampaign(card.title, {"card": card.model_dump(mode="json"), "readings": {}})

    def headline(self, context: Context, state: State) -> Sequence[str]:
        """Say how it stands."""
        held = ", ".join(f"{side} {coins}" for side, coins in state.coins.items())
        return (f"round {state.rounds + 1 - state.over}: {held}", *[state.ending] * state.over)

    def course(self, state: State) -> Course:
        """Return the steps of a round and which of them are done."""
        return Course("Round", tuple(self.steps.values()), frozenset(state.done))

    def sheets(self, context: Context, state: State) -> Sequence[Sheet]:
        """Return the one sheet there is; a stake that the viewer may not know is not in it."""
        columns = (Column("Side"), Column("Coins", "right"), Column("Stake", "right"))
        rows = tuple((side, str(coins), str(state.stakes.get(side, "?"))) for side, coins in state.coins.items())
        return (Sheet("coins", "Coins", columns, rows),)

    def sheets_beside(self, context: Context, state: State, key: str, side: str) -> Sequence[Sheet]:
        """Show the sheet beside every question."""
        return self.sheets(context, state)

    def concession_fact(self, side: str | None) -> Fact:
        """Return the fact that a side concedes, or that both agree on a draw."""
        ending = f"{side} concede" if side else "a draw by agreement"
        return GameEnded(ending=ending, rule="COIN 3")


RULESET = CoinToss()
