"""The requests of the rules for LOS, and their answers: a proposal with its proof for each (`SightFound`).

A `LosEngine` answers for one pair of Locations: the exact one where a board's terrain data are at hand, else the
approximate one, which reads the map's hexes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from laager.base import LaagerError
from laager.base.counting import count_of
from laager.campaign import Context, Question, SightAsked, SightFound
from laager.hexmap import HexMap, split_location
from laager.hexmap.wear import worn_hexes
from laager.los.approximate.hexes import HexLos
from laager.los.questions.engine import LosEngine
from laager.los.result import Kind, Location
from laager.rules.board.state import BoardGround, BoardState

if TYPE_CHECKING:
    from laager.los.questions.board_engine import Boards

MOST_LINES = 20_000
"""Most lines for one answer: about a second."""
MOST_ASKED = 60
"""Most requests for one answer."""
KEPT = 8
"""Maps that are kept ready for the approximate engine."""
SPELLED_OUT = 3
"""Most blocked lines that the proof lists one by one."""

_KINDS: Mapping[str, Kind] = {"c": "cellar", "roof": "rooftop", "bridge": "bridge"}


def location_of(text: str) -> Location:
    """Return a Location of a Laager map (`H7.1`, `H7.c`, `H7.roof`) as LOS names it; rooms in a hex are its ground."""
    name, level = split_location(text)
    if level is None:
        return Location(name)
    if level.isdigit() and int(level):
        return Location(name, "level", int(level))
    return Location(name, _KINDS.get(level, "ground"))


def changed_ground(state: Any) -> Mapping[str, frozenset[str]]:
    """Return what a viewer's state says has changed on the map, by hex: rubble, what burnt down or was cleared away."""
    ground = state.ground if isinstance(state, BoardState) else BoardGround()
    changes: dict[str, set[str]] = {}
    for place, kinds in ground.changes.items():
        if "rubble" in kinds:
            changes.setdefault(split_location(place)[0], set()).add("rubble")
    for word, hexes in (("burnt", ground.burnt), ("cleared", ground.cleared)):
        for place in hexes:
            changes.setdefault(split_location(place)[0], set()).add(word)
    return {name: frozenset(kinds) for name, kinds in changes.items()}


Changed = Mapping[str, frozenset[str]]
"""Changes on a map, by hex (`changed_ground`)."""


def los_engine_of(map_: HexMap, state: Any, boards: Boards | None) -> LosEngine:
    """Return the engine for a map as a viewer's state has it: exact where its boards are at hand, else approximate."""
    return los_engine_on(map_, changed_ground(state), boards)


def los_engine_on(map_: HexMap, changed: Changed, boards: Boards | None) -> LosEngine:
    """Return the engine for a map on which something has changed; see `los_engine_of`."""
    rough = _hex_los(map_, frozenset(changed.items()))
    if boards is None or not map_.pictures:
        return rough
    from laager.los.questions.board_engine import board_los

    # The boards show the printed map.
    names = {map_.main(name) for name in changed if name in map_} | worn_hexes(map_)
    return board_los(map_.printed, rough, frozenset(names), boards)


@lru_cache(KEPT)
def _hex_los(map_: HexMap, changed: frozenset[tuple[str, frozenset[str]]]) -> HexLos:
    return HexLos(map_, dict(changed))


@dataclass(frozen=True)
class LosRequest:
    """The LOS that an answer needs, with the map and its changes; see `read_los_request`."""

    asked: tuple[SightAsked, ...]
    map: HexMap
    changed: Changed
    boards: Boards | None = None

    @property
    def lines(self) -> int:
        """Most lines that must be looked along."""
        return sum(len(asked.sources) * len(asked.targets) for asked in self.asked)


def read_los_request(context: Context, question: Question, value: Any, state: Any) -> LosRequest | None:
    """Return the LOS that an answer needs; None if it asks nothing, can't be read, or there is no map.

    `state` is what the question's side sees of the campaign: nothing else may come in here.
    """
    map_ = getattr(context, "map", None)
    if question.sights is None or not isinstance(map_, HexMap):
        return None
    try:
        asked = tuple(question.sights.asked(question.form.parse(value), state))
    except LaagerError:
        return None
    return LosRequest(asked[:MOST_ASKED], map_, changed_ground(state)) if asked else None


def look_up_los(request: LosRequest | None) -> tuple[SightFound, ...]:
    """Return the results of a request, one by one: exactly where the map's boards are at hand, else approximately."""
    if request is None:
        return ()
    eyes = los_engine_on(request.map, request.changed, request.boards)
    left, results = MOST_LINES, []
    for asked in request.asked:
        used, result = _answer(asked, request.map, eyes, left)
        left -= used
        results.append(result)
    return tuple(results)


def settle_answer(question: Question, value: Any, results: Iterable[SightFound]) -> Any:
    """Return the answer changed to the results; unchanged if LOS settles nothing in the question."""
    if question.sights is None or question.sights.settled is None:
        return value
    return question.sights.settled(
        value, {result.asked.key: result.seen for result in results if result.seen is not None}
    )


def _answer(asked: SightAsked, map_: HexMap, eyes: LosEngine, most: int) -> tuple[int, SightFound]:
    """Return how many lines were looked along, and the result: the first clear line settles it."""
    used, rough, unsure, blocked = 0, False, "", []
    for source, target in _lines_to_try(asked, map_):
        if used >= most:
            unsure = unsure or "there are too many lines to look along"
            break
        used += 1
        try:
            sight = eyes.compute_los(location_of(source), location_of(target))
        except LaagerError:
            continue
        rough |= sight.approximate
        if sight:
            return used, _result_of(asked, eyes, True, sight.sentence, sight.approximate)
        unsure = unsure or (sight.reason if sight.clear is None else "")
        blocked.append(sight)
    if not blocked:
        return used, SightFound(asked, None if unsure else False, f"No {asked.counting or 'Location'}: nobody sees it.")
    if unsure:
        return used, _result_of(asked, eyes, None, f"No answer: {unsure}.", rough)
    if len(blocked) <= SPELLED_OUT:
        return used, _result_of(asked, eyes, False, " ".join(result.sentence for result in blocked), rough)
    sources = len({result.source for result in blocked})
    where = f" within {asked.within} hexes" if asked.within else ""
    proof = f"None of {count_of(sources, 'Location')}{where} sees it ({asked.counting})."
    return used, _result_of(asked, eyes, False, proof + ROUGH * rough, rough)


ROUGH = " (Approximate: from hexes, not from VASL's terrain data.)"


def _result_of(asked: SightAsked, eyes: LosEngine, seen: bool | None, proof: str, rough: bool) -> SightFound:
    return SightFound(asked, seen, proof, rough, eyes.version, eyes.boards)


def _lines_to_try(asked: SightAsked, map_: HexMap) -> Iterator[tuple[str, str]]:
    """Yield the lines to look along, near ones first: they are clear more often."""
    lines = []
    for source in asked.sources:
        for target in asked.targets:
            ends = split_location(source)[0], split_location(target)[0]
            if all(end in map_ for end in ends):
                range_ = map_.distance(*ends)
                if asked.within is None or range_ <= asked.within:
                    lines.append((range_, source, target))
    return ((source, target) for _, source, target in sorted(lines))
