"""A table that stands on a server: which campaign, which seat, what is asked of it there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.campaign import Question, Roll
from laager.cli.play.campaign_file import wish_line
from laager.cli.play.session import UUID
from laager.cli.server.forms import question_of, roll_of
from laager.cli.server.line import Line

Told = Mapping[str, Any]


@dataclass(frozen=True)
class Wanted:
    """A question or roll that the server waits for, and the mark by which it is answered."""

    mark: str
    side: str
    key: str
    question: Question | None = None
    roll: Roll | None = None


@dataclass(frozen=True)
class RemoteSeat:
    """One seat of a campaign on a server."""

    line: Line
    campaign: str
    name: str

    @property
    def path(self) -> str:
        """The path of the seat's calls."""
        return f"/campaigns/{self.campaign}/{self.name}"

    def status(self) -> Told:
        """Return where the campaign stands."""
        return dict(self.line.get(self.path))

    def lines(self, since: int = 0, last: int | None = None, full: bool = False) -> list[str]:
        """Return the log in lines, after an entry of it."""
        return list(self.line.get(f"{self.path}/log/lines", since=since, last=last, full=full)["lines"])

    def wanted(self, status: Told) -> list[Wanted]:
        """Return what is asked, made anew from what the server says of it."""
        found = []
        for asked in status["asked"]:
            key, side, mark = asked["key"], asked["side"], asked["mark"]
            if asked["what"] == "roll":
                found.append(Wanted(mark, side, key, roll=roll_of(asked)))
                continue
            question = question_of(asked, partial(self.problems, mark), partial(self.warning, mark))
            found.append(Wanted(mark, side, key, question))
        return found

    def problems(self, mark: str, value: Any) -> Sequence[Problem]:
        """Return what the rules have against an answer; nothing is given."""
        told = self.line.post(f"{self.path}/asked/{mark}/check", {"answer": value})
        return tuple(Problem(one["what"], one["right"], one["field"]) for one in told["problems"])

    def warning(self, mark: str, value: Any) -> str:
        """Return what an answer spends or closes for good; "" if nothing."""
        told = self.line.post(f"{self.path}/asked/{mark}/check", {"answer": value})
        return str(told.get("warning", ""))

    def give(self, wanted: Wanted, value: Any) -> Told:
        """Give an answer, or faces of dice (None: Laager rolls); return what came of it."""
        asked = f"{self.path}/asked/{wanted.mark}"
        if wanted.question is not None:
            return dict(self.line.post(f"{asked}/answer", {"answer": value}))
        if value is None:
            return dict(self.line.post(f"{asked}/roll"))
        return dict(self.line.post(f"{asked}/dice", {"faces": list(value)}))

    def find(self, status: Told, key: str) -> Wanted:
        """Return what is asked under a key. Raises RefusedError, with advice."""
        found = [one for one in self.wanted(status) if key in (one.key, one.mark)]
        if not found:
            asked = ", ".join(one["key"] for one in status["asked"]) or "nothing"
            raise RefusedError(Refusal.NOT_ASKED, f"{key!r} is not asked of {self.name} now", f"asked is {asked}")
        return found[0]


@dataclass(frozen=True)
class Hall:
    """A server, and which campaign on it is meant: by its id or address; "" for the only one."""

    line: Line
    campaign: str = ""

    @cached_property
    def _mine(self) -> list[Told]:
        """The caller's seats in the campaign. Raises RefusedError if it is not clear which."""
        seats = self.line.get("/campaigns")
        if self.campaign:
            found = UUID.search(self.campaign)
            wanted = found[0].lower() if found else ""
            if not wanted:
                raise RefusedError(
                    Refusal.NO_SUCH, f"{self.campaign!r} is no campaign of a server", "give its address or its id"
                )
            mine = [one for one in seats if one["campaign"] == wanted]
            if not mine:
                raise RefusedError(Refusal.NO_SUCH, "there is no such campaign, or you have no seat in it")
            return mine
        alive = [one for one in seats if not one["archived"]]
        ids = dict.fromkeys(one["campaign"] for one in alive)
        if len(ids) != 1:
            raise RefusedError(Refusal.NO_SUCH, _which(alive))
        return alive

    @property
    def _named(self) -> str:
        """The seat that the address of a page names; "" if it names none."""
        found = re.search(rf"{UUID.pattern}/([-\w]+)", self.campaign)
        return found[1] if found else ""

    def any_seat(self) -> RemoteSeat:
        """Return the seat from which most can be seen."""
        one = next((one for one in self._mine if one["role"] == "umpire"), self._mine[0])
        return RemoteSeat(self.line, one["campaign"], one["seat"])

    def seats(self, side: str | None) -> list[RemoteSeat]:
        """Return the seats from which somebody plays: the one named, else all of sides."""
        if side is not None or self._named:
            return [self.seat(side)]
        mine = [one for one in self._mine if one["role"] == "player"] or self._mine
        return [RemoteSeat(self.line, one["campaign"], one["seat"]) for one in mine]

    def seat(self, side: str | None) -> RemoteSeat:
        """Return one seat: the one named, the umpire's, or the only one. Raises RefusedError."""
        names = [one["seat"] for one in self._mine]
        name = side or self._named or ("umpire" if "umpire" in names else names[0] if len(names) == 1 else "")
        if name not in names:
            what = f"you have no seat {name!r} in it" if name else "you have several seats in it"
            raise RefusedError(Refusal.NO_SUCH, what, f"choose with --side {' or '.join(names)}")
        return RemoteSeat(self.line, self._mine[0]["campaign"], name)


def _which(seats: Sequence[Told]) -> str:
    if not seats:
        return "you have no campaign on this server; begin one with laager new CARD"
    known = "; ".join(f"{one['title']} ({one['campaign']})" for one in seats[:10])
    return f"you have several campaigns on this server; name one with -c ID: {known}"


# In words -----------------------------------------------------------------------------------------


def requests(status: Told) -> Iterator[str]:
    """Yield what one side wants of the other, and how that one answers."""
    for wish in status["wishes"]:
        yield wish_line(wish["kind"], wish["text"], wish["others"])


def waiting(status: Told) -> list[str]:
    """Return lines that say what is asked of the seat, and of whom else."""
    lines = list(requests(status))
    for one in status["asked"]:
        what = one["text"] if one["what"] == "question" else f"roll {one['text']}"
        lines.append(f"{one['side']} is asked [{one['key']}]: {what}")
    asked = {one["side"] for one in status["asked"]}
    others = [side for side in status["waiting_for"] if side not in asked]
    if others:
        lines.append(f"waiting for {' and '.join(others)}")
    return lines or ["nothing is waited for"]


def outcome(told: Told) -> dict[str, Any]:
    """Return, for programs, what a command has changed and what is waited for now."""
    status = told["status"]
    return {
        "version": status["version"],
        "news": [{"number": one["number"], "type": one["type"], "text": one["text"]} for one in told["news"]],
        "requests": list(requests(status)),
        "waiting_for": status["waiting_for"],
        "asked": [{"side": one["side"], "key": one["key"]} for one in status["asked"]],
    }


def refused_now(err: DataError | RefusedError) -> bool:
    """Whether an answer was refused because the campaign went on meanwhile."""
    return err.code in {Refusal.STALE, Refusal.NOT_ASKED}
