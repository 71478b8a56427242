"""A campaign as one side or the umpire sees it, wherever it is: what a command needs of it.

`FileSession` and `ServerSession` implement `PlaySession`. What they return is printed once, by the commands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from laager.base import Refusal, RefusedError
from laager.cli.ending import WrongUseError
from laager.cli.out import say, say_log, show_json

if TYPE_CHECKING:
    from laager.base.files import Document
    from laager.campaign import Question, Roll, Sheet
    from laager.campaign.patience import Late, Patience
    from laager.cli.play.answers import AnswerEntry
    from laager.cli.play.file_session import FileSession
    from laager.los.questions.map_los import LosWish


@dataclass(frozen=True)
class Server:
    """The server and the token that were named before the command.

    `typed`: on the command line, not in the environment.
    """

    url: str | None = None
    token: str | None = None
    typed: bool = False

    def __repr__(self) -> str:
        return f"Server({self.url!r})"


Seen = Mapping[str, Any] | None
"""What a look at the map shows, as JSON (`laager.los.questions.map_los.Shown.describe`); None if nobody looked."""

UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
"""What the id of a campaign on a server looks like."""

NAMED: ContextVar[Server] = ContextVar("NAMED", default=Server())  # noqa: B039
"""The server that the present command line names."""


class AskedQuestion(Protocol):
    """Something that a side is asked: a question, or dice to roll."""

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


@dataclass(frozen=True)
class Status:
    """Where a campaign stands for a viewer.

    `asked` has side, key and words of each question; `pending` describes the same for programs; `requests` are
    what one side wants from the other; `hint` is the command to type next, if any.
    """

    title: str
    viewer: str
    version: int
    headline: Sequence[str]
    requests: Sequence[str]
    waiting_for: Sequence[str]
    asked: Sequence[tuple[str, str, str]]
    pending: Sequence[Any]
    hint: str = ""
    orders: str = ""
    """A commander's orders for the battle, for who moves its counters; "" if the viewer knows of none."""

    def waiting(self) -> list[str]:
        """Return lines that say what the viewer is asked, and who else must answer."""
        orders = [f"orders for the battle: {self.orders}"] if self.orders else []
        lines = [*self.requests, *orders, *(f"{side} is asked [{key}]: {words}" for side, key, words in self.asked)]
        asked = {side for side, _, _ in self.asked}
        others = [side for side in self.waiting_for if side not in asked]
        if others:
            lines.append(f"waiting for {' and '.join(others)}")
        return lines or ["nobody has anything to answer"]

    def describe(self) -> dict[str, Any]:
        """Return the status for programs."""
        return {
            "title": self.title,
            "viewer": self.viewer,
            "version": self.version,
            "headline": list(self.headline),
            "requests": list(self.requests),
            "waiting_for": list(self.waiting_for),
            "pending": list(self.pending),
            **({"orders": self.orders} if self.orders else {}),
        }


@dataclass(frozen=True)
class ChangeReport:
    """What a command has changed: the news for programs and (fetched when needed) in lines, the status after it."""

    status: Status
    news: Sequence[Any]
    lines: Callable[[], list[str]]
    remarks: tuple[str, ...] = ()
    """What else the player should know of what was given."""

    def describe(self) -> dict[str, Any]:
        """Return the change for programs."""
        return {
            "version": self.status.version,
            "news": [{name: line[name] for name in ("number", "type", "text")} for line in self.news],
            "requests": list(self.status.requests),
            "waiting_for": list(self.status.waiting_for),
            "asked": [{"side": side, "key": key} for side, key, _ in self.status.asked],
            **({"remarks": list(self.remarks)} if self.remarks else {}),
        }

    def tell(self, as_json: bool) -> None:
        """Print what has happened, and what is next."""
        if as_json:
            show_json(self.describe())
            return
        say_log(self.lines())
        say(*self.remarks, "", *self.status.waiting(), *filter(None, [self.status.hint]))


@dataclass(frozen=True)
class BeginOptions:
    """The options of `laager new`."""

    card: str
    file: Path | None = None
    ruleset: str | None = None
    entered_dice: bool = False
    readings: Sequence[str] = ()
    seat: str | None = None
    count_units: bool = False
    house: Path | None = None
    terms: Mapping[str, Any] = field(default_factory=dict)
    """What the table has agreed about rulings (`rulings.terms_setting`)."""
    source: Path | None = None
    """The record from which it goes on, or the campaign of which it is a copy."""
    commanders: Mapping[str, str] = field(default_factory=dict)
    """The names of commanders that hold sides, by side."""
    patience: Patience | None = None
    """How long a side is waited for, and what then; None for as long as it takes, or as in the copied campaign."""

    def chosen_readings(self) -> dict[str, str]:
        """Return how to read rules, from ID=OPTION. Raises WrongUseError."""
        readings: dict[str, str] = {}
        for text in self.readings:
            name, sign, option = text.partition("=")
            if not sign:
                raise WrongUseError(f"{text!r} is not a reading; write ID=OPTION (laager rules pl --readings)")
            readings[name.strip()] = option.strip()
        return readings


class Sitting(Protocol):
    """One run of `laager next`: it knows what each reader has seen already."""

    def take_defaults(self, number: int) -> ChangeReport:
        """Take some proposals without asking."""
        ...

    def next_asked(self) -> AskedQuestion | None:
        """Show what is new and return the next question; None if nobody here can answer anything."""
        ...

    def answer(self, asked: AskedQuestion, value: Any) -> None:
        """Give an answer, or faces of dice (None: Laager rolls)."""
        ...

    def leave(self) -> None:
        """Leave nothing secret on the screen."""
        ...


class PlaySession(Protocol):
    """What commands can do with a campaign."""

    @property
    def side(self) -> str | None:
        """The side that the command line names."""
        ...

    def of_one_side(self) -> PlaySession:
        """Return the session of the one side that acts. Raises WrongUseError if it must be named."""
        ...

    def about(self) -> tuple[str, str]:
        """Return the campaign's title, and the id of its rule system."""
        ...

    def begin(self, wanted: BeginOptions) -> tuple[dict[str, Any], Sequence[str]]:
        """Begin a campaign; return what to say about it, for programs and in lines."""
        ...

    def sit(self, solo: bool) -> Sitting:
        """Begin to answer questions one by one."""
        ...

    def status(self) -> Status:
        """Return where the campaign stands."""
        ...

    def list_asked(self) -> Sequence[AskedQuestion]:
        """Return what the viewer is asked."""
        ...

    def answer(self, asked: AskedQuestion, value: Any) -> ChangeReport:
        """Answer a question."""
        ...

    def give(self, document: Document, entries: Sequence[AnswerEntry]) -> ChangeReport:
        """Give the answers of a file."""
        ...

    def undo(self, to: int | None, step: bool) -> ChangeReport:
        """Take back, or ask to."""
        ...

    def redo(self) -> ChangeReport:
        """Bring back what was last taken back, or ask to."""
        ...

    def rename(self, unit: str, name: str) -> ChangeReport:
        """Call one of the side's units by another name; "" takes its name away."""
        ...

    def consent(self, kind: str, agree: bool) -> ChangeReport:
        """Agree to the other side's "undo", "redo" or "patience", or to a "ruling" that is asked for; or refuse."""
        ...

    def patience(self) -> tuple[Patience, tuple[Late, ...]]:
        """Return the terms about time, and who is late."""
        ...

    def propose_patience(self, days: int, then: str) -> ChangeReport:
        """Ask the other side for other terms about time."""
        ...

    def answer_late(self, side: str) -> ChangeReport:
        """Let the sensible commander answer for a side that is late."""
        ...

    def reopen(self, entry: int | None, why: str) -> ChangeReport:
        """Open an earlier answer again, or ask to; None: the last battle report."""
        ...

    def answer_as_before(self, onward: bool) -> ChangeReport:
        """Answer as before a ruling what still holds, `onward` in the steps that follow too."""
        ...

    def preview_ruling(self, document: Document) -> dict[str, Any]:
        """Return what a ruling's file would change: its list before and after, what it leaves contradictory."""
        ...

    def propose_ruling(self, document: Document) -> ChangeReport:
        """Ask the table for the ruling in a file."""
        ...

    def ruling_template(self) -> str:
        """Return a ruling's file to fill in, with what holds now."""
        ...

    def open_ruling(self) -> dict[str, Any] | None:
        """Return the ruling that waits for consent, before and after; None if none does."""
        ...

    def concede(self) -> ChangeReport:
        """Give the campaign up."""
        ...

    def draw(self, agree: bool) -> ChangeReport:
        """Propose a draw, agree to one, or refuse it."""
        ...

    def settle(self, agree: bool) -> ChangeReport:
        """Let the battle be settled by the model, or refuse it."""
        ...

    def log(self, last: int | None) -> list[Any]:
        """Return the log for programs."""
        ...

    def log_lines(self, last: int | None, full: bool) -> list[str]:
        """Return the log in lines."""
        ...

    def explain(self, number: int) -> Any:
        """Return why an entry happened."""
        ...

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        """Return record sheets: those named, or all that the rules fill."""
        ...

    def offers(self) -> list[Any]:
        """Return what can be printed."""
        ...

    def pdf(self, names: Sequence[str], paper: str, language: str) -> bytes:
        """Return a PDF of sheets: those named, or all."""
        ...

    def story(self, battle: int | None, language: str) -> Any:
        """Return the report on a battle (0: the last one), or (None) the whole story, as JSON."""
        ...

    def story_file(
        self, battle: int | None, format_: str, paper: str, language: str
    ) -> tuple[bytes, Mapping[str, bytes]]:
        """Return the same as a file, and the pictures that go beside it, by name."""
        ...

    def story_result(self, language: str) -> bytes:
        """Return the result of a campaign that is over, as a PNG."""
        ...

    def drawing(self, backdrop: bool, boards: Path | None, wish: LosWish | None = None) -> tuple[str, str, Seen]:
        """Return the map as SVG, its title, and what a wish shows on it (`Shown.describe`), None without one."""
        ...

    def export(self) -> Any:
        """Return all that the viewer may know."""
        ...

    def record(self) -> str:
        """Return the record as a file, with what the viewer may know of it."""
        ...

    def verify(self) -> Any:
        """Return what a proof of the log finds."""
        ...


def session(campaign: Path | None = None, side: str | None = None) -> PlaySession:
    """Return the campaign that the command line names: on a server if it names one, else in a file.

    A campaign that is neither an address nor an id is a file, even if the environment names a server.
    """
    named = NAMED.get()
    address = _address(campaign)
    a_file = campaign is not None and not named.typed and not UUID.search(str(campaign))
    if address is None and (named.url is None or a_file):
        from laager.cli.play.file_session import FileSession

        return FileSession(campaign, side)
    from laager.cli.server.line import line_to, tidy_address
    from laager.cli.server.seats import Seats
    from laager.cli.server.session import ServerSession

    url = tidy_address(address or str(named.url))
    if named.url is not None and tidy_address(named.url) != url:
        raise WrongUseError(f"the campaign is on {url}, not on {tidy_address(named.url)}; name one of them")
    given = "" if campaign is None else address or str(campaign)
    return ServerSession(Seats(line_to(url, named.token), given), side)


def in_file(campaign: Path | None, side: str | None, instead: str) -> FileSession:
    """Return the campaign that the command line names, which must be in a file.

    `instead` says what to do with one on a server. Raises WrongUseError.
    """
    from laager.cli.play.file_session import FileSession

    at = session(campaign, side)
    if not isinstance(at, FileSession):
        raise WrongUseError(f"this needs a campaign in a file; {instead}")
    return at


def _address(campaign: Path | None) -> str | None:
    """Return the address of a campaign on a server, if it is one; as a path it has lost a slash."""
    text = "" if campaign is None else str(campaign).replace("\\", "/")
    match = re.match(r"(https?):/+(.+)", text)
    return f"{match[1]}://{match[2]}" if match else None


def request_line(kind: str, text: str, others: Iterable[str]) -> str:
    """Return what one side wants, with the command by which the others answer."""
    command = {
        "undo": "undo --agree",
        "redo": "redo --agree",
        "draw": "end --draw",
        "ruling": "ruling --agree",
        "patience": "patience --agree",
        "settle": "settle",
    }[kind]
    first, *rest = others
    return f"{text}; {' or '.join((first, *rest))} answers with: laager {command} --side {first} (or --refuse)"


def newest_report(answers: Iterable[tuple[int, Mapping[str, Any]]], viewer: str) -> int:
    """Return the number of a side's last battle report, of any side for the umpire. Raises RefusedError (no-such)."""
    from laager.campaign import UMPIRE
    from laager.rules.board.report import REPORT_KEYS

    own = [number for number, body in answers if body["key"] in REPORT_KEYS and viewer in (UMPIRE, body["side"])]
    if not own:
        right = "name an answer of your log: laager reopen 81 --why …"
        raise RefusedError(Refusal.NO_SUCH, "no battle has been reported yet", right)
    return own[-1]
