"""The ground in a save: Control, fires, lasting changes, fortifications.

Only the parts that a report asks for, and only changes: what the record has already is passed over.
A missing counter means nothing for Control and rubble; about a fire it is a question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.units import Fort
from laager.vasl.report.findings import LEAVE, LEAVE_OUT
from laager.vasl.report.places import ON_MAP, Scene
from laager.vasl.saves.counters import CounterKind
from laager.vasl.saves.game import Piece

Row = dict[str, Any]

_TERRAIN = (
    ("Rubble", "rubble"),
    ("Shellholes", "shellholes"),
    ("Trailbreak", "trailbreak"),
    ("Breach", "breach"),
    ("MouseHole", "mousehole"),
    ("Collapsed Hut", "collapsed-hut"),
    ("Dstr Bridge", "bridge-destroyed"),
    ("Palm Debris", "palm-trees"),
)
"""Names of counters of lasting changes, and the report's words for them."""
TERRAIN_WORDS: Mapping[str, str] = {word: start for start, word in _TERRAIN}
"""How the names of counters of lasting changes begin, by the report's words."""

_WORKS = (
    (re.compile(r"([1-3]S) (?:Soft Sand )?Foxhole.*"), "foxhole"),
    (re.compile(r"Trench.*()"), "trench"),
    (re.compile(r"Sangar.*()"), "sangar"),
    (re.compile(r"([1-3]\+[0-9]\+[0-9]) (?:Pillbox|PTObox)"), "pillbox"),
    (re.compile(r"Wire()"), "wire"),
    (re.compile(r"Roadblock.*()"), "roadblock"),
    (re.compile(r"Barricade.*()"), "barricade"),
    (re.compile(r"A-T Ditch.*()"), "a-t-ditch"),
    (re.compile(r"Panjis.*()"), "panji"),
    (re.compile(r"Tetrahedron.*()"), "tetrahedron"),
    (re.compile(r"(?:([0-9]+) FP )?Minefield.*"), "minefield"),
    (re.compile(r"(?:([0-9]+) AT )Minefield"), "a-t-mines"),
    (re.compile(r"Cave.*()"), "cave"),
)
_MINES = frozenset({"minefield", "a-p-mines", "known-minefield", "dummy-minefield"})
GROUND_KINDS = frozenset(
    {
        CounterKind.CONTROL,
        CounterKind.FIRE,
        CounterKind.RUBBLE,
        CounterKind.TERRAIN,
        CounterKind.LOCATION,
        CounterKind.FORTIFICATION,
    }
)
"""Kinds of counters that are read here."""
_SIGN = re.compile(r"(Allied|Axis) [Cc]ontrol")


class GroundReader:
    """Reads the counters of a save about the ground; `own_at` are Locations with men of the reporting side.

    `untouched`: the save is the setup that Laager wrote, so what was to be hidden counts as hidden.
    """

    def __init__(self, scene: Scene, own_at: Collection[str], untouched: bool = False) -> None:
        self.scene, self.own_at, self.untouched = scene, own_at, untouched
        self.marked = scene.marked
        self.cg, self.side, self.findings = scene.cg, scene.side, scene.findings

    def rows(self) -> dict[str, Any]:
        """Return the parts of the report about the ground that its form has."""
        makers: Mapping[str, Callable[[], Iterator[Any]]] = {
            "control": self.control,
            "fires": self.fires,
            "terrain": self.terrain,
            "forts": self.forts,
            "works": self.works,
            "revealed": self.reveal_works,
            "lost_works": self.lost_works,
        }
        return {part: list(make()) for part, make in makers.items() if self.scene.has(part)}

    def counters_on_map(self, *kinds: CounterKind) -> Iterator[tuple[Piece, str]]:
        """Yield the counters of some kinds on the map, each with its Location."""
        for piece in self.scene.pieces:
            if piece.kind not in kinds or not piece.on_map:
                continue
            spot = self.scene.spot(piece)
            if spot.doubt:
                self.scene.leave_out(piece, spot.at if spot.where == ON_MAP else "", spot.doubt)
            elif spot.where == ON_MAP:
                yield piece, spot.at

    # Control --------------------------------------------------------------------------------------

    def control(self) -> Iterator[Row]:
        """Yield Locations whose Control has changed, by the Control counters in them."""
        sides_at: dict[str, set[str]] = {}
        for piece, at in self.counters_on_map(CounterKind.CONTROL):
            side = self._side_of(piece)
            if side is None:
                self.scene.leave_out(piece, at, "whose Control is it? Its nation is neither side's, or both sides'")
            else:
                sides_at.setdefault(at, set()).add(side)
        recorded = self.cg.state.ground.control
        for at, sides in sides_at.items():
            side = min(sides)
            if len(sides) > 1:
                options = {**{each_side: self.cg.side(each_side).name for each_side in SIDES}, LEAVE: "as recorded"}
                why = "Control counters of both sides lie here"
                side = self.findings.ask(f"control:{at}", "Control", why, options, LEAVE, at)
            if side not in (LEAVE, recorded.get(at)):
                if len(sides) == 1:
                    why = f"{self.cg.side(side).name}: a counter lies there"
                    self.findings.sure(f"control:{at}", "Control", why, at, side)
                yield {"location": at, "side": side}

    def _side_of(self, piece: Piece) -> str | None:
        whose = self.scene.side_of(piece)
        if whose:
            return self.side if whose == "own" else other_side(self.side)
        sign = _SIGN.fullmatch(piece.basic) or _SIGN.fullmatch(piece.unit)
        return sign[1].lower() if sign else None

    # Fires ----------------------------------------------------------------------------------------

    def fires(self) -> Iterator[Row]:
        """Yield hexes that burn and did not, and those that no longer burn, which may be a question.

        A blaze in a stack with a wreck is the wreck's.
        """
        ground, burning = self.cg.state.ground, dict[str, str]()
        for piece, at in self.counters_on_map(CounterKind.FIRE):
            if burns_wreck(self.scene.stack(piece), piece):
                continue
            name = at.split(".")[0]
            blaze = piece.unit.endswith("Blaze") or burning.get(name) == "blaze"
            burning[name] = "blaze" if blaze else "flame"
        for name, now in burning.items():
            was = "flame" if name in ground.flames else "blaze" if name in ground.blazes else ""
            if now != was:
                self.findings.sure(f"fires:{name}", now, "a counter lies there", name, now)
                yield {"at": name, "now": now}
        for name in self.cg.sort((ground.flames | ground.blazes) - set(burning)):
            if self.marked.common and name not in self.marked.fires.values():
                self.findings.sure(f"fires:{name}", "fire", "its counter is gone", name, "none")
                yield {"at": name, "now": "none"}
                continue
            why = "the record has it burning, the save shows no counter; is it out?"
            if self.findings.confirm(f"fires:{name}", "fire", why, name):
                yield {"at": name, "now": "none"}

    # Lasting changes ------------------------------------------------------------------------------

    def terrain(self) -> Iterator[Row]:
        """Yield lasting changes of the map that the record does not have."""
        allowed = self.scene.options("terrain", "what")
        reported: set[tuple[str, str]] = set()
        for piece, at in self.counters_on_map(
            CounterKind.RUBBLE, CounterKind.TERRAIN, CounterKind.LOCATION, CounterKind.FORTIFICATION
        ):
            change = next((word for start, word in _TERRAIN if start in piece.unit), None)
            if change is None or (at, change) in reported:
                continue
            reported.add((at, change))
            if change in self.cg.state.ground.changes.get(at, ()):
                continue
            if change not in allowed:
                self.findings.pass_over(f"changes that the report does not ask for: {change}")
                continue
            self.findings.sure(f"terrain:{at}:{change}", change, "a counter lies there", at, change)
            yield {"at": at, "what": change}

    # Fortifications -------------------------------------------------------------------------------

    @cached_property
    def _counters(self) -> Counter[tuple[str, str, str]]:
        """Return the number of fortifications by kind, size and Location."""
        counts: Counter[tuple[str, str, str]] = Counter()
        for piece, at in self.counters_on_map(CounterKind.FORTIFICATION):
            if piece.hidden_by is not None or piece.id in self.marked.forts:
                continue
            kind, size = work_of(piece.unit)
            if kind:
                counts[kind, size, at] += 1
            elif not any(start in piece.unit for start, _ in _TERRAIN):
                self.scene.leave_out(piece, at, "a fortification that Laager has no word for")
        return counts

    def _excess(self) -> Iterator[tuple[str, str, str, list[Fort]]]:
        """Yield fortifications in the save that the side has not on its record as open.

        CounterKind, size, Location, and the side's hidden ones that it can be.
        """
        forts = self.cg.state.forts
        lying = [
            (self.marked.forts.get(piece.id, ""), piece, at)
            for piece, at in self.counters_on_map(CounterKind.FORTIFICATION)
        ]
        for name, piece, at in sorted(lying, key=lambda entry: entry[0]):
            recorded = forts.get(name)
            if (
                recorded is not None
                and recorded.side == self.side
                and recorded.hidden
                and not (piece.hidden_by or self.untouched)
            ):
                yield recorded.kind, recorded.size, at, [recorded]
        # Works with a piece of their own, known by its number, are no other pieces.
        known = set(self.marked.forts.values())
        placed = [(_place(fort.kind, fort.at), fort) for fort in forts.values() if fort.at and fort.id not in known]
        open_ = Counter(place for place, fort in placed if not fort.hidden)
        for (kind, size, at), count in self._counters.items():
            key = _place(kind, at)
            hidden = [fort for place, fort in placed if fort.side == self.side and fort.hidden and place == key]
            for _ in range(count):
                if open_[key] > 0:
                    open_[key] -= 1
                else:
                    yield kind, size, at, hidden

    def forts(self) -> Iterator[Row]:
        """Yield fortifications that came to light, or that this side made in play."""
        revealed: set[str] = set()
        known, counts = self.scene.options("forts", "kind"), Counter[tuple[str, str]]()
        for kind, size, at, hidden in self._excess():
            fresh = [fort for fort in hidden if fort.id not in revealed]
            if fresh:
                revealed.add(fresh[0].id)
                self._note_revealed(fresh[0])
                yield {"do": "revealed", "fort": fresh[0].id}
            elif kind not in known:
                self.findings.pass_over("fortifications that the report does not ask for")
            else:
                counts[kind, at] += 1
                key = _key("forts", kind, at, counts[kind, at])
                why = "is not on the record; have you placed it in play?"
                proposed = "yes" if at in self.own_at else "no"
                if self.findings.confirm(key, f"{kind} {size}".strip(), why, at, proposed):
                    yield {"do": "placed", "kind": kind, "at": at, "size": size.removesuffix("S")}
        for fort in self._gone:
            yield {"do": "removed", "fort": fort.id}

    def works(self) -> Iterator[Row]:
        """Yield fortifications that either side made in play, for the report of both."""
        known, counts = self.scene.options("works", "kind"), Counter[tuple[str, str]]()
        for kind, size, at, hidden in self._excess():
            if hidden or kind not in known:
                self.findings.pass_over("fortifications that the report does not ask for")
                continue
            options = {**{placer: f"placed by {self.cg.side(placer).name}" for placer in SIDES}, **LEAVE_OUT}
            proposed = self.side if at in self.own_at else LEAVE
            why = "is not on the record; who placed it?"
            counts[kind, at] += 1
            key = _key("works", kind, at, counts[kind, at])
            side = self.findings.ask(key, f"{kind} {size}".strip(), why, options, proposed, at)
            if side != LEAVE:
                yield {"do": "placed", "side": side, "kind": kind, "size": size.removesuffix("S"), "at": at}
        for fort in self._gone:
            if not fort.hidden:
                yield {"do": "removed", "fort": fort.id}

    def reveal_works(self) -> Iterator[str]:
        """Yield the side's hidden fortifications that lie openly in the save."""
        allowed = self.scene.options("revealed")
        revealed: set[str] = set()
        for _, _, _, hidden in self._excess():
            for fort in hidden:
                if fort.id in allowed and fort.id not in revealed:
                    revealed.add(fort.id)
                    self._note_revealed(fort)
                    yield fort.id
                    break

    def lost_works(self) -> Iterator[str]:
        """Yield the side's hidden fortifications that Laager wrote, and that are in the save no more."""
        allowed = self.scene.options("lost_works")
        yield from (fort.id for fort in self._gone if fort.id in allowed)

    @cached_property
    def _gone(self) -> tuple[Fort, ...]:
        """The fortifications that Laager wrote and that are gone; not those that another counter stands for."""
        return tuple(self._missing())

    def _missing(self) -> Iterator[Fort]:
        counters = Counter[tuple[str, str]]()
        for (kind, _, at), count in self._counters.items():
            counters[_place(kind, at)] += count
        for name in sorted(self.marked.gone):
            fort = self.cg.state.forts[name]
            place = _place(fort.kind, fort.at or "")
            if counters[place]:
                counters[place] -= 1
                continue
            name_of_fort = f"{fort.kind} {fort.size} ({fort.id})".replace("  ", " ")
            self.findings.sure(f"forts:{fort.id}", name_of_fort, "its counter is gone", fort.at or "", "removed")
            yield fort

    def _note_revealed(self, fort: Fort) -> None:
        subject, why = f"{fort.kind} {fort.size} ({fort.id})".replace("  ", " "), "lies there openly"
        self.findings.sure(f"forts:{fort.id}", subject, why, fort.at or "", "revealed")


def _key(part: str, kind: str, at: str, number: int) -> str:
    """Return the name under which a fortification is settled; of several alike with a number."""
    return f"{part}:{kind}:{at}" if number == 1 else f"{part}:{kind}:{at}:{number}"


def work_of(name: str) -> tuple[str, str]:
    """Return the kind and size of the fortification that a counter is; "" for another counter."""
    for pattern, kind in reversed(_WORKS):
        match = pattern.fullmatch(name)
        if match:
            return kind, match[1] or ""
    return "", ""


def burns_wreck(stack: Sequence[Piece], fire: Piece) -> bool:
    """True if a blaze is that of a wreck: it lies above one in its stack."""
    over = any(piece.kind is CounterKind.WRECK and piece.height < fire.height for piece in stack)
    return over and fire.unit.endswith("Blaze")


def same_work(fort: Fort, kind: str, size: str) -> bool:
    """True if a fortification and a counter can be the same, as far as the counter shows."""
    if not kind or _place(fort.kind, "") != _place(kind, ""):
        return False
    return not fort.size or not size or fort.size.removesuffix("S") == size.removesuffix("S")


def _place(kind: str, at: str) -> tuple[str, str]:
    """Return a kind of fortification as far as its counter on the map tells it, and its hex."""
    kind = kind.removesuffix("s") if kind in ("tetrahedrons", "panjis") else kind
    return "minefield" if kind in _MINES else kind, at.split(".", maxsplit=1)[0]
