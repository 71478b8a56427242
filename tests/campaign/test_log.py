from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.campaign.engine import Campaign
from laager.campaign.facts import Fact
from laager.campaign.log import Entry, FileStore, MemoryStore, decode, encode
from laager.campaign.opening import opening_entries
from tests.campaign.toy import SEED, TOY, fresh_store, play_round, toy_campaign
from tests.tries import tries


@given(
    st.dictionaries(st.text(max_size=8), st.text() | st.integers() | st.none() | st.lists(st.booleans())),
    st.sampled_from([None, (), ("red",), ("red", "blue")]),
)
@tries(200)
def test_a_line_holds_its_entry(body: dict[str, object], to: tuple[str, ...] | None) -> None:
    entry = Entry(7, "fact", body, "2026-01-01T00:00:00+00:00", "red", to)
    line, digest = encode(entry, "a" * 64)
    assert decode(line, 7, "a" * 64) == (entry, digest)


@pytest.fixture(scope="module")
def played() -> bytes:
    store = fresh_store()
    play_round(toy_campaign(store))
    return store.data


@given(st.data())
@tries(300)
def test_no_changed_byte_goes_unnoticed(played: bytes, data: st.DataObject) -> None:
    where = data.draw(st.integers(0, len(played) - 2))
    what = data.draw(st.integers(0, 255).filter(lambda b: b != played[where]))
    changed = played[:where] + bytes([what]) + played[where + 1 :]
    with pytest.raises(DataError):
        MemoryStore(changed).load()


@given(st.data())
@tries(100)
def test_a_torn_last_line_is_cut_off_and_play_goes_on(played: bytes, data: st.DataObject) -> None:
    # The first two lines are written in one go when the campaign is made.
    first = played.index(b"\n", played.index(b"\n") + 1) + 1
    cut = data.draw(st.integers(first, len(played)))
    torn = played[:cut]
    store = MemoryStore(torn)
    campaign = Campaign(store, ruleset=TOY)
    whole = torn.endswith(b"\n")
    assert bool(campaign.repaired) is not whole
    campaign.advance()
    assert Campaign(MemoryStore(store.data), ruleset=TOY).state == campaign.state


def test_a_torn_file_is_mended_on_disk(tmp_path: Path, played: bytes) -> None:
    path = tmp_path / "a.laager"
    path.write_bytes(played[:-20])
    with FileStore(path) as store:
        campaign = Campaign(store, ruleset=TOY)
        assert "cut off while it was written" in campaign.repaired
        campaign.advance()
    with FileStore(path) as store:
        assert Campaign(store, ruleset=TOY).repaired == ""


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: [], "the file is empty"),
        (lambda lines: [b"hello\n"], "is this a campaign file?"),
        (lambda lines: lines[1:], "is this a campaign file?"),
        (lambda lines: [*lines[:2], *lines[3:]], "lines are missing or swapped"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "lines are missing or swapped"),
        (lambda lines: [*lines[:3], lines[3].replace(b"amount", b"amounT", 1), *lines[4:]], ":4:"),
        (lambda lines: [*lines[:3], lines[3][:40] + b"\n", *lines[4:]], "isn't complete"),
    ],
)
def test_broken_logs_are_told_apart(tmp_path: Path, played: bytes, change: object, told: str) -> None:
    assert callable(change)
    path = tmp_path / "a.laager"
    path.write_bytes(b"".join(change(played.splitlines(keepends=True))))
    with FileStore(path) as store, pytest.raises(DataError) as caught:
        store.load()
    assert told in str(caught.value)


def test_a_log_must_begin_with_an_opening() -> None:
    store = MemoryStore()
    store.append([Entry(1, "fact", {})])
    with pytest.raises(DataError, match="does not begin with an opening"):
        Campaign(store, ruleset=TOY)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with FileStore(tmp_path / "none.laager") as store, pytest.raises(DataError, match="campaign file doesn't exist"):
        store.load()
    with pytest.raises(DataError, match="folder doesn't exist"):
        FileStore(tmp_path / "x" / "none.laager").__enter__()


def test_the_seed_is_sealed_and_committed_to() -> None:
    opening, seed = opening_entries("toy", "t", {}, seed=SEED)
    assert SEED.hex() not in repr(opening)
    assert seed.to == ()


class Marked(Fact):
    marks: frozenset[str]
    nested: dict[str, frozenset[int]] = {}

    def apply(self, state: object) -> object:
        return state


def test_the_same_fact_always_gives_the_same_bytes() -> None:
    words = [f"word-{i}" for i in range(40)]
    one = Marked(marks=frozenset(words), nested={"a": frozenset(range(9))})
    two = Marked(marks=frozenset(reversed(words)), nested={"a": frozenset(reversed(range(9)))})
    assert one.body() == two.body()
    assert one.body()["marks"] == sorted(words)
    assert Marked.model_validate(one.body()) == one
