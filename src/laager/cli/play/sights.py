"""Lines of sight on drawn maps: what the options of `laager map` ask for, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base.counting import some
from laager.cli.ending import WrongUseError

if TYPE_CHECKING:
    from laager.los.looks import Shown, Wish

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
) -> Wish | None:
    """Return the look that the options ask for, if any. Raises WrongUseError if they don't fit together."""
    if see is None:
        if to is not None or back or hull or range_ is not None or level is not None:
            raise WrongUseError("--to, --back, --level, --hull and --range go with --see LOCATION")
        return None
    from laager.los.looks import AT_FIRST, BEST, ENEMY, FIRE, FROM, HULL, LINE, TO, Wish

    several = see in (FIRE, ENEMY, BEST, OBSERVERS)
    if several and (to is not None or back or level is not None or hull):
        raise WrongUseError(f"--see {see} goes with --range alone")
    if sum((to is not None or back, level is not None, hull)) > 1:
        raise WrongUseError("--level and --hull go neither with each other nor with --to and --back")
    if see == OBSERVERS:
        return Wish(HULL, range=range_)
    if several:
        return Wish(see, range=range_ or AT_FIRST)
    if to is not None:
        return Wish(LINE, *((to, see) if back else (see, to)))
    if hull:
        return Wish(HULL, see, range=range_)
    return Wish(TO if back else FROM, see, range=range_, level=level)


def drawn_file(source: Path, wish: Wish | None, backdrop: bool, boards: Path | None) -> tuple[str, str, Shown | None]:
    """Return the map in a file as SVG, its title, and what is seen on it."""
    from laager.cli.vasl.backdrops import draw, known_boards
    from laager.hexmap import load_map
    from laager.hexmap.draw import plain_layers
    from laager.los.asked import eyes_of
    from laager.los.looks import Known, look

    map_ = load_map(source)
    shown = look(map_, eyes_of(map_, None, known_boards(map_)), wish, Known()) if wish else None
    layers = replace(plain_layers(map_), sight=shown.layer if shown else None)
    svg, title = draw(map_, layers, backdrop, boards)
    return svg, title, shown


def look_lines(shown: Shown) -> Iterator[str]:
    """Yield what a look has found, in lines."""
    if shown.sight is not None:
        yield shown.sight.sentence
        return
    if shown.eyes:
        yield f"{some(shown.eyes, 'Location')} with units that look"
    words = WORDS | ({"upper": "seen only so many levels up"} if shown.wish.mode == "hull" else {})
    if shown.numbers:
        yield ", ".join(f"{some(shown.numbers[kind], 'hex', 'hexes')} {words[kind]}" for kind in shown.numbers)
    for number, one in enumerate(shown.places, 1):
        yield f"{number:>3}. {one.at}: sees {some(one.sees, 'hex', 'hexes')}, {one.free} of them without hindrance"
    if shown.every > 1:
        yield f"one hex in {shown.every} was counted"
    if shown.approximate:
        yield "approximate: from hexes, not from VASL's terrain data"
