"""Where the values of a catalogue come from: published, house, the players' own (see `OriginKind`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from laager.base import RefusedError
from laager.campaign import Sheet, implements
from laager.catalogue.dyo import DyoNation, OriginKind
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.sheets import columns_of

PRICE = {"support_weapons": "ratio"}
"""The field that decides what a piece costs, or how many of it are received; elsewhere its BPV."""

_WORDS = {OriginKind.USER: "own", OriginKind.NOWHERE: ""}


def origin_words(nation: DyoNation, section: str, type_: str) -> str:
    """Return where the price of a piece is from: published, house, own or example; "" if nobody has said."""
    try:
        kind = nation.origin(section, type_, PRICE.get(section, "bpv")).kind
    except RefusedError:
        return ""
    return _WORDS.get(kind, kind.value)


@implements("DYO H1-ROSTER")
def values_section(cg: Cg, side: str) -> Sheet:
    """Return where the price or ratio of each type of a Roster is from (H1-ROSTER)."""
    nation = cg.nation(side)
    rows = tuple(
        (type_, "ratio" if section in PRICE else "BPV", origin_words(nation, section, type_))
        for section, type_ in _priced_pieces(cg.ob(side))
    )
    title = f"Where the values are from, {cg.terms.name(side)}"
    notes = ("House values are Laager's own, made up to be plausible; they are not the published ones.",)
    of_house = any(origin == OriginKind.HOUSE.value for _, _, origin in rows)
    return Sheet("values", title, columns_of("Type", "Value", "From"), rows, notes if of_house else (), side=side)


def _priced_pieces(ob: OrderOfBattle) -> Iterator[tuple[str, str]]:
    """Yield section and type of each piece with a price or ratio of the catalogue, each once."""
    priced = ("squads", "guns", "vehicles", "transport", "armament", "support_weapons")
    pieces: Iterable[tuple[str, str]] = ((section, type_) for section, type_, _ in ob.pieces() if section in priced)
    yield from sorted(dict.fromkeys(pieces), key=lambda piece: priced.index(piece[0]))
