"""When play of a battle ends: by the Game End dr after a Player Turn, or because both sides agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Number, Option, Procedure, Question, Record, YesNo, ask, roll
from laager.dice import Dice, Modifier
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.context import CardContext

ROLL, ENDED, AGREED = "roll", "ended", "agreed"

MOST_TURNS = 99


@dataclass(frozen=True)
class PlayerTurn:
    """One side's half of a Game Turn."""

    turn: int
    side: str


@dataclass(frozen=True)
class GameEndPlay:
    """How play of the present battle ends. A rule system overrides the hooks in which it differs.

    `first` moves first; `numbers` are the circled numbers by Game Turn. The dr comes after each
    Player Turn, or only after each Game Turn. `rule` is the clause of the dr, `asked` that of the questions.
    """

    cg: CardContext
    first: str
    numbers: Mapping[int, int]
    by_player_turn: bool = True
    key: str = "play"
    rule: str = ""
    asked: str = ""

    # Hooks ----------------------------------------------------------------------------------------

    def roller(self, side: str) -> str:
        """Return the side that makes the dr after a side's Player Turn."""
        return side

    def modifiers(self, at: PlayerTurn) -> Sequence[Modifier]:
        """Return the drm of the dr after a Player Turn."""
        return ()

    def events(self) -> tuple[Option, ...]:
        """Return what players report while they play, as choices."""
        return ()

    def event(self, name: str, turn: int) -> Procedure[None]:
        """Carry out one of `events`."""
        yield from ()

    # Turns ----------------------------------------------------------------------------------------

    @property
    def sides(self) -> tuple[str, ...]:
        """After whose Player Turns of a Game Turn there is a dr, in order."""
        return (self.first, other_side(self.first)) if self.by_player_turn else (other_side(self.first),)

    def circled_number(self, turn: int) -> int | None:
        """Return the circled number of a Game Turn, None if no dr follows it.

        After the last turn listed its number stays, as only a dr or an agreement ends play.
        """
        return self.numbers.get(min(turn, max(self.numbers))) if self.numbers else None

    def next_due(self, after: PlayerTurn | None = None) -> PlayerTurn:
        """Return the next Player Turn that ends with a dr; without numbers, that of the next turn."""
        if after is None:
            return PlayerTurn(min(self.numbers, default=1), self.sides[0])
        if after.side != self.sides[-1]:
            return PlayerTurn(after.turn, self.sides[-1])
        turn = after.turn + 1
        while self.numbers and self.circled_number(turn) is None:
            turn += 1
        return PlayerTurn(turn, self.sides[0])

    def _order(self, at: PlayerTurn) -> tuple[int, bool]:
        return at.turn, at.side != self.first

    def _name(self, at: PlayerTurn) -> str:
        return self.cg.side(at.side).name

    # Play -----------------------------------------------------------------------------------------

    def play(self) -> Procedure[tuple[PlayerTurn, str]]:
        """Ask once per dr, and for what happens meanwhile, until play is over; return when, and why.

        Players who roll at the table answer once, when it is over.
        """
        due, made = self.next_due(), None
        while True:
            roller = self.roller(due.side)
            answer = yield from ask(self.question(roller, due, made))
            status, now = answer["status"], PlayerTurn(answer["turn"], answer["side"])
            if status == ROLL:
                if over := (yield from self._roll_for_end(now)):
                    return now, over
                due, made = self.next_due(now), now
            elif status not in (ENDED, AGREED):
                yield from self.event(status, now.turn)
            elif (yield from self._confirm(roller, now, status)):
                return now, f"play ended {_ending_in_words(status)}, turn {now.turn}"

    def _roll_for_end(self, now: PlayerTurn) -> Procedure[str]:
        """Make the dr; return why play is over, "" if it goes on."""
        number = self.circled_number(now.turn)
        assert number is not None, "the answer was checked"
        label = f"Game End, turn {now.turn}"
        rolled = yield from roll(self.roller(now.side), label, Dice.dr, self.modifiers(now), rule=self.rule)
        return "" if rolled.final > number else f"Game End dr {rolled}, not above {number} (turn {now.turn})"

    def question(self, roller: str, due: PlayerTurn, made: PlayerTurn | None) -> Question:
        """Return the question to the side that makes the next dr; `made` is the last one made."""
        number = self.circled_number(due.turn)
        barred = "" if number is not None else "no number is circled; say when play has ended"
        options = (
            Option(ROLL, "make the Game End dr now, for the turn named", barred),
            Option(ENDED, "play has ended by a dr made at the table"),
            Option(AGREED, "play has ended by agreement"),
            *self.events(),
        )
        status = AGREED if barred else ROLL
        sides = Choice.of_labels({side: self.cg.side(side).name for side in SIDES})
        asked = f"The next Game End dr comes after turn {due.turn}, {self._name(due)}. What now?"
        if number is not None:
            asked = f"The next Game End dr comes after turn {due.turn}, {self._name(due)} (number {number}). What now?"
        return Question(
            key=self.key,
            side=roller,
            text=asked,
            form=Record.of(
                Field("status", Choice(options), "What now?", status),
                Field("turn", Number(1, MOST_TURNS), "Game Turn", due.turn),
                Field("side", sides, "Whose Player Turn ended it", due.side),
            ),
            rule=self.asked,
            default={"status": status, "turn": due.turn, "side": due.side},
            check=lambda answer: self.problems(due, made, answer),
            suggest=lambda rng: self._suggest(due, made, status, rng),
            shortcut="Make the Game End dr" if status == ROLL else "",
            help="Answer when you have played that turn. If you roll at the table, play on; when it is over, "
            "answer with ended and the turn. You can name a later turn.",
        )

    def problems(self, due: PlayerTurn, made: PlayerTurn | None, answer: Mapping[str, Any]) -> list[Problem]:
        """Return why play can't stand as an answer says it does."""
        now, by_dr = PlayerTurn(answer["turn"], answer["side"]), answer["status"] in (ROLL, ENDED)
        if by_dr and self.numbers and self.circled_number(now.turn) is None:
            first = min(self.numbers)
            right = f"the first dr is made after turn {first}" if now.turn < first else "another turn"
            return [Problem(f"turn {now.turn} has no number for a dr", right, "turn")]
        if by_dr and now.side not in self.sides:
            right = f"it comes once a Game Turn, after the Player Turn of {self.cg.side(self.sides[0]).name}"
            return [Problem("no dr is made after this Player Turn", right, "side")]
        least = due if answer["status"] == ROLL else made
        if least is not None and self._order(now) < self._order(least):
            message = f"turn {now.turn}, {self._name(now)}, is past"
            return [Problem(message, f"turn {least.turn}, {self._name(least)}, or later", "turn")]
        return []

    def _suggest(self, due: PlayerTurn, made: PlayerTurn | None, status: str, rng: Random) -> dict[str, Any]:
        """Return mostly a dr, at times an event or an early end by agreement."""
        events = [option.value for option in self.events() if not option.why_not]
        turn = due.turn
        if events and rng.random() < 0.2:
            status = rng.choice(events)
        elif rng.random() < (0.15 if made is None else 0.05):
            status, turn = AGREED, rng.randint(1, due.turn) if made is None else due.turn
        return {"status": status, "turn": turn, "side": due.side}

    def _confirm(self, roller: str, now: PlayerTurn, status: str) -> Procedure[bool]:
        """Have the other side confirm that play has ended: no side ends it alone."""
        question = Question(
            key="play-ended",
            side=other_side(roller),
            text=f"Has play ended {_ending_in_words(status)} in turn {now.turn}, {self._name(now)}?",
            form=YesNo(),
            rule=self.asked,
            default=True,
            suggest=lambda rng: rng.random() < 0.9,
        )
        answer: bool = yield from ask(question)
        return answer


def _ending_in_words(status: str) -> str:
    return "by the Game End dr" if status == ENDED else "by agreement"
