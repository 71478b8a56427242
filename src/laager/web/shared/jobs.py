"""What processes of their own do for a worker (see `processes`). Nothing here knows Django or a database."""

from __future__ import annotations

import copyreg
import os
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from laager.base import Refusal, RefusedError
from laager.base.files import parse_document
from laager.campaign import find_ruleset
from laager.campaign.cards import card_map, card_summary
from laager.hexmap.draw import draw_png, draw_preview, draw_svg
from laager.web.library.files import checking
from laager.web.serving.parents import end_with_parent

if TYPE_CHECKING:
    from laager.campaign.ruleset import NewCampaign
    from laager.campaign.summary import CardSummary
    from laager.hexmap import HexMap
    from laager.hexmap.draw import Backdrop, Layers

K = TypeVar("K")
V = TypeVar("V")

LOW_PRIORITY = 5
"""How nice a process is: players' requests come first."""


def _proxy(of: dict[K, V]) -> MappingProxyType[K, V]:
    return MappingProxyType(of)


def svg(map_: HexMap, layers: Layers, backdrop: Backdrop | None) -> str:
    """Draw a map."""
    return draw_svg(map_, layers, backdrop)


def png(drawing: str, width: int) -> bytes:
    """Return a drawing as PNG."""
    return draw_png(drawing, width)


def made(make: Callable[[], V]) -> V:
    """Make what is prepared, such as a PDF."""
    return make()


def summary(rules: str, text: str, name: str) -> CardSummary:
    """Return what players compare before they choose a card. Raises DataError if it isn't valid."""
    return card_summary(find_ruleset(rules), parse_document(text, name))


def new_campaign(rules: str, texts: Mapping[str, str], name: str, readings: Mapping[str, str]) -> NewCampaign:
    """Read a card that lies among other texts, and all it names. Raises DataError, RefusedError."""
    with checking.written(texts) as folder, checking.telling_names(folder):
        checking.guard(folder, name)
        made = find_ruleset(rules).read_card(folder / name, readings)
        return replace(made, warnings=tuple(one.replace(f"{folder}/", "") for one in made.warnings))


def preview(rules: str, card: Path) -> bytes:
    """Draw the small picture of a card's map. Raises RefusedError (no-such), DataError."""
    map_ = card_map(find_ruleset(rules), card)
    if map_ is None:
        raise RefusedError(Refusal.NO_SUCH, "this card has no map")
    return draw_preview(map_).encode()


def own_preview(rules: str, texts: Mapping[str, str], name: str) -> bytes:
    """Draw the small picture of the map of a card that lies among other texts. Raises as `preview` does."""
    with checking.written(texts) as folder, checking.telling_names(folder):
        checking.guard(folder, name)
        return preview(rules, folder / name)


# Maps are made of read-only mappings, which pickle doesn't know.
copyreg.pickle(MappingProxyType, lambda one: (_proxy, (dict(one),)))


@dataclass(frozen=True)
class Answer:
    """What came of a job: its value or its error, and how many seconds it computed."""

    value: Any
    error: Exception | None
    seconds: float


def too_large() -> RefusedError:
    """Return the refusal of a job that needs more memory than it may have."""
    return RefusedError(Refusal.BAD_DATA, "this needs too much memory", "ask for something smaller")


def work(pipe: Connection, memory: int) -> None:
    """Do jobs as they come, until the pipe is closed or the worker is gone. `memory` is the limit in bytes."""
    end_with_parent(partial(os._exit, 1))
    _be_modest(memory)
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            job, args = pipe.recv()
            pipe.send(_answer(job, args))


def _answer(job: Callable[..., Any], args: tuple[Any, ...]) -> Answer:
    begun = time.process_time()
    value: Any = None
    error: Exception | None = None
    try:
        value = job(*args)
    except MemoryError:
        error = too_large()
    except Exception as err:  # whatever it is, who asked gets to know
        error = err
    return Answer(value, error, time.process_time() - begun)


def _be_modest(memory: int) -> None:
    """Come after the requests of players, need no more than so much memory; Ctrl-C is for the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ImportError, OSError, AttributeError):
        os.nice(LOW_PRIORITY)
        import resource

        # Not the address space: libraries reserve much of it and use little.
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
