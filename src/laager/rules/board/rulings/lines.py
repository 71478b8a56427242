"""Everything in a ruling but units and fortifications: fields of the record as it is, written by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from laager.base import DataError, RefusedError
from laager.base.files import Where
from laager.campaign import UMPIRE, Fact
from laager.rules.board.changes import change_control
from laager.rules.board.facts import CvpScored, SideNumber
from laager.rules.board.numbering import next_group_id
from laager.rules.board.record import parts
from laager.rules.board.record.parts import Ref
from laager.rules.board.rulings.draft import WHY, RulingDraft, signed_change
from laager.rules.board.rulings.facts import LineAdded, LineStruck, RecordChanged

Kinds = Mapping[str, type[Fact]]
"""The facts of a rule system by kind."""


FIXED = frozenset({"id", "side", "number", "name", "winner", "ending", "next_unit", "next_fort"})
"""Fields by which lines are known or counted, and how the campaign ended: no ruling writes them."""
WRITABLE = frozenset({("fight", "winner"), ("past", "winner"), ("groups", "name")})
"""Fields of these names that a ruling can write nevertheless: who won a battle, what a group is called."""


@dataclass(frozen=True)
class LineRulings:
    """The fields of one ruling, made into facts."""

    draft: RulingDraft
    kinds: Kinds

    def rule_part(self, part: str, lines: Mapping[str, Mapping[str, Any]]) -> None:
        """Take what the file says of the lines of a part."""
        for key, fields in lines.items():
            if fields:
                self.rule(part, key, fields, (part, key) if key else (part,))

    def rule(self, part: str, key: str, fields: Mapping[str, Any], where: Where) -> None:
        """Take what the file says of one line of a part."""
        state = self.draft.seen.state
        try:
            line = parts.find_line(state, part, key)
        except RefusedError as err:
            if key in self.draft.came:
                self.draft.refuse_unknown(where, key, key, part, ())
            else:
                self.draft.refuse(where, err.problem.what, err.problem.right)
            return
        if fields.get("gone") is True and part in ("groups", "areas"):
            self._strike(part, key, line, where)
            return
        changes: dict[str, Any] = {}
        for name, value in fields.items():
            changes |= self._changes(Ref(part, key, name), value, (*where, name))
        if part == "ground":
            self._control(changes)
        if part == "sides":
            self._numbers(key, changes)
        self._write(part, key, changes, where)

    # Which fields change, as plain values -------------------------------------------------------------

    def _changes(self, ref: Ref, value: Any, where: Where) -> dict[str, Any]:
        """Return what changes of a field: itself, or the items of a mapping that are named."""
        state = self.draft.seen.state
        if ref.field in FIXED and (ref.part, ref.field) not in WRITABLE:
            right = "strike the line and add another" if ref.part in ("groups", "areas") else "leave it out"
            self.draft.refuse(where, f"a ruling can't change {ref.field}", right)
            return {}
        try:
            now = parts.read(state, ref)
            if isinstance(now, Mapping) and isinstance(value, Mapping):
                named = {f"{ref.field}[{item}]": self._item(ref, item, new) for item, new in value.items()}
                return {name: new for name, new in named.items() if new != now.get(name.partition("[")[2][:-1])}
            if isinstance(now, list) and isinstance(value, list) and all(isinstance(item, str) for item in value):
                value = self._list(now, value)
            parts.from_plain(parts.find_part(state, ref.part).line, {ref.field: value})
        except RefusedError as err:
            self.draft.refuse(where, err.problem.what, err.problem.right)
            return {}
        except DataError as err:
            for problem in err.problems:
                self.draft.refuse(where, problem.what, problem.right)
            return {}
        return {} if value == now else {ref.field: value}

    def _list(self, now: list[Any], value: list[str]) -> list[Any]:
        adding, removing = signed_change(tuple(value), now)
        if not value or not all(text.startswith(("+", "-")) for text in value):
            return value
        return [*(item for item in now if item not in removing), *sorted(adding)]

    def _item(self, ref: Ref, item: str, value: Any) -> Any:
        """Return what an item is written as: nobody's Control, and what isn't there, is none."""
        return None if value in ("", None, "nobody") or (ref.field == "changes" and value == []) else value

    # As facts ---------------------------------------------------------------------------------------

    def _control(self, changes: dict[str, Any]) -> None:
        """Control of Locations changes as it does in play."""
        names = [name for name in changes if name.startswith("control[")]
        held = {name.removeprefix("control[")[:-1]: changes.pop(name) or "" for name in names}
        self.draft.take(change_control(self.draft.seen, held, WHY))

    def _numbers(self, side: str, changes: dict[str, Any]) -> None:
        """A side's numbers rise and fall as they do in play: what the roster makes of them follows."""
        own = self.draft.seen.state.side(side)
        if isinstance(changes.get("cvp"), int):
            points = changes.pop("cvp") - own.cvp
            self.draft.take([CvpScored(side=side, points=points, why=WHY)])
        for kind in self.kinds.values():
            if issubclass(kind, SideNumber) and kind.number in changes and isinstance(changes[kind.number], int):
                by = changes[kind.number] - getattr(own, kind.number)
                audience = self._audience(Ref("sides", side, kind.number))
                if self._may_write(audience):
                    del changes[kind.number]
                    self.draft.take([kind(side=side, by=by, why=WHY, to=audience)])

    def _write(self, part: str, key: str, changes: Mapping[str, Any], where: Where) -> None:
        by_audience: dict[tuple[str, ...] | None, dict[str, Any]] = {}
        for name, value in changes.items():
            ref = parts.refer(part, key, name)
            audience = self._audience(ref)
            if not self._may_write(audience):
                self.draft.refuse((*where, ref.field), "only its own side knows this", "leave it out")
                continue
            by_audience.setdefault(audience, {})[name] = value
        for audience, fields in by_audience.items():
            was = {name: parts.read(self.draft.seen.state, parts.refer(part, key, name)) for name in fields}
            fact = RecordChanged(part=part, key=key, changes=fields, was=was, why=WHY, to=audience)
            try:
                self.draft.take([fact])
            except DataError as err:
                for problem in err.problems:
                    self.draft.refuse(where, problem.what, problem.right)

    def _audience(self, ref: Ref) -> tuple[str, ...] | None:
        return parts.who_knows(self.draft.seen.state, ref)

    def _may_write(self, audience: tuple[str, ...] | None) -> bool:
        return audience is None or self.draft.by == UMPIRE or self.draft.by in audience

    # Lines that come and go ---------------------------------------------------------------------------

    def _strike(self, part: str, key: str, line: Any, where: Where) -> None:
        """A group that was never bought, an area that there isn't."""
        audience = (line.side,) if part == "groups" else None
        if not self._may_write(audience):
            self.draft.refuse(where, "only its own side knows this", "leave it out")
            return
        self.draft.take([LineStruck(part=part, key=key, why=WHY, to=audience)])
        if part == "groups" and not line.given:
            self.draft.take(self._count_bought(line))

    def _count_bought(self, group: Any) -> Iterator[Fact]:
        """What was struck doesn't count as bought."""
        own = self.draft.seen.state.side(group.side)
        changes = {
            f"{name}[{group.rg}]": getattr(own, name)[group.rg] - 1
            for name in ("bought", "bought_now")
            if getattr(own, name).get(group.rg, 0) > 0 and (name == "bought" or self._is_new(group))
        }
        was = {name: value + 1 for name, value in changes.items()}
        if changes:
            yield RecordChanged(part="sides", key=group.side, changes=changes, was=was, why=WHY, to=(group.side,))

    def _is_new(self, group: Any) -> bool:
        """True if a group was bought for the present battle."""
        return getattr(group, "date", getattr(group, "firefight", 0)) == self.draft.seen.state.number

    def join(self, part: str, values: Mapping[str, Any], where: Where) -> None:
        """Take a new line: a group that was bought, a Setup Area."""
        draft, side = self.draft, str(values.get("side", ""))
        if part == "groups" and not draft.may_add_to(side, where):
            return
        try:
            line = parts.new_line(parts.find_part(draft.seen.state, part), self._complete(part, values))
        except RefusedError as err:
            draft.refuse(where, err.problem.what, err.problem.right)
            return
        except DataError as err:
            for problem in err.problems:
                draft.refuse(
                    where, f"{problem.field}: {problem.what}" if problem.field else problem.what, problem.right
                )
            return
        if part == "groups":
            draft.take([self.kinds["group-joined"](group=line, why=WHY, to=(side,))])  # type: ignore[call-arg]
        else:
            draft.take([LineAdded(part=part, values=parts.to_plain(line), why=WHY)])

    def _complete(self, part: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a new group with its number and date, if the file leaves them out."""
        made = dict(values)
        if part == "groups" and made.get("rg") and made.get("side") in self.draft.seen.state.sides:
            made.setdefault("id", next_group_id(self.draft.seen, made["side"], str(made["rg"])))
            fields = parts.find_part(self.draft.seen.state, part).fields
            for name in ("date", "firefight"):
                if name in fields:
                    made.setdefault(name, self.draft.seen.state.number)
        return made
