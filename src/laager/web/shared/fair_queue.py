"""One fair queue, for whatever only some may do at a time: requests, jobs in other processes, checks of passwords."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf
from threading import Event, Lock

from django.db import connection

from laager.base import Refusal, RefusedError
from laager.web.shared.throttle import TooOftenError


@dataclass
class Visit:
    """A request under way.

    `gone` says that its client has gone away. `seconds` is what other processes have computed for it.
    `give_up_slot` lets the next request begin while this one only waits.
    """

    give_up_slot: Callable[[], object]
    gone: bool = False
    seconds: float = 0.0


VISIT: ContextVar[Visit | None] = ContextVar("visit", default=None)
"""The request that is worked on here; None outside a server. Threads of a request have its context."""


def hold_nothing(keep_slot: bool = False) -> None:
    """Give up the request's slot, unless it is to be kept, and its connection: it only waits now."""
    visit = VISIT.get()
    if visit is not None and not keep_slot:
        visit.give_up_slot()
    if not connection.in_atomic_block:
        connection.close()


# The queue ----------------------------------------------------------------------------------------


GLANCE = 0.2
"""Seconds after which a waiting thread looks if its client is still there."""

Key = int | str | bytes


class BusyError(TooOftenError):
    """There is too much to do; `seconds` says when to try again, for Retry-After."""

    def __init__(self, text: str, seconds: int) -> None:
        RefusedError.__init__(self, Refusal.TOO_OFTEN, text, f"try again in {seconds} seconds")
        self.seconds = seconds


class GoneError(BusyError):
    """Nobody waits for the answer any more."""

    def __init__(self) -> None:
        super().__init__("the request was given up, and nothing was made", 1)


def check_client(visit: Visit | None) -> None:
    """Raise GoneError if the client of a request has gone away."""
    if visit is not None and visit.gone:
        raise GoneError


@dataclass(eq=False)
class Turn:
    """Somebody who waits for a place, or has one."""

    group: Key
    member: Key
    wake: Callable[[], object]
    has_place: bool = False
    is_over: bool = False


class FairQueue:
    """A queue for `places()` places, in which groups take turns, and so do the members of each.

    Who holds fewest places comes first, then who waits longest. No member gets more than half of the places, no group
    more than three quarters (rounded up). All methods can be called from any thread.
    """

    def __init__(
        self,
        places: Callable[[], int],
        *,
        most_waiting: float = inf,
        most_of_one: float = inf,
        crowded: str = "the server has too much to do",
        enough: str = "",
    ) -> None:
        """Let at most `most_waiting` wait, and one member have at most `most_of_one` places and turns to wait for.

        `crowded` and `enough` say so in words.
        """
        self._places = places
        self._most_waiting, self._most_of_one = most_waiting, most_of_one
        self._crowded, self._enough = crowded, enough
        self._lock = Lock()
        self._waiting: OrderedDict[Key, OrderedDict[Key, deque[Turn]]] = OrderedDict()
        self._held: Counter[Key | tuple[Key, Key]] = Counter()
        self.taken = 0
        """Places that are taken."""
        self.waiting = 0
        """Turns that are waited for."""

    def enter(self, group: Key, member: Key, wake: Callable[[], object]) -> Turn:
        """Get a place, or wait for one: `wake` is called when it comes. Raises BusyError if too many wait."""
        turn = Turn(group, member, wake)
        with self._lock:
            turns = self._waiting[group].get(member, ()) if group in self._waiting else ()
            if len(turns) + self._held[group, member] >= self._most_of_one:
                raise BusyError(self._enough, 5)
            if self.waiting >= self._most_waiting:
                raise BusyError(self._crowded, 10)
            self._waiting.setdefault(group, OrderedDict()).setdefault(member, deque()).append(turn)
            self.waiting += 1
            self._hand_out(turn)
        return turn

    def leave(self, turn: Turn) -> None:
        """Give the place back, or wait no more. It does no harm to leave twice."""
        with self._lock:
            if turn.is_over:
                return
            turn.is_over = True
            if turn.has_place:
                self._count(turn, -1)
                self._move_back(turn)
            else:
                self._remove(turn)
            self._hand_out()

    @contextmanager
    def turn(self, group: Key, member: Key = "", patience: float = inf, keep_slot: bool = False) -> Iterator[None]:
        """Let a thread wait for its place. Raises BusyError after `patience` seconds, GoneError if its client goes.

        A request that must wait holds neither a slot (unless it is to keep it) nor a connection to the database.
        """
        visit, ready = VISIT.get(), Event()
        turn = self.enter(group, member, ready.set)
        try:
            if not turn.has_place:
                hold_nothing(keep_slot)
            end = time.monotonic() + patience
            while not (turn.has_place or ready.wait(GLANCE)):
                check_client(visit)
                if time.monotonic() > end:
                    raise BusyError(self._crowded, 10)
            yield
        finally:
            self.leave(turn)

    def _hand_out(self, entering: Turn | None = None) -> None:
        while self.taken < (places := self._places()) and (turn := self._choose(places)):
            self._remove(turn)
            self._count(turn, 1)
            turn.has_place = True
            if turn is not entering:
                turn.wake()

    def _choose(self, places: int) -> Turn | None:
        """Return whose turn it is, if anybody who waits may have a place."""
        best, least = None, places - places // 4
        for group, members in self._waiting.items():
            if self._held[group] < least and (turn := self._choose_member(group, members, (places + 1) // 2)):
                best, least = turn, self._held[group]
                if not least:
                    break
        return best

    def _choose_member(self, group: Key, members: Mapping[Key, deque[Turn]], least: int) -> Turn | None:
        best = None
        for member, turns in members.items():
            if self._held[group, member] < least:
                best, least = turns[0], self._held[group, member]
                if not least:
                    break
        return best

    def _count(self, turn: Turn, places: int) -> None:
        self.taken += places
        for key in (turn.group, (turn.group, turn.member)):
            self._held[key] += places
            if not self._held[key]:
                del self._held[key]

    def _remove(self, turn: Turn) -> None:
        """Take a turn out of those that are waited for."""
        members = self._waiting[turn.group]
        members[turn.member].remove(turn)
        if not members[turn.member]:
            del members[turn.member]
        if not members:
            del self._waiting[turn.group]
        self.waiting -= 1

    def _move_back(self, turn: Turn) -> None:
        """Put who has had a place behind those who had none yet."""
        if members := self._waiting.get(turn.group):
            self._waiting.move_to_end(turn.group)
            if turn.member in members:
                members.move_to_end(turn.member)
