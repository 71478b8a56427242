"""Answers from files: for play by mail, for tests, and for the battle report.

    laager: answers/1
    answers:
      - {side: axis, for: purchase, answer: {...}}   an answer
      - {side: axis, for: weather, default: true}    the proposal
      - {side: axis, rolls: [[3, 4], [6]]}           dice the players rolled, in the order asked
      - {until: firefight-end}                       take all proposals until this is asked

The file counts as a whole or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, model_validator

from laager.base import DataError, LaagerError, Problem, Refusal, RefusedError, did_you_mean
from laager.cli.ending import WrongUseError
from laager.cli.out import say, say_log, show_json
from laager.cli.play.campaign_file import hint, looked_at, news, opened, outcome, viewer_of, waiting

if TYPE_CHECKING:
    from laager.base.files import Document
    from laager.campaign import Question, Roll
    from laager.campaign.engine import Campaign, Pending

MOST_PROPOSALS = 500
"""How many proposals `until` may take before it gives up."""

REPORT_KEYS = ("battle-report", "scenario-report", "ground-report")
"""The questions that a battle report answers, as the rule systems call them."""


class AnswerEntry(BaseModel):
    """One entry of an answers file."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    side: str | None = None
    key: str | None = Field(default=None, alias="for")
    answer: Any = None
    default: bool = False
    rolls: tuple[tuple[int, ...], ...] = ()
    until: str | None = None

    @model_validator(mode="after")
    def _one_thing(self) -> AnswerEntry:
        if self.until is not None:
            if self.key or self.rolls:
                raise ValueError("does two things; keep until, for or rolls")
        elif self.side is None or bool(self.key) == bool(self.rolls):
            raise ValueError("does not say what it answers; give side with for, or with rolls")
        elif self.key and self.default == ("answer" in self.model_fields_set):
            raise ValueError("needs an answer; give either answer or default: true")
        return self


class AnswersFile(BaseModel):
    """A file of answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    laager: Literal["answers/1"]
    answers: tuple[AnswerEntry, ...]


def give(file: Path | None, campaign_file: Path | None, side: str | None, as_json: bool) -> None:
    """Give all answers of a file, or none."""
    from laager.base.files import check, read_document
    from laager.campaign.views import check_viewer, view

    if file is None:
        raise WrongUseError("name the answers file; laager answer --template begins one")
    document = read_document(file)
    entries = check(document, AnswersFile).answers
    viewer = viewer_of(side)
    with opened(campaign_file) as campaign:
        check_viewer(campaign, viewer)
        before = campaign.version
        give_all(campaign, document, entries, side)
        if as_json:
            show_json(outcome(campaign, viewer, before))
            return
        seen_by = view(campaign, viewer)
        say_log(news(campaign, before, viewer))
        say("", *waiting(campaign, seen_by))
        todo = hint(seen_by, campaign_file)
        if todo:
            say(todo)


def template(campaign_file: Path | None, side: str | None) -> None:
    """Print an answers file with the proposals for all that is asked just now."""
    from laager.campaign.views import view

    campaign = looked_at(campaign_file)
    asked = view(campaign, viewer_of(side)).pending
    print_template(asked, side)


class Asked(Protocol):
    """Something that a side is asked: a question, or dice to be rolled."""

    @property
    def side(self) -> str:
        """Who is asked."""
        ...

    @property
    def key(self) -> str:
        """The name of what is asked."""
        ...

    @property
    def question(self) -> Question | None:
        """The question, unless it is a roll."""
        ...

    @property
    def roll(self) -> Roll | None:
        """The roll, unless it is a question."""
        ...


def print_template(asked: Sequence[Asked], side: str | None) -> None:
    """Print an answers file with the proposals for what is asked."""
    from laager.campaign.wording import comments, yaml_text

    if not asked:
        raise RefusedError(Refusal.NOT_ASKED, f"nothing is asked of {side or 'anybody'} just now")
    say("laager: answers/1", "answers:")
    for pending in asked:
        if pending.question is None:
            label = pending.roll.label if pending.roll else ""
            say(f"  # Roll for {label}: write the faces, such as [[3, 4]].")
            say(f"  - {{side: {pending.side}, rolls: []}}")
            continue
        question = pending.question
        say(*(f"  # {line}".rstrip() for line in _notes(question, comments(question.form))))
        say(f"  - side: {pending.side}", f"    for: {pending.key}")
        answer = yaml_text({"answer": question.default})
        say(*(f"    {line}".rstrip() for line in answer.splitlines()))


def _notes(question: Question, allowed: Iterable[str]) -> list[str]:
    from laager.cli.out import wrapped

    said = [*wrapped(question.text), f"Rule {question.rule}" if question.rule else ""]
    return [*said, *(wrapped(question.help) if question.help else []), "", *allowed]


def give_all(campaign: Campaign, document: Document, entries: tuple[AnswerEntry, ...], side: str | None) -> None:
    """Give answers on a copy first; only if every one is accepted are they stored."""
    from laager.campaign import UMPIRE
    from laager.campaign.engine import Campaign
    from laager.campaign.log import StagedStore

    staged = StagedStore(campaign.store)
    trial = Campaign(staged)
    for i, entry in enumerate(entries):
        if side not in (None, UMPIRE) and entry.side not in (side, None):
            problem = document.problem(("answers", i, "side"), f"is {entry.side}", f"you are {side}")
            raise DataError([problem], Refusal.NOT_YOURS)
        try:
            give_one(trial, entry, side)
        except DataError as err:
            raise DataError(placed(document, i, err), err.code) from None
        except LaagerError as err:
            raise DataError([document.problem(("answers", i), str(err))], err.code) from None
    staged.commit()
    campaign.reload()


class _RollError(DataError):
    """What is wrong with an entered roll; its fields begin at the entry, not at its answer."""


def give_one(campaign: Campaign, entry: AnswerEntry, side: str | None = None) -> None:
    """Give one entry of an answers file."""
    if entry.until is not None:
        _until(campaign, entry.until, side)
        return
    assert entry.side is not None
    for i, faces in enumerate(entry.rolls):
        _pass_over_empty(campaign, entry.side, "roll", side)
        try:
            campaign.answer(entry.side, "roll", list(faces))
        except DataError as err:
            problems = [p.inside(f"rolls[{i + 1}]") for p in err.problems]
            raise _RollError(problems, Refusal.BAD_ANSWER) from None
    if entry.key is None:
        return
    _pass_over_empty(campaign, entry.side, entry.key, side)
    value = entry.answer
    if entry.default:
        open_now = [p for p in campaign.pending() if (p.side, p.key) == (entry.side, entry.key)]
        value = open_now[0].question.default if open_now and open_now[0].question else None
    campaign.answer(entry.side, entry.key, value)


def _pass_over_empty(campaign: Campaign, side: str, key: str, only: str | None) -> None:
    """Answer what leaves nothing to decide and stands before what is to be answered.

    Such a question is asked only so that the enemy learns nothing; a file need not name it. The
    other side's is passed over too, unless the file is `only` one side's.
    """
    for _ in range(MOST_PROPOSALS):
        pending = campaign.pending()
        if any((one.side, one.key) == (side, key) for one in pending):
            return
        empty = [one for one in pending if one.question is not None and one.question.empty]
        mine = [one for one in empty if only is None or one.side == side]
        if not mine:
            return
        question = mine[0].question
        assert question is not None
        campaign.answer(mine[0].side, mine[0].key, question.default)


def _until(campaign: Campaign, key: str, side: str | None) -> None:
    """Take proposals (and let Laager roll) until a question with this key is open."""
    for _ in range(MOST_PROPOSALS):
        mine = _open_to(campaign, side)
        if not mine or any(pending.key == key for pending in mine):
            break
        pending = mine[0]
        if pending.question is None:
            campaign.roll_for(pending.side)
        else:
            campaign.answer(pending.side, pending.key, pending.question.default)
    open_now = [pending.key for pending in _open_to(campaign, side)]
    if key not in open_now:
        advice = did_you_mean(key, open_now, "asked is") if open_now else "nothing is asked now"
        raise RefusedError(Refusal.NOT_ASKED, f"{key!r} was never asked", advice)


def _open_to(campaign: Campaign, side: str | None) -> list[Pending]:
    """Return what is waited for of a side; of all, for the umpire."""
    from laager.campaign import UMPIRE

    return [p for p in campaign.pending() if side in (None, UMPIRE, p.side)]


def placed(document: Document, entry: int, err: DataError) -> list[Problem]:
    """Give the problems of an answer the lines on which they stand."""
    found = []
    for problem in err.problems:
        inner = tuple(_path(problem.field))
        home = () if isinstance(err, _RollError) else ("answer",)
        where = ("answers", entry, *home, *inner)
        found.append(document.problem(where, problem.what, problem.right))
    return sorted(found, key=lambda problem: problem.line or 0)


def _path(field: str) -> list[str | int]:
    parts: list[str | int] = []
    for name, number in re.findall(r"([^.\[\]]+)|\[(\d+)\]", field):
        parts.append(name if name else int(number) - 1)
    return parts


def report(file: Path | None, campaign_file: Path | None, side: str | None, as_template: bool, as_json: bool) -> None:
    """Answer the battle report from a file, or print its present state to fill in."""
    if side is None:
        raise WrongUseError("say whose report it is: --side SIDE")
    if as_template:
        print_report(_asked_report(looked_at(campaign_file), side))
        return
    if file is None:
        raise WrongUseError("name the report's file; laager report --template begins one")
    from laager.campaign.views import view

    with opened(campaign_file) as campaign:
        before = campaign.version
        _give_report(campaign, side, file, _asked_report(campaign, side).key)
        if as_json:
            show_json(outcome(campaign, side, before))
            return
        say_log(news(campaign, before, side))
        say("", *waiting(campaign, view(campaign, side)))


def _asked_report(campaign: Campaign, side: str) -> Question:
    """Return the question that a report answers. Raises RefusedError if it is not asked."""
    from laager.campaign.views import view

    mine = [p for p in view(campaign, side).pending if p.side == side]
    for pending in mine:
        if pending.key in REPORT_KEYS and pending.question is not None:
            return pending.question
    asked = ", ".join(p.key for p in mine) or "nothing"
    raise RefusedError(Refusal.NOT_ASKED, f"no battle report is wanted of {side} just now", f"asked is {asked}")


def _give_report(campaign: Campaign, side: str, file: Path, key: str) -> None:
    from laager.base.files import read_document

    document = read_document(file)
    try:
        campaign.answer(side, key, document.data)
    except DataError as err:
        raise placed_report(document, err) from None


def placed_report(document: Document, err: DataError) -> DataError:
    """Return what is wrong with a report, with the lines of its file on which it stands."""
    found = [document.problem(tuple(_path(p.field)), p.what, p.right) for p in err.problems]
    found.sort(key=lambda problem: problem.line or 0)
    return DataError(found, err.code, "The report does not add up; nothing was applied:")


def print_report(question: Question) -> None:
    """Print a report as it is proposed, with comments that say what each part may hold."""
    from laager.campaign.wording import comments, yaml_text

    notes = _notes(question, comments(question.form))
    say(*(f"# {line}".rstrip() for line in notes), "")
    say(yaml_text(question.default).rstrip())
