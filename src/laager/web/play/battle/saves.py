"""What a save or a log of VASL answers: the report or the setup that it becomes a draft of, and rolls."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.campaign import Question
from laager.rules.board.report import REPORT_KEYS
from laager.web.campaigns import drafts
from laager.web.campaigns.tables import Asked, Table
from laager.web.library.maps import boards
from laager.web.seats.permissions import Seat

if TYPE_CHECKING:
    from laager.vasl import LoggedRoll, Proposal

MOST = 16 * 2**20
"""The largest save that is taken, in bytes. It is kept in memory, while it is read."""
MOST_ROLLS = 200
"""Most rolls of a log that are offered."""
SETUP = "setup"
"""The key of the question that a save answers before a battle."""


def find_report(table: Table, mark: str) -> tuple[Asked, Question]:
    """Return the report that is asked under a mark.

    Raises RefusedError if it is no longer asked, isn't a report, or is the other side's.
    """
    asked = table.find(mark)
    question = asked.pending.question
    if question is None or question.key not in REPORT_KEYS:
        raise RefusedError(Refusal.NO_SUCH, "this is not a report", "answer it with its form")
    if not drafts.of_side(table.seat) or asked.pending.side != table.seat.viewer:
        raise RefusedError(Refusal.NOT_YOURS, "only the side that is asked reports its battle")
    return asked, question


def reports_of(table: Table) -> list[Asked]:
    """Return the reports that are asked of the seat's side now."""
    return [
        asked
        for asked in table.asked
        if asked.pending.question is not None
        and asked.pending.key in REPORT_KEYS
        and asked.pending.side == table.seat.viewer
    ]


def find_setup(table: Table, mark: str) -> Asked:
    """Return the setup that is asked under a mark.

    Raises RefusedError if it is no longer asked, isn't a setup, or is the other side's.
    """
    asked = table.find(mark)
    if asked.pending.question is None or asked.pending.key != SETUP:
        raise RefusedError(Refusal.NO_SUCH, "this is not a setup", "answer it with its form")
    if not drafts.of_side(table.seat) or asked.pending.side != table.seat.viewer:
        raise RefusedError(Refusal.NOT_YOURS, "only the side that is asked sets up")
    return asked


def find_answer_of_save(table: Table, mark: str) -> Asked:
    """Return what is asked under a mark if a save answers it, a report or a setup; raises RefusedError as these do."""
    asked = table.find(mark)
    return find_setup(table, mark) if asked.pending.key == SETUP else find_report(table, mark)[0]


def propose_from_save(
    seat: Seat, table: Table, mark: str, data: bytes, file: str, choices: Mapping[str, str], owner: int | None = None
) -> Proposal:
    """Read a save or a log as a proposal for the report or the setup asked for.

    `file` is the name that the file has with its owner. The proposal becomes the side's draft.
    Raises DataError for a file that isn't valid. Nothing of the file is kept beyond what the proposal says.
    """
    from laager.vasl import propose

    name = _check_file(data, file)
    shapes = boards.Shelf(seat.user).shapes()
    proposal = propose(table.view, data, name, shapes=shapes, owner=owner, choices=choices)
    drafts.keep(seat, mark, dict(proposal.report), proposal.table_rolls)
    return proposal


def _check_file(data: bytes, file: str) -> str:
    """Return the name of a file as it's shown. Raises DataError if it is empty or too large."""
    name = display_name(file)
    if not data:
        raise DataError([Problem("the file is empty", "a .vsav or .vlog of VASL", file=name)])
    if len(data) > MOST:
        wrong = Problem(f"{len(data)} bytes is too large", f"{MOST} at most", file=name)
        raise DataError([wrong])
    return name


def rolls_in(data: bytes, file: str, dice: int) -> list[LoggedRoll]:
    """Return the rolls of so many dice in a log, the last one first. Raises DataError for a file that isn't valid."""
    from laager.vasl import Archive, rolls_of_dice, save_of

    name = _check_file(data, file)
    rolls = list(rolls_of_dice(save_of(Archive(data, name)).rolls, dice).values())
    if not rolls:
        raise DataError([Problem("has no such roll", "roll the dice in VASL while it writes the log", file=name)])
    return rolls[::-1][:MOST_ROLLS]


def display_name(file: str) -> str:
    """Return the name of a file as it is shown: without folders, only text, not long."""
    name = PurePath(file.replace("\\", "/")).name
    return "".join(ch for ch in name if ch.isprintable())[:80] or "the save"
