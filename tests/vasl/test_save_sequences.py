"""Sequences, the veil and commands: what a saved game is written in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.vasl.saves.sequence import (
    MAX_NESTED,
    WorkLimit,
    decode,
    encode,
    flatten,
    fold,
    sort_commands,
    unfold,
    unveil,
    veil,
)
from tests.tries import tries
from tests.vasl.save_writer import ESC, nested, sequence, veiled

WORDS = st.text(alphabet="ab\\'/\t;é", max_size=8)


def test_a_delimiter_inside_an_element_has_a_backslash() -> None:
    assert decode("a;b\\;c;d", ";") == ["a", "b;c", "d"]


def test_quotes_protect_a_backslash_at_the_end_and_quotes() -> None:
    assert decode("'a\\';b", ";") == ["a\\", "b"]
    assert decode("''a'';'", ";") == ["'a'", "'"]


def test_other_backslashes_are_plain() -> None:
    assert decode("a\\b;\\\\;c", ";") == ["a\\b", "\\;c"]


def test_a_backslash_at_the_very_end_stays() -> None:
    assert decode("a;b\\", ";") == ["a", "b\\"]


def test_nothing_is_one_empty_element() -> None:
    assert decode("", ";") == [""]


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_what_is_written_is_read_again(words: list[str]) -> None:
    assert decode(encode(words, ";"), ";") == words
    assert encode(words, ";") == sequence(words, ";")


@given(st.lists(WORDS, min_size=1, max_size=12))
def test_what_is_nested_is_unfolded_again(words: list[str]) -> None:
    text = fold(words, "\t")
    assert text == nested(words)
    assert unfold(text, "\t", WorkLimit(), 50) == words


@given(st.text(alphabet="a\\'\t", max_size=30))
def test_unfolding_in_one_go_and_step_by_step_are_the_same(text: str) -> None:
    steps, left = [], text
    while True:
        first, *rest = decode(left, "\t")
        steps.append(first)
        if not rest:
            break
        left = rest[0]
    assert unfold(text, "\t", WorkLimit(), 50) == steps


def test_a_third_element_of_a_nested_pair_is_left() -> None:
    assert unfold("a\tb\\\tc\td", "\t", WorkLimit(), 50) == ["a", "b", "c"]


def test_long_sequences_are_refused() -> None:
    with pytest.raises(DataError, match="sequence that is too long; 3 elements at most"):
        decode("a;b;c;d", ";", 3)
    with pytest.raises(DataError, match="too long"):
        decode(";" * 300_000, ";")


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(DataError, match="nested too deeply; 20 times at most"):
        unfold(nested(["a"] * 30), "\t", WorkLimit(), 20)


def test_work_is_bounded() -> None:
    with pytest.raises(DataError, match="nested so often"):
        unfold(nested(["a" * 100] * 30), "\t", WorkLimit(1000), 50)


@pytest.mark.parametrize("key", [0, 1, 58, 255])
def test_the_veil_is_lifted_and_put_back(key: int) -> None:
    data = veiled("Größe\x1b\t;", key)
    text, found = unveil(data)
    assert (text, found) == ("Größe\x1b\t;", key)
    assert veil(text, found) == data


def test_a_plain_game_has_no_key() -> None:
    assert unveil(b"begin_save") == ("begin_save", None)
    assert veil("begin_save", None) == b"begin_save"


def test_what_is_no_utf8_comes_back_byte_for_byte() -> None:
    data = b"!VCSK00" + b"\xff\xfe41".hex().encode()
    text, key = unveil(data)
    assert veil(text, key) == data


@pytest.mark.parametrize("data", [b"!VCSK", b"!VCSKzz", b"!VCSK3a4", b"!VCSK3aTOPSECRET"])
def test_a_damaged_veil_is_refused(data: bytes) -> None:
    with pytest.raises(DataError, match="not written in pairs of digits") as caught:
        unveil(data)
    assert "SECRET" not in str(caught.value)


@tries(50)
@given(st.binary(max_size=80), st.integers(0, 255))
def test_any_bytes_come_back(data: bytes, key: int) -> None:
    veil_of = b"!VCSK" + f"{key:02x}".encode() + bytes(b ^ key for b in data).hex().encode()
    text, found = unveil(veil_of)
    assert veil(text, found) == veil_of


def test_commands_are_flattened_depth_first() -> None:
    inner = sequence(["c", sequence(["d", "e"], ESC)], ESC)
    text = sequence(["a", inner, "", "f"], ESC)
    assert flatten(text, WorkLimit()) == ["a", "c", "d", "e", "f"]


def test_commands_in_commands_are_bounded() -> None:
    text = "a"
    for _ in range(MAX_NESTED + 2):
        text = sequence(["", text, "b"], ESC)
    with pytest.raises(DataError, match="nested in commands too deeply"):
        flatten(text, WorkLimit())


def test_too_many_commands_are_refused() -> None:
    with pytest.raises(DataError, match="too many commands"):
        flatten(ESC * 250_000, WorkLimit())


def test_a_text_that_is_no_game_is_refused() -> None:
    with pytest.raises(DataError, match=r"not a saved game of VASSAL; choose a \.vsav or \.vlog"):
        sort_commands(["hello"])


def test_commands_are_sorted_and_the_rest_is_counted() -> None:
    commands = [
        "begin_save",
        "bd\t0\t0\t01",
        "bd\t0\t0\t99",
        "EXT\tone\t1.0",
        "D/7/new",
        "GlobalProperty\tx",
        "something else",
        "end_save",
        "LOG\tM/1/2",
        "LOG\tCHAT hello",
    ]
    found = sort_commands(commands)
    assert found.boards == "0\t0\t01"
    assert found.extensions == ("one\t1.0",)
    assert found.others == {"D": 1, "GlobalProperty": 1, "other": 1}
    assert found.after == ("LOG\tM/1/2", "LOG\tCHAT hello")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("+/1/stack", "adds a piece of 2 parts; three"),
        ("+/a b/stack/x", "without a valid number"),
        ("+/1/stack/x\n+/1/stack/x", "two pieces under one number"),
    ],
)
def test_pieces_that_will_not_do_are_refused(command: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        sort_commands(["begin_save", *command.split("\n")])
