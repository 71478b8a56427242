"""Lines of sight on drawn maps: what the options of `laager map` ask for, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base.counting import count_of
from laager.cli.ending import WrongUseError
from laager.cli.out import say

if TYPE_CHECKING:
    from laager.cli.play.session import Seen
    from laager.los.questions.map_los import LosWish

OBSERVERS = "observers"
"""`--see observers`: the hull of all observers of one's own side."""
WORDS = {
    "clear": "seen",
    "hindered": "seen, hindered",
    "upper": "seen at an upper level only",
    "blocked": "not seen",
    "unknown": "no answer",
}


def wanted_look(
    see: str | None, to: str | None, back: bool, range_: int | None, level: int | None = None, hull: bool = False
) -> LosWish | None:
    """Return the look that the options ask for, if any. Raises WrongUseError if they don't fit together."""
    if see is None:
        if to is not None or back or hull or range_ is not None or level is not None:
            raise WrongUseError("--to, --back, --level, --hull and --range go with --see LOCATION")
        return None
    from laager.los.questions.map_los import BEST, ENEMY, FIRE, FROM, HULL, LINE, TO, LosWish, make_los_wish

    several = see in (FIRE, ENEMY, BEST, OBSERVERS)
    if several and (to is not None or back or level is not None or hull):
        raise WrongUseError(f"--see {see} goes with --range alone")
    if sum((to is not None or back, level is not None, hull)) > 1:
        raise WrongUseError("--level and --hull go neither with each other nor with --to and --back")
    if see == OBSERVERS:
        return LosWish(HULL, range=range_)
    if several:
        return make_los_wish(see, "", "", range_, None)
    if to is not None:
        return LosWish(LINE, *((to, see) if back else (see, to)))
    if hull:
        return LosWish(HULL, see, range=range_)
    return LosWish(TO if back else FROM, see, range=range_, level=level)


def drawn_file(source: Path, wish: LosWish | None, backdrop: bool, boards: Path | None) -> tuple[str, str, Seen]:
    """Return the map in a file as SVG, its title, and what a wish shows on it (`Shown.describe`)."""
    from laager.cli.vasl.backdrops import draw, known_boards
    from laager.hexmap import load_map
    from laager.hexmap.draw import plain_layers
    from laager.los.questions.map_los import LosKnowledge, view_los
    from laager.los.questions.requests import los_engine_of

    map_ = load_map(source)
    shown = view_los(map_, los_engine_of(map_, None, known_boards(map_)), wish, LosKnowledge()) if wish else None
    layers = replace(plain_layers(map_), sight=shown.layer if shown else None)
    svg, title = draw(map_, layers, backdrop, boards)
    return svg, title, shown.describe() if shown else None


def say_found(findings: Sequence[Mapping[str, Any]]) -> None:
    """Say what is found about LOS for a proposal, as the log keeps it."""
    say(*(f"  LOS: {finding['title']}: {finding['proof']}" for finding in findings))


def say_against(findings: Sequence[Mapping[str, Any]]) -> None:
    """Say which findings an answer that was given goes against."""
    say(*(f"  against the LOS that was found: {finding['title']}: {finding['proof']}" for finding in findings))


def look_lines(seen: Mapping[str, Any], wish: LosWish) -> Iterator[str]:
    """Yield what a look has found (`Shown.describe`), in lines."""
    if seen["sight"] is not None:
        yield seen["sight"]["sentence"]
        return
    if seen["eyes"]:
        yield f"{count_of(seen['eyes'], 'Location')} with units that look"
    words = WORDS | ({"upper": "seen only so many levels up"} if wish.mode == "hull" else {})
    numbers = {kind: len(names) for kind, names in seen["hexes"].items() if names}
    if numbers and not seen["places"]:
        yield ", ".join(f"{count_of(numbers[kind], 'hex', 'hexes')} {words[kind]}" for kind in numbers)
    for number, place in enumerate(seen["places"], 1):
        sees = count_of(place["sees"], "hex", "hexes")
        yield f"{number:>3}. {place['at']}: sees {sees}, {place['free']} of them without hindrance"
    if seen["every"] > 1:
        yield f"one hex in {seen['every']} was counted"
    if seen["approximate"]:
        yield "approximate: from hexes, not from VASL's terrain data"
