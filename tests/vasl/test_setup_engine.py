"""Setups before VASL's own engine: boards, additions, what each player sees, whole campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from laager.catalogue.load import load_packaged
from laager.hexmap import HexMap
from laager.rules.board.units import Mark
from laager.vasl import arrange, import_boards, make_board_archive, parse_layout, place_alone, read_board
from laager.vasl.saves.marks import Marks
from laager.vasl.setup.battle import BattleSetup, setup_of
from laager.vasl.setup.board import Boards, battlefield, boards_at, usual_board
from laager.vasl.setup.counters import Counter, CounterMaker
from laager.vasl.setup.plan import CLOAKED, CONCEALED, DUMMY, HIP, OPEN, UNSEEN, Pile, PlacedCounter, Plan
from laager.vasl.setup.units import CounterFinder
from laager.vasl.setup.writing import ScenarioBox, mark_of, write_save

from .board_writer import Draft, zipped
from .engine import BOARDS, Told, ask, needs_boards, needs_engine, needs_module, probed
from .fields import CARDS, CODE, battle, board_under, later_battle
from .test_board_making import SHIPPED, shipped
from .test_round_trip import asked, fought, later, recorded, reported, without_hatches
from .test_setup_writing import NOW, SIDES, differences, made, module, read

pytestmark = [needs_module, needs_engine]

LAYOUTS = ("01", "6a", "RBv2", "ER", "ABTF", "PBR", "10 / r22", "01 10 / 22 r01", "01[C-T,2-7]")
"""One board of each sort, two and four together, some reversed, one cropped."""


def imported(layout: str) -> HexMap:
    """Return the map of some of VASL's boards."""
    codes = [one.name.removeprefix("bd") for one in sorted(BOARDS.glob("bd*"))]
    boards = {code: read_board(BOARDS / f"bd{code}") for code in codes if code in layout}
    lying = parse_layout(layout, lambda name: place_alone(boards[name]) if name in boards else None, list(boards))
    named = {one.name: one for one in boards.values()}
    return import_boards(lying, [named[one.name] for one in lying.boards]).map


def misplaced(map_: HexMap, boards: Boards, folder: Path) -> list[str]:
    """Return the hexes whose pixel VASL has in another hex, or snaps elsewhere; `folder` has the boards."""
    ground = battlefield(map_, boards, module().edge[0])
    points = [(one, pixel) for one in map_.hexes.values() if (pixel := ground.pixel(one.name))]
    assert len(points) == len(map_.hexes)
    save = folder / "boards.vsav"
    save.write_bytes(write_save([], Marks("", "", 1), ground, module(), ScenarioBox(), "", NOW).data)
    told = ask(save, folder, "--probe", probed([pixel for _, pixel in points], folder))
    alone = len(ground.boards) == 1
    wrong = []
    for (hex_, pixel), probe in zip(points, told.probes, strict=True):
        if (probe["snap_x"], probe["snap_y"]) != pixel:
            wrong.append(f"{hex_.name}: {pixel} snaps to {probe['snap_x']}, {probe['snap_y']}")
        # VASL has a board's number before a hex if there are several, with its zeros; the map calls a second 01 `a`.
        called = [one.lstrip("0123456789a") if alone else one for one in (hex_.name, *hex_.aliases)]
        called += [f"1{one[1:]}" for one in called if one.startswith("a")]
        if probe["location"].lstrip("0") not in called:
            wrong.append(f"{hex_.name}: VASL says {probe['location']}")
    return wrong


@needs_boards
@pytest.mark.soak
@pytest.mark.parametrize("at_hand", [True, False], ids=["boards", "no-boards"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_hex_of_a_board_is_where_vasl_has_it(layout: str, at_hand: bool, tmp_path: Path) -> None:
    """The pixel of each hex is in that hex by VASL's own name, and a point to which VASL snaps."""
    for board in BOARDS.glob("bd*"):
        (tmp_path / board.name).symlink_to(board)
    boards: Boards = boards_at(BOARDS) if at_hand else usual_board
    assert misplaced(imported(layout), boards, tmp_path)[:10] == []


DELUXE = Draft(name="a", columns=15, rows=5, hex_width=168.7857142857, hex_height=194.2, a1=(0, 97.1))
"""A board of VASL's deluxe sort, made by us."""


@pytest.mark.soak
@pytest.mark.parametrize(
    ("layout", "drafts"),
    [("a", [DELUXE]), ("04 / r01", [Draft(name="04"), Draft(name="01")])],
    ids=["deluxe", "04-r01"],
)
def test_every_hex_of_our_own_boards_is_where_vasl_has_it(layout: str, drafts: list[Draft], tmp_path: Path) -> None:
    known = {draft.name: read_board(draft.write(tmp_path)) for draft in drafts}
    lying = parse_layout(layout, lambda name: place_alone(known[name]) if name in known else None, list(known))
    map_ = import_boards(lying, [known[one.name] for one in lying.boards]).map
    for draft in drafts:
        # VASL takes the geometry of boards without LOS data from this file.
        grid = f"x0 0\ny0 {draft.a1[1]}\ndx {draft.hex_width}\ndy {draft.hex_height}\n"
        drawn = BytesIO()
        Image.new("P", (draft.width, draft.height), 1).save(drawn, "GIF")
        entries = {"data": f"version 1.0\n{grid}".encode(), f"bd{draft.name}.gif": drawn.getvalue()}
        zipped(tmp_path / f"bd{draft.name}", entries)
    assert misplaced(map_, boards_at(tmp_path), tmp_path)[:10] == []


@pytest.mark.parametrize("name", ["pl/training", *(pytest.param(one, marks=pytest.mark.soak) for one in SHIPPED[1:])])
def test_every_hex_of_a_maps_own_board_is_where_vasl_has_it(name: str, tmp_path: Path) -> None:
    (tmp_path / "bdOwn").write_bytes(make_board_archive(shipped(name), "bdOwn").data)
    board = read_board(tmp_path / "bdOwn")
    map_ = import_boards(arrange([place_alone(board)]), [board]).map
    assert misplaced(map_, boards_at(tmp_path), tmp_path)[:10] == []


BATTLE = ("rzhavets", 2, 4)
"""One with HIP, concealed and cloaked units and Dummies on both sides."""
CODES_OF = {"axis": "german", "allied": "russian"}
WORDS = {"axis": "axis-word", "allied": "allied-word"}
"""What the players' passwords are, and so the ids of their hidden pieces."""


def kept_from_sight(setup: BattleSetup, word: str) -> BattleSetup:
    """Return a setup as its side leaves it in VASL: hidden (Ctrl-H), concealed under a "?" (Ctrl-C)."""
    assert setup.side is not None
    nation = load_packaged(CODES_OF[setup.side]).nation(CODES_OF[setup.side])
    mark = CounterFinder(setup.module, CounterMaker(setup.module, "Laager")).counter_of_nation(nation, "?")
    assert mark is not None

    def with_state(counter: Counter, kind: str, state: str) -> Counter:
        place = next((place for place, one in enumerate(counter.traits) if one.id == kind), None)
        return counter if place is None else counter.with_state(place, state)

    def owned(counter: Counter) -> Counter:
        fields = [one.type.split(";") for one in counter.traits]
        traits = zip(counter.traits, fields, strict=True)
        changed = [
            replace(one, type=";".join((words[0], word, *words[2:]))) if one.id == "concealment" else one
            for one, words in traits
        ]
        return Counter(tuple(changed))

    def kept(number: int, pile: Pile) -> Pile:
        if pile.seen == OPEN:
            return pile
        if pile.seen == DUMMY:
            return replace(pile, pieces=tuple(replace(one, counter=owned(one.counter)) for one in pile.pieces))
        kind, state = ("conceal", f"{word};") if pile.seen == CONCEALED else ("hide", word)
        pieces = tuple(
            one if one.key.startswith("cloak:") else replace(one, counter=with_state(one.counter, kind, state))
            for one in pile.pieces
        )
        cover = (PlacedCounter(f"cover:{number}", owned(mark)),) if pile.seen == CONCEALED else ()
        return replace(pile, pieces=(*pieces, *cover))

    return replace(setup, plan=Plan(tuple(kept(number, pile) for number, pile in enumerate(setup.plan.piles))))


def marks_by(setup: BattleSetup, *seen: str, cover: bool = False) -> set[str]:
    """Return the numbers of a setup's pieces that are kept from sight in some ways; or of what lies on them."""
    return {
        mark_of(one.key, pile.seen, setup.marks)
        for pile in setup.plan.piles
        if pile.seen in seen
        for one in pile.pieces
        if one.key.startswith(("cover:", "cloak:")) == cover
    }


@dataclass(frozen=True)
class Played:
    """A battle that two players set up and fight in VASL's engine; who looks is nobody at first, then the Axis."""

    setups: Mapping[str, BattleSetup]
    to_third: Told
    to_axis: Told
    both: bytes
    fought: bytes
    end: bytes


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The Axis opens its file, hides, saves; the Allies add their secrets by a log; a battle is fought in a log."""
    folder = tmp_path_factory.mktemp("played")
    setups = {side: kept_from_sight(later(*BATTLE, side, folder)[1], WORDS[side]) for side in SIDES}
    save, log, both, battle_log, end = (folder / f"{name}.vsav" for name in ("axis", "allied", "both", "battle", "end"))
    save.write_bytes(setups["axis"].save(NOW).data)
    log.write_bytes(setups["allied"].log(NOW).data)
    to_third = ask(save, folder, "--continue", log, "--resave", both)
    fight, _, _ = fought(later_battle(*BATTLE), "allied", setups["allied"], both.read_bytes())
    battle_log.write_bytes(fight.log())
    to_axis = ask(both, folder, "--as", WORDS["axis"], "--continue", battle_log, "--resave", end)
    return Played(setups, to_third, to_axis, both.read_bytes(), battle_log.read_bytes(), end.read_bytes())


def test_the_engine_reads_both_setups_as_they_were_meant(played: Played) -> None:
    """Load Continuation puts the second side's secrets where they are meant to be, beside the first side's units."""
    axis, allied = (played.setups[side] for side in SIDES)
    secrets = replace(allied, plan=Plan(allied.plan.secret))
    for setup in (axis, secrets):
        assert not [one for one in differences(setup, played.to_third) if "was not written" not in one]
    pieces = [piece for setup in (axis, secrets) for pile in setup.plan.piles for piece in pile.pieces]
    assert len(played.to_third.pieces) == len(pieces)


def test_what_is_kept_from_sight_is_seen_by_its_owner_alone(played: Played) -> None:
    """A third sees neither side's secrets; the Axis sees its own, and nothing of its opponent's."""
    hidden, concealed, covers, dummies = {}, {}, {}, {}
    for side, setup in played.setups.items():
        hidden[side] = marks_by(setup, HIP, UNSEEN, CLOAKED)
        concealed[side], covers[side] = marks_by(setup, CONCEALED), marks_by(setup, CONCEALED, cover=True)
        dummies[side] = marks_by(setup, DUMMY)
        assert all(found[side] for found in (hidden, concealed, covers))
    assert dummies["axis"]
    units = later_battle(*BATTLE).state.units.values()
    looks = [(played.to_third, SIDES, ()), (played.to_axis, ("allied",), ("axis",))]
    for told, kept, own in looks:
        unseen = {one["id"] for one in told.pieces if one["invisible_to_me"]}
        assert unseen == {one for side in kept for one in hidden[side]}
        for side in kept:
            assert {told.by_id[one]["name"] for one in hidden[side]} == {""}
            shapes = [told.by_id[one] for one in concealed[side]]
            assert len(shapes) == sum(unit.has(Mark.CONCEALED) for unit in units if unit.side == side and unit.on_map)
            assert all(one["concealed_to_me"] for one in shapes), [one["true_name"] for one in shapes]
            assert not any(one["true_name"] in one["name"] for one in shapes)
            assert {told.by_id[one]["name"] for one in (*covers[side], *dummies[side])} == {"?"}
            assert all(
                told.by_id[one]["name"].startswith("Cloak")
                for one in marks_by(played.setups[side], CLOAKED, cover=True)
            )
        for side in own:
            assert not any(told.by_id[one]["concealed_to_me"] for one in concealed[side])


def test_what_vasl_has_saved_is_known_again(played: Played, tmp_path: Path) -> None:
    """Nothing is added twice, and either side's report of the untouched setup is what is recorded."""
    for side in SIDES:
        campaign, bare = later(*BATTLE, side, tmp_path)
        assert bare.into(played.both, "both.vsav").pieces == 0
        found = reported(campaign, side, played.both, tmp_path)
        assert asked(found) == []
        assert without_hatches(found.report) == without_hatches(recorded(campaign, side))


def test_the_engine_ends_the_battle_with_the_same_report(played: Played, tmp_path: Path) -> None:
    campaign = later_battle(*BATTLE)
    board_under(campaign, tmp_path)
    for side in SIDES:
        mine, theirs = (reported(campaign, side, data, tmp_path) for data in (played.fought, played.end))
        assert dict(mine.report) == dict(theirs.report)
        assert asked(theirs) == []
        changed = without_hatches(theirs.report) != without_hatches(recorded(campaign, side))
        assert changed == (side == "allied")


@pytest.mark.soak
def test_units_are_added_to_what_vasl_has_saved(tmp_path: Path) -> None:
    axis, allied = (made("sorgiva", side, tmp_path) for side in SIDES)
    save, again = tmp_path / "axis.vsav", tmp_path / "again.vsav"
    save.write_bytes(axis.save(NOW).data)
    ask(save, tmp_path, "--resave", again)
    save.write_bytes(allied.into(again.read_bytes(), "again.vsav").data)
    told = ask(save, tmp_path)
    for setup in (axis, allied):
        assert not [one for one in differences(setup, told) if "was not written" not in one]


@pytest.mark.soak
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("number", [1, 2, 4])
@pytest.mark.parametrize("card", CARDS)
def test_campaigns_go_into_vasl_after_several_battles(card: str, number: int, side: str, tmp_path: Path) -> None:
    campaign = battle(card, number)
    board_under(campaign, tmp_path)
    setup = setup_of(campaign, side, module(), boards_at(tmp_path), CODE, [CODE])
    save, again = tmp_path / "battle.vsav", tmp_path / "again.vsav"
    save.write_bytes(setup.save(NOW).data)
    assert differences(setup, ask(save, tmp_path, "--resave", again)) == []
    before, after = (
        {piece.id: (piece.name, piece.x, piece.y, piece.order) for piece in read(one.read_bytes(), tmp_path).pieces}
        for one in (save, again)
    )
    assert {mark: after.get(mark) for mark in before} == before


@needs_boards
@pytest.mark.soak
def test_a_campaign_goes_onto_a_real_board(tmp_path: Path) -> None:
    """Rijnoord's map has the hexes of the board ABTF."""
    setup = setup_of(battle("rijnoord", 1), "axis", module(), boards_at(BOARDS), "ABTF", ["ABTF"])
    save = tmp_path / "battle.vsav"
    save.write_bytes(setup.save(NOW).data)
    assert differences(setup, ask(save, BOARDS)) == []
