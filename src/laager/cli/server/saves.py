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


def asked_of(at: ServerSession, keys: Collection[str], what: str) -> tuple[ServerAsked, Question]:
    """Return the question of the seat that a save answers. Raises RefusedError if none is asked."""
    mine = at.seat.wanted(at.seat.status())
    for one in mine:
        if one.key in keys and one.question is not None:
            return one, one.question
    now = ", ".join(one.key for one in mine) or "nothing"
    raise RefusedError(Refusal.NOT_ASKED, f"no {what} is wanted of {at.seat.name} just now", f"asked is {now}")


def proposed(
    at: ServerSession, asked: ServerAsked, save: Path, owner: int | None, choices: Mapping[str, str]
) -> Proposal:
    """Return what the server reads from a save. Raises LaagerError as the server refuses it."""
    from laager.vasl import MAX_FILE

    data = b64encode(read_bytes(save, MAX_FILE)).decode()
    sent = {"data": data, "file": save.name, "owner": owner, "choices": dict(choices)}
    return proposal_of(at.seat.line.post(f"{at.seat.path}/asked/{asked.mark}/vasl", sent))


def proposal_of(told: Told) -> Proposal:
    """Return a proposal from a server's description. Raises DataError."""
    from laager.vasl import LoggedRoll, Proposal

    try:
        return Proposal(
            key=told["key"],
            side=told["side"],
            file=told["file"],
            report=dict(told["report"]),
            certain=_findings(told["certain"]),
            to_confirm=_findings(told["to_confirm"]),
            unknown=_findings(told["unknown"]),
            not_found=_findings(told["not_found"]),
            problems=tuple(Problem(one["what"], one["right"], one["field"]) for one in told["problems"]),
            not_told=tuple(told["not_told"]),
            passed_over=dict(told["passed_over"]),
            doubts=tuple(told["doubts"]),
            rolls=tuple(LoggedRoll(**{**one, "faces": tuple(one["faces"])}) for one in told["rolls"]),
        )
    except (KeyError, TypeError, ValueError) as err:
        raise DataError([], Refusal.BAD_DATA, "what the server read from the save cannot be read") from err


def _findings(told: list[Any]) -> tuple[SaveFinding, ...]:
    from laager.vasl import Candidate, SaveFinding

    return tuple(
        SaveFinding(**{**one, "candidates": tuple(Candidate(**choice) for choice in one["candidates"])}) for one in told
    )
