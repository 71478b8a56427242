"""From a setup that Laager wrote, through a battle in VASL, back to the report: certain, by the pieces' numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.views import view
from laager.rules.board.units import HIDING, Unit
from laager.vasl.archive import Archive
from laager.vasl.report.answering import asked_report, propose
from laager.vasl.report.proposal import Proposal
from laager.vasl.saves.marks import marks_of
from laager.vasl.saves.placing import shapes_in
from laager.vasl.saves.sequence import ESCAPE, AddCommand, WorkLimit, decode, fold, unveil, walk_commands
from laager.vasl.saves.traits import TAB, traits_of
from laager.vasl.setup.battle import BattleSetup, setup_of
from laager.vasl.setup.board import Battlefield, boards_at
from laager.vasl.setup.module import VaslModule, read_module
from tests.vasl.save_writer import move, save_bytes, sequence

from .engine import MODULE, needs_module
from .fields import CARDS, CODE, board_under, first_battle, later_battle
from .module_writer import small
from .test_setup_writing import NOW, SIDES, module

HATCHES = ("bu", "ce")


def module_at(folder: Path) -> VaslModule:
    """Return VASL's module if it is here, else a small one of ours."""
    if MODULE.is_file():
        return module()
    small().write(folder / "own.vmod")
    return read_module(folder / "own.vmod")


def setup(card: str, side: str, folder: Path) -> tuple[Campaign, BattleSetup]:
    campaign = first_battle(card)
    board_under(campaign, folder)
    return campaign, setup_of(campaign, side, module_at(folder), boards_at(folder), CODE, [CODE])


def reported(campaign: Campaign, side: str, data: bytes, folder: Path) -> Proposal:
    return propose(view(campaign, side), Archive(data, "game.vsav"), shapes=shapes_in(folder))


def recorded(campaign: Campaign, side: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = asked_report(view(campaign, side)).default
    return found


def asked(found: Proposal) -> list[str]:
    """Return what is asked."""
    return [one.key for one in found.open]


class Battle:
    """A game that goes on from a save: steps behind it, as in a log."""

    def __init__(self, data: bytes) -> None:
        self.text = unveil(Archive(data, "own.vsav").read("savedGame"))[0]
        commands = [one for one, _ in walk_commands(self.text, WorkLimit()) if one.startswith("+/")]
        self.added = {one.id: one for one in (AddCommand(*decode(command, "/")[1:]) for command in commands)}
        self.steps: list[str] = []

    def flip(self, piece: str, name: str) -> None:
        """Turn the layer over that has a level with such a name."""
        added = self.added[piece]
        traits = traits_of(added, WorkLimit())
        states = [trait.state for trait in traits]
        at = next(number for number, trait in enumerate(traits) if trait.id == "emb2" and name in trait.field(17))
        level = int(states[at].partition(";")[0])
        states[at] = str(-level)
        new = fold(states, TAB)
        self.steps.append("D/" + sequence([piece, new, added.state], "/"))
        self.added[piece] = AddCommand(added.id, added.type, new)

    def write_label(self, piece: str, text: str) -> None:
        """Write another text onto the label of a piece."""
        added = self.added[piece]
        traits = traits_of(added, WorkLimit())
        states = [trait.state for trait in traits]
        states[next(number for number, trait in enumerate(traits) if trait.id == "label")] = text
        new = fold(states, TAB)
        self.steps.append("D/" + sequence([piece, new, added.state], "/"))
        self.added[piece] = AddCommand(added.id, added.type, new)

    def log(self) -> bytes:
        told = [sequence([f"LOG\t{one}"], ESCAPE) for one in self.steps]
        return save_bytes(ESCAPE.join([self.text, *told]))


@pytest.mark.parametrize("card", ["training", "ripamare", *CARDS])
@pytest.mark.parametrize("side", SIDES)
def test_an_untouched_setup_reports_what_is_recorded(card: str, side: str, tmp_path: Path) -> None:
    campaign, made = setup(card, side, tmp_path)
    found = reported(campaign, side, made.save(NOW).data, tmp_path)
    assert asked(found) == []
    assert dict(found.report) == dict(recorded(campaign, side))
    assert not found.problems


@pytest.mark.parametrize(
    ("card", "part", "text", "row"),
    [
        ("rzhavets", "oba", "used", {"used": True}),
        ("rzhavets", "oba", "OBA 1: Used (or: unused)", {"used": True}),
        ("rzhavets", "oba", "{}", {"used": False}),
        ("rzhavets", "oba", "2 x 80mm", None),
        ("rijnoord", "modules", "in  play", {"in_play": True}),
        ("rijnoord", "modules", "OBA: placed and exhausted", {"in_play": True, "placed": True, "exhausted": True}),
        ("rijnoord", "modules", "exhausted", {"in_play": True, "exhausted": True}),
        ("rijnoord", "modules", "", None),
    ],
)
def test_the_label_of_a_module_tells_what_became_of_it(
    card: str, part: str, text: str, row: Mapping[str, bool] | None, tmp_path: Path
) -> None:
    side = "allied"
    campaign, made = later(card, 1, 7, side, tmp_path)
    group = recorded(campaign, side)[part][0]["group"]
    label = made.marks.secret(f"oba:{group}")
    battle = Battle(made.save(NOW).data)
    written = next(piece.name for pile in made.plan.secret for piece in pile.pieces if piece.key == f"oba:{group}")
    assert written.startswith(f"OBA {group}")
    battle.write_label(label, text.replace("{}", written))
    proposal = reported(campaign, side, battle.log(), tmp_path)
    if row is None:
        assert asked(proposal) == [f"oba:{group}"]
    else:
        assert asked(proposal) == []
        assert proposal.report[part][0] == {"group": group, **row}


@pytest.mark.parametrize(("card", "part"), [("rzhavets", "oba"), ("rijnoord", "modules")])
def test_the_label_of_a_module_is_in_no_other_file(card: str, part: str, tmp_path: Path) -> None:
    campaign, made = later(card, 1, 7, "allied", tmp_path)
    label = f"oba:{recorded(campaign, 'allied')[part][0]['group']}"
    plans = [made.plan]
    for viewer in ("axis", None):
        plans.append(setup_of(campaign, viewer, module_at(tmp_path), boards_at(tmp_path), CODE, [CODE]).plan)
    ours, *others = ({piece.key for pile in plan.piles for piece in pile.pieces} for plan in plans)
    assert label in ours
    assert not any(label in theirs for theirs in others)


def later(card: str, number: int, seed: int, side: str, folder: Path) -> tuple[Campaign, BattleSetup]:
    campaign = later_battle(card, number, seed)
    board_under(campaign, folder)
    return campaign, setup_of(campaign, side, module_at(folder), boards_at(folder), CODE, [CODE])


def without_hatches(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the rows of units without BU and CE: a counter shows one of them, the record may have neither."""
    return [{**row, "marks": [one for one in row.get("marks", ()) if one not in HATCHES]} for row in report["units"]]


@needs_module
@pytest.mark.parametrize(
    ("card", "number", "seed", "side"),
    [
        # Step losses; a mortar that the enemy has won.
        ("kokusa-ridge", 4, 4, "axis"),
        ("kokusa-ridge", 4, 5, "axis"),
        ("kokusa-ridge", 4, 5, "allied"),
        # What is disabled, with and without a face for it; men beside vehicles.
        ("rijnoord", 2, 7, "allied"),
    ],
)
def test_nothing_is_asked_after_several_battles(card: str, number: int, seed: int, side: str, tmp_path: Path) -> None:
    campaign, made = later(card, number, seed, side, tmp_path)
    found = reported(campaign, side, made.save(NOW).data, tmp_path)
    assert asked(found) == []
    assert without_hatches(found.report) == without_hatches(recorded(campaign, side))
    assert not found.problems


@needs_module
def test_a_work_whose_counter_is_gone_is_removed(tmp_path: Path) -> None:
    """One that both know, and one that the side alone knows; both counters were written by Laager."""
    campaign, made = later("rzhavets", 2, 3, "axis", tmp_path)
    works = [one for one in campaign.state.forts.values() if one.at and one.kind in ("foxhole", "wire", "trip-flares")]
    lost = [next(one for one in works if not one.hidden), next(one for one in works if one.hidden)]
    assert lost[1].side == "axis"
    keys = [f"fort:{one.id}:0" for one in lost]
    data = made.save(NOW).data
    text = unveil(Archive(data, "own.vsav").read("savedGame"))[0]
    whole = reported(campaign, "axis", save_bytes(text), tmp_path)
    assert whole.report["forts"] == []
    for key, fort, number in zip(keys, lost, ("1234567", "7654321"), strict=True):
        text = text.replace(made.marks.of(key, known=not fort.hidden), number)
    # Under a strange number it is still a counter of its kind in its hex.
    shown = reported(campaign, "axis", save_bytes(text), tmp_path).report["forts"]
    assert shown == [{"do": "revealed", "fort": lost[1].id}]
    battle = Battle(save_bytes(text))
    battle.steps += ["-/1234567", "-/7654321"]
    found = reported(campaign, "axis", battle.log(), tmp_path)
    assert sorted(row["fort"] for row in found.report["forts"]) == sorted(one.id for one in lost)
    assert {row["do"] for row in found.report["forts"]} == {"removed"}
    assert asked(found) == []
    # To the enemy the hidden one is nothing: only what both knew is gone.
    theirs = reported(campaign, "allied", battle.log(), tmp_path)
    assert [row["fort"] for row in theirs.report["forts"] if row["do"] == "removed"] == [lost[0].id]


def fought(
    campaign: Campaign, side: str, made: BattleSetup, data: bytes | None = None
) -> tuple[Battle, Mapping[str, Unit], str]:
    """Play on: a squad breaks, one is Reduced, one moves, one dies. Return the battle, who is who, and where to."""
    marks = marks_of(view(campaign, side))
    battle = Battle(made.save(NOW).data if data is None else data)
    armed = {unit.with_unit for unit in campaign.state.units_of(side)}
    free = [one for one in campaign.state.units_of(side, "squad") if one.on_map and one.id not in armed]
    squads = [one for one in free if not one.marks & HIDING]
    four = dict(zip(("broken", "reduced", "moved", "dead"), squads, strict=False))
    ids = {key: marks.of(unit.id, known=unit.known) for key, unit in four.items()}
    battle.flip(ids["broken"], "broken +")
    battle.flip(ids["reduced"], "hs")
    name = four["dead"].hex or ""
    assert isinstance(made.ground, Battlefield)
    to = made.ground.pixel(name)
    assert to is not None
    battle.steps.append(move(ids["moved"], to))
    battle.steps.append(move(ids["dead"], (100, 100), on="Casualties"))
    return battle, four, name


@needs_module
def test_what_the_battle_has_changed_is_certain(tmp_path: Path) -> None:
    campaign, made = setup("rzhavets", "allied", tmp_path)
    battle, units, to = fought(campaign, "allied", made)
    found = reported(campaign, "allied", battle.log(), tmp_path)
    rows = {row["unit"]: row for row in found.report["units"]}
    assert "broken" in rows[units["broken"].id]["marks"]
    assert rows[units["reduced"].id]["type"] == "2-3-7"
    assert rows[units["moved"].id]["at"] == to
    assert rows[units["dead"].id]["fate"] == "eliminated"
    assert asked(found) == []
    assert not found.problems


@needs_module
def test_a_piece_without_a_number_of_ours_is_matched_as_ever(tmp_path: Path) -> None:
    campaign, made = setup("rzhavets", "axis", tmp_path)
    data = made.save(NOW).data
    text = unveil(Archive(data, "own.vsav").read("savedGame"))[0]
    marks = marks_of(view(campaign, "axis"))
    unit = next(one for one in campaign.state.units_of("axis", "squad") if one.on_map)
    text = text.replace(marks.of(unit.id, known=unit.known), "1234567")
    found = reported(campaign, "axis", save_bytes(text), tmp_path)
    row = next(row for row in found.report["units"] if row["unit"] == unit.id)
    assert row["at"] == unit.at
    assert row["fate"] == "on-map"


@needs_module
def test_the_other_sides_secrets_in_a_shared_save_change_nothing(tmp_path: Path) -> None:
    """Whatever the enemy has added to the file is not in the report, nor in what is said about it."""
    campaign, mine = setup("rzhavets", "axis", tmp_path)
    _, theirs = setup("rzhavets", "allied", tmp_path)
    alone = reported(campaign, "axis", mine.save(NOW).data, tmp_path)
    both = reported(campaign, "axis", theirs.into(mine.save(NOW).data, "battle.vsav").data, tmp_path)
    assert dict(both.report) == dict(alone.report)
    secret = {unit.id for unit in campaign.state.units_of("allied") if not unit.known}
    assert secret
    assert not any(one in repr(both.describe()) for one in secret)
