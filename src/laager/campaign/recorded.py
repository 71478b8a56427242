"""A campaign as its log has it: read, folded, followed; nothing of it goes on by itself here.

`RecordedCampaign` reads the log, knows what counts, where the open step stands, and takes in what others store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.campaign import rolls
from laager.campaign.again import Again, ReserveLayer, round_of
from laager.campaign.facts import UMPIRE, Fact, ReadFacts, Side
from laager.campaign.history import History, Reserved, position
from laager.campaign.lanes import TABLE, Lane, Replay, lanes_of
from laager.campaign.log import FACTS, REQUESTS, Audience, Entry, EntryType, Store, check_body
from laager.campaign.ruleset import Ruleset, find_ruleset
from laager.campaign.steps import Context, Step
from laager.dice import EnteredDice, SeededDice
from laager.dice.sources import DiceSource

if TYPE_CHECKING:
    from laager.campaign.pending import Pending
    from laager.campaign.telling import Telling
    from laager.campaign.views import Seat

Clock = Callable[[], datetime]

ENDING = frozenset({"done", "declared", "ruling", "ruled", "reopened"})
"""The entries with which a step is over, or isn't begun yet."""


def _now() -> datetime:
    return datetime.now(UTC)


class RecordedCampaign:
    """The log of a campaign, what counts of it, and the step that is under way."""

    def __init__(
        self, store: Store, dice: DiceSource | None = None, clock: Clock = _now, ruleset: Ruleset | None = None
    ) -> None:
        self.store = store
        self._clock = clock
        self._written: tuple[datetime | None, str] = None, ""
        """The latest time of the clock, and how it is written: many entries have the same."""
        self._fresh: list[Entry]
        self._given = dice, ruleset
        self.reload()

    def reload(self) -> None:
        """Read the store again; what is stored is the truth."""
        self._fresh = []
        dice, ruleset = self._given
        store = self.store
        loaded = store.load()
        self.repaired = loaded.repaired
        self.entries: list[Entry] = list(loaded.entries)
        if not self.entries or self.entries[0].type != "open":
            problem = Problem("does not begin with an opening", "is this a campaign file?", file=store.name)
            raise DataError([problem], Refusal.BROKEN_LOG)
        self._check_entries()
        self.opening: Mapping[str, Any] = self.entries[0].body
        self.ruleset: Ruleset = ruleset or find_ruleset(self.opening["ruleset"])
        self._facts = ReadFacts(self.ruleset.facts, self.ruleset.title)
        self._dice = dice or self._dice_of_log()
        self.history = History()
        self.seats: dict[Side, Seat] = {}
        self.tellings: dict[tuple[Side, str], Telling] = {}
        self.asked_in_names: dict[tuple[Side, Side, str], tuple[Pending, Seat, Pending]] = {}
        self._asked: tuple[tuple[Any, ...], tuple[Pending, ...]] | None = None
        for entry in self.entries:
            self.history.take(entry)
        self._rebuild()

    # Opening ------------------------------------------------------------------------------

    def _check_entries(self) -> None:
        """Raise DataError for a malformed entry: from another version, or not written by Laager."""
        for entry in self.entries:
            wrong = check_body(entry)
            if wrong:
                problem = Problem(wrong, line=entry.number, file=self.store.name)
                raise DataError([problem], Refusal.BROKEN_LOG)

    def _dice_of_log(self) -> DiceSource:
        if self.opening["dice"]["mode"] == "entered":
            return EnteredDice()
        return self.app_dice()

    def app_dice(self) -> SeededDice:
        """Return the campaign's own dice, from the seed it was committed to."""
        return rolls.sealed_dice(self.entries)

    def _rebuild(self) -> None:
        """Fold the facts that count, and take up the step that was cut off, if any."""
        self.context = self._context()
        self.step: Step | None = None
        self.lanes: dict[str, Lane] = {}
        self.again: Again | None = None
        counted = self.history.counted
        begun = self._open_step(counted)
        is_open = counted[begun].type == "step"
        over = begun + (not is_open)
        state, start = self.ruleset.start(self.opening, UMPIRE), 0
        for reserved in sorted(self.history.reserves, key=lambda reserved: reserved.to):
            until = min(position(counted, reserved.to), over)
            state, start = self._fold(state, counted[start:until]), max(start, until)
            self._reserve(reserved, state)
        self.context.state = self._fold(state, counted[start:over])
        if is_open:
            self._resume(counted[begun], counted[begun + 1 :])

    def _reserve(self, reserved: Reserved, state: Any) -> None:
        """Lay in reserve what an undo for a ruling took away, from the state at which it began."""
        wholes = {part.id: step.id for step in self.ruleset.steps.values() for part in step.parts}
        layer = ReserveLayer(reserved, wholes)
        layer.fill(self._walk(state, reserved.entries))
        layers = (*(self.again.layers if self.again else ()), layer)
        # The latest comes first where several have an answer in reserve.
        self.again = Again(sorted(layers, key=lambda layer: self.history.reserves.index(layer.reserved)))

    def _walk(self, state: Any, entries: Iterable[Entry]) -> Iterator[tuple[Entry, str]]:
        """Yield entries, steps with the round in which they began."""
        for entry in entries:
            yield entry, round_of(self.ruleset, state) if entry.type == "step" else ""
            state = self._apply(state, entry)

    def _resume(self, begun: Entry, recorded: Sequence[Entry]) -> None:
        """Take up a step that was cut off, by running it on what it has recorded.

        If its rule was corrected since and the record no longer fits, the step begins again. That
        is stored with whatever comes next.
        """
        self._begin(begun)
        assert self.step is not None
        replay = Replay(self.step, self.lanes)
        try:
            for entry in recorded:
                replay.feed(entry, self._apply_recorded)
                self._follow_again(entry)
            for lane in self.lanes.values():
                lane.ready()
        except RefusedError:
            if not self.step.corrected_since(begun.body):
                raise
            to = {"to": begun.number - 1, "by": UMPIRE, "agreed": []}
            self._add("undo", to | {"corrected": self.step.clause})
            self._rebuild()

    def catch_up(self, fresh: Sequence[Entry]) -> None:
        """Take in entries that somebody else has stored behind those that are here.

        Costs what is new, unless something was taken back or brought back. Raises what reading the store anew raises.
        """
        cut = any(entry.type in {"undo", "redo"} for entry in fresh)
        self.entries += fresh
        for entry in fresh:
            self.history.take(entry)
        if cut:
            self._rebuild()
            return
        # Steps that are over are never run again: their facts are the truth.
        over = max((i + 1 for i, entry in enumerate(fresh) if entry.type in ENDING), default=0)
        if over:
            self.context.state = self._fold(self.state, fresh[:over])
            self.step, self.lanes = None, {}
        try:
            self._follow(fresh[over:])
        except RefusedError:
            # Another version may have stored what the rules here don't ask.
            self.reload()

    def _follow(self, fresh: Sequence[Entry]) -> None:
        """Run the open step on what was recorded of it, which may begin it."""
        for entry in fresh:
            if entry.type == "step":
                self._begin(entry)
            elif self.step is not None and entry.type not in REQUESTS:
                Replay(self.step, self.lanes).feed(entry, self._apply_recorded)
                self._follow_again(entry)
        for lane in self.lanes.values():
            lane.ready()

    def _fold(self, state: Any, entries: Iterable[Entry]) -> Any:
        for entry in entries:
            if self.again is not None:
                self.again.follow(entry, round_of(self.ruleset, state) if entry.type == "step" else "")
            state = self._apply(state, entry)
        return state

    def _apply(self, state: Any, entry: Entry) -> Any:
        """Return a state after one more entry that counts."""
        if entry.type in FACTS:
            return self.fact_of(entry).apply(state)
        return self.ruleset.step_done(state, entry.body["step"]) if entry.type == "done" else state

    def _context(self) -> Context:
        try:
            return self.ruleset.context(self.opening)
        except ValidationError:
            wrong = f"what {self.ruleset.title} needs isn't in it"
            right = "did another version of Laager begin it?"
            problem = Problem(wrong, right, line=1, file=self.store.name)
            raise DataError([problem], Refusal.BROKEN_LOG) from None

    @staticmethod
    def _open_step(counted: Sequence[Entry]) -> int:
        """Return where the current step began, or the last position if no step is open."""
        for i in range(len(counted) - 1, -1, -1):
            if counted[i].type == "step":
                return i
            if counted[i].type in ENDING:
                break
        return len(counted) - 1

    def fact_of(self, entry: Entry) -> Fact:
        """Return the fact in an entry. Raises RefusedError if the ruleset doesn't know its kind."""
        return self._facts.of(entry)

    def _apply_recorded(self, entry: Entry) -> None:
        self.context.state = self.fact_of(entry).apply(self.context.state)

    def _begin(self, entry: Entry) -> None:
        name = entry.body["step"]
        self._follow_again(entry)
        self.step = self.ruleset.steps.get(name)
        if self.step is None:
            advice = did_you_mean(name, self.ruleset.steps)
            raise RefusedError(Refusal.BROKEN_LOG, f"the rules no longer have a step {name!r}", advice)
        self.lanes = lanes_of(self.step, self.ruleset.sides, self.context)

    def _follow_again(self, entry: Entry) -> None:
        """Let what is in reserve follow one more entry of the step that is under way, or begins."""
        if self.again is not None:
            self.again.follow(entry, round_of(self.ruleset, self.state))

    @property
    def state(self) -> Any:
        """The whole state. For the engine, rules and umpire; players get `views.view`."""
        return self.context.state

    @property
    def begun_again(self) -> bool:
        """True if reading the log began a corrected step again; that isn't stored yet."""
        return bool(self._fresh)

    @property
    def version(self) -> int:
        """How many entries the log has; grows with every change."""
        return len(self.entries)

    @property
    def over(self) -> bool:
        """True once the campaign is over and its dice are shown; then nothing is secret."""
        return self.history.counted[-1].type == "revealed"

    def _add(self, kind: EntryType, body: dict[str, Any], lane: str = TABLE, to: Audience = None) -> Entry:
        now = self._clock()
        if now is not self._written[0]:
            self._written = now, now.isoformat(timespec="seconds")
        at = self._written[1]
        entry = Entry(len(self.entries) + 1, kind, body, at, lane, to)
        self.entries.append(entry)
        self.history.take(entry)
        self._fresh.append(entry)
        return entry
