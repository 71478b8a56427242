"""Counters on pages: the symbols of all that a page shows, once, and what its scripts need to put them together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from laager.base import RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.naming import GivenNames
from laager.hexmap.draw.counters import BOX, FORT, HIDDEN, Face, counter_symbols, face_id, join_symbols
from laager.hexmap.draw.style import SideStyle, side_styles
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.names import UnitNames
from laager.rules.board.sheets.counters import face_of, states_of, type_face
from laager.rules.board.state import BoardState
from laager.rules.board.units import HIDING, Fort, Unit
from laager.web.shared.translation import language

STYLES: Mapping[str, SideStyle] = side_styles(SIDES)
"""How each side looks, as on its maps."""


@dataclass
class CounterSheet:
    """The counters of one page, as a viewer's state has them: give each a face, then put `symbols` on the page."""

    cg: CardContext
    given: GivenNames = field(default_factory=dict)
    faces: dict[str, tuple[Face, SideStyle]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = UnitNames(self.cg.state, language(), self.given)

    @classmethod
    def of(cls, campaign: Campaign, state: BoardState, given: GivenNames) -> CounterSheet:
        """Return a sheet for the counters of a campaign as a viewer's state has them."""
        context = campaign.context
        assert isinstance(context, CardContext), "only campaigns on a board have counters"
        return cls(context.with_state(state), given)

    def face(self, face: Face, side: str) -> str:
        """Return the id of a face's symbol, which is on the page from now on."""
        style = STYLES[side]
        name = face_id(face, style)
        self.faces[name] = face, style
        return name

    def type(self, side: str, nation: str, text: str) -> str:
        """Return the symbol of a type of a nation; "" if the catalogue doesn't have it."""
        try:
            return self.face(type_face(self.cg.catalogue.nation(nation).unit(text)), side)
        except RefusedError:
            return ""

    def unit(self, unit: Unit) -> dict[str, Any]:
        """Return what a unit's counter shows, as plain values: of one hidden from the viewer only that it is there."""
        own = self.names.letter_of(unit)
        if unit.has(*HIDING) and own is None:
            return {"face": self.face(HIDDEN, unit.side), "letter": "", "states": []}
        letter = self.given.get(unit.id) or unit.name or own or ""
        return {"face": self.face(face_of(self.cg, unit), unit.side), "letter": letter, "states": list(states_of(unit))}

    def fort(self, fort: Fort) -> dict[str, Any]:
        """Return what a fortification's counter shows."""
        face = Face.of_fort(fort.kind, fort.size or fort.kind)
        return {"face": self.face(face, fort.side), "letter": "", "states": []}

    @property
    def symbols(self) -> SafeString:
        """The symbols of all faces, and of all states, as a drawing that isn't seen."""
        # The drawing escapes all that it is made of.
        symbols = mark_safe(counter_symbols(self.faces.values()))
        return format_html('<svg class="counter-sheet" aria-hidden="true" focusable="false">{}</svg>', symbols)


@dataclass
class Pictures:
    """The counters of one page that are drawn by what they look like, without a record: those of a shop."""

    side: str
    faces: dict[str, Face] = field(default_factory=dict)

    def draw(self, looks: Sequence[str]) -> SafeString | str:
        """Draw a counter by its kind, type, sort and class; its symbol is on the page from now on. "" for no looks."""
        if not looks or self.side not in STYLES:
            return ""
        face = Face.of_fort(looks[1], "".join(looks[2:]) or looks[1]) if looks[0] == FORT else Face.of(*looks)
        name = face_id(face, STYLES[self.side])
        self.faces[name] = face
        return draw_for_page(name)

    @property
    def symbols(self) -> SafeString:
        """The symbols of all faces as a drawing that isn't seen."""
        drawn = mark_safe(counter_symbols(((face, STYLES[self.side]) for face in self.faces.values()), ()))
        return format_html('<svg class="counter-sheet" aria-hidden="true" focusable="false">{}</svg>', drawn)


def draw_for_page(face: str, letter: str = "", states: Iterable[str] = ()) -> SafeString:
    """Return a counter by the id of its face, for a page that has its symbol; its words stand beside it."""
    # The drawing escapes all that it is made of.
    drawn = mark_safe(join_symbols(face, states, letter))
    return format_html('<svg class="counter" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>', BOX, BOX, drawn)
