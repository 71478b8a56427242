"""A campaign on a server, as a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from laager.base import DataError, LaagerError, Refusal, RefusedError
from laager.base.files import read_text
from laager.campaign import Column, Sheet
from laager.cli.ending import WrongUseError
from laager.cli.out import complain, say, say_log, show_sheets
from laager.cli.play.answers import MOST_PROPOSALS, problems_of
from laager.cli.play.session import (
    AskedQuestion,
    BeginOptions,
    ChangeReport,
    Sitting,
    Status,
    newest_report,
    request_line,
)
from laager.cli.play.sights import say_against, say_found
from laager.cli.server.seats import RemoteSeat, Seats, ServerAsked, Told

if TYPE_CHECKING:
    from laager.base.files import Document
    from laager.campaign.patience import Late, Patience
    from laager.cli.play.answers import AnswerEntry
    from laager.cli.play.session import Seen
    from laager.los.questions.map_los import LosWish

LAST_WORDS = 12
"""How many entries are shown when a campaign has ended."""


@dataclass(frozen=True)
class ServerSession:
    """A campaign on a server, from the seat named or the one that plays."""

    seats: Seats
    side: str | None = None

    @cached_property
    def seat(self) -> RemoteSeat:
        """The seat from which the command looks and acts."""
        return self.seats.seat(self.side)

    def of_one_side(self) -> ServerSession:
        """Return the session of the seat that plays. Raises WrongUseError if there are several."""
        seats = self.seats.seats(self.side)
        if len(seats) > 1:
            raise WrongUseError("say whose report it is: --side SIDE")
        return replace(self, side=seats[0].name)

    def about(self) -> tuple[str, str]:
        """Return the campaign's title, and the id of its rule system."""
        status = self.seats.any_seat().status()
        return status["title"], status["ruleset"]

    def _get(self, path: str, **query: Any) -> Any:
        return self.seat.line.get(f"{self.seat.path}/{path}", **query)

    # Playing

    def begin(self, wanted: BeginOptions) -> tuple[dict[str, Any], Sequence[str]]:
        """Begin a campaign on the server."""
        if wanted.file is not None or wanted.ruleset is not None:
            raise WrongUseError("--file and RULES are for campaigns in files; leave them out")
        if wanted.count_units:
            raise WrongUseError("--count-units is for campaigns in files; leave it out")
        if not wanted.card:
            raise WrongUseError("copies are for campaigns in files; begin from its record (laager export --record)")
        line, path = self.seats.line, Path(wanted.card)
        own = path.is_file()
        if own:
            line.put(f"/files/{quote(path.name, safe='')}", {"text": path.read_text(encoding="utf-8")})
        if wanted.house is not None:
            text = wanted.house.read_text(encoding="utf-8")
            line.put(f"/files/{quote(wanted.house.name, safe='')}", {"text": text})
        terms = wanted.patience
        sent = {
            "card": path.name if own else wanted.card,
            "own": own,
            "entered_dice": wanted.entered_dice,
            "readings": wanted.chosen_readings(),
            **({"house": wanted.house.name} if wanted.house is not None else {}),
            **({"record": read_text(wanted.source)} if wanted.source is not None else {}),
            **wanted.terms,
            **({"commanders": dict(wanted.commanders)} if wanted.commanders else {}),
            **{f"patience_{name}": value for name, value in (asdict(terms) if terms else {}).items()},
        }
        begun = line.post("/campaigns", sent | ({"seat": wanted.seat} if wanted.seat else {}))
        return begun, (
            f"{begun['title']}: {line.url}/campaign/{begun['campaign']}/{begun['seat']}/",
            f"go on with: laager --server {line.url} next -c {begun['campaign']}",
        )

    def sit(self, solo: bool) -> Sitting:
        """Begin to answer questions one by one, for all sides that the caller plays."""
        return Chairs(self.seats.seats(self.side))

    def status(self) -> Status:
        """Return where the campaign stands."""
        return status_of(self.seat, self.seat.status())

    def list_asked(self) -> Sequence[AskedQuestion]:
        """Return what the seat is asked."""
        return self.seat.list_asked(self.seat.status())

    def answer(self, asked: AskedQuestion, value: Any) -> ChangeReport:
        """Answer a question."""
        before = self.seat.status()["version"]
        assert isinstance(asked, ServerAsked)
        return change_of(self.seat, self.seat.give(asked, value), before)

    def _post_change(self, path: str, sent: Any = None) -> ChangeReport:
        before = self.seat.status()["version"]
        return change_of(self.seat, self.seat.line.post(f"{self.seat.path}/{path}", sent), before)

    def undo(self, to: int | None, step: bool) -> ChangeReport:
        """Take back, or ask to."""
        return self._post_change("take-back", {"to": self._step_start() if step else to})

    def _step_start(self) -> int:
        """Return the entry before the present step, or before the last one."""
        for entry in reversed(self._get("log")):
            if entry["type"] == "step" and entry["counts"]:
                return int(entry["number"]) - 1
        raise RefusedError(Refusal.NO_SUCH, "no step has begun yet")

    def redo(self) -> ChangeReport:
        """Bring back what was last taken back, or ask to."""
        return self._post_change("bring-back")

    def rename(self, unit: str, name: str) -> ChangeReport:
        """Call one of the side's units by another name; "" takes its name away."""
        return self._post_change("name", {"unit": unit, "name": name})

    def consent(self, kind: str, agree: bool) -> ChangeReport:
        """Agree to the other side's "undo", "redo" or "patience", or to a "ruling" that is asked for; or refuse."""
        path = {"undo": "take-back", "redo": "bring-back"}.get(kind, kind)
        return self._post_change(f"{path}/consent", {"agree": agree})

    def patience(self) -> tuple[Patience, tuple[Late, ...]]:
        """Return the terms about time, and who is late."""
        from laager.campaign.patience import Late, Patience

        shown = self._get("patience")
        late = (
            Late(each["side"], *(datetime.fromisoformat(each[name]) for name in ("waited_since", "late_since")))
            for each in shown["late"]
        )
        return Patience(shown["days"], shown["then"]), tuple(late)

    def propose_patience(self, days: int, then: str) -> ChangeReport:
        """Ask the other side for other terms about time."""
        from laager.campaign.patience import Patience, check_patience

        check_patience(Patience(days, then))
        return self._post_change("patience", {"days": days, "then": then})

    def answer_late(self, side: str) -> ChangeReport:
        """Let the sensible commander answer for a side that is late."""
        return self._post_change("late", {"side": side})

    def reopen(self, entry: int | None, why: str) -> ChangeReport:
        """Open an earlier answer again, or ask to; None: the last battle report."""
        if entry is None:
            log = self._get("log")
            answers = ((e["number"], e["body"]) for e in log if e["counts"] and e["type"] == "answer")
            entry = newest_report(answers, self.seat.name)
        return self._post_change("reopen", {"number": entry, "why": why})

    def answer_as_before(self, onward: bool) -> ChangeReport:
        """Answer as before a ruling what still holds, `onward` in the steps that follow too."""
        return self._post_change("as-before", {"onward": onward})

    def preview_ruling(self, document: Document) -> dict[str, Any]:
        """Return what a ruling's file would change: its list before and after, what it leaves contradictory."""
        return dict(self.seat.line.post(f"{self.seat.path}/ruling/check", {"ruling": document.data}))

    def propose_ruling(self, document: Document) -> ChangeReport:
        """Ask the table for the ruling in a file."""
        return self._post_change("ruling", {"ruling": document.data})

    def ruling_template(self) -> str:
        """Return a ruling's file to fill in, with what holds now."""
        return str(self._get("ruling/template")["text"])

    def open_ruling(self) -> dict[str, Any] | None:
        """Return the ruling that waits for consent, before and after; None if none does."""
        asked: dict[str, Any] | None = self._get("ruling/open")["open"]
        return asked

    def concede(self) -> ChangeReport:
        """Give the campaign up."""
        return self._post_change("concede", {"sure": True})

    def draw(self, agree: bool) -> ChangeReport:
        """Propose a draw, agree to one, or refuse it."""
        proposed = any(wish["kind"] == "draw" for wish in self.seat.status()["wishes"])
        if agree and not proposed:
            return self._post_change("draw")
        return self._post_change("draw/consent", {"agree": agree})

    def settle(self, agree: bool) -> ChangeReport:
        """Let the battle be settled by the model, or refuse it."""
        return self._post_change("settle", {"agree": agree})

    # Answers from a file

    def give(self, document: Document, entries: Sequence[AnswerEntry]) -> ChangeReport:
        """Give the answers of a file in their order.

        Answers to present questions are all checked before the first is given. A later question is checked when
        it comes: if its answer is refused, the answers before it stay, and the refusal says how many.
        """
        seats = {seat.name: seat for seat in self.seats.seats(self.side)}
        before = {name: seat.status()["version"] for name, seat in seats.items()}
        _check_first(document, entries, seats)
        last: Told = {}
        for i, entry in enumerate(entries):
            try:
                last = _give_one(seats, entry) or last
            except LaagerError as err:
                heading = f"{i} of {len(entries)} answers were given; the next one was refused:" if i else ""
                raise DataError(problems_of(document, i, err), err.code, heading) from None
        seat = next(iter(seats.values()))
        last = last or {"news": [], "status": seat.status()}
        seat = seats.get(last["status"]["seat"], seat)
        return change_of(seat, last, before[seat.name])

    # Looking

    def log(self, last: int | None) -> list[Any]:
        """Return the log for programs."""
        return list(self._get("log", last=last))

    def log_lines(self, last: int | None, full: bool) -> list[str]:
        """Return the log in lines."""
        return self.seat.lines(last=last, full=full)

    def explain(self, number: int) -> Any:
        """Return why an entry happened."""
        if number < 1:
            raise RefusedError(Refusal.NO_SUCH, "entries are numbered from 1")
        return self._get(f"log/{number}/why")

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        """Return record sheets: those named, or all that the rules fill."""
        if not names:
            return [sheet_of(data) for data in self._get("sheets")["sheets"]]
        return [sheet_of(data) for name in names for data in self._get(f"sheets/{quote(name, safe='')}")]

    def offers(self) -> list[Any]:
        """Return what can be printed."""
        return list(self._get("sheets")["offers"])

    def pdf(self, names: Sequence[str], paper: str, language: str) -> bytes:
        """Return a PDF of sheets: those named, or all."""
        return self.seat.line.file(f"{self.seat.path}/print", name=list(names), paper=paper, language=language)

    def story(self, battle: int | None, language: str) -> Any:
        """Return the report on a battle (0: the last one), or (None) the whole story, as JSON."""
        given = {} if battle is None else {"battle": battle}
        return self._get("story", language=language, **given)

    def story_file(
        self, battle: int | None, format_: str, paper: str, language: str
    ) -> tuple[bytes, Mapping[str, bytes]]:
        """Return the same as a file, and the pictures that go beside it, by name."""
        from io import BytesIO
        from zipfile import ZipFile

        query = {"battle": battle, "format": format_, "paper": paper, "language": language}
        data = self.seat.line.file(f"{self.seat.path}/story/file", **query)
        if format_ in ("html", "pdf"):
            return data, {}
        with ZipFile(BytesIO(data)) as archive:
            files = {Path(name).name: archive.read(name) for name in archive.namelist()}
        text = next(name for name in files if not name.endswith(".png"))
        return files.pop(text), files

    def story_result(self, language: str) -> bytes:
        """Return the result of a campaign that is over, as a PNG."""
        return self.seat.line.file(f"{self.seat.path}/story/result.png", language=language)

    def drawing(self, backdrop: bool, boards: Path | None, wish: LosWish | None = None) -> tuple[str, str, Seen]:
        """Return the map as SVG, its title, and what a wish shows on it, as the server has it."""
        if backdrop or boards is not None:
            raise WrongUseError("--backdrop is for maps in files; the server's page has it too")
        asked = wish.asked if wish else {}
        seen = self._get("map/sight", **asked) if wish else None
        svg = self.seat.line.file(f"{self.seat.path}/map.svg", **asked).decode()
        return svg, self.seat.status()["title"], seen

    def export(self) -> Any:
        """Return all that the seat may know."""
        return self._get("state")

    def record(self) -> str:
        """Return the record as a file, with what the seat may know of it."""
        return str(self._get("record")["text"])

    def verify(self) -> Any:
        """Return what the server's proof of the log finds."""
        seat = self.seats.any_seat()
        return seat.line.get(f"{seat.path}/verify") | {"note": ""}


@dataclass
class Chairs:
    """The seats that one person plays on a server, and up to which entry each has seen the log."""

    seats: Sequence[RemoteSeat]
    seen: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.seen = {seat.name: seat.status()["version"] for seat in self.seats}

    def take_defaults(self, number: int) -> ChangeReport:
        """Take some proposals without asking; `next_asked` shows what followed."""
        seat = self.seats[0]
        last: Told = {"news": [], "status": seat.status()}
        for _ in range(number):
            first = next(_all_asked(self.seats), None)
            if first is None:
                break
            seat, wanted = first
            last = take_default(seat, wanted)
        return replace(change_of(seat, last, 0), lines=list)

    def next_asked(self) -> AskedQuestion | None:
        """Show what is new and return the next question; None if no seat here is asked."""
        for seat in self.seats:
            status = seat.status()
            if status["version"] != self.seen[seat.name]:
                over = status["over"]
                say_log(seat.lines(last=LAST_WORDS) if over else seat.lines(since=self.seen[seat.name]))
                self.seen[seat.name] = status["version"]
            if status["asked"] and "answer" in status["may"]:
                wanted = seat.list_asked(status)[0]
                shown = seat.line.get(f"{seat.path}/asked/{wanted.mark}/beside")
                show_sheets([sheet_of(data) for data in shown])
                if wanted.question is not None:
                    say_found(seat.los(wanted, wanted.question.default))
                return replace(wanted, seat=seat)
        say("", *status["headline"], *status_of(seat, status).waiting())
        return None

    def answer(self, asked: AskedQuestion, value: Any) -> None:
        """Give an answer."""
        assert isinstance(asked, ServerAsked)
        assert asked.seat is not None
        against = [finding for finding in asked.seat.los(asked, value) if not finding["followed"]]
        try:
            asked.seat.give(asked, value)
            say_against(against)
        except RefusedError as err:
            if err.code not in {Refusal.STALE, Refusal.NOT_ASKED}:
                raise
            # Somebody else of the side was faster; next comes what is asked now.
            complain("", [str(err)])

    def leave(self) -> None:
        """Nothing on the screen is another player's."""


def status_of(seat: RemoteSeat, status: Told) -> Status:
    """Return a status from what the server says."""
    hint = f"go on with: laager --server {seat.line.url} next --side {seat.name} -c {seat.campaign}"
    return Status(
        title=status["title"],
        viewer=seat.name,
        version=status["version"],
        headline=status["headline"],
        requests=[request_line(wish["kind"], wish["text"], wish["others"]) for wish in status["wishes"]],
        waiting_for=status["waiting_for"],
        asked=[(asked["side"], asked["key"], _words(asked)) for asked in status["asked"]],
        pending=status["asked"],
        hint=hint if status["asked"] and "answer" in status["may"] else "",
    )


def _words(asked: Told) -> str:
    return str(asked["text"]) if asked["what"] == "question" else f"roll {asked['text']}"


def change_of(seat: RemoteSeat, outcome: Told, before: int) -> ChangeReport:
    """Return a change from what the server says; `before` is the last entry that was seen."""
    news = outcome["news"]
    # When a campaign ends, its entries get other numbers.
    since = news[0]["number"] - 1 if outcome["status"]["over"] and news else before
    return ChangeReport(status_of(seat, outcome["status"]), news, partial(seat.lines, since=since))


def take_default(seat: RemoteSeat, wanted: ServerAsked) -> Told:
    """Answer with the proposal; where players roll, let Laager roll."""
    return seat.give(wanted, wanted.question.default if wanted.question else None)


def _all_asked(seats: Sequence[RemoteSeat]) -> Any:
    """Yield what seats are asked, with the seat; each seat's status is fetched when it comes up."""
    for seat in seats:
        for wanted in seat.list_asked(seat.status()):
            yield seat, wanted


def _check_first(document: Document, entries: Sequence[AnswerEntry], seats: Mapping[str, RemoteSeat]) -> None:
    """Raise DataError if an answer to a present question would be refused."""
    now = {(asked.side, asked.key): asked for _, asked in _all_asked(list(seats.values()))}
    for i, entry in enumerate(entries):
        if entry.side is not None and entry.side not in seats:
            problem = document.problem(("answers", i, "side"), f"is {entry.side}", f"you play {' and '.join(seats)}")
            raise DataError([problem], Refusal.NOT_YOURS)
        wanted = now.pop((entry.side or "", entry.key or ""), None)
        if wanted is None or wanted.question is None or entry.default:
            continue
        try:
            wanted.question.accept(entry.answer)
        except DataError as err:
            raise DataError(problems_of(document, i, err), err.code) from None


def _give_one(seats: Mapping[str, RemoteSeat], entry: AnswerEntry) -> Told | None:
    """Give one entry of an answers file."""
    if entry.until is not None:
        return _until(list(seats.values()), entry.until)
    seat = seats[entry.side or ""]
    last: Told | None = None
    for faces in entry.rolls:
        last = seat.give(seat.find("roll"), faces)
    if entry.key is None:
        return last
    wanted = seat.find(entry.key)
    if wanted.question is None:
        raise RefusedError(Refusal.BAD_ANSWER, "this asks for dice, not for an answer")
    return seat.give(wanted, wanted.question.default if entry.default else entry.answer)


def _until(seats: Sequence[RemoteSeat], key: str) -> Told | None:
    """Take proposals until a question with this key is asked."""
    last: Told | None = None
    for _ in range(MOST_PROPOSALS):
        asked = list(_all_asked(seats))
        if any(question.key == key for _, question in asked):
            return last
        if not asked:
            break
        last = take_default(*asked[0])
    raise RefusedError(Refusal.NOT_ASKED, f"{key!r} was never asked", "nothing is asked now")


def sheet_of(described: Told) -> Sheet:
    """Return a sheet from a server's description."""
    try:
        return Sheet(
            described["id"],
            described["title"],
            tuple(Column(column["title"], column["align"]) for column in described["columns"]),
            tuple(tuple(row) for row in described["rows"]),
            tuple(described["notes"]),
            described["side"],
        )
    except (KeyError, TypeError) as err:
        raise DataError([], Refusal.BAD_DATA, "the server's sheet cannot be read") from err
