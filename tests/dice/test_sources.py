from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import chain, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError, Refusal, RefusedError
from laager.base.files import read_document
from laager.dice import Dice, DiceSource, EnteredDice, ScriptedDice, SeededDice
from laager.dice.sources import fair_faces
from tests.tries import tries

VECTORS: Any = read_document(Path(__file__).parent / "vectors.yaml").data
DICE = st.sampled_from(Dice)
SEED = st.binary(min_size=1, max_size=64)


def recomputed(seed: bytes, stream: str, number: int, dice: str) -> tuple[tuple[int, ...], int]:
    """The published rule again, by hand: the faces, and how many bytes were skipped for them."""
    faces: list[int] = []
    skips = counter = 0
    while True:
        message = (stream + ":" + str(number) + ":" + dice + ":" + str(counter)).encode("utf-8")
        for byte in hmac.new(seed, message, hashlib.sha256).digest():
            if byte > 251:
                skips += 1
                continue
            faces.append("123456".index(str(byte % 6 + 1)) + 1)
            if len(faces) == {"DR": 2, "dr": 1}[dice]:
                return tuple(faces), skips
        counter += 1


@pytest.mark.parametrize("vector", VECTORS["seeds"], ids=lambda vector: vector["seed"][:8])
def test_the_published_vectors_hold(vector: Any) -> None:
    seed = bytes.fromhex(vector["seed"])
    source = SeededDice(seed)
    assert source.commitment == vector["commitment"]
    assert hashlib.sha256(b"laager-dice-1:" + seed).hexdigest() == vector["commitment"]
    for roll in vector["rolls"]:
        faces = tuple(roll["faces"])
        assert source.faces(Dice(roll["dice"]), roll["stream"], roll["number"]) == faces
        again = recomputed(seed, roll["stream"], roll["number"], roll["dice"])
        assert again == (faces, roll["skips"])


def test_the_vectors_show_bytes_being_skipped() -> None:
    rolls = [roll for vector in VECTORS["seeds"] for roll in vector["rolls"]]
    assert len(rolls) >= 40
    assert {roll["skips"] for roll in rolls} >= {0, 1, 2}


@given(SEED, st.text(max_size=12), st.integers(0, 10**9), DICE)
@tries(150)
def test_rolls_can_be_recomputed_from_the_seed(seed: bytes, stream: str, number: int, dice: Dice) -> None:
    faces = SeededDice(seed).faces(dice, stream, number)
    assert faces == recomputed(seed, stream, number, dice.value)[0]
    assert faces == SeededDice(seed).faces(dice, stream, number)


def test_bytes_become_faces_without_bias() -> None:
    faces = Counter(fair_faces([bytes(range(256))]))
    assert faces == dict.fromkeys(range(1, 7), 42)


def test_a_block_of_bytes_that_are_all_too_large_is_passed_over() -> None:
    blocks = [bytes([252, 253, 254, 255] * 8), bytes([255, 251, 0])]
    assert list(fair_faces(blocks)) == [6, 1]


def test_the_next_block_has_the_next_counter(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def digest(key: bytes, message: bytes, kind: str) -> bytes:
        asked.append((key, message, kind))
        return b"\xff" * 31 + b"\x05" if message.endswith(b":2") else b"\xff" * 32

    monkeypatch.setattr(hmac, "digest", digest)
    assert SeededDice(b"k").faces(Dice.dr, "s", 4) == (6,)
    assert asked == [(b"k", f"s:4:dr:{counter}".encode(), "sha256") for counter in range(3)]


def chi_square(counts: Counter[Any], outcomes: int) -> float:
    expected = counts.total() / outcomes
    unseen = (outcomes - len(counts)) * expected
    return unseen + sum((count - expected) ** 2 / expected for count in counts.values())


def test_faces_pairs_and_neighbouring_rolls_are_evenly_spread() -> None:
    # Upper 0.1 % points of chi-square: 20.5 for 5 degrees of freedom, 66.6 for 35.
    source = SeededDice(bytes(range(32)))
    pairs = [source.faces(Dice.DR, "even", number) for number in range(12_000)]
    singles = [source.faces(Dice.dr, "even", number)[0] for number in range(12_000)]
    assert chi_square(Counter(singles), 6) < 20.5
    assert chi_square(Counter(chain.from_iterable(pairs)), 6) < 20.5
    assert chi_square(Counter(pairs), 36) < 66.6
    follow = Counter(zip(singles[::2], singles[1::2], strict=True))
    assert chi_square(follow, 36) < 66.6
    assert chi_square(Counter((pair[0], one) for pair, one in zip(pairs, singles, strict=True)), 36) < 66.6
    assert set(pairs) == set(product(range(1, 7), repeat=2))


def test_the_measure_of_evenness_sees_a_small_bias() -> None:
    loaded = Counter({1: 2150, 2: 1970, 3: 1970, 4: 1970, 5: 1970, 6: 1970})
    assert chi_square(Counter({**loaded, 1: 2300}), 6) > 20.5
    assert chi_square(Counter({1: 12_000}), 6) > 20.5


def test_every_part_of_the_message_changes_the_rolls() -> None:
    def fifty(seed: bytes, stream: str, start: int) -> list[tuple[int, ...]]:
        return [SeededDice(seed).faces(Dice.DR, stream, start + i) for i in range(50)]

    base = fifty(b"a", "s", 0)
    assert base == fifty(b"a", "s", 0)
    others = [fifty(b"b", "s", 0), fifty(b"a", "t", 0), fifty(b"a", "s", 1)]
    assert all(base != other for other in others)
    singles = [SeededDice(b"a").faces(Dice.dr, "s", i) for i in range(50)]
    assert singles != [pair[:1] for pair in base]


@given(SEED, SEED)
@tries(60)
def test_a_commitment_binds_to_its_seed_alone(seed: bytes, other: bytes) -> None:
    commitment = SeededDice(seed).commitment
    assert SeededDice.verify(seed, commitment)
    assert SeededDice.verify(seed, commitment.upper())
    assert SeededDice.verify(other, commitment) == (seed == other)


@pytest.mark.parametrize("commitment", ["", "0" * 64, "nonsense", "é" * 64])
def test_nonsense_verifies_nothing(commitment: str) -> None:
    assert not SeededDice.verify(b"seed", commitment)


def test_fresh_dice_have_long_seeds_of_their_own_that_are_not_shown() -> None:
    one, other = SeededDice.fresh(), SeededDice.fresh()
    assert len(one.seed) == len(other.seed) == 32
    assert one.seed != other.seed
    assert one.seed.hex() not in repr(one)
    assert repr(one.seed) not in repr(one)
    assert one.commitment in repr(one)


def test_dice_without_a_seed_are_refused() -> None:
    with pytest.raises(DataError, match="the dice have an empty seed"):
        SeededDice(b"")


def test_every_kind_of_dice_is_a_source() -> None:
    sources: list[DiceSource] = [SeededDice(b"x"), EnteredDice(), ScriptedDice([(1, 2)])]
    assert [source.faces(Dice.DR, "s", 1) is None for source in sources] == [False, True, False]


def test_scripted_dice_come_in_their_order_until_they_run_out() -> None:
    script = ScriptedDice([(1, 2), (3,), (6, 6)])
    assert script.faces(Dice.DR, "a", 0) == (1, 2)
    assert script.faces(Dice.dr, "b", 0) == (3,)
    assert script.left == 1
    assert script.faces(Dice.DR, "a", 1) == (6, 6)
    with pytest.raises(RefusedError) as caught:
        script.faces(Dice.dr, "weather", 2)
    assert caught.value.code is Refusal.BAD_ANSWER
    told = "roll 2 of “weather” wants a dr, but the script ended after 3 rolls; add one to it"
    assert str(caught.value) == told


def test_scripted_dice_that_do_not_fit_are_refused_and_stay() -> None:
    script = ScriptedDice([(5, 2)])
    with pytest.raises(RefusedError) as caught:
        script.faces(Dice.dr, "weather", 7)
    assert str(caught.value) == (
        "roll 7 of “weather” wants a dr, but the script's entry 1 is 5 2; it should hold 1 of 1 to 6"
    )
    assert script.faces(Dice.DR, "x", 8) == (5, 2)


def test_a_script_with_impossible_faces_is_refused_as_a_whole() -> None:
    with pytest.raises(DataError) as caught:
        ScriptedDice([(1, 2), (7,), (1, 2, 3), ()])
    assert str(caught.value).splitlines() == [
        "the scripted dice are not valid",
        "[2][1]: no die shows 7; a face is 1 to 6",
        "[3]: 3 faces for a DR; a DR has two faces of 1 to 6, the coloured die first, such as 3 4",
        "[4]: 0 faces for a DR; a DR has two faces of 1 to 6, the coloured die first, such as 3 4",
    ]


def test_a_script_does_not_change_with_the_list_it_was_made_from() -> None:
    faces = [(1, 1)]
    script = ScriptedDice(faces)
    faces[0] = (6, 6)
    assert script.faces(Dice.DR, "s", 0) == (1, 1)
