"""Lines of sight, looked along in a process of their own (see `processes`), which keeps engine and boards ready.

Nothing here knows Django or a database. The process is sent the boards of a map once: later looks only say that the
reader has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laager.campaign import SightFound
    from laager.hexmap import HexMap
    from laager.los.questions.map_los import LosKnowledge, LosView, LosWish
    from laager.los.questions.requests import Changed, LosRequest
    from laager.vasl import Archive

Sent = Mapping[str, "Archive"] | None
"""The boards of a map that are sent along, by file; None if the reader hasn't got them all."""


KEPT = 8
"""Maps that the process keeps as they were sent."""
_maps: dict[str, HexMap] = {}


class BoardsWantedError(Exception):
    """The process hasn't read the boards of this map yet: send them along."""


class MapWantedError(Exception):
    """The process hasn't got this map yet: send it instead of its mark."""


def mark_of(map_: HexMap) -> str:
    """Return what stands for a map that the process has: as it is, and as it is printed."""
    return f"{map_.digest} {map_.printed.digest}"


def _map_of(sent: HexMap | str) -> HexMap:
    if not isinstance(sent, str):
        if len(_maps) >= KEPT:
            _maps.pop(next(iter(_maps)))
        return _maps.setdefault(mark_of(sent), sent)
    try:
        return _maps[sent]
    except KeyError:
        raise MapWantedError from None


def take_look(
    sent_map: HexMap | str, changed: Changed, wish: LosWish, known: LosKnowledge, sent: Sent
) -> tuple[LosView, bool]:
    """Take a look; with it True unless a later look would see better, because the engine is being compiled.

    A map that was sent before is named by its mark. On boards the table of all pairs is made afterwards, in the
    background. Raises MapWantedError, BoardsWantedError, and RefusedError or DataError about the wish.
    """
    from laager.los.questions.map_los import view_los
    from laager.los.questions.requests import los_engine_on

    map_ = _map_of(sent_map)
    if sent is None:
        return view_los(map_, los_engine_on(map_, changed, None), wish, known), True
    boards = _boards(sent)
    from laager.los.exact.keeping import pause_making
    from laager.los.questions.board_engine import keep_pairs

    with pause_making():
        view = view_los(map_, los_engine_on(map_, changed, boards), wish, known)
    keep_pairs(map_)
    return view, _ready(sent)


def look_up_los(asking: LosRequest, sent: Sent) -> tuple[tuple[SightFound, ...], bool]:
    """Return what is found about LOS for an answer, as `take_look` does. Raises BoardsWantedError."""
    from laager.los.questions.requests import look_up_los as look_up

    return look_up(replace(asking, boards=_boards(sent))), _ready(sent)


def _boards(sent: Sent) -> Callable[[str], Any] | None:
    """Return where the engine gets boards from; what was compiled before is loaded first."""
    if sent is None:
        return None
    from laager.los.exact.readiness import load_compiled

    load_compiled()

    def board(file: str) -> Any:
        if file not in sent:
            raise BoardsWantedError
        return sent[file]

    return board


def _ready(sent: Sent) -> bool:
    from laager.los.exact.readiness import ready

    return sent is None or ready()
