"""From a save to an answer of the question that is asked of a side: a battle report, or a setup."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.campaign import Question, find_ruleset
from laager.campaign.views import View
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.report import REPORT_KEYS
from laager.vasl.archive import MAX_FILE, Archive
from laager.vasl.report.findings import Findings
from laager.vasl.report.marked import other_battle
from laager.vasl.report.proposal import Proposal, SaveReading
from laager.vasl.report.setting_up import SetupReading
from laager.vasl.saves.game import Save
from laager.vasl.saves.marks import Marks, marks_of
from laager.vasl.saves.placing import Shapes, usual_shape
from laager.vasl.saves.save import save_of

SETUP = "setup"
"""The question for a side's setup, in all campaigns on boards."""


def propose(
    view: View,
    save: bytes | Archive,
    file: str = "",
    *,
    shapes: Shapes = usual_shape,
    owner: int | None = None,
    choices: Mapping[str, str] | None = None,
) -> Proposal:
    """Return the report that a save proposes for the viewer's side, or the setup if that is asked.

    `save` is a save, or a log of which the state after its last step counts; `file` is the name of bytes, as
    it may be shown. `shapes` gives the sizes of boards, `owner` is the owner number that the side
    says is its own, `choices` settle doubts: a finding's key with a value of its candidates.

    Raises RefusedError (NOT_ASKED) if neither is asked of the side, DataError if the file isn't
    a save to trust or lies on other boards, or if there is no such choice.
    """
    question = asked_of_save(view)
    if isinstance(save, bytes):
        if len(save) > MAX_FILE:
            raise DataError([Problem(f"{len(save)} bytes is too large", f"{MAX_FILE} at most", file=file)])
        save = Archive(save, file or "the save")
    read = save_of(save, shapes)
    context = find_ruleset(view.opening["ruleset"]).context(view.opening)
    assert isinstance(context, CardContext), "only campaigns with cards ask for reports"
    cg, marks = context.with_state(view.state), marks_of(view)
    proposal = make_proposal(cg, question, read, owner, choices or {}, marks)
    other = other_battle(frozenset(piece.id for piece in read.pieces), cg, marks)
    return replace(proposal, other_battle=other, doubts=(other, *proposal.doubts)) if other else proposal


def asked_report(view: View) -> Question:
    """Return the report that is asked of the viewer. Raises RefusedError (NOT_ASKED) if none is."""
    return _find_question(view, REPORT_KEYS, "battle report")


def asked_of_save(view: View) -> Question:
    """Return the question of the viewer that a save answers: for a report, or for a setup.

    Raises RefusedError (NOT_ASKED) if none is asked.
    """
    return _find_question(view, (*REPORT_KEYS, SETUP), "battle report or setup")


def _find_question(view: View, keys: Collection[str], kind: str) -> Question:
    if view.viewer not in SIDES:
        raise RefusedError(Refusal.NOT_YOURS, f"say whose {kind} it is: a side reports and sets up, no umpire")
    own_pending = [decision for decision in view.pending if decision.side == view.viewer]
    for pending in own_pending:
        if pending.key in keys and pending.question is not None:
            return pending.question
    asked = ", ".join(decision.key for decision in own_pending) or "nothing"
    raise RefusedError(Refusal.NOT_ASKED, f"no {kind} is wanted of {view.viewer} just now", f"asked is {asked}")


def make_proposal(
    cg: CardContext,
    question: Question,
    save: Save,
    owner: int | None = None,
    choices: Mapping[str, str] | None = None,
    marks: Marks | None = None,
) -> Proposal:
    """Return the report that a save proposes as answer to a question.

    `cg` must have the state of the view of the question's side: more than that is not known here. By `marks` the pieces
    are known that Laager wrote.
    """
    kind = SetupReading if question.key == SETUP else SaveReading
    return kind(cg, question, save, owner, Findings(dict(choices or {})), marks).proposal()
