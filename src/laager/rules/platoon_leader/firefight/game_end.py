"""When play ends (PL CG2): the Game End dr of each Player Turn, or an agreement."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Number, Procedure, Question, Record, YesNo, ask, implements, roll
from laager.dice import Dice, Modifier
from laager.rules.board.card.parts import SIDES, other
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg

ROLL, ENDED, AGREED = "roll", "ended", "agreed"

MOST_TURNS = 99


@dataclass(frozen=True)
class PlayerTurn:
    """One side's half of a Game Turn."""

    turn: int
    side: str


def first_mover(cg: Cg) -> str:
    """Return the side whose Player Turn comes first in each Game Turn."""
    fight = cg.state.fight
    return fight.moves_first or fight.attacker or cg.card.attacking_side


def order(cg: Cg, at: PlayerTurn) -> tuple[int, bool]:
    """Return what Player Turns are sorted by."""
    return at.turn, at.side != first_mover(cg)


@implements("PL CG2")
def circled(cg: Cg, turn: int) -> int | None:
    """Return the number circled for a Game Turn, None if there is none and so no dr.

    Past the last turn that the card lists its number goes on, as only a dr or an agreement ends
    a firefight.
    """
    numbers = cg.slot.game_end
    return numbers.get(min(turn, max(numbers)))


@implements("PL CG2")
def game_end_modifiers(cg: Cg, turn: int, side: str) -> tuple[Modifier, ...]:
    """Return the drm of a Game End dr: -1 for the side moving second, once the first turn is past.

    The first turn is the first that has a circled number.
    """
    if side == first_mover(cg) or turn <= min(cg.slot.game_end):
        return ()
    chart = charts().game_end
    reason = f"moving second, after turn {min(cg.slot.game_end)}"
    return (Modifier(chart.second_mover_drm, reason, chart.rule),)


def next_due(cg: Cg, after: PlayerTurn | None = None) -> PlayerTurn:
    """Return the next Player Turn at whose end a Game End dr is made."""
    first = first_mover(cg)
    if after is None:
        return PlayerTurn(min(cg.slot.game_end), first)
    if after.side == first:
        return PlayerTurn(after.turn, other(first))
    turn = after.turn + 1
    while circled(cg, turn) is None:
        turn += 1
    return PlayerTurn(turn, first)


@implements("PL CG2", "PL 1.4 CG Firefight End")
def play_until_end(cg: Cg) -> Procedure[tuple[PlayerTurn, str]]:
    """Ask once per Game End dr until play is over; return the last Player Turn and why.

    Who rolls at the table answers once, when it is over.
    """
    due, made = next_due(cg), None
    while True:
        answer = yield from ask(status_question(cg, due, made))
        now = PlayerTurn(answer["turn"], answer["side"])
        if answer["status"] == ROLL:
            number = circled(cg, now.turn)
            assert number is not None, "the answer was checked"
            label = f"Game End, turn {now.turn}"
            modifiers = game_end_modifiers(cg, now.turn, now.side)
            rolled = yield from roll(now.side, label, Dice.dr, modifiers, rule="PL CG2")
            if rolled.final <= number:
                return now, f"Game End dr {rolled}, not above {number} (turn {now.turn})"
            due, made = next_due(cg, now), now
        elif (yield from _confirmed(cg, due, now, answer["status"])):
            how = "by the dr that was made" if answer["status"] == ENDED else "by agreement"
            return now, f"play ended {how}, turn {now.turn}"


def status_question(cg: Cg, due: PlayerTurn, made: PlayerTurn | None) -> Question:
    """Return the question to the side whose Game End dr is due; `made` is the last one made."""
    name = cg.side(due.side).name
    forms = (
        Field(
            "status",
            Choice.of(
                roll="make the Game End dr now, for the Player Turn named",
                ended="play has ended by a dr made at the table",
                agreed="play has ended by agreement",
            ),
            "What now?",
            ROLL,
        ),
        Field("turn", Number(1, MOST_TURNS), "Game Turn", due.turn),
        Field("side", Choice.of(*SIDES), "Whose Player Turn", due.side),
    )
    number = circled(cg, due.turn)
    return Question(
        key="play-status",
        side=due.side,
        text=f"Turn {due.turn}, the Player Turn of {name} is over (number {number}): what now?",
        form=Record(forms),
        rule="PL CG2",
        default={"status": ROLL, "turn": due.turn, "side": due.side},
        help="Answer when that Player Turn has been played. Made the dr yourselves? Go on playing, "
        "and answer with ended and its turn when it is over. A later turn may be named.",
        check=lambda answer: status_problems(cg, due, made, answer),
        suggest=lambda rng: suggest_status(cg, due, made, rng),
    )


def status_problems(cg: Cg, due: PlayerTurn, made: PlayerTurn | None, answer: dict[str, Any]) -> list[Problem]:
    """Return why play cannot stand as a side says it does."""
    now = PlayerTurn(answer["turn"], answer["side"])
    problems = []
    first = min(cg.slot.game_end)
    if answer["status"] != AGREED and circled(cg, now.turn) is None:
        right = f"the first dr is made in turn {first}" if now.turn < first else "another turn"
        problems.append(Problem(f"turn {now.turn} has no number for a dr", right, "turn"))
    elif answer["status"] == ROLL and order(cg, now) < order(cg, due):
        what = f"the dr for turn {now.turn}, {now.side}, is past"
        problems.append(Problem(what, f"turn {due.turn}, {due.side}, or later", "turn"))
    elif made is not None and order(cg, now) < order(cg, made):
        what = f"play went on after turn {now.turn}, {now.side}"
        right = f"turn {made.turn}, {made.side}, or later"
        problems.append(Problem(what, right, "turn"))
    return problems


def suggest_status(cg: Cg, due: PlayerTurn, made: PlayerTurn | None, rng: Random) -> dict[str, Any]:
    """Return mostly a dr, at times an early end by agreement."""
    if made is None and rng.random() < 0.15:
        turn = rng.randint(1, due.turn)
        return {"status": AGREED, "turn": turn, "side": rng.choice(SIDES)}
    return {"status": ROLL, "turn": due.turn, "side": due.side}


def _confirmed(cg: Cg, due: PlayerTurn, now: PlayerTurn, status: str) -> Procedure[bool]:
    """Have the other side confirm that play has ended: no side ends it alone."""
    how = "by the Game End dr" if status == ENDED else "by agreement"
    whose = cg.side(now.side).name
    question = Question(
        key="play-ended",
        side=other(due.side),
        text=f"Has play ended {how} in turn {now.turn}, in the Player Turn of {whose}?",
        form=YesNo(),
        rule="PL CG2",
        default=True,
        suggest=lambda rng: rng.random() < 0.9,
    )
    answer: bool = yield from ask(question)
    return answer
