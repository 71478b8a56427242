"""Saves of VASL, read by a server as the answer to what it asks."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.files import read_bytes
from laager.campaign import Question
from laager.cli.server.seats import ServerAsked, Told
from laager.cli.server.session import ServerSession

if TYPE_CHECKING:
    from laager.vasl import Proposal, SaveFinding


def asked_of(at: ServerSession, keys: Collection[str], noun: str) -> tuple[ServerAsked, Question]:
    """Return the question of the seat that a save answers. Raises RefusedError if none is asked."""
    mine = at.seat.list_asked(at.seat.status())
    for asked in mine:
        if asked.key in keys and asked.question is not None:
            return asked, asked.question
    now = ", ".join(asked.key for asked in mine) or "nothing"
    raise RefusedError(Refusal.NOT_ASKED, f"no {noun} is wanted of {at.seat.name} just now", f"asked is {now}")


def request_proposal(
    at: ServerSession, asked: ServerAsked, save: Path, owner: int | None, choices: Mapping[str, str]
) -> Proposal:
    """Return what the server reads from a save. Raises LaagerError as the server refuses it."""
    from laager.vasl import MAX_FILE

    data = b64encode(read_bytes(save, MAX_FILE)).decode()
    sent = {"data": data, "file": save.name, "owner": owner, "choices": dict(choices)}
    return proposal_of(at.seat.line.post(f"{at.seat.path}/asked/{asked.mark}/vasl", sent))


def proposal_of(data: Told) -> Proposal:
    """Return a proposal from a server's description. Raises DataError."""
    from laager.vasl import LoggedRoll, Proposal

    try:
        return Proposal(
            key=data["key"],
            side=data["side"],
            file=data["file"],
            report=dict(data["report"]),
            certain=_findings(data["certain"]),
            to_confirm=_findings(data["to_confirm"]),
            unknown=_findings(data["unknown"]),
            not_found=_findings(data["not_found"]),
            problems=tuple(Problem(row["what"], row["right"], row["field"]) for row in data["problems"]),
            not_told=tuple(data["not_told"]),
            passed_over=dict(data["passed_over"]),
            doubts=tuple(data["doubts"]),
            rolls=tuple(LoggedRoll(**{**row, "faces": tuple(row["faces"])}) for row in data["rolls"]),
        )
    except (KeyError, TypeError, ValueError) as err:
        raise DataError([], Refusal.BAD_DATA, "what the server read from the save cannot be read") from err


def _findings(rows: list[Any]) -> tuple[SaveFinding, ...]:
    from laager.vasl import Candidate, SaveFinding

    return tuple(
        SaveFinding(**{**row, "candidates": tuple(Candidate(**choice) for choice in row["candidates"])}) for row in rows
    )
