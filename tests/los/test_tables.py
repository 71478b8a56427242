"""The table of all pairs: it says what the engine says, belongs to its map, is kept, and never believed if damaged."""

from __future__ import annotations

import hashlib
import os
import random
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from laager.base import RefusedError
from laager.los import Location, all_pairs, sights, viewshed
from laager.los.approximate.hexes import HexLos
from laager.los.exact import engine, keeping, readiness, tables
from laager.los.exact import fields as f
from laager.los.exact.compiled import has_numba
from laager.los.exact.losmap import LosMap
from laager.los.questions import board_engine, visibility
from laager.los.questions.board_engine import BoardLos, board_los, keep_pairs
from laager.vasl import boards_in
from tests.los.boards import archive_of, drawn, needs_boards, real, side_by_side
from tests.los.drafts import varied, village
from tests.los.test_exact import made
from tests.los.test_properties import boards
from tests.vasl import board_writer as w
from tests.vasl.board_writer import Draft, zip_bytes

pytestmark = pytest.mark.skipif(not has_numba(), reason="Numba isn't installed")
SETTINGS = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


@pytest.fixture(autouse=True)
def kept(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for the tables."""
    readiness.compile_now()
    folder = tmp_path_factory.mktemp("tables")
    monkeypatch.setattr(readiness, "cache_folder", lambda: folder)
    return folder


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many lines the engine looks along, each time that it does."""
    counted: list[int] = []
    real_compute = engine._compute_in_shares

    def count(on: LosMap, sources: Any, targets: Any, threads: int) -> Any:
        counted.append(len(sources) * len(targets))
        return real_compute(on, sources, targets, threads)

    monkeypatch.setattr(engine, "_compute_in_shares", count)
    return counted


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.lospairs"))


def everywhere(on: LosMap) -> Any:
    return np.arange(len(on.locations))


@SETTINGS
@given(boards)
def test_the_table_says_what_the_engine_says(board: LosMap) -> None:
    computed = engine.compute_fans(board, everywhere(board), everywhere(board))
    assert (keeping.make_table(board) == computed).all()
    assert (all_pairs(board) == computed).all()
    picked = random.Random(len(board.locations)).sample(range(len(board.locations)), 12)
    pairs = [(board.locations[a], board.locations[b]) for a in picked for b in picked]
    for (source, target), result in zip(pairs, sights(board, pairs), strict=True):
        code = int(viewshed(board, source).codes[board.place(target)])
        clear = None if code & f.BYTE_NO_ANSWER else not code & f.BYTE_BLOCKED
        assert (clear, code & 7, bool(code & f.BYTE_SLOPE)) == (result.clear, result.hindrance, bool(result.slope))


def test_what_is_kept_is_read_without_the_engine(kept: Path, lines: list[int]) -> None:
    table = keeping.make_table(drawn(varied()))
    assert len(files(kept)) == 1
    lines.clear()
    again = drawn(varied())
    assert (viewshed(again, "E5 level 2").codes == table[again.place("E5 level 2")]).all()
    assert (all_pairs(again, hexes=True) == table[np.ix_(again.firsts[:-1], again.firsts[:-1])]).all()
    assert (keeping.make_table(again) == table).all()
    assert lines == []
    assert tables.is_whole(again)


def test_another_map_or_engine_has_another_table(kept: Path, lines: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    keeping.make_table(drawn(varied()))
    filled = varied()
    filled.fill("E4", w.WOODS)
    raised = varied()
    raised.levels[200, 200] += 1
    for other in (drawn(filled), drawn(raised), drawn(varied(), rules=["NoGrain"])):
        for on in (other, drawn(varied(), deviations=["both-ways"])):
            lines.clear()
            codes = viewshed(on, "B3").codes
            assert lines, "looked along, not read"
            assert (codes == engine.compute_fans(on, np.array([on.place("B3")]), everywhere(on))[0]).all()
    monkeypatch.setattr(tables, "sources", lambda: 1)
    lines.clear()
    viewshed(drawn(varied()), "B3")
    assert lines
    assert len(files(kept)) == 1, "a look alone keeps nothing"


def test_a_layout_has_its_own_table_and_what_has_no_answer_stays_so() -> None:
    wooded = Draft(name="2", columns=9, rows=6)
    wooded.fill("C2", w.WOODS)
    archives = [archive_of(Draft(name="1", columns=9, rows=6)), archive_of(wooded)]
    straight, turned = side_by_side(archives), side_by_side(archives, turned=(1,))
    assert straight.fingerprint != turned.fingerprint
    both = drawn(varied(), deviations=["both-ways"])
    table = keeping.make_table(both)
    assert ((table & f.BYTE_BLOCKED) == (table.T & f.BYTE_BLOCKED)).all()
    cropped = side_by_side(archives, crops={0: (0, 0, 200, 200)})
    table = keeping.make_table(cropped)
    codes = engine.compute_fans(cropped, everywhere(cropped), everywhere(cropped))
    assert (table == codes).all()


@pytest.mark.parametrize("damage", ["first", "last", "middle", "short", "empty", "longer", "other"])
def test_a_damaged_table_is_made_anew(kept: Path, lines: list[int], damage: str) -> None:
    table = keeping.make_table(drawn(varied()))
    path = files(kept)[0]
    data = path.read_bytes()
    place = {"first": 0, "last": len(data) - 1, "middle": len(data) // 2}.get(damage)
    if place is not None:
        data = data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]
    elif damage == "other":
        # Sound, but of another map.
        packed = zlib.compress(bytes(len(table)))
        data = hashlib.sha256(packed).digest() + packed
    else:
        data = {"short": data[:-1], "empty": b"", "longer": data + b"."}[damage]
    path.write_bytes(data)
    lines.clear()
    on = drawn(varied())
    assert (viewshed(on, "B3").codes == table[on.place("B3")]).all()
    assert lines
    assert not files(kept)
    assert (keeping.make_table(on) == table).all()
    lines.clear()
    viewshed(drawn(varied()), "B3")
    assert not lines


def test_old_tables_go_and_a_large_map_has_none(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, draft in enumerate((varied(), village(), Draft(columns=7, rows=6))):
        keeping.make_table(drawn(draft))
        for path in files(kept):
            os.utime(path, (number, path.stat().st_mtime))
    assert len(files(kept)) == 3
    # Read again, so that it isn't the oldest any more.
    first = drawn(varied())
    viewshed(first, "B3")
    monkeypatch.setattr(tables, "MOST_FILES", 2)
    keeping.make_table(drawn(Draft(columns=8, rows=6)))
    assert len(files(kept)) == 2
    assert any(first.fingerprint in path.name for path in files(kept))
    monkeypatch.setattr(tables, "MOST_BYTES", 0)
    keeping.make_table(drawn(Draft(columns=8, rows=7)))
    assert not files(kept)
    monkeypatch.setattr(tables, "MOST_PAIRS", 100)
    monkeypatch.setattr(keeping, "MOST_PAIRS", 100)
    with pytest.raises(RefusedError, match="too many to keep all pairs") as refused:
        keeping.make_table(drawn(village()))
    assert "10 at most" in str(refused.value.problem.right)
    large = drawn(village())
    keeping.make_in_background(large)
    keeping.wait_for_tables()
    assert tables.table_at_hand(large) is None


def test_a_folder_that_can_not_be_written_is_no_error(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = kept / "file"
    blocked.write_text("")
    monkeypatch.setattr(readiness, "cache_folder", lambda: blocked)
    on = drawn(varied())
    table = keeping.make_table(on)
    assert (viewshed(on, "B3").codes == table[on.place("B3")]).all()


def test_what_is_in_no_table_is_looked_along_each_time(lines: list[int]) -> None:
    on = drawn(varied())
    keeping.make_table(on)
    source = np.array([on.place("B3")])
    hexside = np.array([on.place("B3 bypass 2")])
    questions = (
        (source, on.above(1)),
        (source, on.above(6)),
        (hexside, everywhere(on)),
        (on.above(1)[:1], everywhere(on)),
        (source, np.concatenate([everywhere(on), hexside])),
    )
    for sources, targets in questions:
        computed = engine.compute_fans(on, sources, targets)
        for _ in range(2):
            lines.clear()
            assert (engine.fans(on, sources, targets) == computed).all()
            assert lines == [computed.size]
    lines.clear()
    back = engine.fans(on, everywhere(on), source)
    assert lines == []
    assert (back == engine.compute_fans(on, everywhere(on), source)).all()


def test_how_fast_an_answer_comes_does_not_tell_who_looked_before(lines: list[int]) -> None:
    """What one side looks along stays out of the table: else the other's look from there would be quick."""
    on = drawn(varied())
    table = tables.begin_table(on)
    ground = on.firsts[:-1]
    table[np.ix_(ground, ground)] = engine.compute_fans(on, ground, ground)
    untouched = table.copy()
    costs = []
    for _ in range(2):
        lines.clear()
        viewshed(on, "B3")
        engine.fans(on, np.array([on.place("B3")]), on.above(1))
        costs.append(sum(lines))
    assert costs[0] == costs[1] > 0
    assert (table == untouched).all()


def folder_of_boards(folder: Path) -> Path:
    draft = Draft(name="01", columns=9, rows=6)
    draft.fill("D3", w.WOODS)
    draft.fill("F4", w.GRAIN)
    draft.box("C5", w.STONE_2, 20)
    (folder / "bd01").write_bytes(zip_bytes(draft.entries().items()))
    return folder


@pytest.mark.parametrize("seed", range(6))
def test_on_a_changed_map_the_answers_are_those_without_a_table(tmp_path: Path, seed: int, lines: list[int]) -> None:
    folder = folder_of_boards(tmp_path)
    map_ = made(folder, "01")
    changed = frozenset(random.Random(seed).sample(sorted(map_.hexes), seed))
    rough = HexLos(map_)

    def answers() -> list[Any]:
        eyes = board_los(map_, rough, changed, boards_in(folder))
        assert isinstance(eyes, BoardLos)
        names = list(map_.hexes)
        found: list[Any] = []
        for spot in (Location("1C5"), Location("1C5", "level", 1), Location("1D3"), Location("1B4")):
            found.append(visibility.seen_from(eyes, spot, names))
            found.append(visibility.seeing(eyes, spot, names))
            found.append(visibility.hull(eyes, spot, names))
            found += [eyes.compute_los(spot, Location(name)) for name in names]
        places = [Location(name) for name in names]
        return [*found, visibility.counts(eyes, map_, places, 5), visibility.best(eyes, map_, places, None)]

    board_engine.forget()
    lines.clear()
    without = answers()
    looked_along = sum(lines)
    keep_pairs(map_)
    keeping.wait_for_tables()
    spent = []
    for _ in range(2):
        lines.clear()
        assert answers() == without
        spent.append(sum(lines))
    assert spent[0] == spent[1] < looked_along


@needs_boards
def test_on_a_real_board_the_table_says_what_the_engine_says() -> None:
    on = side_by_side([real("22")], turned=(0,))
    table = keeping.make_table(on)
    chosen = np.random.default_rng(1).choice(len(on.locations), 40, replace=False)
    assert (engine.compute_fans(on, chosen, everywhere(on)) == table[chosen]).all()
