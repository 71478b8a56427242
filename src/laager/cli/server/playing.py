"""Answering at a table on a server: one question after the other, or from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import DataError, LaagerError, Refusal, RefusedError
from laager.cli.asking.person import STOP, ask_faces, ask_person
from laager.cli.ending import WrongUseError
from laager.cli.out import complain, say, say_log, show_json, show_sheets
from laager.cli.server.seat import Hall, RemoteSeat, Wanted, outcome, refused_now, waiting

if TYPE_CHECKING:
    from laager.base.files import Document
    from laager.cli.play.answers import AnswerEntry

LAST_WORDS = 12
"""So many entries are told when a campaign has come to its end."""


def tell(seat: RemoteSeat, told: Mapping[str, Any], before: int, as_json: bool) -> None:
    """Tell what a change has brought."""
    if as_json:
        show_json(outcome(told))
        return
    say_log(seat.lines(since=_since(told, before)))
    say("", *waiting(told["status"]))


def _since(told: Mapping[str, Any], before: int) -> int:
    """Return since which entry to tell: with the end, entries get other numbers."""
    news = told["news"]
    return news[0]["number"] - 1 if told["status"]["over"] and news else before


# One question after the other ---------------------------------------------------------------------


def go_on(hall: Hall, side: str | None, defaults: int, as_json: bool) -> None:
    """Ask whoever must answer of those whom the caller plays, until nobody must or he stops."""
    seats = hall.seats(side)
    heard = {seat.name: seat.status()["version"] for seat in seats}
    taken = _take_defaults(seats, defaults)
    if as_json:
        show_json(outcome(taken or {"news": [], "status": seats[0].status()}))
        return
    while True:
        asked = _next_asked(seats, heard)
        if asked is None:
            return
        if not _answered(*asked):
            say("stopped; go on with laager next")
            return


def _take_defaults(seats: Sequence[RemoteSeat], number: int) -> Mapping[str, Any]:
    """Take so many proposals; return what came of the last one."""
    told: Mapping[str, Any] = {}
    for _ in range(number):
        for seat in seats:
            wanted = seat.wanted(seat.status())
            if wanted:
                first = wanted[0]
                told = seat.give(first, first.question.default if first.question else None)
                break
        else:
            break
    return told


def _next_asked(seats: Sequence[RemoteSeat], heard: dict[str, int]) -> tuple[RemoteSeat, Wanted] | None:
    """Show what is new, and what is asked next; None if nobody can be asked."""
    for seat in seats:
        status = seat.status()
        if status["version"] != heard[seat.name]:
            if status["over"]:
                say_log(seat.lines(last=LAST_WORDS))
            else:
                say_log(seat.lines(since=heard[seat.name]))
            heard[seat.name] = status["version"]
        if status["asked"] and "answer" in status["may"]:
            wanted = seat.wanted(status)[0]
            from laager.cli.server.session import sheet_of

            beside = seat.line.get(f"{seat.path}/asked/{wanted.mark}/beside")
            show_sheets([sheet_of(one) for one in beside])
            return seat, wanted
    say("", *status["headline"], *waiting(status))
    return None


def _answered(seat: RemoteSeat, wanted: Wanted) -> bool:
    """Ask a person and give the answer; False if they stopped."""
    value: Any
    if wanted.question is not None:
        value = ask_person(wanted.question)
    else:
        assert wanted.roll is not None
        value = ask_faces(wanted.side, wanted.roll)
    if value is STOP:
        return False
    try:
        seat.give(wanted, value)
    except DataError as err:
        complain("That will not do any more:", [str(problem) for problem in err.problems])
    except RefusedError as err:
        if not refused_now(err):
            raise
        # Somebody else of the side was faster; what is asked now is asked anew.
        complain("", [str(err)])
    return True


# From a file --------------------------------------------------------------------------------------


def give(hall: Hall, file: Path | None, side: str | None, as_json: bool) -> None:
    """Give the answers of a file in their order.

    All that is asked already is checked before the first is given. What is asked only later is
    checked then: if it is refused, those before it stay given, and it is said how many.
    """
    from laager.base.files import check, read_document
    from laager.cli.play.answers import AnswersFile, placed

    if file is None:
        raise WrongUseError("name the answers file; laager answer --template begins one")
    document = read_document(file)
    entries = check(document, AnswersFile).answers
    seats = {seat.name: seat for seat in hall.seats(side)}
    before = {name: seat.status()["version"] for name, seat in seats.items()}
    told: Mapping[str, Any] = {}
    _check_first(document, entries, seats)
    for i, entry in enumerate(entries):
        try:
            told = _give_one(seats, entry) or told
        except LaagerError as err:
            heading = f"{i} of {len(entries)} answers were given; the next one was refused:"
            problems = (
                placed(document, i, err) if isinstance(err, DataError) else [document.problem(("answers", i), str(err))]
            )
            raise DataError(problems, err.code, heading if i else "") from None
    seat = next(iter(seats.values()))
    told = told or {"news": [], "status": seat.status()}
    seat = seats.get(told["status"]["seat"], seat)
    tell(seat, told, before[seat.name], as_json)


def _check_first(document: Document, entries: Sequence[AnswerEntry], seats: Mapping[str, RemoteSeat]) -> None:
    """Raise DataError if an answer to something that is asked now would be refused."""
    from laager.cli.play.answers import placed

    now = {(one.side, one.key): one for seat in seats.values() for one in seat.wanted(seat.status())}
    for i, entry in enumerate(entries):
        if entry.side is not None and entry.side not in seats:
            raise DataError(
                [document.problem(("answers", i, "side"), f"is {entry.side}",
                                  f"you play {' and '.join(seats)}")],
                Refusal.NOT_YOURS,
            )  # fmt: skip
        wanted = now.pop((entry.side or "", entry.key or ""), None)
        if wanted is None or wanted.question is None or entry.default:
            continue
        try:
            wanted.question.accept(entry.answer)
        except DataError as err:
            raise DataError(placed(document, i, err), err.code) from None


def _give_one(seats: Mapping[str, RemoteSeat], entry: AnswerEntry) -> Mapping[str, Any] | None:
    """Give one entry of an answers file."""
    if entry.until is not None:
        return _until(list(seats.values()), entry.until)
    seat = seats[entry.side or ""]
    told: Mapping[str, Any] | None = None
    for faces in entry.rolls:
        told = seat.give(seat.find(seat.status(), "roll"), faces)
    if entry.key is None:
        return told
    wanted = seat.find(seat.status(), entry.key)
    if wanted.question is None:
        raise RefusedError(Refusal.BAD_ANSWER, "dice are asked for, not an answer")
    return seat.give(wanted, wanted.question.default if entry.default else entry.answer)


def _until(seats: Sequence[RemoteSeat], key: str) -> Mapping[str, Any] | None:
    """Take proposals until a question with this key is asked."""
    from laager.cli.play.answers import MOST_PROPOSALS

    told: Mapping[str, Any] | None = None
    for _ in range(MOST_PROPOSALS):
        asked = [(seat, one) for seat in seats for one in seat.wanted(seat.status())]
        if any(one.key == key for _, one in asked):
            return told
        if not asked:
            break
        seat, first = asked[0]
        told = seat.give(first, first.question.default if first.question else None)
    raise RefusedError(Refusal.NOT_ASKED, f"{key!r} was never asked", "nothing is asked now")


def report(hall: Hall, file: Path | None, side: str | None, as_template: bool, as_json: bool) -> None:
    """Answer the battle report from a file, or print its present state to fill in."""
    from laager.base.files import read_document
    from laager.cli.play.answers import REPORT_KEYS, placed_report, print_report

    seats = hall.seats(side)
    if len(seats) > 1:
        raise WrongUseError("say whose report it is: --side SIDE")
    seat = seats[0]
    status = seat.status()
    wanted = [one for one in seat.wanted(status) if one.key in REPORT_KEYS and one.question]
    if not wanted or wanted[0].question is None:
        asked = ", ".join(one["key"] for one in status["asked"]) or "nothing"
        raise RefusedError(
            Refusal.NOT_ASKED, f"no battle report is wanted of {seat.name} just now", f"asked is {asked}"
        )
    if as_template:
        print_report(wanted[0].question)
        return
    if file is None:
        raise WrongUseError("name the report's file; laager report --template begins one")
    document = read_document(file)
    try:
        told = seat.give(wanted[0], document.data)
    except DataError as err:
        raise placed_report(document, err) from None
    tell(seat, told, status["version"], as_json)


def step_start(seat: RemoteSeat) -> int:
    """Return the entry before the step that is under way (or was last done)."""
    for entry in reversed(seat.line.get(f"{seat.path}/log")):
        if entry["type"] == "step" and entry["counts"]:
            return int(entry["number"]) - 1
    raise RefusedError(Refusal.NO_SUCH, "no step has begun yet")
