"""Battle reports by map: what a page needs to show one, and what a VASL save proposes for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.campaign import Question, Record
from laager.hexmap import split_location
from laager.rules.board.report import REPORT_KEYS
from laager.rules.board.report.marks import FITS, NEEDS, marks_replaced_by
from laager.rules.board.report.outcome import common_types
from laager.rules.board.state import BoardState
from laager.rules.board.units import HIDING
from laager.web.campaigns import drafts
from laager.web.campaigns.scenes import Scene
from laager.web.campaigns.tables import Asked, Table
from laager.web.library.maps import boards
from laager.web.records.map.hexes import mine
from laager.web.seats.permissions import Seat
from laager.web.shared.translation import translate, translate_form

if TYPE_CHECKING:
    from laager.rules.board.units import Fort, Unit
    from laager.vasl import LoggedRoll, Proposal

MOST = 16 * 2**20
"""The largest save that is taken, in bytes. It is kept in memory, while it is read."""


MOST_ROLLS = 200
"""How many rolls of a log are offered."""
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


def problems_json(problems: tuple[Problem, ...]) -> list[dict[str, str]]:
    """Return problems as plain values; `field` is the path to what each is about."""
    return [
        {"field": problem.field, "what": translate(problem.what), "right": translate(problem.right)}
        for problem in problems
    ]


# What the page works with -------------------------------------------------------------------------


def board(table: Table, shown: Scene, asked: Asked, value: Any) -> dict[str, Any]:
    """Return a report with everything that the map page needs besides it, as plain values.

    Everything is from the view of the side: its own units, the enemy's that it knows.
    """
    question = asked.pending.question
    assert question is not None
    assert isinstance(question.form, Record), "a report is a form of several parts"
    state, side = shown.state, asked.pending.side
    parts = {part.name for part in question.form.fields}
    assert isinstance(state, BoardState), "only campaigns with a board ask for reports"
    units = list(state.units_of(side)) if "units" in parts else []
    places = {name: shown.map.locations(name) for name in shown.map.hexes if len(shown.map.locations(name)) > 1}
    strategic: dict[str, list[str]] = {}
    for where in shown.layers.strategic:
        strategic.setdefault(split_location(where)[0], []).append(where)
    return {
        "key": question.key,
        "side": side,
        "sides": dict(shown.layers.sides) or {name: name for name in table.ruleset.sides},
        "value": value if isinstance(value, Mapping) else question.default,
        "default": question.default,
        "form": translate_form(question.form.describe()),
        "units": [_unit(table.campaign.context, unit) for unit in units],
        "enemies": [
            {"id": unit.id, "label": unit.label, "at": unit.at}
            for unit in state.units.values()
            if unit.side != side and unit.known and unit.on_map and not unit.has(*HIDING)
        ],
        "fits": {mark.value: sorted(kinds) for mark, kinds in FITS.items()},
        "replaces": {kind: _replaced_marks(kind) for kind in sorted({unit.kind for unit in units})},
        "needs": {mark.value: base.value for mark, base in NEEDS.items()},
        "locations": places,
        "strategic": strategic,
        "control": dict(state.ground.control),
        "fires": {**dict.fromkeys(state.ground.flames, "flame"), **dict.fromkeys(state.ground.blazes, "blaze")},
        "forts": [_fort(fort) for fort in state.forts.values() if _knows_fort(side, fort)],
    }


def _knows_fort(side: str, fort: Fort) -> bool:
    return fort.at is not None and (mine(side, fort.side) or not fort.hidden)


def _replaced_marks(kind: str) -> dict[str, list[str]]:
    return {mark.value: sorted(others) for mark, others in marks_replaced_by(kind).items()}


def _unit(cg: Any, unit: Unit) -> dict[str, Any]:
    return {
        "id": unit.id,
        "label": unit.label,
        "type": unit.type,
        "kind": unit.kind,
        "name": unit.name,
        "at": unit.at or "",
        "on_map": unit.on_map,
        "with": unit.with_unit,
        "group": unit.group,
        "becomes": common_types(cg, unit),
    }


def _fort(fort: Fort) -> dict[str, Any]:
    label = f"{fort.kind} {fort.size}".rstrip()
    return {"id": fort.id, "side": fort.side, "label": label, "at": fort.at}


# From a save --------------------------------------------------------------------------------------


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
