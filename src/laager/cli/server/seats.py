"""Which campaign on a server is meant, which seat, and what that seat is asked.

Questions are made anew from the server's description, so that they are asked as at one's own table. Shape and
bounds are checked here; what the rules say is asked of the server.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from laager.base import Problem, Refusal, RefusedError
from laager.campaign import Choice, Field, Form, Number, Option, Question, Record, Roll, Rows, Several, Text, YesNo
from laager.cli.play.session import UUID
from laager.cli.server.line import Connection
from laager.dice import Dice, Modifier

Told = Mapping[str, Any]


@dataclass(frozen=True)
class ServerAsked:
    """A question or roll that the server waits for, and the mark by which it is answered."""

    mark: str
    side: str
    key: str
    question: Question | None = None
    roll: Roll | None = None
    seat: RemoteSeat | None = None
    sees: bool = False
    """True if the question depends on LOS, and the server looks."""


@dataclass(frozen=True)
class RemoteSeat:
    """One seat of a campaign on a server."""

    line: Connection
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

    def list_asked(self, status: Told) -> list[ServerAsked]:
        """Return what the seat is asked, made from the server's description."""
        return [self._make_asked(asked) for asked in status["asked"]]

    def _make_asked(self, asked: Told) -> ServerAsked:
        key, side, mark = asked["key"], asked["side"], asked["mark"]
        if asked["what"] == "roll":
            return ServerAsked(mark, side, key, roll=roll_of(asked))

        def check(value: Any) -> Told:
            return dict(self.line.post(f"{self.path}/asked/{mark}/check", {"answer": value}))

        def problems(value: Any) -> Sequence[Problem]:
            return tuple(
                Problem(problem["what"], problem["right"], problem["field"]) for problem in check(value)["problems"]
            )

        def warning(value: Any) -> str:
            return str(check(value).get("warning", ""))

        sees = bool(asked.get("los", False))
        return ServerAsked(mark, side, key, question_of(asked, problems, warning), sees=sees)

    def los(self, wanted: ServerAsked, value: Any) -> Sequence[Told]:
        """Return what the server finds about LOS for an answer, as the log would keep it; nothing for dice."""
        if wanted.question is None or not wanted.sees:
            return ()
        answer = self.line.post(f"{self.path}/asked/{wanted.mark}/check", {"answer": value})
        return tuple(answer.get("los", ()))

    def give(self, wanted: ServerAsked, value: Any) -> Told:
        """Give an answer, or faces of dice (None: Laager rolls); return what the server says then."""
        asked = f"{self.path}/asked/{wanted.mark}"
        if wanted.question is not None:
            return dict(self.line.post(f"{asked}/answer", {"answer": value}))
        if value is None:
            return dict(self.line.post(f"{asked}/roll"))
        return dict(self.line.post(f"{asked}/dice", {"faces": list(value)}))

    def find(self, key: str) -> ServerAsked:
        """Return what is asked under a key. Raises RefusedError, with advice."""
        status = self.status()
        matches = [question for question in self.list_asked(status) if key in (question.key, question.mark)]
        if not matches:
            asked = ", ".join(question["key"] for question in status["asked"]) or "nothing"
            raise RefusedError(Refusal.NOT_ASKED, f"{self.name} is not asked {key!r} now", f"asked now: {asked}")
        return matches[0]


@dataclass(frozen=True)
class Seats:
    """The seats of a campaign on a server: named by its id or address, "" for the only one."""

    line: Connection
    campaign: str = ""

    @cached_property
    def _mine(self) -> list[Told]:
        """The caller's seats in the campaign. Raises RefusedError if the campaign is not clear."""
        seats = self.line.get("/campaigns")
        if self.campaign:
            match = UUID.search(self.campaign)
            wanted = match[0].lower() if match else ""
            if not wanted:
                raise RefusedError(
                    Refusal.NO_SUCH, f"{self.campaign!r} is not a campaign on a server", "give its address or its id"
                )
            mine = [seat for seat in seats if seat["campaign"] == wanted]
            if not mine:
                raise RefusedError(Refusal.NO_SUCH, "this campaign doesn't exist, or you have no seat in it")
            return mine
        alive = [seat for seat in seats if not seat["archived"]]
        ids = dict.fromkeys(seat["campaign"] for seat in alive)
        if len(ids) != 1:
            raise RefusedError(Refusal.NO_SUCH, _choose_words(alive))
        return alive

    @property
    def _named(self) -> str:
        """The seat that the address of a page names; "" if it names none."""
        match = re.search(rf"{UUID.pattern}/([-\w]+)", self.campaign)
        return match[1] if match else ""

    def any_seat(self) -> RemoteSeat:
        """Return the seat from which most can be seen."""
        seat = next((seat for seat in self._mine if seat["role"] == "umpire"), self._mine[0])
        return RemoteSeat(self.line, seat["campaign"], seat["seat"])

    def seats(self, side: str | None) -> list[RemoteSeat]:
        """Return the seats that play: the one named, else those of sides."""
        if side is not None or self._named:
            return [self.seat(side)]
        mine = [seat for seat in self._mine if seat["role"] == "player"] or self._mine
        return [RemoteSeat(self.line, seat["campaign"], seat["seat"]) for seat in mine]

    def seat(self, side: str | None) -> RemoteSeat:
        """Return one seat: the one named, the umpire's, or the only one. Raises RefusedError."""
        names = [mine["seat"] for mine in self._mine]
        name = side or self._named or ("umpire" if "umpire" in names else names[0] if len(names) == 1 else "")
        if name not in names:
            message = f"you have no seat {name!r} in it" if name else "you have several seats in it"
            raise RefusedError(Refusal.NO_SUCH, message, f"choose with --side {' or '.join(names)}")
        return RemoteSeat(self.line, self._mine[0]["campaign"], name)


def _choose_words(seats: Sequence[Told]) -> str:
    if not seats:
        return "you have no campaign on this server; begin one with laager new CARD"
    known = "; ".join(f"{seat['title']} ({seat['campaign']})" for seat in seats[:10])
    return f"you have several campaigns on this server; name one with -c ID: {known}"


Described = Mapping[str, Any]


def question_of(
    asked: Described, check: Callable[[Any], Sequence[Problem]], irrevocable: Callable[[Any], str]
) -> Question:
    """Return a question that a server asks; the functions ask the server about an answer."""
    return Question(
        key=asked["key"],
        side=asked["side"],
        text=asked["text"],
        form=form_of(asked["form"]),
        rule=asked["rule"],
        secret=asked["secret"],
        default=asked["default"],
        help=asked.get("help", ""),
        check=check,
        irrevocable=irrevocable,
        nothing=asked.get("nothing", ""),
    )


def roll_of(asked: Described) -> Roll:
    """Return a roll that a server asks for."""
    modifiers = tuple(Modifier(m["value"], m["reason"], m["rule"]) for m in asked["modifiers"])
    label = asked["text"].partition(" for ")[2]
    dice = Dice(asked["dice"])
    return Roll(asked["side"], label, dice, modifiers, asked["rule"], asked["secret"])


def form_of(described: Described) -> Form:
    """Return a form from its description. Raises RefusedError for a kind that is not known."""
    kind = described["kind"]
    if kind not in MAKERS:
        raise RefusedError(
            Refusal.BAD_DATA, f"the server asks by a form {kind!r} that is not known here", "update laager"
        )
    return MAKERS[kind](described)


def _options(described: Described) -> tuple[Option, ...]:
    return tuple(
        Option(option["value"], option.get("label", ""), option.get("why_not", "")) for option in described["options"]
    )


def _record(described: Described) -> Record:
    fields = []
    for part in described["fields"]:
        form = form_of(part["form"])
        if part["required"]:
            fields.append(Field(part["name"], form, part["label"]))
        else:
            fields.append(Field(part["name"], form, part["label"], part["default"]))
    return Record(tuple(fields))


MAKERS: Mapping[str, Callable[[Described], Form]] = {
    YesNo.kind: lambda described: YesNo(),
    Number.kind: lambda described: Number(described["low"], described["high"]),
    Text.kind: lambda described: Text(described.get("limit", 2000)),
    Choice.kind: lambda described: Choice(_options(described)),
    Several.kind: lambda described: Several(_options(described), described["least"], described["most"]),
    Record.kind: _record,
    Rows.kind: lambda described: Rows(_record(described["row"]), described["most"]),
}
