"""Extensions of VASL's module: what their files add, how a setup names them, and what is refused."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from laager.base import DataError
from laager.catalogue.load import load_packaged
from laager.vasl.archive import Archive
from laager.vasl.saves.marks import Marks
from laager.vasl.saves.save import save_of
from laager.vasl.setup.board import bare_boards, usual_board
from laager.vasl.setup.counters import CounterMaker
from laager.vasl.setup.extension import Extension, read_extension
from laager.vasl.setup.module import VaslModule, read_counters, read_module, unpack_counters
from laager.vasl.setup.plan import OPEN, Pile, PlacedCounter
from laager.vasl.setup.units import CounterFinder
from laager.vasl.setup.writing import ScenarioBox, WrittenFile, write_log, write_save
from tests.cli.conftest import Laager, laager

from .board_writer import zip_bytes
from .module_writer import ExtensionDraft, definition, piece, small, small_extension
from .save_writer import Counter, board, game, hidden, stack, write
from .test_setup_writing import NOW

__all__ = ["laager"]

BFP = Extension("BFP", "bfp", "5.01")


@pytest.fixture
def module(tmp_path: Path) -> VaslModule:
    return read_module(small().write(tmp_path / "VASL.vmod"))


@pytest.fixture
def extended(module: VaslModule, tmp_path: Path) -> VaslModule:
    return module.with_extension(read_extension(small_extension().write(tmp_path / "BFP.vmdx")))


def test_its_counters_join_the_palettes_that_they_are_added_to(extended: VaslModule) -> None:
    names = [slot.name for slot in extended.palettes["Axis O/B > German > SQ > Wehrmacht"]]
    assert names == ["4-6-7 1sq", "4-4-7 1sq", "5-4-8 Esq"]
    assert [slot.gpid for slot in extended.palettes["BFP > Elite"]] == ["bfp:2"]
    assert extended.extensions == (BFP,)


def test_its_prototypes_and_the_modules_make_its_counters(extended: VaslModule) -> None:
    squad = CounterMaker(extended, "Laager").counter(extended.palettes["BFP > Elite"][0])
    assert [trait.id for trait in squad.traits] == ["moved", "PROP", "hide", "moved", "conceal", "piece"]
    assert "A Developer" not in squad.command("1", "Main Map", 3, 4)


def test_the_small_file_keeps_it(extended: VaslModule, module: VaslModule) -> None:
    assert unpack_counters(extended.pack(), "counters.gz") == extended
    assert b"extensions" not in module.pack()


def test_a_second_version_takes_the_place_of_the_first(extended: VaslModule, tmp_path: Path) -> None:
    newer = ExtensionDraft(version="5.02")
    newer.slot("BFP > Elite", "9-3-8 Esq")
    again = extended.with_extension(read_extension(newer.write(tmp_path / "BFP new.vmdx")))
    assert [slot.name for slot in again.slots if slot.gpid.startswith("bfp:")] == ["9-3-8 Esq"]
    assert again.extensions == (Extension("BFP new", "bfp", "5.02"),)


@pytest.mark.parametrize(
    ("nation", "type_", "slot"), [("german", "4-6-7", "1"), ("german", "5-4-8", "bfp:1"), ("german", "8-3-8", "bfp:2")]
)
def test_a_unit_has_its_counter_in_the_module_or_else_in_an_extension(
    nation: str, type_: str, slot: str, extended: VaslModule
) -> None:
    """In a palette without a nation's name the picture tells whose it is, whatever its file is called behind."""
    finder = CounterFinder(extended, CounterMaker(extended, "Laager"))
    counter = finder.type(load_packaged(nation).nation(nation), "squad", type_)
    assert counter is not None
    assert counter.read.slot == slot


def test_no_unit_gets_another_nations_counter(extended: VaslModule) -> None:
    finder = CounterFinder(extended, CounterMaker(extended, "Laager"))
    assert finder.type(load_packaged("russian").nation("russian"), "squad", "6-2-8") is None


def pile(module: VaslModule, palette: str) -> Pile:
    counter = CounterMaker(module, "Laager").counter(module.palettes[palette][0])
    return Pile("A1", (456, 464), (PlacedCounter("unit:X1", counter),), OPEN)


@pytest.mark.parametrize(("palette", "needed"), [("BFP > Elite", (("BFP", "5.01"),)), ("Label > User", ())])
@pytest.mark.parametrize("writer", [write_save, write_log])
def test_a_file_names_the_extensions_that_its_counters_come_from(
    palette: str, needed: tuple[tuple[str, str], ...], writer: Callable[..., WrittenFile], extended: VaslModule
) -> None:
    ground = bare_boards(usual_board, 400, "01")
    written = writer([pile(extended, palette)], Marks("", "", 1), ground, extended, ScenarioBox(), "", NOW)
    assert save_of(Archive(written.data, "battle.vsav")).extensions == needed


def test_the_command_shows_what_a_save_needs(extended: VaslModule, laager: Laager, tmp_path: Path) -> None:
    ground = bare_boards(usual_board, 400, "01")
    made = write_save([pile(extended, "BFP > Elite")], Marks("", "", 1), ground, extended, ScenarioBox(), "", NOW)
    (tmp_path / "battle.vsav").write_bytes(made.data)
    out = laager.well("vasl", "show", tmp_path / "battle.vsav")
    assert "Extensions of VASL that it was saved with: BFP 5.01\n" in out
    assert "Counters from extensions, which VASL needs to show them: 1 of bfp\n" in out


@pytest.mark.parametrize("everything", [False, True])
def test_an_extension_does_not_tell_what_somebody_hides(everything: bool, laager: Laager, tmp_path: Path) -> None:
    """Two saves that differ only in which counter is hidden: from the module, or from an extension."""
    shown = []
    for number, slot in enumerate(("17", "bfp:17")):
        counter = Counter("1", "4-6-7 1sq", [hidden("swordfish77")], at=(456, 464), slot=slot)
        (tmp_path / str(number)).mkdir()
        text = game(counter.command(), stack("s", [counter]), "EXT\tBFP\t5.01", boards=board(0, 0, "01"))
        save = write(tmp_path / str(number), text, "game.vsav")
        shown.append([laager.well("vasl", "show", save, *["--all"] * everything, *way) for way in ((), ("--json",))])
    assert (shown[0] == shown[1]) is not everything


def test_the_command_takes_the_counters_out(laager: Laager, tmp_path: Path) -> None:
    draft = small_extension()
    draft.slots["BFP > Elite"].append(("odd one", "bfp:9", "hello"))
    draft.slot("BFP > Elite", "borrowed", gpid="7")
    files = small().write(tmp_path / "VASL.vmod"), draft.write(tmp_path / "BFP.vmdx")
    out = laager.well("vasl", "module", files[0], "--extension", files[1], "-o", tmp_path / "c.gz")
    assert "(VASL 9.9 and BFP 5.01, 12 counters)" in out
    assert "left out of BFP: counter 'odd one' is not the definition of a piece" in out
    assert "left out of BFP: counter 'borrowed' has the number of another file" in out
    assert read_counters(tmp_path / "c.gz").extensions == (BFP,)


def refused(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        read_extension(path)
    return str(caught.value)


def test_what_is_no_extension_is_refused(tmp_path: Path) -> None:
    module = small().write(tmp_path / "VASL.vmod")
    assert "does not describe" in refused(module)
    extension = small_extension().write(tmp_path / "BFP.vmdx")
    with pytest.raises(DataError, match=r"describes an extension.*--extension"):
        read_module(extension)
    other = ExtensionDraft(module="Panzer Blitz")
    other.slot("a", "b")
    assert "is an extension of Panzer Blitz, not of VASL" in refused(other.write(tmp_path / "other.vmdx"))
    assert "has no id" in refused(ExtensionDraft(id="a/b").write(tmp_path / "nameless.vmdx"))
    assert "has no counters" in refused(ExtensionDraft().write(tmp_path / "dice.vmdx"))
    assert "there is no such file" in refused(tmp_path / "nowhere.vmdx")
    (tmp_path / "cut.vmdx").write_bytes(extension.read_bytes()[:-30])
    assert "is not a ZIP archive, or is damaged" in refused(tmp_path / "cut.vmdx")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux to tell the peak")
def test_a_module_of_any_size_is_read_without_loading_it(tmp_path: Path) -> None:
    """600 MB, most of them a hole in the file; in a process of its own, so that its memory is its own."""
    path = tmp_path / "VASL.vmod"
    with path.open("wb") as file:
        file.truncate(600 * 2**20)
        file.seek(0, 2)
        file.write(zip_bytes(small().entries().items()))
    code = (
        "import re, sys; from pathlib import Path; from laager.vasl import read_module\n"
        "def peak():\n"
        "    return int(re.search(r'VmHWM:\\s+([0-9]+)', Path('/proc/self/status').read_text())[1])\n"
        "before = peak(); print(len(read_module(Path(sys.argv[1])).slots)); print(peak() - before)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    counters, kilobytes = map(int, done.stdout.split())
    assert counters == 9
    assert kilobytes < 50_000


def test_a_long_list_of_contents_is_refused_soon(tmp_path: Path) -> None:
    path = tmp_path / "VASL.vmod"
    path.write_bytes(zip_bytes([*small().entries().items(), *((f"{number:060}", b"") for number in range(45_000))]))
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(DataError, match="damaged"):
        read_module(path)
    assert time.process_time() - begun < 2
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < 200


def test_slots_and_traits_of_newer_versions_are_read(tmp_path: Path) -> None:
    """High numbers, SVG pictures, a layer that follows a property, commands that are hidden, a saved property."""
    draft = small()
    letters = "emb2;;128;A;;128;;;128;;;;0;false;0;0;CIDs/class_E.svg,CIDs/class_1.svg;,;false;classId"
    classes = f"{letters};;;false;BRK_Level;1;1;false;70,130;69,130;81,130;;1.0;BRK_Active;true"
    draft.prototypes["MTinf"] = definition(("mat;Infantry;;", ""), ("basicName;;", ""), piece(""))
    draft.slots["Axis O/B > German > SQ > Wehrmacht"].append(
        (
            "6-2-8 Esq",
            "15471",
            definition(
                ("prototype;MTinf", ""),
                ("hideCmd;;Disable;{iCVP==1};66\\,650,69\\,650", ""),
                (classes, "1"),
                ("piece;K;D;ge/ge628S.svg;6-2-8 Esq", "null;0;0;15471;1;ppScale;1.0"),
            ),
        )
    )
    module = read_module(draft.write(tmp_path / "VASL.vmod"))
    counter = CounterMaker(module, "Laager").counter(module.palettes["Axis O/B > German > SQ > Wehrmacht"][-1])
    assert (counter.read.slot, counter.name) == ("15471", "6-2-8 Esq")
    assert counter.command("1", "Main Map", 3, 4).endswith("Main Map;3;4;15471;1;ppScale;1.0")
