"""House rules by chance, typed into grids: what the check accepts can be played, and is proven."""

from __future__ import annotations

from random import Random

import pytest

from laager.base import DataError
from laager.base.files import Document
from laager.campaign import find_ruleset
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.house import PRINTED, Printed, add_house, printed_of
from laager.campaign.house.grid import ClauseGrid, changeable_clauses, clause_grid, read_cells
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from tests.house.campaigns import CARDS, NOON, made_of
from tests.platoon_leader.campaigns import answer_by_chance


def typed(grid: ClauseGrid, rng: Random) -> dict[str, str]:
    """What somebody might type into the cells of a clause."""
    fields = {cell.name: cell.value for table in grid.tables for _, cells in table.rows for cell in cells}
    for table in grid.tables:
        for cell in (cell for _, cells in table.rows for cell in cells if rng.random() < 0.3):
            number = str(int(cell.value) + rng.randint(-3, 3)) if not cell.options else ""
            fields[cell.name] = rng.choice(cell.options)[0] if cell.options else number
        for cell in table.modifiers:
            fields[cell.name] = rng.choice([cell.value, "off", str(rng.randint(-3, 3)) if cell.value else ""])
        for line in table.own[:1]:
            fields |= {f"{line.prefix}|value": str(rng.randint(-3, 3)), f"{line.prefix}|when": "it rains"}
    for cell in grid.figures:
        change = rng.randint(-2, 3) if rng.random() < 0.3 and cell.value.lstrip("-").isdigit() else 0
        fields[cell.name] = str(max(0, int(cell.value) + change)) if change else cell.value
    return fields


def rules_by_chance(printed: Printed, rng: Random) -> dict[str, object]:
    clauses = changeable_clauses(printed)
    grids = [clause_grid(PRINTED, clause.id, printed) for clause in rng.sample(clauses, min(12, len(clauses)))]
    changes = {grid.clause.id: read_cells(typed(grid, rng), grid.clause.id, printed) for grid in grids}
    return {clause: change for clause, change in changes.items() if change}


@pytest.mark.parametrize(
    ("card", "answers"), [("training", 60), ("kokusa-ridge", 25), ("rijnoord", 20), ("sorgiva", 20), ("vistula", 80)]
)
def test_what_the_check_accepts_can_be_played(card: str, answers: int) -> None:
    play_by_chance(card, answers, 1)


def play_by_chance(card: str, answers: int, number: int) -> None:
    """Play a campaign on with house rules by chance; the proposals are legal, and the log is sound."""
    rng = Random(f"{card} {number}")
    rules = find_ruleset(CARDS[card])
    made = made_of(card)
    house = rules_by_chance(printed_of(rules, made.setting), rng)
    for _ in range(2):
        document = Document({"laager": "house/1", "ruleset": rules.id, "why": "By chance.", "rules": house}, "h.yaml")
        try:
            ready = add_house(rules, made, document)
            break
        except DataError as err:
            wrong = [problem.field for problem in err.problems]
            house = {clause: change for clause, change in house.items() if not any(clause in field for field in wrong)}
    store = MemoryStore()
    store.append(opening_entries(rules.id, made.title, ready.setting, False, bytes([number]) * 32, NOON))
    campaign = Campaign(store, clock=lambda: NOON)
    campaign.advance()
    for _ in range(answers):
        for asked in campaign.pending():
            assert asked.question is None or asked.question.allows(asked.question.default), asked.key
        if campaign.pending():
            answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
    assert audit(campaign).sound
    assert audit(campaign).house


@pytest.mark.soak
@pytest.mark.parametrize("number", range(2, 12))
@pytest.mark.parametrize("card", ["training", "kokusa-ridge", "rijnoord", "sorgiva", "vistula"])
def test_so_can_more_of_them(card: str, number: int) -> None:
    play_by_chance(card, 150, number)
