"""Proposals that are made when somebody reads them: once, as of the moment of the question, for nobody in vain."""

from __future__ import annotations

from dataclasses import replace

from laager.campaign.forms import Number
from laager.campaign.questions import Later, Question, SecretQuestion
from laager.campaign.steps import Context

NUMBER = Number(0, 9)


class Table(Context):
    """A campaign whose state is a number."""

    state: int

    def __init__(self, state: int) -> None:
        self.state = state
        self.proposed: list[int] = []

    def propose(self) -> int:
        self.proposed.append(self.state)
        return self.state


def test_a_proposal_is_made_once_and_only_if_it_is_read() -> None:
    table = Table(3)
    question = Question("q", "axis", "How many?", NUMBER, default=table.later(Table.propose))
    kept = question.but(secret=True, help="Choose.")
    assert table.proposed == []
    assert [kept.default, kept.default] == [3, 3]
    assert question.but(text="How many are left?").default == 3
    assert table.proposed == [3], "the copies of a question share it"
    assert (kept.secret, kept.help, question.secret) == (True, "Choose.", False)


def test_a_proposal_is_as_of_the_moment_of_the_question() -> None:
    table = Table(3)
    question = Question("q", "axis", "How many?", NUMBER, default=table.later(Table.propose))
    table.state = 7
    assert question.default == 3
    assert table.state == 7


def test_questions_take_proposals_as_they_are_or_nothing_at_all() -> None:
    assert Question("q", "axis", "How many?", NUMBER).default is None
    assert Question("q", "axis", "How many?", NUMBER, default=5).default == 5
    assert SecretQuestion("q", "axis", "How many?", NUMBER, default=Later(lambda: 4)).describe()["default"] == 4
    question = Question("q", "axis", "How many?", NUMBER, default=Later(lambda: 4))
    assert replace(question, text="How much?").default == 4
    assert question.but(default=6).default == 6
    assert question == Question("q", "axis", "How many?", NUMBER, default=4)
