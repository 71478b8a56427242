"""Runs single steps on purchases made by hand, and whole purchases with given or random answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Literal

from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.pending import Pending
from laager.campaign.ruleset import NewCampaign
from laager.campaign.steps import Step
from laager.catalogue.dyo import DyoCatalogue, catalogue_data, from_data, load_dyo
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import ValuesGiven
from laager.rules.design_your_own.files import shipped_terms
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.ruleset import RULESET
from laager.rules.design_your_own.state import DyoState, GivenValue, first_state
from tests import steps
from tests.steps import Played

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
SEED = bytes(range(32))


# Single steps -----------------------------------------------------------------------------------


@cache
def _setting() -> NewCampaign:
    return RULESET.read_card(shipped_terms()["vistula"], {})


@cache
def _catalogue(set_: Literal["house", "published"], *nations: str) -> DyoCatalogue:
    return from_data(catalogue_data(load_dyo(*nations, set=set_)))


def setting(**changes: Any) -> dict[str, Any]:
    """The opening of the shipped example, with other terms."""
    made = _setting().setting
    terms = {**made["terms"], **{k: v for k, v in changes.items() if k not in {"axis", "allied"}}}
    sides = {side: {**terms["sides"][side], **changes.get(side, {})} for side in ("axis", "allied")}
    readings = {**made["readings"], **changes.get("readings", {})}
    return {**made, "terms": {**terms, "sides": sides}, "readings": readings}


def published_cg(*nations: str, **changes: Any) -> Cg:
    """The context of the shipped example with published values only, of these two nations."""
    axis, allied = nations or ("german", "russian")
    sides = {"axis": {"nation": axis}, "allied": {"nation": allied}}
    sides = {side: {**sides[side], **changes.get(side, {})} for side in sides}
    cg = Cg(setting(**{**changes, **sides}))
    cg.catalogue = _catalogue("published", axis, allied)
    cg.state = first_state(cg.terms, "umpire", cg.rulebook)
    return cg


def cg_of(**changes: Any) -> Cg:
    """The context of the shipped example, with other terms, before anything is bought."""
    cg = Cg(setting(**changes))
    # Catalogues are immutable; reading one takes most of a short test's time.
    cg.catalogue = _catalogue("house", "german", "russian")
    cg.state = first_state(cg.terms, "umpire", cg.rulebook)
    return cg


def tell_values(cg: Cg, side: str, *values: tuple[str, str, str, int | str | bool]) -> None:
    """Let a side add values to its catalogue: section, type, field, value."""
    given = tuple(
        GivenValue(section=section, type=type_, field=name, value=value) for section, type_, name, value in values
    )
    cg.state = ValuesGiven(side=side, values=given).apply(cg.state)


def play(
    step: Step,
    cg: Cg,
    side: str | None = "axis",
    answers: Mapping[str, Any] | Sequence[tuple[str, Any]] = (),
    dice: Iterable[Sequence[int]] = (),
) -> Played:
    """Run a step on cg.state to its end, of the Axis if nobody else is named."""
    return steps.play(step, cg, side, answers, dice)


# Whole purchases --------------------------------------------------------------------------------


def new_purchase(*, entered: bool = False, seed: bytes = SEED, **changes: Any) -> Campaign:
    """A purchase by the shipped example that has only begun, with other terms."""
    store = MemoryStore()
    store.append(opening_entries("dyo", "A purchase", setting(**changes), entered, seed, NOON))
    return opened(store)


def opened(store: MemoryStore) -> Campaign:
    campaign = Campaign(store, clock=lambda: NOON, ruleset=RULESET)
    campaign.advance()
    return campaign


def purchase_of(path: Path, **how: Any) -> Campaign:
    """A purchase by a file of terms."""
    made = RULESET.read_card(path, {})
    store = MemoryStore()
    store.append(opening_entries("dyo", made.title, made.setting, False, SEED, NOON))
    return opened(store)


def by_chance(
    campaign: Campaign, rng: Random, most: int = 400, look: Callable[[Pending], object] = str
) -> list[Pending]:
    """Answer whatever is asked, in any order, until nothing is; return what was answered.

    `look` is called with each question before it is answered.
    """
    answered: list[Pending] = []
    for _ in range(most):
        pending = campaign.pending()
        if not pending:
            return answered
        wanted = rng.choice(pending)
        assert wanted.question is not None
        look(wanted)
        assert wanted.question.allows(wanted.question.default), wanted.question.key
        value = wanted.question.sample(rng)
        campaign.answer(wanted.side, wanted.key, value)
        balanced(campaign.state)
        answered.append(wanted)
    raise AssertionError(f"still asked: {[one.key for one in campaign.pending()]}")


def balanced(state: DyoState) -> None:
    """Check what must hold of every order of battle at any time."""
    for ob in state.obs.values():
        assert ob.left >= 0, f"{ob.side} has spent {-ob.left} too many"
        assert ob.total == sum(ob.spent.values())
        assert list(ob.subtotals.values())[-1] == ob.left


def proven(campaign: Campaign) -> None:
    """Check that the log can be verified."""
    report = audit(campaign)
    assert report.sound, report.findings


def ob_of(campaign: Campaign, side: str) -> OrderOfBattle:
    state: DyoState = campaign.state
    return state.ob(side)
