"""What can be printed for a viewer, and the printing: one way for command line and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError, did_you_mean, find_named
from laager.campaign.speech import in_words_of_card

if TYPE_CHECKING:
    from laager.campaign import Sheet
    from laager.campaign.engine import Campaign
    from laager.sheets.desk import Desk
    from laager.sheets.leaf import Leaf
    from laager.sheets.offer import FormOffer

PDF, CSV, JSON = "pdf", "csv", "json"

KINDS = (PDF, CSV, JSON)
"""The kinds of files that a sheet can be had as."""


@dataclass(frozen=True)
class SheetOffer:
    """Something that can be printed now.

    `id` names it in `print_pdf` (`roster-axis`, `diary`), `side` says whose it is ("" for both), and
    `kinds` as what it can be had: all as PDF, those that are plain tables as CSV and JSON too.
    """

    id: str
    title: str
    side: str
    kinds: tuple[str, ...]


@in_words_of_card
def catalogue(campaign: Campaign, viewer: str, language: str = "en") -> tuple[SheetOffer, ...]:
    """Return everything that can be printed for a viewer at this moment.

    What only the other side may have is not in it. Raises RefusedError for an unknown viewer or
    language.
    """
    return tuple(
        SheetOffer(offer.id, offer.title, offer.side, KINDS if offer.sheets else (PDF,))
        for offer in _offers(_desk(campaign, viewer, language))
    )


def print_pdf(campaign: Campaign, viewer: str, ids: Iterable[str], paper: str = "a4", language: str = "en") -> bytes:
    """Return these sheets as one PDF, in the order named, each beginning on a page of its own.

    `ids` are those of `catalogue`; a name without its side (`roster`) stands for that of each side.
    The same campaign, viewer and ids give the same bytes. Raises RefusedError for an id that is not
    offered to this viewer, for no id at all, and for an unknown viewer, paper or language.
    """
    return prepare_pdf(campaign, viewer, ids, paper, language)()


@in_words_of_card
def prepare_pdf(
    campaign: Campaign, viewer: str, ids: Iterable[str], paper: str = "a4", language: str = "en"
) -> Callable[[], bytes]:
    """Return what makes the PDF of `print_pdf`: it needs the campaign no more, however long it takes.

    Raises as `print_pdf` does.
    """
    from laager.sheets.paper import paper_named
    from laager.sheets.pdf import pdf_of
    from laager.sheets.translating import translate_leaf

    size = paper_named(paper)
    desk = _desk(campaign, viewer, language)
    chosen = _choose(tuple(_offers(desk)), tuple(ids))
    return partial(
        pdf_of,
        [translate_leaf(offer.make(), desk.words) for offer in chosen],
        size,
        desk.words,
        title=desk.seen.title,
        ruleset=desk.ruleset.title,
        footer=desk.footer,
        at=desk.seen.log[-1].entry.at if desk.seen.log else "",
    )


@in_words_of_card
def leaf(campaign: Campaign, viewer: str, name: str, language: str = "en") -> Leaf:
    """Return one form before it is laid out, for the screen; `name` is an id of `catalogue`.

    Raises RefusedError for a form, viewer or language that doesn't exist.
    """
    from laager.sheets.translating import translate_leaf

    desk = _desk(campaign, viewer, language)
    known = {offer.id: offer for offer in _offers(desk)}
    return translate_leaf(find_named(known, name, f"there is no sheet {name!r}", "there are").make(), desk.words)


def plain(campaign: Campaign, viewer: str, name: str) -> tuple[Sheet, ...]:
    """Return plain tables by name, for the screen, CSV and JSON.

    `name` is that of one record sheet (`fortifications`), or what `print_pdf` takes. Raises
    RefusedError if the viewer has no such sheet, or if it is a form to be filled in or running
    text, which there is as PDF only.
    """
    offers = tuple(_offers(_desk(campaign, viewer, "en")))
    sheets = [sheet for offer in offers for sheet in offer.sheets]
    single = tuple(sheet for sheet in sheets if sheet.id == name)
    if single:
        return single
    also = [sheet.id for sheet in sheets]
    plain_sheets = tuple(sheet for offer in _choose(offers, (name,), also) for sheet in offer.sheets)
    if not plain_sheets:
        raise RefusedError(Refusal.NO_SUCH, f"the sheet {name!r} comes as PDF only")
    return plain_sheets


def _desk(campaign: Campaign, viewer: str, language: str) -> Desk:
    from laager.sheets.desk import Desk
    from laager.sheets.words import words_of

    return Desk.of(campaign, viewer, words_of(language))


def _offers(desk: Desk) -> Iterator[FormOffer]:
    """Yield what is offered: first each side's own, then what both have in common."""
    from laager.sheets.battle import battle_offers
    from laager.sheets.blank import report_offers
    from laager.sheets.diary import diary_offers
    from laager.sheets.records import record_offers
    from laager.sheets.reference import reference_offers
    from laager.sheets.setup import setup_offers

    offers = [*record_offers(desk), *setup_offers(desk), *battle_offers(desk), *report_offers(desk)]
    for side in (*desk.sides, ""):
        yield from (offer for offer in offers if offer.side == side)
    yield from reference_offers(desk)
    yield from diary_offers(desk)


def _choose(offers: tuple[FormOffer, ...], ids: tuple[str, ...], also: Iterable[str] = ()) -> list[FormOffer]:
    """Return the offers of these ids, each once. Raises RefusedError with advice, `also` in it."""
    known = {offer.id: offer for offer in offers}
    if not ids:
        first = ", ".join(list(known)[:4])
        raise RefusedError(Refusal.BAD_ANSWER, "no sheet is named", f"name some, such as {first}")
    chosen: dict[str, FormOffer] = {}
    for name in ids:
        named = [known[name]] if name in known else [offer for offer in offers if offer.name == name]
        if not named:
            names = dict.fromkeys([*known, *(offer.name for offer in offers), *also])
            advice = did_you_mean(name, names, "there are")
            raise RefusedError(Refusal.NO_SUCH, f"there is no sheet {name!r}", advice)
        chosen |= {offer.id: offer for offer in named}
    return list(chosen.values())
