"""Runs one procedure of the layer on a state made by hand, with given answers and dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from laager.campaign.steps import Procedure, Step
from laager.rules.board.hasl.context import Hasl
from tests.steps import DEFAULT, Played, play

__all__ = ["DEFAULT", "Played", "run"]


def run(
    procedure: Step | Callable[..., Procedure[None]],
    cg: Hasl,
    side: str | None = None,
    answers: Mapping[str, Any] | Sequence[tuple[str, Any]] = (),
    dice: Iterable[Sequence[int]] = (),
) -> Played:
    """Run a procedure (of one side, if it has one per side) on cg.state to its end.

    `answers` by question key, `key@side`, or in order; a question that is not among them gets its
    default. `dice`: faces in order; running out is an error, and so are dice left over.
    """
    conducted = procedure.run if isinstance(procedure, Step) else procedure
    step = Step(conducted.__name__, "HASL 1", "Test", conducted, each_side=side is not None)
    return play(step, cg, side, answers, dice)
