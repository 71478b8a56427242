"""User ids are passwords: planted everywhere, they must be found nowhere."""

from __future__ import annotations

import gc
import io
import json
import logging
import pickle
import re
import traceback
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import laager.vasl
from laager.base import DataError
from laager.cli.bugs import _details as details
from laager.cli.vasl.showing import show_save
from laager.vasl.saves.game import describe_save
from laager.vasl.saves.labels import MapLabel, label_save
from laager.vasl.saves.owners import MASK, MAX_IDS, Owners
from laager.vasl.saves.save import read_save, save_of
from laager.vasl.saves.sequence import AddCommand, WorkLimit, flatten, sort_commands
from laager.vasl.saves.traits import read_traits, traits_of
from tests.tries import tries
from tests.vasl.save_writer import (
    Counter,
    archive,
    board,
    concealed,
    game,
    hidden,
    label,
    owner,
    save_bytes,
    stack,
    write,
)

SECRET = "xyzzy-Plugh42"


def planted(secret: str = SECRET) -> str:
    """Return a game with a password wherever VASSAL writes one, and where players may."""
    counters = [
        Counter("1", "4-6-7 1sq", [hidden(secret), owner("Anna")], at=(456, 464)),
        Counter("2", "8-1", [concealed(secret), owner(secret)], at=(456, 464)),
        Counter("3", "?", [(f"concealment;{secret};ge", "")], at=(456, 464)),
        Counter("4", "User-Labeled", [label(f"I am {secret}, really{secret}", "$label$")], at=(500, 500)),
        Counter("5", "LMG", [label("text", f"{secret} $label$", secret)], at=(500, 500)),
    ]
    commands = [one.command() for one in counters]
    commands.append(stack("s", counters[:3]))
    commands += [f"OBA/+/0/{secret},Mortar,3,8,", f"EXT\t{secret}\t{secret}"]
    commands += [f"UNMASK\t{secret}", f"PNOTES\t{secret}\tmy notes", f"NOTES\tsays {secret}"]
    commands += ["SETUP_STACK\t" + secret, "GlobalProperty\t" + secret, secret]
    info = f"INFO\t{secret}\tAxis\t1\t3\t4\t3\t{secret}\t?\t?\tnotes\t{secret}\tprivate"
    return game(*commands, info=info, boards=board(0, 0, "01"))


def objects(value: Any, seen: set[int] | None = None) -> Iterator[Any]:
    """Yield an object and all that can be reached from it."""
    seen = set() if seen is None else seen
    if id(value) in seen or isinstance(value, type):
        return
    seen.add(id(value))
    yield value
    for one in gc.get_referents(value):
        if not callable(one):
            yield from objects(one, seen)


def test_no_object_of_a_save_holds_it() -> None:
    save = save_of(archive(planted(), comment=f"by {SECRET}"))
    assert save.owners == 1
    for one in objects(save):
        assert SECRET not in repr(one)
        if isinstance(one, str):
            assert SECRET not in one
    assert MASK in save.comment


def test_no_output_holds_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    hows: list[tuple[int | None, bool]] = [(None, False), (1, False), (None, True)]
    for how in hows:
        opened = archive(planted(), comment=SECRET)
        for as_json in (False, True):
            with redirect_stdout(io.StringIO()) as out:
                show_save(opened, None, how[0], how[1], as_json)
            assert SECRET not in out.getvalue()
            assert MASK in out.getvalue()
        assert SECRET not in json.dumps(describe_save(save_of(opened), *how))
    assert SECRET not in caplog.text


def test_no_object_on_the_way_tells_it() -> None:
    commands = sort_commands(flatten(planted(), WorkLimit()))
    shown = [repr(commands), repr(commands.pieces), repr(commands.stacks)]
    for added in commands.pieces:
        traits = traits_of(added, WorkLimit())
        values = read_traits(traits)
        shown += [repr(traits), str(traits[0]), f"{added} {traits} {values} {values.layered}"]
    owners = Owners()
    assert owners.number(SECRET) == 1
    shown += [repr(owners), str(owners), f"{owners!r}"]
    assert SECRET not in "".join(shown)


def test_owners_are_not_written_down() -> None:
    owners = Owners()
    owners.keep_secret(SECRET)
    with pytest.raises(TypeError, match="not written down"):
        pickle.dumps(owners)


def breakings(text: str) -> Iterator[str]:
    """Yield the game damaged in ways that must be refused."""
    yield text.replace("begin_save", "begin_game")
    yield text.replace("Main Map", f"Main Map;{SECRET}")
    yield text.replace("/stack/", f"/stack/{SECRET}/")
    yield text.replace(";456;", f";{SECRET};")
    yield text.replace(";456;", ";99999999;")
    yield text.replace("+/1/", f"+/{SECRET} x/")
    yield text.replace("+/1/", f"+/{SECRET}/")
    yield text.replace("+/2/", "+/1/")
    yield text.replace("piece;K", f"{SECRET};K")
    yield text.replace("bd\t0", f"bd\t{SECRET}")
    yield text.replace("bd\t0\t0\t01", f"bd\t0\t0\t01\tZOOM\t{SECRET}")
    yield text.replace("hide;", f"hide;{SECRET}\t")
    yield text.replace("UNMASK\t", "UNMASK\t" + "\t".join(f"{SECRET}{n}" for n in range(99)))


@pytest.mark.parametrize("text", list(breakings(planted())))
def test_no_refusal_holds_it(text: str) -> None:
    with pytest.raises(DataError) as caught:
        save_of(archive(text))
    told = "".join(traceback.format_exception(caught.value))
    link: BaseException | None = caught.value
    while link is not None:
        told += repr(link) + repr(link.args)
        link = link.__cause__ or link.__context__
    assert SECRET not in told
    assert str(caught.value).startswith("own.vsav: savedGame: ")


@pytest.mark.parametrize("place", ["save.walk_commands", "insertion.flatten"])
def test_no_bug_quotes_it(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the reader itself break, the report of that bug must not hold what it was reading."""

    def broken(text: Any, *_: Any) -> Any:
        raise ValueError(f"invalid: {text} {SECRET}")

    data = save_bytes(planted())
    monkeypatch.setattr(f"laager.vasl.saves.{place}", broken)
    with pytest.raises(RuntimeError, match=r"ValueError at .*test_save_secrets.py") as caught:
        label_save(data, "own.vsav", [MapLabel("date", "Date", ("one",))])
    assert SECRET not in details(caught.value) + str(caught.value.args)
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


@tries(40)
@given(
    st.text(alphabet="abcXYZ0189 _-.$()[]{}*+?^|", min_size=4, max_size=12), st.text(alphabet="abcXYZ019 .", max_size=8)
)
def test_any_password_is_masked_in_any_text(secret: str, around: str) -> None:
    owners = Owners()
    owners.keep_secret(secret)
    assert secret not in owners.clean(around + secret + around).replace(MASK, "\0")


def test_short_passwords_are_masked_as_words() -> None:
    owners = Owners()
    owners.keep_secret("ab")
    owners.keep_secret("q")
    assert owners.clean("ab, about ab") == f"{MASK}, about {MASK}"
    assert owners.clean("q") == MASK
    assert owners.clean("a quick q") == "a quick q"


def test_nobody_has_no_number() -> None:
    owners = Owners()
    owners.keep_secret("null")
    assert (owners.number(""), owners.number("null"), len(owners)) == (None, None, 0)
    assert owners.clean("null") == "null"


def test_users_are_bounded() -> None:
    owners = Owners()
    for number in range(MAX_IDS):
        owners.keep_secret(f"user{number}")
    with pytest.raises(DataError, match=f"too many users; {MAX_IDS} at most"):
        owners.keep_secret("one more")


def test_texts_cannot_disturb_a_terminal() -> None:
    assert Owners().clean("a\x1b[31m\x07b\ud800\u2028c") == "a\ufffd[31m\ufffdb\ufffd\ufffdc"
    assert len(Owners().clean("x" * 50_000)) == 20_001


def test_reading_writes_no_file(tmp_path: Path) -> None:
    path = write(tmp_path, planted())
    read_save(path)
    assert list(tmp_path.iterdir()) == [path]


def test_the_reader_neither_logs_nor_hashes_user_ids() -> None:
    for path in (Path(laager.vasl.__file__).parent / "saves").glob("*.py"):
        assert not re.search(r"\b(logging|hashlib|print\(|warnings|open\()", path.read_text("utf-8")), path.name


def test_added_pieces_are_shown_by_their_sizes_only() -> None:
    assert repr(AddCommand("1", "abc", SECRET)) == "<Added: type of 3 and state of 13 characters>"
