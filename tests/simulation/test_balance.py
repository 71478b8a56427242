"""The figures that ship: of the cards as they are, within what they promise, and on the pages of the docs."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest

from laager.simulation.balance import balance_of_card, digest_setting, load_balances
from laager.simulation.plan import read_plan
from tests.simulation.measure import describe, measure

DOCS = Path(__file__).parents[2] / "docs" / "campaigns"
PAGES = {"training": "index", "ripamare-ravine": "ripamare", "ripamare-cathedral": "ripamare"}
CARDS = sorted(load_balances())


@pytest.mark.parametrize("card", CARDS)
def test_the_figures_are_of_the_card_that_ships(card: str) -> None:
    figures = balance_of_card(card)
    assert figures is not None
    assert figures.is_of(read_plan(card).setting), f"measure it again: python -m tests.simulation.measure {card}"


@pytest.mark.parametrize("card", CARDS)
def test_neither_side_wins_too_often(card: str) -> None:
    figures = load_balances()[card]
    assert figures.campaigns >= 80
    assert max(figures.wins.values()) <= 0.65 * figures.campaigns
    assert figures.fought > 50
    assert not figures.never_fought
    assert not any(figures.never_bought.values())


def test_figures_of_an_earlier_card_are_known() -> None:
    figures = load_balances()["training"]
    changed = deepcopy(dict(read_plan("training").setting))
    changed["card"]["sides"]["axis"]["cp"] += 1
    assert digest_setting(changed) != figures.digest
    assert not figures.is_of(changed)


def test_there_are_none_of_a_card_that_does_not_ship() -> None:
    assert balance_of_card("nowhere") is None


def test_measuring_counts_every_campaign() -> None:
    figures = measure("training", 4, 7)
    assert sum(figures["wins"].values()) == figures["campaigns"] == 4
    assert figures["digest"] == load_balances()["training"].digest


@pytest.mark.parametrize("card", sorted(load_balances()))
def test_the_docs_have_the_figures(card: str) -> None:
    text = " ".join((DOCS / f"{PAGES.get(card, card)}.md").read_text(encoding="utf-8").split())
    assert describe(card) in text
