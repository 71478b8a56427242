"""Every hint of every shipped card is tried: a player who does what it says is never refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from laager.campaign.cards import find_card
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.pending import Pending, hints_of
from laager.campaign.ruleset import find_ruleset

Follow = Callable[[Campaign, Pending], Any]


def take_proposal(campaign: Campaign, asked: Pending) -> Any:
    """Return the proposal: what “take the proposal”, “leave it” and “look first” say."""
    return _question(asked).default


def leave_empty(campaign: Campaign, asked: Pending) -> Any:
    """Return the proposal, which must be as empty as the hint says."""
    value = _question(asked).default
    parts = value.values() if isinstance(value, dict) else [value]
    lists = [part for part in parts if isinstance(part, list)]
    assert not any(lists), (asked.key, value)
    return value


def agree(campaign: Campaign, asked: Pending) -> Any:
    """Return yes."""
    return True


def decline(campaign: Campaign, asked: Pending) -> Any:
    """Return no."""
    return False


def buy(*rows: Mapping[str, Any], **by_side: Sequence[Mapping[str, Any]]) -> Follow:
    """Return a purchase of these groups, or of these for each side."""
    return lambda campaign, asked: {"groups": list(by_side.get(asked.side, rows))}


def fortify(*works: str) -> Follow:
    """Return a purchase of these fortifications, one of each, and the rest of the points by the proposal."""
    return lambda campaign, asked: {"works": [{"work": work, "count": 1} for work in works]}


def spread_over(**areas: Sequence[str]) -> Follow:
    """Return the given groups in these areas, turn by turn; a group of Guns in the last of them."""

    def follow(campaign: Campaign, asked: Pending) -> Any:
        rows = [dict(row) for row in _question(asked).default]
        for i, row in enumerate(rows):
            row["area"] = areas[asked.side][-1 if "G" in row["group"] else i % len(areas[asked.side])]
        return rows

    return follow


def report_as_hinted(campaign: Campaign, asked: Pending) -> Any:
    """Report what the training's hint says: a squad gone, one broken, the bridge taken."""
    report = {**_question(asked).default, "units": [dict(row) for row in _question(asked).default["units"]]}
    carriers = {row.get("with") for row in report["units"]}
    squad = next(
        row for row in report["units"]
        if row["fate"] == "on-map" and row["type"] in ("4-6-7", "4-4-7") and row["unit"] not in carriers
    )  # fmt: skip
    if asked.side == "axis":
        squad["marks"] = ["broken"]
        report["control"] = [{"location": "G5", "side": "axis"}]
    else:
        squad.update(fate="eliminated", at="", marks=[])
    return report


TRAINING: Mapping[str, Follow] = {
    "purchases": buy({"rg": "HW1", "setup": "on-map", "count": 1}),
    "fortifications": lambda campaign, asked: {
        "cp": 2, "works": [{"type": "foxhole", "size": "1", "count": 2}, {"type": "wire", "count": 1}],
    },
    "battle-report": report_as_hinted,
    "give-up-hip": leave_empty, "take-off": leave_empty, "dismounting": leave_empty,
    "clearance": leave_empty, "reveal-works": leave_empty, "redeploy": lambda campaign, asked: [],
}  # fmt: skip
COMMON: Mapping[str, Follow] = {
    "ground-report-agreed": agree, "rally": leave_empty, "encirclement": leave_empty, "declared-guns": leave_empty,
    "own-equipment": leave_empty, "scenario-report": take_proposal,
}  # fmt: skip
RIJNOORD: Mapping[str, Follow] = {
    **COMMON,
    "given-groups": spread_over(axis=("O", "S"), allied=("R", "M")),
    "purchases": buy(
        allied=[
            {"rg": "I1", "arrival": "on-map", "area": "R", "count": 2},
            {"rg": "G1", "arrival": "on-map", "area": "M", "count": 1},
            {"rg": "G2", "arrival": "on-map", "area": "M", "count": 1},
        ],
        axis=[{"rg": "K-I1", "arrival": "enter", "area": "GG1", "count": 1}],
    ),
    "fortifications": lambda campaign, asked: {
        "axis": fortify("fortified-building", "hip half-squad", "foxhole 1S"), "allied": fortify("fortified-building"),
    }[asked.side](campaign, asked),
    "optional-equipment": leave_empty, "vehicle-status": leave_empty, "ww-box": leave_empty,
}  # fmt: skip
SORGIVA: Mapping[str, Follow] = {
    **COMMON,
    "given-groups": spread_over(axis=("A",), allied=("C", "D", "E", "F")),
    "purchases": buy(
        axis=[{"rg": "I1", "arrival": "on-map", "area": "A", "count": 2}],
        allied=[{"rg": "I1", "arrival": "on-map", "area": "C", "count": 2}],
    ),
    "fortifications": lambda campaign, asked: {
        "works": [{"work": "fortified-building", "count": 1}, {"work": "foxhole 1S", "count": 1}]
    },
}
KOKUSA: Mapping[str, Follow] = {
    **COMMON,
    "given-groups": lambda campaign, asked: [
        {**row, **({"area": "South Knob"} if asked.side == "allied" and "HW" in row["group"] else {})}
        for row in _question(asked).default
    ],
    "purchases": buy(
        axis=[{"rg": "I1", "arrival": "on-map", "area": "Assembly", "count": 2, "objective": "O15"}],
        allied=[{"rg": "I2", "arrival": "enter", "area": "L0", "count": 2}],
    ),
    "fortifications": fortify("foxhole 3S"),
    "blast-areas": leave_empty, "upgrades": leave_empty, "detonators": leave_empty, "status-notes": leave_empty,
    "bombardment": leave_empty, "prisoners": leave_empty,
}  # fmt: skip
VISTULA: Mapping[str, Follow] = {"san": lambda campaign, asked: 3, "air-support-dr": decline}
FOLLOWED: Mapping[str, Mapping[str, Follow]] = {
    "training": TRAINING, "rijnoord": RIJNOORD, "sorgiva": SORGIVA, "kokusa-ridge": KOKUSA, "vistula": VISTULA,
}  # fmt: skip


SEEDS: Mapping[str, Sequence[int]] = {
    "training": (1, 2, 3, 4, 10, 37, 59), "rijnoord": (1, 2, 3, 4),
    "sorgiva": (1, 3), "kokusa-ridge": (1,), "vistula": (2,),
}  # fmt: skip
"""Dice and answers by which what is asked seldom comes up."""
NEVER_ASKED: Mapping[str, frozenset[str]] = {
    "training": frozenset({"weather", "patrols", "dismounting", "heroes", "regain-concealment", "setup-warnings"}),
    "kokusa-ridge": frozenset({"upgrades"}),
}
"""Hints for what these plays don't come to: options that a card leaves out, heroes, vehicles."""


def _question(asked: Pending) -> Any:
    assert asked.question is not None
    return asked.question


def hint_of(campaign: Campaign, asked: Pending) -> str:
    """Return the key of the hint that a question has; "" without one."""
    keys = [key for key in hints_of(campaign.opening) if f"{asked.key}-".startswith(f"{key}-")]
    return max(keys, key=len, default="")


def follow_hints(card: str, seed: int = 0, known: Collection[str] = (), most: int = 220) -> set[str]:
    """Play a shipped card by its hints; return those that were followed.

    What a hint names is there to be done once: afterwards, and where it is `known`, the proposals go on, or chance if
    a seed is given.
    """
    path, rules = find_card(card, None)
    made = find_ruleset(rules).read_card(path, {})
    store = MemoryStore()
    store.append(opening_entries(rules, made.title, made.setting, False, bytes([seed]) * 32))
    campaign, rng, tried = Campaign(store), Random(seed), set[tuple[str, str]]()
    campaign.advance()
    for _ in range(most):
        pending = campaign.pending()
        if not pending:
            break
        asked = pending[0]
        if asked.question is None:
            campaign.roll_for(asked.side)
            continue
        key = hint_of(campaign, asked)
        if key not in known and (asked.side, key) not in tried:
            value = FOLLOWED[card].get(key, take_proposal)(campaign, asked)
        else:
            value = asked.question.sample(rng) if seed else asked.question.default
        campaign.answer(asked.side, asked.key, value)
        tried.add((asked.side, key))
    return {key for _, key in tried}


def hints_of_card(card: str) -> Mapping[str, str]:
    path, rules = find_card(card, None)
    setting = find_ruleset(rules).read_card(path, {}).setting
    return hints_of({"card": setting.get("card") or setting["terms"]})


@pytest.mark.parametrize("card", FOLLOWED)
def test_who_follows_the_hints_is_never_refused(card: str) -> None:
    tried = follow_hints(card)
    for seed in SEEDS.get(card, ()):
        tried |= follow_hints(card, seed, tried)
    assert set(hints_of_card(card)) - tried == NEVER_ASKED.get(card, set())


def test_what_hints_say_of_charts_is_so() -> None:
    """Rijnoord's hint: anti-tank guns can be bought on the first two dates only."""
    path, rules = find_card("rijnoord", None)
    setting = find_ruleset(rules).read_card(path, {}).setting
    first_two = [date["id"] for date in setting["card"]["dates"][:2]]
    guns = [group for group in setting["charts"]["sides"]["allied"]["rg"] if group["name"] == "AT Gun"]
    assert [group["dates"] for group in guns] == [first_two]
    assert "on the first two dates only" in hints_of_card("rijnoord")["purchases"].replace("\n", " ")
