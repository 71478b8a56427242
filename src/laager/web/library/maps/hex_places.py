"""What a hex holds besides its ground (a name, an area, a Block, an arrow): for a form, and from it as changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from laager.hexmap import HexMap, is_placeholder


@dataclass(frozen=True)
class Placed:
    """What a hex holds: names are "" if there is none. `block` is the name that somebody gave its Block."""

    label: str
    setup: str
    block: str
    in_block: str
    no_block: bool
    strategic: bool
    arrow: bool
    colour: str
    owner: str
    single: bool
    same_edge: bool


def places_of(map_: HexMap, name: str) -> Placed:
    """Return what a hex holds. Raises RefusedError if the map doesn't have it."""
    name = map_.main(name)
    arrow = next((each for each in map_.entry_arrows if each.hex == name), None)
    block = map_.blocks.block_at(name) or ""
    own = "" if map_.blocks.lettered or is_placeholder(block) else block
    return Placed(
        label=map_.names.get(name, ""),
        setup=next((area for area, hexes in map_.setup_areas.items() if name in hexes), ""),
        block=own,
        in_block=block if map_.roads else "",
        no_block=name in map_.no_block,
        strategic=name in map_.strategic,
        arrow=arrow is not None,
        colour=arrow.colour if arrow else "",
        owner=arrow.owner if arrow else "",
        single=bool(arrow and arrow.single),
        same_edge=bool(arrow and arrow.same_edge_only),
    )


def lines(map_: HexMap, name: str, wish: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the changes, as `laager vasl mark` has them, that make a hex hold what a form says."""
    return list(_lines(places_of(map_, name), map_.main(name), wish))


def _lines(now: Placed, name: str, wish: Mapping[str, Sequence[str]]) -> Iterator[str]:
    free = (("label", "name", now.label), ("setup", "setup", now.setup), ("block", "block", now.block))
    yield from (line for field, word, old in free for line in _text(name, word, old, _value_of(wish, field)))
    ticks = (("strategic", now.strategic), ("no-block", now.no_block))
    yield from (line for word, was in ticks for line in _tick(name, word, was, _value_of(wish, word)))
    if _value_of(wish, "arrow"):
        yield from _arrow(now, name, wish)
    elif now.arrow:
        yield f"{name}=-arrow"


def _arrow(now: Placed, name: str, wish: Mapping[str, Sequence[str]]) -> Iterator[str]:
    colour = _value_of(wish, "colour")
    if not now.arrow or (colour and colour != now.colour):
        yield f"{name}=arrow:{colour}" if colour else f"{name}=arrow"
    yield from _text(name, "owner", now.owner, _value_of(wish, "owner"))
    for word, was in (("single", now.single), ("same-edge", now.same_edge)):
        yield from _tick(name, word, was, _value_of(wish, word))


def _value_of(wish: Mapping[str, Sequence[str]], field: str) -> str:
    return next(iter(wish.get(field, ())), "").strip()


def _text(name: str, word: str, old: str, new: str) -> Iterator[str]:
    if new != old:
        yield f"{name}={word}:{new}" if new else f"{name}=-{word}"


def _tick(name: str, word: str, was: bool, value: str) -> Iterator[str]:
    if bool(value) != was:
        yield f"{name}={word if value else '-' + word}"
