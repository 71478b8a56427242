"""The rules of the parlour: plans in secret, weather, stakes, a battle report, another round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from laager.base import DataError, Problem
from laager.base.files import load
from laager.campaign.facts import UMPIRE, Fact
from laager.campaign.forms import Choice, Field, Number, Option, Record, Rows, Several, Text, YesNo
from laager.campaign.questions import Question
from laager.campaign.readings import Readings
from laager.campaign.ruleset import NewCampaign
from laager.campaign.sheet import Column, Sheet
from laager.campaign.steps import Context, Procedure, Step, ask, ask_all, roll, step
from laager.dice import Dice, Modifier
from laager.hexmap import HexMap, load_map
from laager.hexmap.draw import Layers, UnitMark

PACKAGE = "tests.cli.parlour"
HOME = Path(__file__).parent
RED, BLUE = SIDES = ("red", "blue")
UNITS_EACH = 8


class Card(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    laager: Literal["parlour-card/1"]
    title: str
    source: str
    rounds: int


@dataclass(frozen=True)
class Piece:
    id: str
    side: str
    type: str
    at: str = ""

    @property
    def label(self) -> str:
        return f"{self.type} ({self.id})"


@dataclass(frozen=True)
class State:
    viewer: str
    units: Mapping[str, Piece] = field(default_factory=dict)
    secrets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    points: Mapping[str, int] = field(default_factory=dict)
    done: tuple[str, ...] = ()
    rounds: int = 0
    ending: str = ""

    def moved(self, name: str, **changes: Any) -> State:
        if name not in self.units:
            return self
        return replace(self, units={**self.units, name: replace(self.units[name], **changes)})


class UnitJoined(Fact):
    unit: str
    side: str
    type: str

    def apply(self, state: State) -> State:
        piece = Piece(self.unit, self.side, self.type)
        return replace(state, units={**state.units, self.unit: piece})

    def tell(self) -> str:
        return f"{self.unit} joins {self.side}"


class UnitMoved(Fact):
    unit: str
    at: str

    def apply(self, state: State) -> State:
        return state.moved(self.unit, at=self.at)

    def tell(self) -> str:
        return f"{self.unit} to {self.at}"


class UnitRenamed(Fact):
    unit: str
    type: str

    def apply(self, state: State) -> State:
        return state.moved(self.unit, type=self.type)

    def tell(self) -> str:
        return f"{self.unit} becomes {self.type}"


class SecretKept(Fact):
    side: str
    text: str

    def apply(self, state: State) -> State:
        kept = (*state.secrets.get(self.side, ()), self.text)
        return replace(state, secrets={**state.secrets, self.side: kept})


class PointsScored(Fact):
    side: str

    def apply(self, state: State) -> State:
        points = {**state.points, self.side: state.points.get(self.side, 0) + 1}
        return replace(state, points=points)


class RoundEnded(Fact):
    ending: str = ""

    def apply(self, state: State) -> State:
        return replace(state, rounds=state.rounds + 1, ending=self.ending, done=())


class Parlour(Context):
    state: State

    def __init__(self, opening: Mapping[str, Any]) -> None:
        self.card = Card.model_validate(opening["card"])

    def pieces(self, side: str) -> list[Piece]:
        return [piece for piece in self.state.units.values() if piece.side == side]


@step("PARLOUR 1", "Beginning")
def beginning(cg: Parlour) -> Procedure[None]:
    if cg.state.units:
        return
    for side in SIDES:
        for i in range(UNITS_EACH):
            yield UnitJoined(unit=f"{side[0].upper()}{i + 1}", side=side, type="4-6-7")


@step("PARLOUR 2", "Plans", each_side=True)
def planning(cg: Parlour, side: str) -> Procedure[None]:
    plan = yield from ask(plan_question(cg, side))
    brave = Modifier(plan["bid"], f"the bid of {side}", "PARLOUR 2")
    rolled = yield from roll(side, f"Nerve of {side}", Dice.dr, [brave], secret=True)
    yield SecretKept(side=side, text=plan["word"], to=(side,), why=f"{rolled}")
    for order in plan["orders"]:
        if order["at"]:
            yield UnitMoved(unit=order["unit"], at=order["at"], to=(side,))


def plan_question(cg: Parlour, side: str) -> Question:
    tactics = Choice(
        (
            Option("attack", "Attack"),
            Option("defend", "Defend"),
            Option("retreat", "Retreat", "nobody retreats on the first day; attack or defend"),
        )
    )
    units = Choice(tuple(Option(piece.id, piece.label) for piece in cg.pieces(side)))
    order = (
        Field("unit", units, "Unit"),
        Field("at", Text(6), "Where to", ""),
        Field("count", Number(1, 5), "How fast", 1),
    )
    fields = (
        Field("word", Text(60), "Word of the day"),
        Field("bid", Number(0, 9), "Bid", 1),
        Field("tactic", tactics, "Tactic", "defend"),
        Field("flags", Several((Option("a"), Option("b"), Option("c")), most=2), "Flags", []),
        Field("bold", YesNo(), "Boldly?", False),
        Field("orders", Rows(Record(order), most=UNITS_EACH), "Orders", []),
    )
    default = {"word": "nothing", "bid": 1, "tactic": "defend", "flags": [], "bold": False}
    return Question(
        key="plan",
        side=side,
        text=f"What is the plan of {side}?",
        form=Record(fields),
        rule="PARLOUR 2",
        secret=True,
        default={**default, "orders": []},
        help="Bid high and attack, or bid low.",
        check=plan_problems,
    )


def plan_problems(plan: Mapping[str, Any]) -> list[Problem]:
    problems = []
    if plan["tactic"] == "defend" and plan["bid"] > 5:
        problems.append(Problem("who bids more than 5 may not defend", "attack", "tactic"))
    seen = set()
    for i, order in enumerate(plan["orders"]):
        if order["unit"] in seen:
            where = f"orders[{i + 1}].unit"
            problems.append(Problem(f"{order['unit']} has orders already", "one each", where))
        seen.add(order["unit"])
    return problems


@step("PARLOUR 3", "Weather")
def weather(cg: Parlour) -> Procedure[None]:
    rain = yield from ask(Question("rain", RED, "Does it rain?", YesNo(), "PARLOUR 3", default=False))
    wet = Modifier(int(rain), "it rains", "PARLOUR 3")
    yield from roll(RED, "Wind", Dice.DR, [wet])


@step("PARLOUR 4", "Stakes")
def staking(cg: Parlour) -> Procedure[None]:
    stakes = yield from ask_all(
        Question("stake", side, "Your stake?", Number(0, 99), "PARLOUR 4", secret=True, default=5) for side in SIDES
    )
    yield PointsScored(side=max(SIDES, key=lambda side: stakes[side]), why="the higher stake")


@step("PARLOUR 6", "Battle report")
def reporting(cg: Parlour) -> Procedure[None]:
    reports = yield from ask_all(report_question(cg, side) for side in SIDES)
    for side in SIDES:
        for row in reports[side]["units"]:
            if row["type"]:
                yield UnitRenamed(unit=row["unit"], type=row["type"])


def report_question(cg: Parlour, side: str) -> Question:
    row = Record(
        (
            Field("unit", Text(8), "Unit"),
            Field("type", Text(20), "What it is now, if it changed", ""),
            Field("marks", Several((Option("broken"), Option("dm"))), "Markers", []),
        )
    )
    known = {piece.id for piece in cg.pieces(side)}

    def check(report: Mapping[str, Any]) -> list[Problem]:
        return [
            Problem(f"{line['unit']} is not yours", "name a unit of yours", f"units[{i + 1}].unit")
            for i, line in enumerate(report["units"])
            if line["unit"] not in known
        ]

    default = {"units": [{"unit": piece.id, "marks": []} for piece in cg.pieces(side)], "note": ""}
    form = Record((Field("units", Rows(row), "Your units", []), Field("note", Text(80), "Note", "")))
    text = "What became of your units?"
    return Question("battle-report", side, text, form, "PARLOUR 6", secret=True, default=default, check=check)


@step("PARLOUR 7", "Closing")
def closing(cg: Parlour) -> Procedure[None]:
    form = Choice((Option("go-on", "Another round"), Option("stop", "No more")))
    more = yield from ask(Question("more", RED, "Go on?", form, "PARLOUR 7", default="go-on"))
    last = more == "stop" or cg.state.rounds + 1 >= cg.card.rounds
    yield RoundEnded(ending="everybody goes home" if last else "")


class Ruleset:
    id = "parlour"
    title = "Parlour"
    sides = SIDES
    package = PACKAGE
    facts: Mapping[str, type[Fact]] = {
        cls.kind: cls for cls in (UnitJoined, UnitMoved, UnitRenamed, SecretKept, PointsScored, RoundEnded)
    }
    steps: Mapping[str, Step] = {one.id: one for one in (beginning, planning, weather, staking, reporting, closing)}

    def context(self, opening: Mapping[str, Any]) -> Parlour:
        return Parlour(opening)

    def start(self, opening: Mapping[str, Any], viewer: str) -> State:
        return State(viewer)

    def next_step(self, state: State) -> Step | None:
        if state.ending:
            return None
        return next(one for name, one in self.steps.items() if name not in state.done)

    def step_done(self, state: State, step: str) -> State:
        return replace(state, done=() if step == "closing" else (*state.done, step))

    def describe(self, state: State) -> dict[str, Any]:
        units = {name: vars(piece) for name, piece in state.units.items()}
        secrets = {side: list(kept) for side, kept in state.secrets.items()}
        return {"units": units, "secrets": secrets, "points": dict(state.points)}

    def read_card(self, path: Path, readings: Mapping[str, str]) -> NewCampaign:
        card = load(path, Card)
        known = Readings.load_packaged(PACKAGE)
        problems = known.check(readings)
        if problems:
            raise DataError(problems)
        setting = {"card": card.model_dump(mode="json"), "readings": known.in_force(readings)}
        return NewCampaign(card.title, setting, ("the piano is out of tune",))

    def shipped_cards(self) -> Mapping[str, Path]:
        return {path.stem: path for path in sorted((HOME / "cards").glob("*.yaml"))}

    def headline(self, context: Context, state: State) -> Sequence[str]:
        points = ", ".join(f"{side} {state.points.get(side, 0)}" for side in SIDES)
        over = [f"over: {state.ending}"] if state.ending else []
        return (f"round {state.rounds + 1}, points: {points}", *over)

    def sheets(self, context: Context, state: State) -> Sequence[Sheet]:
        points = tuple((side, str(state.points.get(side, 0))) for side in SIDES)
        titles = (Column("Side"), Column("Points", "right"))
        return (
            Sheet("points", "Points", titles, points),
            *(self._plan(state, side) for side in SIDES if state.viewer in (side, UMPIRE)),
            Sheet("wide", "Wide", tuple(Column(f"Column {i}") for i in range(30)),
                  (tuple(f"cell {i}" for i in range(30)),)),
        )  # fmt: skip

    def _plan(self, state: State, side: str) -> Sheet:
        rows = tuple((piece.id, piece.label, piece.at) for piece in state.units.values()
                     if piece.side == side)  # fmt: skip
        columns = (Column("ID"), Column("Unit"), Column("Where"))
        return Sheet("plan", f"Plan of {side}", columns, rows, state.secrets.get(side, ()), side)

    def sheets_beside(self, context: Context, state: State, key: str, side: str) -> Sequence[Sheet]:
        return (self._plan(state, side),) if key == "plan" else ()

    def drawing(self, context: Context, state: State) -> tuple[HexMap, Layers]:
        units = tuple(UnitMark(piece.at, piece.side, piece.label) for piece in state.units.values() if piece.at)
        kept = " ".join(word for words in state.secrets.values() for word in words)
        layers = Layers(subtitle=kept, units=units, sides={side: side for side in SIDES})
        return load_map(HOME / "map.yaml"), layers

    def moment(self, step: str) -> str:
        return "purchase" if step == "planning" else ""

    def concession_fact(self, side: str | None) -> Fact:
        return RoundEnded(ending=f"{side} concedes" if side else "a draw", rule="PARLOUR 7")


RULESET = Ruleset()
