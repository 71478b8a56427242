"""Asking both sides for their reports, again and again until these fit together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from laager.base import DataError, Problem, Refusal
from laager.campaign import Field, Form, Procedure, Question, Record, Rows, ask_all
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.report.agreement import contradictions, reconcile
from laager.rules.board.report.checks import report_problems
from laager.rules.board.report.side_report import Contradiction, SideReport

S = TypeVar("S", bound=SideReport)


def both_reports(kind: type[S], cg: CardContext) -> Procedure[dict[str, S]]:
    """Ask both sides together until their reports fit."""
    proposals: dict[str, dict[str, Any]] = {}
    disputes: list[Contradiction] = []
    while True:
        answers = yield from ask_all(report_question(kind, cg, side, proposals.get(side), disputes) for side in SIDES)
        pair = {side: kind.of(cg, side, answers[side]) for side in SIDES}
        disputes = contradictions(pair)
        if not disputes:
            return pair
        proposals = reconcile(pair, disputes)


def report_question(
    kind: type[SideReport],
    cg: CardContext,
    side: str,
    proposal: dict[str, Any] | None = None,
    disputes: Sequence[Contradiction] = (),
) -> ReportQuestion:
    """Return the question for one side's report; `disputes` are its contradictions with the enemy's."""
    text = kind.text
    if disputes:
        said = "\n".join(f"- {item.words(cg)}" for item in disputes)
        text = f"The two reports contradict each other:\n{said}\nTalk it over, then enter yours again."
    return ReportQuestion(
        key=kind.key,
        side=side,
        text=text,
        form=kind.form(cg, side),
        rule=kind.rule,
        secret=True,
        default=cg.later(lambda now: kind.unchanged_answer(now, side)) if proposal is None else proposal,
        help=kind.help,
        check=lambda answer: report_problems(kind.of(cg, side, answer)),
        suggest=lambda rng: proposal if disputes else kind.suggest(cg, side, rng),
    )


@dataclass(frozen=True)
class ReportQuestion(Question):
    """A question that lists what is wrong with the form and with the content of its answer together."""

    def accept(self, raw: Any) -> Any:
        """Return the answer to store. Raises DataError with everything that is wrong with it."""
        wrong: list[Problem] = []
        value = read(self.form, raw, wrong)
        if value is not None:
            wrong += self.check(value)
        if wrong:
            raise DataError(dict.fromkeys(wrong), Refusal.BAD_ANSWER)
        return value


def read(form: Form, raw: Any, wrong: list[Problem]) -> Any:
    """Return an answer as far as it can be read, with its problems added to `wrong`.

    What can't be read has its default, or is None if it is required; rows keep their positions.
    """
    try:
        return form.parse(raw)
    except DataError as err:
        problems = err.problems
    if isinstance(form, Rows) and isinstance(raw, list) and len(raw) > form.most:
        wrong += problems
        return []
    if isinstance(form, Rows) and isinstance(raw, list):
        return [_inside(form.row, row, f"[{i + 1}]", wrong) for i, row in enumerate(raw)]
    if isinstance(form, Record) and isinstance(raw, Mapping):
        names = {part.name for part in form.fields}
        wrong += [
            problem
            for problem in problems
            if names.isdisjoint({problem.field, problem.field.split("[")[0].split(".")[0]})
        ]
        return {part.name: _part(part, raw, wrong) for part in form.fields}
    wrong += problems
    return None


def _inside(form: Form, raw: Any, where: str, wrong: list[Problem]) -> Any:
    inner: list[Problem] = []
    value = read(form, raw, inner)
    wrong += [problem.inside(where) for problem in inner]
    return value


def _part(part: Field, raw: Mapping[str, Any], wrong: list[Problem]) -> Any:
    if part.name not in raw and part.required:
        wrong.append(Problem("is missing", "add it", part.name))
        return None
    if part.name not in raw or part.left_open(raw[part.name]):
        return part.default
    value = _inside(part.form, raw[part.name], part.name, wrong)
    return part.default if value is None and not part.required else value
