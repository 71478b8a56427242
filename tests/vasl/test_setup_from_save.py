"""The answer of the setup question out of a save: by the pieces' numbers, by their names, for one's own side only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laager.base import RefusedError
from laager.campaign.cards import find_card
from laager.campaign.engine import Campaign
from laager.campaign.log import FileStore, MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.campaign.views import view
from laager.rules.board.units import Unit
from laager.vasl.archive import Archive
from laager.vasl.making.grid import WHOLE
from laager.vasl.report.answering import asked_of_save, asked_report, propose
from laager.vasl.report.proposal import Proposal
from laager.vasl.saves.marks import marks_of
from laager.vasl.saves.placing import shapes_in
from laager.vasl.setup.battle import BattleSetup, setup_of
from laager.vasl.setup.board import Battlefield, boards_at
from tests.vasl.save_writer import board, concealed, game, hidden, move, save_bytes

from ..cli.conftest import Laager, laager
from . import battle_saves
from .battle_saves import CODES, PASSWORDS
from .fields import CODE, board_under
from .test_round_trip import Battle, asked, module_at
from .test_setup_writing import NOW

__all__ = ["laager"]

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge", "sorgiva")


@cache
def at_setup(card: str, seed: int = 3) -> Campaign:
    """Return a shipped campaign, played by chance until a side sets up. Not to be changed."""
    path, rules = find_card(card, None)
    made = find_ruleset(rules).read_card(path, {})
    store = MemoryStore()
    store.append(opening_entries(rules, made.title, made.setting, False, bytes([seed]) * 32, drawn=True))
    campaign, rng = Campaign(store), Random(seed)
    campaign.advance()
    while not any(one.key == "setup" for one in campaign.pending()):
        one = campaign.pending()[0]
        if one.question is None:
            campaign.roll_for(one.side)
        else:
            campaign.answer(one.side, one.key, one.question.sample(rng))
    return campaign


def side_of(campaign: Campaign) -> str:
    return next(one.side for one in campaign.pending() if one.key == "setup")


def defaults(campaign: Campaign) -> Mapping[str, Any]:
    found: Mapping[str, Any] = asked_of_save(view(campaign, side_of(campaign))).default
    return found


def read(campaign: Campaign, data: bytes, folder: Path, choices: Mapping[str, str] | None = None) -> Proposal:
    seen = view(campaign, side_of(campaign))
    return propose(seen, Archive(data, "game.vsav"), shapes=shapes_in(folder), choices=choices)


def placed(campaign: Campaign, folder: Path) -> tuple[BattleSetup, Battle, list[dict[str, Any]]]:
    """Let Laager write a side's counters beside the map, and place them as is proposed, on the ground of each hex."""
    side = side_of(campaign)
    board_under(campaign, folder)
    made = setup_of(campaign, side, module_at(folder), boards_at(folder), CODE, [CODE])
    marks = marks_of(view(campaign, side))
    units = campaign.state.units
    ids = {unit.id: marks.of(unit.id, known=unit.known) for unit in campaign.state.units_of(side)}
    battle = Battle(made.save(NOW).data)
    assert isinstance(made.ground, Battlefield)
    rows = defaults(campaign)["units"]
    leads = [row for row in rows if row["at"] and not row["with"] and not units[row["unit"]].on_map]
    for row in leads:
        to = made.ground.pixel(row["at"].split(".")[0])
        assert to is not None
        battle.steps.append(move(ids[row["unit"]], to))
        battle.steps += [
            move(ids[one["unit"]], to, under=ids[row["unit"]]) for one in rows if one["with"] == row["unit"]
        ]
    return made, battle, leads


@pytest.mark.parametrize("card", CARDS)
def test_counters_that_laager_wrote_are_known_where_they_were_put(card: str, tmp_path: Path) -> None:
    campaign = at_setup(card)
    _, battle, leads = placed(campaign, tmp_path)
    found = read(campaign, battle.log(), tmp_path)
    rows = {row["unit"]: row for row in found.report["units"]}
    assert leads
    for lead in leads:
        assert rows[lead["unit"]]["at"] == lead["at"].split(".")[0]
    names = {lead["unit"] for lead in leads}
    held = {row["unit"]: row["with"] for row in defaults(campaign)["units"] if row["with"] in names}
    units = campaign.state.units
    items = {name: holder for name, holder in held.items() if units[name].kind in ("sw", "gun")}
    assert {name: rows[name]["with"] for name in items} == items
    assert asked(found) == []


@pytest.mark.parametrize("card", CARDS)
def test_what_the_rules_have_against_a_place_is_named(card: str, tmp_path: Path) -> None:
    """Every unit in the hex that is farthest from its own ground."""
    campaign = at_setup(card)
    made, battle, leads = placed(campaign, tmp_path)
    marks = marks_of(view(campaign, side_of(campaign)))
    home = {lead["at"].split(".")[0] for lead in leads}
    assert isinstance(made.ground, Battlefield)
    map_ = made.ground.map
    far = max(map_.playable, key=lambda name: min(map_.distance(name, one) for one in home))
    to = made.ground.pixel(far)
    assert to is not None
    for lead in leads:
        unit = campaign.state.units[lead["unit"]]
        battle.steps.append(move(marks.of(unit.id, known=unit.known), to))
    found = read(campaign, battle.log(), tmp_path)
    assert found.problems
    assert not found.settled
    assert all(problem.field for problem in found.problems)


def by_name(campaign: Campaign, *enemy: tuple[str, Any]) -> tuple[bytes, Any]:
    """Return a save whose counters players put down themselves: those of the side, and others."""
    side = side_of(campaign)
    units = campaign.state.units
    last = max(int(name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) for name in campaign.context.map.hexes)  # type: ignore[attr-defined]
    field = battle_saves.Battle(CODE, last, left=int(WHOLE))
    rows = defaults(campaign)["units"]
    for row in rows:
        unit: Unit = units[row["unit"]]
        if row["at"] and not row["with"] and unit.kind in battle_saves.SIZES:
            how = {"hip": hidden(PASSWORDS[side]), "concealed": concealed(PASSWORDS[side], CODES[unit.nation])}
            traits = [how[row["hide"]]] if row["hide"] in how else []
            field.put(row["at"].split(".")[0], field.unit(unit, *traits))
    for at, counter in enemy:
        field.put(at, counter(field), pile=5)
    return field.save(board(0, 0, CODE)), rows


def test_counters_without_numbers_are_read_by_their_names(tmp_path: Path) -> None:
    campaign = at_setup("rzhavets")
    board_under(campaign, tmp_path)
    data, rows = by_name(campaign)
    found = read(campaign, data, tmp_path)
    units = campaign.state.units
    men = [row for row in rows if row["at"] and not row["with"] and units[row["unit"]].kind in battle_saves.SIZES]
    told = {row["unit"]: row for row in found.report["units"]}
    for type_ in {units[row["unit"]].type for row in men}:
        mine = sorted(row["at"] for row in men if units[row["unit"]].type == type_)
        read_ = sorted(told[row["unit"]]["at"] for row in men if units[row["unit"]].type == type_)
        assert mine == read_
    assert {told[row["unit"]]["hide"] for row in men} == {row["hide"] for row in men}


def test_the_enemys_counters_change_nothing(tmp_path: Path) -> None:
    campaign = at_setup("rzhavets")
    board_under(campaign, tmp_path)
    enemy = "axis" if side_of(campaign) == "allied" else "allied"
    code = {"axis": "ge", "allied": "ru"}[enemy]

    def unseen(field: Any) -> Any:
        return field.counter("8-3-8 Esq", hidden(PASSWORDS[enemy]), code=code)

    alone, _ = by_name(campaign)
    both, _ = by_name(campaign, ("A5", unseen), ("G9", unseen))
    mine, with_theirs = (read(campaign, data, tmp_path).describe() for data in (alone, both))
    assert mine == with_theirs


def test_a_unit_that_is_nowhere_is_asked_about(tmp_path: Path) -> None:
    campaign = at_setup("rzhavets")
    board_under(campaign, tmp_path)
    field = battle_saves.Battle(CODE, 30)
    lead = next(row for row in defaults(campaign)["units"] if row["at"] and not row["with"])
    unit = campaign.state.units[lead["unit"]]
    field.put(lead["at"].split(".")[0], field.unit(unit))
    found = read(campaign, field.save(board(0, 0, CODE)), tmp_path)
    key = found.not_found[0].key
    name = key.removeprefix("unit:")
    assert next(row["at"] for row in found.report["units"] if row["unit"] == name) == ""
    settled = read(campaign, field.save(board(0, 0, CODE)), tmp_path, {key: "proposed"})
    proposed = {row["unit"]: row for row in defaults(campaign)["units"]}
    assert next(row for row in settled.report["units"] if row["unit"] == name) == proposed[name]


def test_no_report_is_made_while_a_setup_is_asked(tmp_path: Path) -> None:
    campaign = at_setup("rzhavets")
    with pytest.raises(RefusedError, match="no battle report is wanted"):
        asked_report(view(campaign, side_of(campaign)))
    other = "axis" if side_of(campaign) == "allied" else "allied"
    if not any(one.key == "setup" and one.side == other for one in campaign.pending()):
        with pytest.raises(RefusedError, match="no battle report or setup is wanted"):
            propose(view(campaign, other), save_bytes(game()), "x.vsav")


def test_the_command_answers_with_a_save(laager: Laager, tmp_path: Path) -> None:
    campaign = at_setup("rzhavets")
    side = side_of(campaign)
    with FileStore(laager.folder / "r.laager") as store:
        store.create(campaign.entries)
    _, battle, leads = placed(campaign, laager.folder)
    (laager.folder / "mine.vlog").write_bytes(battle.log())
    words = ("answer", "--side", side, "--from-vasl", "mine.vlog", "--boards", ".")
    told = json.loads(laager.well(*words, "--json"))
    assert told["key"] == "setup"
    template = laager.well(*words, "--template")
    assert "laager: answers/1" in template
    assert f"unit: {leads[0]['unit']}" in template
    (laager.folder / "mine.yaml").write_text(template, "utf-8")
    choices = [word for problem in told["not_found"] for word in ("--choose", f"{problem['key']}=proposed")]
    done = laager("answer", "--side", side, "--from-vasl", "mine.vlog", "--boards", ".", *choices)
    assert ("the setup is given" in done.out) == (not told["problems"]), done.out + done.err
    if told["problems"]:
        assert "doesn't add up yet" in done.out
        assert "nothing was given" in done.err
    with FileStore(laager.folder / "r.laager") as store:
        now = Campaign(store)
        assert any(one.key == "setup" and one.side == side for one in now.pending()) == bool(told["problems"])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("answer", "-s", "axis", "a.yaml", "--from-vasl", "x.vsav"), "name one of them"),
        (("answer", "-s", "axis", "a.yaml", "--owner", "1"), "go with --from-vasl SAVE"),
        (("answer", "--from-vasl", "x.vsav"), "--side SIDE"),
    ],
)
def test_the_command_refuses_what_does_not_go_together(laager: Laager, words: tuple[str, ...], told: str) -> None:
    with FileStore(laager.folder / "r.laager") as store:
        store.create(at_setup("rzhavets").entries)
    assert told in laager(*words).err
