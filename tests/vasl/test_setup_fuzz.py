"""Modules and files of counters spoilt at random: each is read, or refused with a DataError; nothing else."""

from __future__ import annotations

import gzip
import random
import zlib
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.vasl.archive import Archive
from laager.vasl.saves.sequence import WorkLimit
from laager.vasl.setup.build_file import parse_definition
from laager.vasl.setup.counters import CounterMaker
from laager.vasl.setup.extension import read_extension
from laager.vasl.setup.module import VaslModule, module_of, unpack_counters
from tests.tries import tries

from .board_writer import zip_bytes
from .module_writer import small, small_extension
from .test_board_fuzz import spoilt

PARTS = (
    *("\t", "\\\t", "\\\\\t", "/", "\\/", ";", "\\;", "'", "''", "prototype;unit", "prototype;inner"),
    *("prototype;unit;a=b", "prototype;;", "piece;K;D;;x", "piece;", "emb2;", "hide;", "null", "null;0;0;1", "+/null/"),
    *("label;", "rotate;6;", "cmt;", "concealment;", "conceal;", "PROP;Owner", "immob;ig", "\x1b", "\u00e9", "$a$"),
    *("<", "&amp;", "9" * 30),
)


@cache
def original() -> tuple[dict[str, bytes], bytes]:
    """A small module, and the file of counters made of it."""
    entries = small().entries()
    return entries, module_of(Archive(zip_bytes(entries.items()), "VASL.vmod", module=True)).pack()


def changed(text: str, dice: random.Random) -> str:
    """Return a text with pieces of definitions put in, doubled or left out."""
    for _ in range(dice.choice((1, 1, 2, 5))):
        at = dice.randrange(len(text) + 1)
        how = dice.randrange(3)
        if how == 0:
            text = text[:at] + dice.choice(PARTS) + text[at:]
        elif how == 1:
            text = text[:at] + text[at + dice.randrange(1, 30) :]
        else:
            text = text[:at] + text[at : at + dice.randrange(1, 60)] + text[at:]
    return text


def spoilt_module(dice: random.Random) -> bytes:
    """Return a module that is spoilt as a whole, in an entry, or in the definitions of its counters."""
    entries = dict(original()[0])
    how = dice.randrange(5)
    if how == 0:
        return spoilt(zip_bytes(entries.items()), dice)
    name = "moduledata" if how == 1 else "buildFile"
    if how == 2:
        entries[name] = spoilt(entries[name], dice)
    else:
        entries[name] = changed(entries[name].decode(), dice).encode()
    return zip_bytes(entries.items())


def spoilt_counters(dice: random.Random) -> bytes:
    data = original()[1]
    if dice.randrange(4) == 0:
        return spoilt(data, dice)
    lines = zlib.decompress(data, wbits=31).decode().split("\n")
    at = dice.randrange(len(lines))
    lines[at] = changed(lines[at], dice)
    return gzip.compress("\n".join(lines).encode(), 1)


def spoilt_extension(dice: random.Random) -> bytes:
    """Return an extension that is spoilt as a whole, in an entry, or in its targets and definitions."""
    entries = small_extension().entries()
    how = dice.randrange(4)
    if how == 0:
        return spoilt(zip_bytes(entries.items()), dice)
    build = entries["buildFile.xml"]
    entries["buildFile.xml"] = spoilt(build, dice) if how == 1 else changed(build.decode(), dice).encode()
    return zip_bytes(entries.items())


def tried_extension(number: int, path: Path) -> bool:
    """Try one extension with the small module; return whether it could be read."""
    path.write_bytes(spoilt_extension(random.Random(number)))
    try:
        file = read_extension(path)
    except DataError:
        return False
    module = unpack_counters(original()[1], "counters.gz").with_extension(file)
    used(module)
    assert unpack_counters(module.pack(), "again") == module
    return True


def used(module: VaslModule) -> None:
    """Make every counter of a module; those that can't be made are refused."""
    maker = CounterMaker(module, "Laager")
    for slot in module.slots:
        try:
            counter = maker.counter(slot)
            text = counter.with_label("7").turn_to("2").command("1", "Main Map", 3, 4)
            counter.with_face("broken 4-6-7 1sq")
        except DataError:
            continue
        parse_definition(text.replace("+/1/", "+/null/", 1), WorkLimit())


def tried(number: int) -> bool:
    """Try one case; return whether it could be read."""
    dice = random.Random(number)
    try:
        if number % 2:
            module = module_of(Archive(spoilt_module(dice), "VASL.vmod", module=True))
        else:
            module = unpack_counters(spoilt_counters(dice), "counters.gz")
    except DataError:
        return False
    used(module)
    assert unpack_counters(module.pack(), "again") == module
    return True


def test_spoilt_modules_are_read_or_refused() -> None:
    read = sum(tried(number) for number in range(1500))
    assert 100 < read < 1400


def test_spoilt_extensions_are_read_or_refused(tmp_path: Path) -> None:
    read = sum(tried_extension(number, tmp_path / "BFP.vmdx") for number in range(800))
    assert 50 < read < 790


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(40))
def test_many_spoilt_extensions_are_read_or_refused(batch: int, tmp_path: Path) -> None:
    read = sum(tried_extension(10_000 + 5000 * batch + number, tmp_path / "BFP.vmdx") for number in range(5000))
    assert read


@tries(150)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(DataError):
        unpack_counters(data, "x")
    with pytest.raises(DataError):
        module_of(Archive(data, "x"))


@tries(300)
@given(st.lists(st.sampled_from(PARTS), max_size=40))
def test_any_definition_is_taken_apart_or_refused(parts: list[str]) -> None:
    text = "".join(parts)
    try:
        found = parse_definition(text, WorkLimit())
    except DataError:
        return
    assert len(found.types) == len(found.states)


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(40))
def test_many_spoilt_modules_are_read_or_refused(batch: int) -> None:
    read = sum(tried(10_000 + 5000 * batch + number) for number in range(5000))
    assert read
