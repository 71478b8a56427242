"""Cards: the ones that ship, and the rule system that a card is for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from laager.base import Refusal, RefusedError, did_you_mean
from laager.base.files import read_document
from laager.campaign.ruleset import PlayedRuleset, find_ruleset, installed

DEFAULT_RULES = "pl"
"""The rule system of a card that names none; its check says what is wrong with the card."""


@dataclass(frozen=True)
class Installed:
    """The rulesets that load, by name, and a sentence for each that doesn't."""

    rulesets: dict[str, PlayedRuleset]
    broken: tuple[str, ...]


def installed_rulesets() -> Installed:
    """Return every installed ruleset; one that fails to load doesn't stop the others."""
    found: dict[str, PlayedRuleset] = {}
    broken: list[str] = []
    for name in sorted(installed()):
        try:
            found[name] = find_ruleset(name)
        except Exception as err:  # somebody else's package: if it fails, ours still run
            broken.append(f"the rules {name!r} can't be loaded ({type(err).__name__}: {err})")
    return Installed(found, tuple(broken))


@dataclass(frozen=True)
class ShippedCard:
    """A card that comes with a ruleset: its id, title, and where its data come from."""

    id: str
    ruleset: str
    title: str
    source: str
    path: Path


def shipped_cards() -> Iterator[ShippedCard]:
    """Yield the cards of all installed rulesets."""
    for name, ruleset in installed_rulesets().rulesets.items():
        for card, path in sorted(ruleset.shipped_cards().items()):
            data = read_document(path).data
            yield ShippedCard(card, name, str(data["title"]), str(data["source"]), path)


def find_card(card: str, ruleset: str | None) -> tuple[Path, str]:
    """Return the file of a card (a path, or the id of a shipped one) and its rule system.

    Raises RefusedError if no card has that name.
    """
    path = Path(card)
    if path.suffix in {".yaml", ".yml"} or path.is_file():
        return path, ruleset or rules_of(read_document(path).data)
    known = {ruleset: find_ruleset(ruleset)} if ruleset else installed_rulesets().rulesets
    by_name = reversed(known.items())
    found = {shipped: name for name, rules in by_name for shipped in rules.shipped_cards()}
    if card in found:
        return find_ruleset(found[card]).shipped_cards()[card], found[card]
    advice = did_you_mean(card, found, "shipped are")
    raise RefusedError(Refusal.NO_SUCH, f"{card!r} is neither a file nor a shipped card", advice)


def rules_of(data: object) -> str:
    """Return the rule system that a card names: `pl-card/1` is pl's, `dyo/1` is dyo's.

    All cards of the HASL family are of one kind, and each names its rule system in `ruleset`.
    """
    card = data if isinstance(data, dict) else {}
    kind = str(card.get("laager", "")).partition("/")[0].removesuffix("-card")
    known = installed()
    for name in (str(card.get("ruleset", "")) if kind == "hasl" else "", kind):
        if name in known:
            return name
    return DEFAULT_RULES
