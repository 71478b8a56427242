"""Cards: the ones that ship, and the rule system that a card is for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError, did_you_mean
from laager.base.files import Document, read_document
from laager.base.texts import text_of
from laager.campaign.ruleset import PlayedRuleset, find_ruleset, find_rulesets
from laager.campaign.summary import CardSummary

if TYPE_CHECKING:
    from laager.hexmap import HexMap

DEFAULT_RULES = "pl"
"""The rule system of a card that names none; its check says what is wrong with the card."""


@dataclass(frozen=True)
class Installed:
    """The rulesets that load, by name, and a sentence for each that doesn't."""

    rulesets: dict[str, PlayedRuleset]
    broken: tuple[str, ...]


def installed_rulesets() -> Installed:
    """Return every installed ruleset; one that fails to load doesn't stop the others."""
    rulesets: dict[str, PlayedRuleset] = {}
    broken: list[str] = []
    for name in sorted(find_rulesets()):
        try:
            rulesets[name] = find_ruleset(name)
        except Exception as err:  # somebody else's package: if it fails, ours still run
            broken.append(f"the rules {name!r} can't be loaded ({type(err).__name__}: {err})")
    return Installed(rulesets, tuple(broken))


@dataclass(frozen=True)
class ShippedCard:
    """A card that comes with a ruleset: its id, title, and where its data come from."""

    id: str
    ruleset: str
    title: str
    source: str
    path: Path
    document: Document = field(repr=False, compare=False)

    @property
    def summary(self) -> CardSummary:
        """What players compare before they choose it. Raises DataError if the card isn't valid."""
        return card_summary(find_ruleset(self.ruleset), self.document)


def shipped_cards() -> Iterator[ShippedCard]:
    """Yield the cards of all installed rulesets."""
    for name, ruleset in installed_rulesets().rulesets.items():
        for card, path in sorted(ruleset.shipped_cards().items()):
            document = read_document(path)
            data = document.data
            yield ShippedCard(card, name, text_of(data["title"]), str(data["source"]), path, document)


def card_summary(ruleset: PlayedRuleset, card: Document) -> CardSummary:
    """Return what players compare before they choose a card. Raises DataError if it isn't valid.

    Rulesets of others may be older than summaries: of their cards only the title is known.
    """
    summary = getattr(ruleset, "summary", None)
    return summary(card) if summary is not None else PlayedRuleset.summary(ruleset, card)


def card_map(ruleset: PlayedRuleset, path: Path) -> HexMap | None:
    """Return the map that a card names; None if it has none, or the ruleset doesn't tell. Raises DataError."""
    read_map = getattr(ruleset, "card_map", None)
    return read_map(path) if read_map is not None else None


def find_card(card: str, ruleset: str | None) -> tuple[Path, str]:
    """Return the file of a card (a path, or the id of a shipped one) and its rule system.

    Raises RefusedError if no card has that name.
    """
    path = Path(card)
    if path.suffix in {".yaml", ".yml"} or path.is_file():
        return path, ruleset or rules_of(read_document(path).data)
    known = {ruleset: find_ruleset(ruleset)} if ruleset else installed_rulesets().rulesets
    by_name = reversed(known.items())
    cards = {shipped: name for name, rules in by_name for shipped in rules.shipped_cards()}
    if card in cards:
        return find_ruleset(cards[card]).shipped_cards()[card], cards[card]
    advice = did_you_mean(card, cards, "shipped are")
    raise RefusedError(Refusal.NO_SUCH, f"{card!r} is neither a file nor a shipped card", advice)


def rules_of(data: object) -> str:
    """Return the rule system that a card names: `pl-card/1` is pl's, `dyo/1` is dyo's.

    All cards of the HASL family are of one kind, and each names its rule system in `ruleset`.
    """
    card = data if isinstance(data, dict) else {}
    kind = str(card.get("laager", "")).partition("/")[0].removesuffix("-card")
    known = find_rulesets()
    for name in (str(card.get("ruleset", "")) if kind == "hasl" else "", kind):
        if name in known:
            return name
    return DEFAULT_RULES
