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
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from laager.base import DataError, LaagerError, Problem, Refusal, RefusedError
from laager.cli.out import say, show_json
from laager.cli.table import campaign_path, news, opened, waiting

if TYPE_CHECKING:
    from laager.base.files import Document
    from laager.campaign.engine import Campaign

MOST_PROPOSALS = 500
"""How many proposals `until` may take before it gives up."""

REPORT_KEY = "battle-report"
"""The question that a battle report answers."""


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
        return self


class AnswersFile(BaseModel):
    """A file of answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    laager: Literal["answers/1"]
    answers: tuple[AnswerEntry, ...]


def give(file: Path, campaign_file: Path | None, side: str | None, as_json: bool) -> None:
    """Give all answers of a file, or none."""
    from laager.base.files import check, read_document
    from laager.campaign.facts import UMPIRE
    from laager.campaign.views import view

    document = read_document(file)
    entries = check(document, AnswersFile).answers
    viewer = side or UMPIRE
    with opened(campaign_file) as campaign:
        before = campaign.version
        give_all(campaign, document, entries, side)
        seen_by = view(campaign, viewer)
        if as_json:
            show_json({"version": seen_by.version, "waiting_for": list(seen_by.waiting_for)})
            return
        say(*news(campaign, before, viewer), "", *waiting(seen_by))


def give_all(
    campaign: Campaign, document: Document, entries: tuple[AnswerEntry, ...], side: str | None
) -> None:
    """Give answers on a copy first; only if every one is accepted are they stored."""
    from laager.campaign.engine import Campaign
    from laager.campaign.log import StagedStore

    staged = StagedStore(campaign.store)
    trial = Campaign(staged)
    for i, entry in enumerate(entries):
        if side is not None and entry.side not in (side, None):
            problem = document.problem(
                ("answers", i, "side"), f"is {entry.side}", f"you are {side}"
            )
            raise DataError([problem], Refusal.NOT_YOURS)
        try:
            give_one(trial, entry, side)
        except DataError as err:
            raise DataError(_placed(document, i, err), err.code) from None
        except LaagerError as err:
            raise DataError([document.problem(("answers", i), str(err))], err.code) from None
    staged.commit()
    campaign.reload()


def give_one(campaign: Campaign, entry: AnswerEntry, side: str | None = None) -> None:
    """Give one entry of an answers file."""
    if entry.until is not None:
        _until(campaign, entry.until, side)
        return
    assert entry.side is not None
    for faces in entry.rolls:
        campaign.answer(entry.side, "roll", list(faces))
    if entry.key is None:
        return
    value = entry.answer
    if entry.default:
        open_now = [p for p in campaign.pending() if (p.side, p.key) == (entry.side, entry.key)]
        value = open_now[0].question.default if open_now and open_now[0].question else None
    campaign.answer(entry.side, entry.key, value)


def _until(campaign: Campaign, key: str, side: str | None) -> None:
    """Take proposals (and let Laager roll) until a question with this key is open."""
    for _ in range(MOST_PROPOSALS):
        mine = [p for p in campaign.pending() if side in (None, p.side)]
        if not mine or any(pending.key == key for pending in mine):
            break
        pending = mine[0]
        if pending.question is None:
            campaign.roll_for(pending.side)
        else:
            campaign.answer(pending.side, pending.key, pending.question.default)
    if not any(pending.key == key for pending in campaign.pending()):
        raise RefusedError(Refusal.NOT_ASKED, f"{key!r} was never asked")


def _placed(document: Document, entry: int, err: DataError) -> list[Problem]:
    """Give the problems of an answer the lines on which they stand."""
    placed = []
    for problem in err.problems:
        inner = tuple(_path(problem.field))
        where = ("answers", entry, "answer", *inner)
        placed.append(document.problem(where, problem.what, problem.right))
    return placed


def _path(field: str) -> list[str | int]:
    parts: list[str | int] = []
    for name, number in re.findall(r"([^.\[\]]+)|\[(\d+)\]", field):
        parts.append(name if name else int(number) - 1)
    return parts


def report(file: Path | None, campaign_file: Path | None, side: str | None, template: bool) -> None:
    """Answer the battle report from a file, or print its present state to fill in."""
    if side is None:
        raise RefusedError(Refusal.NOT_YOURS, "say whose report it is: --side SIDE")
    with opened(campaign_file) as campaign:
        before = campaign.version
        found = [p for p in campaign.pending() if (p.side, p.key) == (side, REPORT_KEY)]
        if not found or found[0].question is None:
            name = campaign_path(campaign_file)
            asked = ", ".join(p.key for p in campaign.pending() if p.side == side) or "nothing"
            sentence = f"{name} wants no battle report of {side} now; asked is {asked}"
            raise RefusedError(Refusal.NOT_ASKED, sentence)
        if template or file is None:
            _print_yaml(found[0].question.default)
            return
        _give_report(campaign, side, file)
        say(*news(campaign, before, side))


def _give_report(campaign: Campaign, side: str, file: Path) -> None:
    from laager.base.files import read_document

    document = read_document(file)
    try:
        campaign.answer(side, REPORT_KEY, document.data)
    except DataError as err:
        placed = [document.problem(tuple(_path(p.field)), p.what, p.right) for p in err.problems]
        raise DataError(
            placed, err.code, "The report does not add up; nothing was applied:"
        ) from None


def _print_yaml(value: Any) -> None:
    import sys

    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.default_flow_style = None
    yaml.width = 120
    yaml.dump(value, sys.stdout)
