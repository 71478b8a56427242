"""The text of a record into which a position is put: comments and everything that isn't touched stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from laager.base.rewriting import dump_keeping_layout, load_with_comments
from laager.rules.board.context import CardContext
from laager.rules.board.knowledge import Known
from laager.rules.board.record.files import PUBLIC, SECRET
from laager.rules.board.record.parts import defaults
from laager.rules.board.record.shorthand import expand_public, shorten_public, shorten_side
from laager.rules.board.units import Fort, Unit

GROUND, CONTROL = "ground", "control"


class RecordText:
    """A record as YAML, changed line by line."""

    def __init__(self, text: str, name: str) -> None:
        self.before = text
        self.yaml, self.data = load_with_comments(text, name)

    def dump(self) -> str:
        """Return the text as it is now."""
        return dump_keeping_layout(self.yaml, self.data, self.before)

    def plain(self) -> dict[str, Any]:
        """Return the record as plain data."""
        return {name: _plain(held) for name, held in self.data.items()}

    def _part(self, *way: str) -> Any:
        """Return a part of the record, made if it isn't there yet."""
        from ruamel.yaml.comments import CommentedMap

        part = self.data
        for name in way:
            if not isinstance(part.get(name), Mapping):
                part[name] = CommentedMap()
            part = part[name]
            if len(part) == 0:
                # An empty mapping is written {}, and what comes into it would stand on the same line.
                part.fa.set_block_style()
        return part

    def _find(self, *way: str) -> Any:
        part = self.data
        for name in way:
            part = part.get(name) if isinstance(part, Mapping) else None
        return part

    # Lines ----------------------------------------------------------------------------------------

    def put_unit(self, cg: CardContext, unit: Unit, fields: Mapping[str, Any], *, secret: bool) -> None:
        """Put what is known of a unit into its line, or into a new one among what only its side knows, or all know.

        A line of its side's own from which the unit has come into view becomes one that everybody knows; what its
        counter doesn't show stays with its side.
        """
        side, number = unit.side, unit.id
        known = self._find(PUBLIC, side, "units", number)
        own = self._find(SECRET, side, "units", number)
        if known is None and own is not None and not secret:
            shown = {name: own.pop(name) for name in list(own) if Unit.knowledge.get(name) is not Known.OWN}
            if not own:
                del self._part(SECRET, side, "units")[number]
            known = self._part(PUBLIC, side, "units")[number] = _line(shown)
        line = known if known is not None else own
        if line is None:
            lines = self._part(SECRET, side, "units") if secret else self._part(PUBLIC, side, "units")
            line = lines[number] = _line({})
        _put_fields(line, fields, defaults(Unit))
        short = shorten_side(cg, side, {"units": {number: dict(line)}})["units"][number]
        for name in [name for name in line if name not in short]:
            del line[name]

    def put_fort(self, fort: Fort, at: str, hexside: str, *, hidden: bool) -> None:
        """Put where a fortification lies into its line, or into a new one."""
        ways = ((PUBLIC, fort.side, "forts"), (SECRET, fort.side, "forts"))
        way = next((way for way in ways if self._find(*way, fort.id) is not None), ways[int(hidden)])
        lines = self._part(*way)
        if way == ways[1] and not hidden and fort.id in lines:
            lines = self._part(*ways[0])
            lines[fort.id] = self._part(*ways[1]).pop(fort.id)
        if not isinstance(lines.get(fort.id), Mapping):
            lines[fort.id] = _line({})
        fields: dict[str, Any] = {"kind": fort.kind, "size": fort.size, "factors": fort.factors, "at": at}
        _put_fields(lines[fort.id], fields | ({"hexside": hexside} if hexside else {}), defaults(Fort))

    # The ground -----------------------------------------------------------------------------------

    def control_of(self, at: str) -> str:
        """Return the side that the record has in Control of a Location; "" for none."""
        control = self._find(PUBLIC, GROUND, CONTROL)
        by_side = control.items() if isinstance(control, Mapping) else ()
        return next((side for side, places in by_side if isinstance(places, list) and at in places), "")

    def put_ground(
        self, cg: CardContext, control: Mapping[str, str], fires: Mapping[str, str], changes: Iterable[tuple[str, str]]
    ) -> None:
        """Put Control by Location, fires by hex (flame, blaze, none), and lasting changes of the map."""
        if control:
            ground = expand_public(cg, {GROUND: _plain(self._find(PUBLIC, GROUND) or {})})[GROUND]
            written = {**ground, CONTROL: {**ground.get(CONTROL, {}), **control}}
            by_side = shorten_public(cg, {GROUND: written})[GROUND][CONTROL]
            part = self._part(PUBLIC, GROUND, CONTROL)
            for side, places in by_side.items():
                if places:
                    part[side] = _flow_list(cg.sort(places))
            for name in [name for name in part if not by_side.get(name)]:
                del part[name]
        for at, now in fires.items():
            self._put_fire(at, now)
        for at, change in changes:
            held = self._part(PUBLIC, GROUND, "changes")
            held[at] = _flow_list([*(held.get(at) or ()), change])

    def _put_fire(self, at: str, now: str) -> None:
        ground = self._part(PUBLIC, GROUND)
        for name, word in (("flames", "flame"), ("blazes", "blaze")):
            hexes = [hex_ for hex_ in ground.get(name) or () if hex_ != at] + [at] * (now == word)
            if hexes:
                ground[name] = _flow_list(hexes)
            elif name in ground:
                del ground[name]


def _put_fields(line: Any, fields: Mapping[str, Any], usual: Mapping[str, Any]) -> None:
    """Set fields of a line; what is as usual is left out."""
    for name, value in fields.items():
        if value in (None, "", []) or value == usual.get(name, ...):
            if name in line:
                del line[name]
        elif line.get(name) != value:
            line[name] = _flow_list(value) if isinstance(value, list) else value


def _line(fields: Mapping[str, Any]) -> Any:
    from ruamel.yaml.comments import CommentedMap

    line = CommentedMap(fields)
    line.fa.set_flow_style()
    return line


def _flow_list(values: Iterable[Any]) -> Any:
    from ruamel.yaml.comments import CommentedSeq

    row = CommentedSeq(values)
    row.fa.set_flow_style()
    return row


def _plain(held: Any) -> Any:
    """Return what was read with comments as plain data."""
    if isinstance(held, Mapping):
        return {name: _plain(value) for name, value in held.items()}
    return [_plain(value) for value in held] if isinstance(held, list) else held
