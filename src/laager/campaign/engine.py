"""The engine: leads a campaign through its steps, and records all that happens.

`Campaign` is the one place of effects. It stores first; only then does something count. What it
refuses changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.campaign import rolls, table_dice
from laager.campaign.again import still_holds
from laager.campaign.facts import Fact, Side
from laager.campaign.lanes import TABLE, Lane
from laager.campaign.log import Audience, EntryType
from laager.campaign.pending import Pending, hints_of, pending_in, with_former
from laager.campaign.recorded import RecordedCampaign
from laager.campaign.sighting import SightFound
from laager.campaign.steps import Ask, Roll, sequence_edition, with_rule
from laager.campaign.table_dice import TableRoll
from laager.dice import check_faces

Recorded = tuple[EntryType, dict[str, Any], str, Audience]
"""What an entry will say: its type, body, lane and audience."""


def _same(before: Sequence[Any], now: Sequence[Any]) -> bool:
    """True if the lanes of a step wait on the very same commands, of which the same questions are answered."""
    return (
        len(before) == len(now)
        and before[0] is now[0]
        and all(was[0] is other[0] and was[1] == other[1] for was, other in zip(before[1:], now[1:], strict=True))
    )


class Campaign(RecordedCampaign):
    """A campaign under way, on top of a store.

    Open one with `Campaign(store)`. After a RefusedError or DataError nothing has changed; after an
    error of the store, open it again.
    """

    def __repr__(self) -> str:
        """Say which campaign it is, how long its log is, and who is waited for."""
        sides = [side for side in self.ruleset.sides if any(p.side == side for p in self.pending())]
        where = f"in {self.step.clause} ({self.step.title})" if self.step else "between steps"
        waiting = f"waiting for {' and '.join(sides)}" if sides else "waiting for nobody"
        title, ruleset = self.opening["title"], self.ruleset.id
        return f"<Campaign {title!r} ({ruleset}), {self.version} entries, {where}, {waiting}>"

    # Looking ------------------------------------------------------------------------------

    def pending(self) -> tuple[Pending, ...]:
        """Return everything that is asked, in the order of the sides."""
        if self.step is None:
            return ()
        settlers = self.history.settlers
        waits = (
            self.step,
            (None, settlers),
            *((lane.command, frozenset(lane.answers)) for lane in self.lanes.values()),
        )
        if self._asked is None or not _same(self._asked[0], waits):
            asked = pending_in(self.step, self.lanes.values(), hints_of(self.opening), self.context)
            self._asked = waits, tuple(with_former(pending, self.again) for pending in asked)
            if settlers:
                from laager.campaign.settling import with_settlement

                self._asked = waits, with_settlement(self, self._asked[1])
        return self._asked[1]

    def spared_questions(self) -> frozenset[tuple[Side, str]]:
        """Return side and key of what is not asked because it leaves nothing to decide. Not for players' eyes."""
        commands = [lane.command for lane in self.lanes.values()]
        return frozenset(
            (question.side, question.key) for ask in commands if isinstance(ask, Ask) for question in ask.spared
        )

    # Going on -----------------------------------------------------------------------------

    def advance(self) -> tuple[Pending, ...]:
        """Go on until an answer is needed or the campaign is over, and store what happened."""
        self._run()
        self._store()
        return self.pending()

    def answer(
        self, side: Side, key: str, raw: Any, expect: int | None = None, sights: Sequence[SightFound] = (),
        dice: Sequence[TableRoll] = (), commander: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        """Take an answer (or entered dice, key "roll"), go on, and store it all.

        `expect` is the version that the answering side saw; any other is refused as stale. `sights` is what was found
        about LOS for this answer, `dice` what was rolled at the table in the battle that it reports; both are recorded
        with it, as is what a `commander` says who gives it: its name, why, and its orders. Raises RefusedError (not
        asked, stale) or DataError (everything wrong with the answer).
        """
        self._check_version(expect)
        wanted = self._find(side, key)
        lane = self.lanes[wanted.lane]
        if wanted.question is not None:
            value = wanted.question.accept(raw)
            self._take_answer(lane, wanted, value, sights, dice, commander)
        else:
            assert wanted.roll is not None
            self._take_roll(lane, wanted.roll, check_faces(wanted.roll.dice, raw), "entered")
        self._run()
        self._store()

    def answer_all(self, side: Side, raws: Mapping[str, Any], expect: int | None = None) -> None:
        """Take answers to several open questions of a side, by their keys: all of them, or none.

        Raises RefusedError (not asked, stale) or DataError (everything wrong with them; fields begin with the key).
        """
        self._check_version(expect)
        values: list[tuple[Pending, Any]] = []
        problems: list[Problem] = []
        for key, raw in raws.items():
            wanted = self._find(side, key)
            if wanted.question is None:
                raise RefusedError(Refusal.BAD_ANSWER, "this asks for dice, not for an answer")
            try:
                values.append((wanted, wanted.question.accept(raw)))
            except DataError as err:
                problems += [problem.inside(key) for problem in err.problems]
        if problems:
            raise DataError(problems, Refusal.BAD_ANSWER)
        for wanted, value in values:
            self._take_answer(self.lanes[wanted.lane], wanted, value, (), ())
        self._run()
        self._store()

    def answer_as_before(self, side: Side) -> int:
        """Give again what a side answered before a ruling, to all that it is asked now and that still holds.

        What was found about LOS for these answers, and rolled in the battle, stays with them. Return how many.
        """
        given = 0
        for wanted in self.pending():
            question = wanted.question
            if self.again is None or question is None or wanted.side != side:
                continue
            old = self.again.former(wanted.lane, question)
            if old is not None and still_holds(question, old.body["value"]):
                body = {name: part for name, part in old.body.items() if name != "again"}
                body |= {"text": question.text, "rule": question.rule}
                self._record_answer(self.lanes[wanted.lane], body, (side,) if wanted.secret else None)
                given += 1
        if given:
            self._run()
            self._store()
        return given

    def roll_for(self, side: Side, expect: int | None = None) -> None:
        """Roll with the campaign's own dice instead of the players'."""
        self._check_version(expect)
        wanted = self._find(side, "roll")
        assert wanted.roll is not None
        stream, number = self._next_roll(wanted.roll)
        faces = self.app_dice().faces(wanted.roll.dice, stream, number)
        assert faces is not None
        self._take_roll(self.lanes[wanted.lane], wanted.roll, faces, "rolled")
        self._run()
        self._store()

    def _check_version(self, expect: int | None) -> None:
        if expect is not None and expect != self.version:
            raise RefusedError(Refusal.STALE, "the campaign has moved on", "look again, then answer what is asked now")

    def _find(self, side: Side, key: str) -> Pending:
        waiting = self.pending()
        for wanted in waiting:
            if wanted.side == side and wanted.key == key:
                return wanted
        if side not in self.ruleset.sides:
            advice = did_you_mean(side, self.ruleset.sides, "the sides are")
            raise RefusedError(Refusal.NO_SUCH, f"there is no side {side!r}", advice)
        mine = [wanted.key for wanted in waiting if wanted.side == side]
        if not mine:
            raise RefusedError(Refusal.NOT_ASKED, f"{side} isn't asked anything now")
        advice = did_you_mean(key, mine, "asked now:")
        raise RefusedError(Refusal.NOT_ASKED, f"{side} isn't asked {key!r} now", advice)

    def _run(self) -> None:
        """Run procedures until each needs an answer."""
        while True:
            if self.step is None:
                self._rule_again()
                step = self.ruleset.next_step(self.state)
                if step is None:
                    self._reveal()
                    return
                self._begin(self._add("step", step.record(sequence_edition(self.ruleset.steps.values()))))
            for lane in self.lanes.values():
                self._run_lane(lane)
            if not all(lane.finished for lane in self.lanes.values()):
                return
            assert self.step is not None
            self._follow_again(self._add("done", {"step": self.step.id}))
            self.context.state = self.ruleset.step_done(self.state, self.step.id)
            self.step, self.lanes = None, {}

    def _reveal(self) -> None:
        """Once the campaign is over, show the dice seed, so that everyone can check every roll."""
        if not self.over:
            seed = self.app_dice()
            self._add("revealed", {"seed": seed.seed.hex(), "commitment": seed.commitment})

    def _run_lane(self, lane: Lane) -> None:
        assert self.step is not None
        while command := lane.ready():
            command = with_rule(command, self.step.clause)
            if isinstance(command, Fact):
                self._take_fact(lane, command)
            elif isinstance(command, Roll):
                if not self._roll(lane, command):
                    return
            elif not self._answer_again(lane, command):
                return

    def _roll(self, lane: Lane, roll: Roll) -> bool:
        """Roll, or let the dice of before come again; return False if players must enter them."""
        old = self.again.roll(lane.name, roll) if self.again is not None else None
        if old is not None:
            self._record_roll(lane, roll, {**rolls.roll_again(roll, old), "again": True})
            return True
        stream, number = self._next_roll(roll)
        faces = self._dice.faces(roll.dice, stream, number)
        if faces is not None:
            self._take_roll(lane, roll, faces, "rolled")
        return faces is not None

    def _answer_again(self, lane: Lane, asked: Ask) -> bool:
        """Record again one answer that still holds; return False if there is none."""
        open_ = set(lane.open_questions()) if self.again is not None else set()
        for question in asked.questions:
            if self.again is None or (question.side, question.key) not in open_:
                continue
            old = self.again.answer(lane.name, question)
            if old is not None:
                body = {**old.body, "text": question.text, "rule": question.rule, "again": True}
                secret = lane.name != TABLE or question.secret
                self._record_answer(lane, body, (question.side,) if secret else None)
                return True
        return False

    def _rule_again(self) -> None:
        """Record again the rulings that followed the step done last, where a later ruling took them away."""
        for run in tuple(self.again.rulings()) if self.again is not None else ():
            for old in run:
                new = self._add(old.type, {**old.body, "again": True}, old.lane, old.to)
                self._follow_again(new)
                self.context.state = self._apply(self.state, new)

    def _take_fact(self, lane: Lane, fact: Fact) -> None:
        body = {"kind": fact.kind, "fact": fact.body()}
        self._facts.keep(self._add("fact", body, lane.name, fact.to), fact)
        self.context.state = fact.apply(self.state)
        lane.send(None)

    def _take_answer(
        self, lane: Lane, wanted: Pending, value: Any, sights: Sequence[SightFound], dice: Sequence[TableRoll],
        commander: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        question = wanted.question
        assert question is not None
        body = {"side": wanted.side, "key": wanted.key, "value": value, "text": question.text, "rule": question.rule}
        audience = (wanted.side,) if wanted.secret else None
        if sights and audience:
            # A proof names Locations that only this side may know: it goes where its answer is secret.
            body["los"] = [sight.record() for sight in sights]
        if dice:
            body["dice"] = [roll.record() for roll in dice[: table_dice.MOST]]
        if commander and audience:
            # Why it answers so is its side's secret: it goes where its answer is secret.
            body["commander"] = dict(commander)
        self._record_answer(lane, body, audience)

    def _record_answer(self, lane: Lane, body: dict[str, Any], audience: Audience) -> None:
        self._follow_again(self._add("answer", body, lane.name, audience))
        lane.answer(body["side"], body["key"], body["value"])

    def _take_roll(self, lane: Lane, roll: Roll, faces: Sequence[int], source: str) -> None:
        self._record_roll(lane, roll, rolls.roll_body(roll, faces, source, *self._next_roll(roll)))

    def _record_roll(self, lane: Lane, roll: Roll, body: dict[str, Any]) -> None:
        entry = self._add("roll", body, lane.name, roll.audience)
        self._follow_again(entry)
        lane.send(rolls.rolled_of(entry))

    def _next_roll(self, roll: Roll) -> tuple[str, int]:
        return rolls.next_roll(roll, self.history.rolls)

    def _store(self) -> None:
        fresh, self._fresh = self._fresh, []
        if fresh:
            self.store.append(fresh)

    def declare(self, fact: Fact) -> None:
        """Record a fact from outside all steps, which breaks off the present one (conceding)."""
        self._add("declared", {"kind": fact.kind, "fact": fact.body()}, to=fact.to)
        self.context.state = fact.apply(self.state)
        self.step, self.lanes = None, {}
        self._run()
        self._store()

    def record_all(self, recorded: Iterable[Recorded]) -> None:
        """Store several entries outside all steps at once; none of them may change what counts."""
        for kind, body, lane, to in recorded:
            self._add(kind, body, lane, to)
        self._store()

    def begin_again(self, recorded: Iterable[Recorded]) -> None:
        """Record a ruling, and go on from there; all that follows is stored with it, or nothing is."""
        try:
            for kind, body, lane, to in recorded:
                self._add(kind, body, lane, to)
            self._rebuild()
            self._run()
        except BaseException:
            self.reload()
            raise
        self._store()

    def record(self, kind: EntryType, body: dict[str, Any], to: Audience = None) -> None:
        """Store one entry outside all steps (taking back, asking for it, revealing)."""
        self._add(kind, body, to=to)
        self._store()
        if kind in {"undo", "redo"}:
            self._rebuild()
