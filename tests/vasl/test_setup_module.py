"""The module of VASL: what is taken out of it, and what is refused."""

from __future__ import annotations

import gzip
import json
import resource
import time
import zlib
from pathlib import Path

import pytest

from laager.base import DataError
from laager.vasl.setup.build_file import MAX_TAGS
from laager.vasl.setup.counters import NOBODY, CounterMaker, named_slots
from laager.vasl.setup.module import MAX_UNPACKED, VaslModule, read_counters, read_module, unpack_counters

from .board_writer import zip_bytes
from .engine import MODULE, needs_module
from .module_writer import ModuleDraft, definition, piece, small


@pytest.fixture
def module(tmp_path: Path) -> VaslModule:
    return read_module(small().write(tmp_path / "VASL.vmod"))


def refused(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        read_module(path)
    return str(caught.value)


def test_counters_have_name_palette_and_number(module: VaslModule) -> None:
    assert [(one.gpid, one.name) for one in module.palettes["Axis O/B > German > SQ > Wehrmacht"]] == [
        ("1", "4-6-7 1sq"),
        ("2", "4-4-7 1sq"),
    ]
    assert (module.version, module.vassal, module.map, module.edge) == ("9.9", "3.2.17", "Main Map", (400, 400))


def test_what_is_taken_out_comes_back_from_the_small_file(module: VaslModule, tmp_path: Path) -> None:
    (tmp_path / "counters.gz").write_bytes(module.pack())
    assert read_counters(tmp_path / "counters.gz") == module


def test_prototypes_are_expanded_and_developers_are_nowhere(module: VaslModule) -> None:
    maker = CounterMaker(module, "Laager")
    for slot in module.slots:
        text = maker.counter(slot).command("1", "Main Map", 3, 4)
        assert "prototype;" not in text
        assert "Developer" not in text
        assert "dev-password" not in text
    squad = maker.counter(module.slots[0])
    assert [one.id for one in squad.traits] == ["PROP", "hide", "moved", "conceal", "emb2", "piece"]
    assert [one.state for one in squad.traits[:4]] == ["Laager", NOBODY, "false", f"{NOBODY};"]


def test_a_face_is_the_layer_that_makes_the_name(module: VaslModule) -> None:
    squad = CounterMaker(module, "Laager").counter(module.slots[0])
    broken = squad.with_face("broken 4-6-7 1sq")
    assert broken is not None
    assert broken.name == "broken 4-6-7 1sq"
    assert squad.with_face("berserk 4-6-7 1sq") is None


def test_a_prototype_in_itself_is_refused(tmp_path: Path) -> None:
    draft = small()
    draft.prototypes["inner"] = definition(("prototype;unit", ""), piece("inner"))
    module = read_module(draft.write(tmp_path / "VASL.vmod"))
    with pytest.raises(DataError, match="prototypes inside prototypes without end"):
        CounterMaker(module, "Laager").counter(module.slots[0])


@pytest.mark.parametrize("last", [("moved;m", ""), ("cmt;nothing", "")], ids=["traits", "nothing"])
def test_prototypes_that_multiply_are_refused_soon(last: tuple[str, str], tmp_path: Path) -> None:
    draft = small()
    for number in range(15):
        more = [(f"prototype;p{number + 1}", "")] * 9
        draft.prototypes[f"p{number}"] = definition(*more, piece("p"))
    draft.prototypes["p15"] = definition(last, piece("p"))
    draft.prototypes["unit"] = draft.prototypes["p0"]
    module = read_module(draft.write(tmp_path / "VASL.vmod"))
    begun = time.process_time()
    with pytest.raises(DataError, match=r"too many traits|too long"):
        CounterMaker(module, "Laager").counter(module.slots[0])
    assert time.process_time() - begun < 2


def test_parameters_that_multiply_are_refused_soon(tmp_path: Path) -> None:
    draft = small()
    draft.prototypes["unit"] = definition((f"label;{'$a$' * 9000}", ""), piece("p"))
    draft.slot("Unit", "Pin", (f"prototype;unit;a={'$a$' * 9000}", ""))
    module = read_module(draft.write(tmp_path / "VASL.vmod"))
    with pytest.raises(DataError, match="too long"):
        CounterMaker(module, "Laager").counter(module.slots[-1])


def test_parameters_are_put_in(tmp_path: Path) -> None:
    draft = small()
    draft.prototypes["unit"] = definition(("label;$what$", ""), piece("p"))
    draft.slot("Unit", "Pin", ("prototype;unit;what=here", ""))
    module = read_module(draft.write(tmp_path / "VASL.vmod"))
    assert CounterMaker(module, "Laager").counter(module.slots[-1]).traits[0].type == "label;here"


def test_an_unknown_prototype_is_left_out(tmp_path: Path) -> None:
    draft = ModuleDraft()
    draft.slot("Unit", "Pin", ("prototype;nowhere", ""))
    module = read_module(draft.write(tmp_path / "VASL.vmod"))
    assert [one.id for one in CounterMaker(module, "Laager").counter(module.slots[0]).traits] == ["piece"]


WRONG = {
    "unequal": ("+/null/piece;K;D;;Pin/null;0;0;1\tmore", "1 traits with 2 states"),
    "no piece": ("+/null/moved;m/true", "has no basic piece inside"),
    "no definition": ("hello", "is not the definition of a piece"),
}


@pytest.mark.parametrize("which", WRONG)
def test_a_wrong_definition_is_refused_by_name(which: str, tmp_path: Path) -> None:
    text, words = WRONG[which]
    draft = small()
    draft.slots["Unit"] = [("Bad counter", "99", text)]
    told = refused(draft.write(tmp_path / "VASL.vmod"))
    assert words in told
    assert "Bad counter" in told


def built(inside: str) -> str:
    return f"<VASSAL.launch.BasicModule>{inside}</VASSAL.launch.BasicModule>"


BUILDS = {
    "entities": f'<!DOCTYPE a [<!ENTITY b "c">]>{built("&b;")}',
    "not xml": "<VASSAL.launch.BasicModule>",
    "other": "<html></html>",
    "empty": built(""),
    "deep": built('<a entryName="b">' * 30_000 + "</a>" * 30_000),
    "many": built("<a/>" * (MAX_TAGS + 1)),
    "attributes": built("<a " + " ".join(f'b{number}=""' for number in range(300_001)) + "/>"),
    "other code": f'<?xml version="1.0" encoding="cp037"?>{built("")}',
}


@pytest.mark.parametrize("which", BUILDS)
def test_a_hostile_build_file_is_refused_within_two_seconds_and_bounds(which: str, tmp_path: Path) -> None:
    text = BUILDS[which]
    data = text.encode("cp037") if which == "other code" else text.encode()
    path = small().write(tmp_path / "VASL.vmod", {"buildFile": data})
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    assert "VASL.vmod" in refused(path)
    assert time.process_time() - begun < 2
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < 200


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    path = small().write(tmp_path / "VASL.vmod", {"buildFile": b"<a>" + b" " * 40_000_000})
    assert "times its size" in refused(path)


def test_what_is_no_module_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "VASL.vmod"
    path.write_bytes(zip_bytes([("readme", b"hello")]))
    assert "has no buildFile.xml" in refused(path)
    path.write_bytes(b"hello")
    assert "is not a ZIP archive" in refused(path)


def lines(module: VaslModule) -> list[str]:
    return zlib.decompress(module.pack(), wbits=31).decode().split("\n")


def spoilt(module: VaslModule) -> dict[str, bytes]:
    head, *rest = lines(module)
    return {
        "not packed": "\n".join([head, *rest]).encode(),
        "cut off": module.pack()[:-20],
        "a bomb": gzip.compress(b" " * (MAX_UNPACKED + 1)),
        "another format": gzip.compress(head.replace("counters/1", "counters/2").encode()),
        "no edge": gzip.compress(json.dumps(json.loads(head) | {"edge": [1, "2"]}).encode()),
        "no JSON": gzip.compress(f"{head}\nhello".encode()),
        "deep": gzip.compress(f"{head}\n{'[' * 100_000}".encode()),
        "no counter": gzip.compress(f'{head}\n["a","b","c"]'.encode()),
        "wrong counter": gzip.compress(f'{head}\n["1","a","b","hello"]'.encode()),
        "wrong number": gzip.compress(f'{head}\n["x y","a","b","hello"]'.encode()),
        "not UTF-8": gzip.compress(b"\xff\xfe"),
    }


@pytest.mark.parametrize("which", ["not packed", "cut off", "a bomb", "another format", "no edge", "no JSON", "deep"])
def test_a_spoilt_file_of_counters_is_refused(which: str, module: VaslModule) -> None:
    with pytest.raises(DataError, match=r"counters\.gz"):
        unpack_counters(spoilt(module)[which], "counters.gz")


@pytest.mark.parametrize("which", ["no counter", "wrong counter", "wrong number", "not UTF-8"])
def test_a_wrong_line_of_counters_is_refused(which: str, module: VaslModule) -> None:
    with pytest.raises(DataError, match=r"counters\.gz"):
        unpack_counters(spoilt(module)[which], "counters.gz")


@needs_module
def test_every_counter_of_vasl_can_be_made() -> None:
    module = read_module(MODULE)
    maker = CounterMaker(module, "Laager")
    texts = [maker.counter(slot).command("1", "Main Map", 3, 4) for slot in module.slots]
    assert len(texts) > 5000
    assert not [text for text in texts if "votg2019" in text or "David Sullivan" in text or "prototype;" in text]


def test_a_palette_of_costly_counters_is_refused_soon(tmp_path: Path) -> None:
    """Each counter is within its bounds; together they are too many to be looked through."""
    draft = small()
    draft.prototypes["big"] = definition(*[(f"label;{'x' * 9000}", "")] * 4, piece("p"))
    draft.prototypes["unit"] = definition(*[("prototype;big", "")] * 20, piece("p"))
    for _ in range(2000):
        draft.slot("Axis O/B > German > SQ > Wehrmacht", "9-9-9", ("prototype;unit", ""))
    module = read_module(draft.write(tmp_path / "VASL.vmod"))
    maker, begun = CounterMaker(module, "Laager"), time.process_time()
    with pytest.raises(DataError, match="too long"):
        named_slots(module.slots, maker, "1-1-1")
    assert time.process_time() - begun < 4
