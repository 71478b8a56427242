"""Whatever stands in an answers file, Laager answers with a sentence and never with a bug."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.base.files import read_document
from laager.campaign.wording import yaml_text
from laager.cli import main
from tests.tries import tries

from .evenings import BLUE_PLAN, RED_PLAN, THE_REST
from .running import Ended, install

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8),
    st.sampled_from(["red", "blue", "plan", "R1", "attack", "on-map", "I1", "axis", "0x10", "~"]),
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["unit", "at", "rg", "word", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def run(folder: Path, *words: str) -> Ended:
    """Run `laager` here, without the fixtures that Hypothesis may not use again and again."""
    return called([*words, "-c", str(folder / "it.laager")], "")


def called(words: list[str], stdin: str) -> Ended:
    out, err = io.StringIO(), io.StringIO()
    before = sys.argv, sys.stdin
    sys.argv, sys.stdin = ["laager", *words], io.StringIO(stdin)
    try:
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
            main()
    finally:
        sys.argv, sys.stdin = before
    assert isinstance(end.value.code, int)
    return Ended(end.value.code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """A folder with a campaign each of the parlour rules and of Platoon Leader."""
    homes = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(install(tmp_path_factory.mktemp("installed")))
        for name in ("LAAGER_CAMPAIGN", "LAAGER_SIDE"):
            patch.delenv(name, raising=False)
        for card in ("evening", "rzhavets"):
            homes[card] = tmp_path_factory.mktemp(card)
            words = ["new", card, "-f", str(homes[card] / "it.laager"), "--entered-dice"]
            assert called(words, "").code == 0
        yield homes


PURCHASES = """laager: answers/1
answers:
  - {until: purchases}
  - side: axis
    for: purchases
    answer: {groups: [{rg: I3, setup: on-map}, {rg: G1, count: 1}], patrols: 0}
"""
GOOD = {"evening": (RED_PLAN, BLUE_PLAN, THE_REST), "rzhavets": (PURCHASES,)}


def places(value: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of everything in a document."""
    yield where
    if isinstance(value, dict):
        for name, part in value.items():
            yield from places(part, (*where, name))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from places(part, (*where, i))


def changed(value: Any, where: tuple[Any, ...], new: Any) -> Any:
    """Return a document with something else at a path."""
    if not where:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[where[0]] = changed(value[where[0]], where[1:], new)
    return copy


@pytest.mark.parametrize("card", ["evening", "rzhavets"])
def test_a_changed_answers_file_never_meets_a_bug(homes: dict[str, Path], card: str) -> None:
    folder = homes[card]
    path = folder / "a.yaml"
    good = []
    for i, text in enumerate(GOOD[card]):
        source = folder / f"good-{i}.yaml"
        source.write_text(text, encoding="utf-8")
        good.append(read_document(source).data)
    stored = (folder / "it.laager").read_bytes()

    @settings(max_examples=40 if card == "evening" else 12, deadline=None)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        document = data.draw(st.sampled_from(good))
        where = data.draw(st.sampled_from(list(places(document))))
        path.write_text(yaml_text(changed(document, where, data.draw(VALUES))), encoding="utf-8")
        ended = run(folder, "answer", str(path))
        assert ended.code in {0, 1, 3}, ended
        if ended.code:
            assert ended.err.startswith("This doesn't work:\n")
            assert (folder / "it.laager").read_bytes() == stored
        (folder / "it.laager").write_bytes(stored)

    check()


def test_changed_text_never_meets_a_bug(homes: dict[str, Path]) -> None:
    folder = homes["evening"]
    path = folder / "b.yaml"
    stored = (folder / "it.laager").read_bytes()

    @tries(50)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        text = data.draw(st.sampled_from(GOOD["evening"])).encode()
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 30)))
        path.write_bytes(text[:start] + data.draw(st.binary(max_size=12)) + text[end:])
        ended = run(folder, "answer", str(path))
        assert ended.code in {0, 1, 3}, ended
        if ended.code:
            assert (folder / "it.laager").read_bytes() == stored
        (folder / "it.laager").write_bytes(stored)

    check()


def test_whatever_is_typed_in_a_pipe_never_meets_a_bug(homes: dict[str, Path]) -> None:
    folder = homes["evening"]
    stored = (folder / "it.laager").read_bytes()

    @tries(50)
    @given(st.lists(st.one_of(st.text(max_size=20), VALUES.map(repr)), max_size=4))
    def check(lines: list[str]) -> None:
        ended = called(["next", "-c", str(folder / "it.laager")], "\n".join(lines))
        assert ended.code in {0, 1}, ended
        (folder / "it.laager").write_bytes(stored)

    check()
