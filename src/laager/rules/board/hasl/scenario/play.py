"""Play of a scenario, and its end: by the Game End dr or by agreement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Field,
    Number,
    Option,
    Procedure,
    Question,
    Record,
    YesNo,
    ask,
    implements,
    roll,
    step,
)
from laager.dice import Dice
from laager.rules.board.card.parts import SIDES, other
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import PlayEnded, SanAnnounced, TalliesOpened
from laager.rules.board.hasl.scenario.initiative import first_mover

ROLL, ENDED, AGREED = "roll", "ended", "agreed"

MOST_TURNS = 99


@dataclass(frozen=True)
class Moment:
    """The end of a Player Turn; where the dr comes once a Game Turn, of the second one."""

    turn: int
    side: str


@implements("ABtF 9.621", "ER 1.525", "ER 1.5231")
@step("HASL 30", "Play")
def play(cg: Hasl) -> Procedure[None]:
    """Tallies begin, who moves first and the SAN are told, then the players play to the end."""
    yield TalliesOpened(why="play begins")
    yield from first_mover(cg)
    san = {side: cg.state.side(side).san for side in SIDES}
    yield SanAnnounced(san=san, why="both sides announce their SAN before play")
    now, why = yield from until_the_end(cg)
    yield PlayEnded(turn=now.turn, why=why)


# The numbers of the turn record -------------------------------------------------------------------


@implements("HASL 30", "ER CHART CVP/VP Tally")
def numbers(cg: Hasl) -> Mapping[int, int]:
    """Return the circled numbers by Game Turn: those of the date, else of the charts."""
    listed = cg.date.circled if cg.date.circled is not None else cg.charts.circled
    least = cg.variant.game_end_from
    return {turn: number for turn, number in sorted((listed or {}).items()) if turn >= least}


@implements("HASL 30")
def circled(cg: Hasl, turn: int) -> int | None:
    """Return the number for a Game Turn, None if no dr is made after it.

    Past the last turn listed its number goes on, as only a dr or an agreement ends play.
    """
    listed = numbers(cg)
    return listed.get(min(turn, max(listed))) if listed else None


def moments(cg: Hasl) -> tuple[str, ...]:
    """Return after whose Player Turns of a Game Turn a dr is made, in order."""
    first = cg.state.scenario.moves_first
    return (first, other(first)) if cg.variant.game_end_by_player_turn else (other(first),)


def next_due(cg: Hasl, after: Moment | None = None) -> Moment:
    """Return the next moment at which a Game End dr is made; without numbers, the next turn."""
    sides, listed = moments(cg), numbers(cg)
    if after is None:
        return Moment(min(listed, default=1), sides[0])
    if after.side != sides[-1]:
        return Moment(after.turn, sides[-1])
    turn = after.turn + 1
    while listed and circled(cg, turn) is None:
        turn += 1
    return Moment(turn, sides[0])


def _order(cg: Hasl, at: Moment) -> tuple[int, bool]:
    return at.turn, at.side != cg.state.scenario.moves_first


# The questions while play goes on -----------------------------------------------------------------


@implements("ABtF CG4", "ER CG21")
def until_the_end(cg: Hasl) -> Procedure[tuple[Moment, str]]:
    """Ask once per Game End dr, and for what happens meanwhile, until play is over."""
    due, made = next_due(cg), None
    while True:
        roller = cg.variant.game_end_roller(cg, due.side)
        answer = yield from ask(status_question(cg, roller, due, made))
        status, now = answer["status"], Moment(answer["turn"], answer["side"])
        if status == ROLL:
            over = yield from _game_end(cg, now)
            if over:
                return now, over
            due, made = next_due(cg, now), now
        elif status in (ENDED, AGREED):
            if (yield from _confirmed(cg, roller, now, status)):
                how = "by the dr that was made" if status == ENDED else "by agreement"
                return now, f"play ended {how}, turn {now.turn}"
        else:
            yield from cg.variant.play_event(cg, status, now.turn)


def _game_end(cg: Hasl, now: Moment) -> Procedure[str]:
    """Make the dr; return why play is over, "" if it goes on."""
    number = circled(cg, now.turn)
    assert number is not None, "the answer was checked"
    modifiers = cg.variant.game_end_modifiers(cg, now.turn)
    label, rule = f"Game End, turn {now.turn}", cg.variant.clause("game-end")
    roller = cg.variant.game_end_roller(cg, now.side)
    rolled = yield from roll(roller, label, Dice.dr, modifiers, rule=rule)
    if rolled.final > number:
        return ""
    return f"Game End dr {rolled}, not above {number} (turn {now.turn})"


def status_question(cg: Hasl, roller: str, due: Moment, made: Moment | None) -> Question:
    """Return the question to the side that makes the dr; `made` is the last one made."""
    number = circled(cg, due.turn)
    barred = "" if number is not None else "no number is circled; say when play has ended"
    options = (
        Option(ROLL, "make the Game End dr now, for the turn named", barred),
        Option(ENDED, "play has ended by a dr made at the table"),
        Option(AGREED, "play has ended by agreement"),
        *cg.variant.play_events(cg),
    )
    status = AGREED if barred else ROLL
    sides = Choice(tuple(Option(side, cg.side(side).name) for side in SIDES))
    default = {"status": status, "turn": due.turn, "side": due.side}
    shown = f" (number {number})" if number is not None else ""
    return Question(
        key="play",
        side=roller,
        text=f"Play: turn {due.turn}{shown} is next for the Game End dr. What now?",
        form=Record(
            (
                Field("status", Choice(options), "What now?", status),
                Field("turn", Number(1, MOST_TURNS), "Game Turn", due.turn),
                Field("side", sides, "Whose Player Turn ended it", due.side),
            )
        ),
        default=default,
        check=lambda answer: status_problems(cg, due, made, answer),
        suggest=lambda rng: _suggested(cg, due, made, status, rng),
        help="Answer when that turn has been played. Made the dr yourselves? Go on playing, and "
        "answer with ended and its turn when it is over. A later turn may be named.",
    )


def status_problems(cg: Hasl, due: Moment, made: Moment | None, answer: Mapping[str, Any]) -> list[Problem]:
    """Return why play cannot stand as a side says it does."""
    now = Moment(answer["turn"], answer["side"])
    dice = answer["status"] in (ROLL, ENDED) and bool(numbers(cg))
    if dice and circled(cg, now.turn) is None:
        first = min(numbers(cg))
        right = f"the first dr is made after turn {first}" if now.turn < first else "another turn"
        return [Problem(f"turn {now.turn} has no number for a dr", right, "turn")]
    if answer["status"] in (ROLL, ENDED) and now.side not in moments(cg):
        name = cg.side(moments(cg)[0]).name
        right = f"it comes once a Game Turn, after the Player Turn of {name}"
        return [Problem("no dr is made after this Player Turn", right, "side")]
    least = due if answer["status"] == ROLL else made
    if least is not None and _order(cg, now) < _order(cg, least):
        name = cg.side(least.side).name
        right = f"turn {least.turn}, {name}, or later"
        return [Problem(f"turn {now.turn} of {cg.side(now.side).name} is past", right, "turn")]
    return []


def _suggested(cg: Hasl, due: Moment, made: Moment | None, status: str, rng: Random) -> dict[str, Any]:
    """Return mostly a dr, at times an event or an early end by agreement."""
    events = [option.value for option in cg.variant.play_events(cg) if not option.why_not]
    if events and rng.random() < 0.2:
        status = rng.choice(events)
    elif rng.random() < (0.15 if made is None else 0.05):
        turn = rng.randint(1, due.turn) if made is None else due.turn
        return {"status": AGREED, "turn": turn, "side": due.side}
    return {"status": status, "turn": due.turn, "side": due.side}


def _confirmed(cg: Hasl, roller: str, now: Moment, status: str) -> Procedure[bool]:
    """Have the other side confirm that play has ended: no side ends it alone."""
    how = "by the Game End dr" if status == ENDED else "by agreement"
    answer: bool = yield from ask(
        Question(
            key="play-ended",
            side=other(roller),
            text=f"Has play ended {how} in turn {now.turn}?",
            form=YesNo(),
            default=True,
            suggest=lambda rng: rng.random() < 0.9,
        )
    )
    return answer
