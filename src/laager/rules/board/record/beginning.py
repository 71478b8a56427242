"""A campaign that goes on from a record: what everybody knows is in its opening, the rest each side enters.

The first step asks each side for its part in secret. What is asked of a side, and what its answer is refused for,
follows from the opening and its own answer alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, TypeVar

from laager.base import DataError, Problem, Refusal
from laager.campaign import Form, Procedure, SecretQuestion, Step, ask, implements
from laager.campaign.record import KEY
from laager.rules.board.context import CardContext
from laager.rules.board.record.checks import side_problems
from laager.rules.board.record.facts import SideRecordTaken
from laager.rules.board.record.sections import take_public, try_secret
from laager.rules.board.record.shorthand import expand_side, leave_open, shorten_public
from laager.rules.board.sequence import Sequences
from laager.rules.board.state import BoardState, evolve

StateT = TypeVar("StateT", bound=BoardState)


def start_from(empty: StateT, record: Mapping[str, Any], sequences: Sequences) -> StateT:
    """Return the state with which a campaign goes on from a record, without what only one side knows."""
    state = take_public(empty, record["public"])
    rounds = {str(round_): round_ for round_ in sequences.rounds}
    round_ = rounds[record["round"]]
    done = sequences.steps_before(round_, empty.omit, record["next"]) or ()
    return evolve(state, round=round_, done=done, taking_up=True)


@dataclass(frozen=True)
class SectionForm(Form):
    """A side's own part of a record: plain data by parts; of a whole record its part is taken.

    `expand` writes out what the card says.
    """

    side: str
    expand: Callable[[Mapping[str, Any]], dict[str, Any]] = field(repr=False, compare=False)
    kind: ClassVar[str] = "record-part"

    @property
    def blank(self) -> dict[str, Any]:
        """Nothing that the enemy doesn't know."""
        return {}

    def parse(self, raw: Any) -> dict[str, Any]:
        """Accept parts by name, or a whole record."""
        if isinstance(raw, Mapping) and "secret" in raw and "laager" in raw:
            secrets = raw["secret"]
            raw = secrets.get(self.side) if isinstance(secrets, Mapping) else secrets
        if raw is None or raw == "":
            return {}
        if not isinstance(raw, Mapping):
            raise DataError([Problem("isn't a part of a record", "units, forts, groups … by name")], Refusal.BAD_ANSWER)
        return self.expand(leave_open(raw))

    def sample(self, rng: Random) -> dict[str, Any]:
        """Nothing secret."""
        return {}


@implements("PL 1.1", "HASL 4", "ABtF 9.5", "ER CHART CG listing")
def take_up(cg: CardContext, side: str) -> Procedure[None]:
    """Ask a side for what only it knows of the record."""
    section = yield from ask(record_question(cg, side))
    yield SideRecordTaken(side=side, section=section, why="as its record has it", to=(side,))


def own_part_text(cg: CardContext, kind: str, side: str, section: Mapping[str, Any]) -> str:
    """Return a record to fill in a side's own part: what everybody knows, and what the side has entered so far."""
    from laager.rules.board.record.files import PUBLIC, SECRET, record_text

    assert cg.record is not None, "only a campaign that goes on from a record asks for it"
    data = {
        "laager": f"{kind}-record/1",
        "card": " ".join(cg.card.title.split()),
        "round": cg.record["round"],
        "next": cg.record["next"],
        PUBLIC: shorten_public(cg, cg.record["public"]),
        SECRET: {side: dict(section)},
    }
    return record_text(data)


def step_at_first(clause: str) -> Step:
    """Return the step with which a campaign that goes on from a record begins, under the clause of the beginning."""
    return Step("take-up", clause, "Taking up the record", take_up, each_side=True, apart=True)


def record_question(cg: CardContext, side: str) -> SecretQuestion:
    """Return the question for a side's own part of the record."""
    assert cg.record is not None, "only a campaign that goes on from a record asks for it"
    public = cg.record["public"]

    def check(section: Mapping[str, Any]) -> Sequence[Problem]:
        # Never the live state: it may have the other side's part already.
        start = take_public(type(cg.state).empty(side, cg.state.omit), public)
        state, problems = try_secret(start, side, section)
        return (*problems, *side_problems(cg.with_state(state), side, section, public.get(side)))

    return SecretQuestion(
        KEY,
        side,
        f"What do the {cg.people_of(side)} have that the enemy doesn't know?",
        SectionForm(side, lambda raw: expand_side(cg, side, raw, public.get(side))),
        help="Your part of the record: points, groups with their strength, hidden units, fortifications, the rest of "
        "your OB.",
        check=check,
    )
