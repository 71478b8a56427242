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
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from laager.base import DataError, LaagerError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.files import FilePart
from laager.cli.out import say
from laager.cli.play.file_session import sights, take_default
from laager.rules.board.report import REPORT_KEYS

if TYPE_CHECKING:
    from laager.base.files import Document
    from laager.campaign import Question
    from laager.campaign.engine import Campaign
    from laager.campaign.pending import Pending
    from laager.cli.play.session import AskedQuestion, PlaySession

MOST_PROPOSALS = 500
"""How many proposals `until` may take before it gives up."""


class AnswerEntry(FilePart):
    """One entry of an answers file."""

    model_config = ConfigDict(populate_by_name=True)

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


class AnswersFile(FilePart):
    """A file of answers."""

    laager: Literal["answers/1"]
    answers: tuple[AnswerEntry, ...]


def print_template(asked: Sequence[AskedQuestion], side: str | None) -> None:
    """Print an answers file with the proposals for what is asked."""
    if not asked:
        raise RefusedError(Refusal.NOT_ASKED, f"nothing is asked of {side or 'anybody'} just now")
    say("laager: answers/1", "answers:")
    for pending in asked:
        if pending.question is None:
            label = pending.roll.label if pending.roll else ""
            say(f"  # Roll for {label}: write the faces, such as [[3, 4]].")
            say(f"  - {{side: {pending.side}, rolls: []}}")
            continue
        say(*_entry_lines(pending.question))


def answer_lines(question: Question) -> Iterator[str]:
    """Yield the lines of an answers file that gives a question's proposal."""
    yield from ("laager: answers/1", "answers:")
    yield from _entry_lines(question)


def _entry_lines(question: Question) -> Iterator[str]:
    from laager.campaign.wording import yaml_text

    yield from (f"  # {line}".rstrip() for line in _notes(question))
    yield from (f"  - side: {question.side}", f"    for: {question.key}")
    answer = yaml_text({"answer": question.default})
    yield from (f"    {line}".rstrip() for line in answer.splitlines())


def _notes(question: Question) -> list[str]:
    from laager.campaign.wording import comments
    from laager.cli.out import wrap

    said = [*wrap(question.text), f"Rule {question.rule}" if question.rule else ""]
    return [*said, *(wrap(question.help) if question.help else []), "", *comments(question.form)]


def give_all(campaign: Campaign, document: Document, entries: Sequence[AnswerEntry], side: str | None) -> Sequence[str]:
    """Give answers to a copy first, and store them only if all are accepted; return remarks.

    An answer can stand before others that are asked first: it is given as soon as it is asked.
    """
    from laager.campaign import UMPIRE
    from laager.campaign.engine import Campaign
    from laager.campaign.log import StagedStore

    staged = StagedStore(campaign.store)
    giving = _Giving(Campaign(staged), side, document)
    for i, entry in enumerate(entries):
        if side not in (None, UMPIRE) and entry.side not in (side, None):
            problem = document.problem(("answers", i, "side"), f"is {entry.side}", f"you are {side}")
            raise DataError([problem], Refusal.NOT_YOURS)
        giving.give(i, entry)
    giving.check_all_given()
    staged.commit()
    campaign.reload()
    return giving.remarks


class _Giving:
    """Gives the entries of a file to a campaign; those that are not asked yet wait until they are."""

    def __init__(self, campaign: Campaign, side: str | None, document: Document) -> None:
        self.campaign = campaign
        self.side = side
        self.document = document
        self.remarks: list[str] = []
        self._early: list[tuple[int, AnswerEntry, LaagerError]] = []
        self._spared = set(campaign.spared_questions())

    def give(self, number: int, entry: AnswerEntry) -> None:
        """Give an entry, and those that have waited for it. Raises DataError with the lines of the file."""
        try:
            give_one(self.campaign, entry, self.side, self._go_on)
        except RefusedError as err:
            if err.code is not Refusal.NOT_ASKED or entry.key is None:
                raise DataError(problems_of(self.document, number, err), err.code) from None
            self._early.append((number, entry, err))
        except LaagerError as err:
            raise DataError(problems_of(self.document, number, err), err.code) from None
        self._go_on()

    def _go_on(self) -> None:
        """Give what has waited and is asked now."""
        self._spared |= self.campaign.spared_questions()
        asked = {(pending.side, pending.key) for pending in self.campaign.pending()}
        due = next((early for early in self._early if (early[1].side, early[1].key) in asked), None)
        if due is not None:
            self._early.remove(due)
            self.give(due[0], due[1])

    def check_all_given(self) -> None:
        """Raise DataError for an entry that was never asked; remark on those that leave nothing to decide."""
        for number, entry, err in self._early:
            if (entry.side, entry.key) not in self._spared:
                raise DataError(problems_of(self.document, number, err), err.code)
            self.remarks.append(f"{entry.side} isn't asked {entry.key}: there is nothing to decide")


class _RollError(DataError):
    """What is wrong with an entered roll; its fields begin at the entry, not at its answer."""


def give_one(
    campaign: Campaign, entry: AnswerEntry, side: str | None = None, before_each: Callable[[], None] = lambda: None
) -> None:
    """Give one entry of an answers file; `before_each` is done before each proposal that `until` takes."""
    if entry.until is not None:
        _until(campaign, entry.until, side, before_each)
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
    open_now = next(
        (pending for pending in campaign.pending() if (pending.side, pending.key) == (entry.side, entry.key)), None
    )
    value = entry.answer
    if entry.default:
        value = open_now.question.default if open_now and open_now.question else None
    findings = sights(campaign, open_now, value) if open_now else ()
    campaign.answer(entry.side, entry.key, value, sights=findings)


def _pass_over_empty(campaign: Campaign, side: str, key: str, only: str | None) -> None:
    """Answer what leaves nothing to decide and stands before what is to be answered.

    Such a question is asked only so that the enemy learns nothing; a file need not name it. The
    other side's is passed over too, unless the file is `only` one side's.
    """
    for _ in range(MOST_PROPOSALS):
        pending = campaign.pending()
        if any((each.side, each.key) == (side, key) for each in pending):
            return
        empty = [each for each in pending if each.question is not None and each.question.empty]
        mine = [each for each in empty if only is None or each.side == side]
        if not mine:
            return
        take_default(campaign, mine[0])


def _until(campaign: Campaign, key: str, side: str | None, before_each: Callable[[], None]) -> None:
    """Take proposals (and let Laager roll) until a question with this key is open."""
    for _ in range(MOST_PROPOSALS):
        before_each()
        mine = _open_to(campaign, side)
        if any(spared == key for _, spared in campaign.spared_questions()):
            return
        if not mine or any(pending.key == key for pending in mine):
            break
        take_default(campaign, mine[0])
    open_now = [pending.key for pending in _open_to(campaign, side)]
    if key not in open_now:
        advice = did_you_mean(key, open_now, "asked is") if open_now else "nothing is asked now"
        raise RefusedError(Refusal.NOT_ASKED, f"{key!r} was never asked", advice)


def _open_to(campaign: Campaign, side: str | None) -> list[Pending]:
    """Return what is waited for of a side; of all, for the umpire."""
    from laager.campaign import UMPIRE

    return [p for p in campaign.pending() if side in (None, UMPIRE, p.side)]


def problems_of(document: Document, entry: int, err: LaagerError) -> list[Problem]:
    """Return why an entry of an answers file is refused, with the lines of the file."""
    if not isinstance(err, DataError):
        return [document.problem(("answers", entry), str(err))]
    home = () if isinstance(err, _RollError) else ("answer",)
    problems = [document.problem(("answers", entry, *home, *_path(p.field)), p.what, p.right) for p in err.problems]
    return sorted(problems, key=lambda problem: problem.line or 0)


def _path(field: str) -> list[str | int]:
    parts: list[str | int] = []
    for name, number in re.findall(r"([^.\[\]]+)|\[(\d+)\]", field):
        parts.append(name if name else int(number) - 1)
    return parts


def asked_report(session: PlaySession) -> tuple[AskedQuestion, Question]:
    """Return the question that a report answers. Raises RefusedError if it is not asked."""
    mine = session.list_asked()
    for asked in mine:
        if asked.key in REPORT_KEYS and asked.question is not None:
            return asked, asked.question
    keys = ", ".join(each.key for each in mine) or "nothing"
    message = f"no battle report is wanted from {session.side} just now"
    raise RefusedError(Refusal.NOT_ASKED, message, f"asked now: {keys}")


def report_problems(document: Document, err: DataError) -> DataError:
    """Return what is wrong with a report, with the lines of its file."""
    problems = [document.problem(tuple(_path(p.field)), p.what, p.right) for p in err.problems]
    problems.sort(key=lambda problem: problem.line or 0)
    return DataError(problems, err.code, "The report doesn't add up; nothing was applied:")


def report_lines(question: Question) -> Iterator[str]:
    """Yield the lines of a report as it is proposed, with comments that say what each part may hold."""
    from laager.campaign.wording import yaml_text

    yield from (*(f"# {line}".rstrip() for line in _notes(question)), "")
    yield from yaml_text(question.default).rstrip().splitlines()
