"""Files that mean harm, or were spoilt on their way: each is refused, soon, in a sentence."""

from __future__ import annotations

import gzip
import io
import struct
import subprocess
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from laager.base import DataError
from laager.vasl import archive as archives
from laager.vasl.archive import Archive, open_archive
from laager.vasl.boards.board import board_of, read_board

from . import board_writer as w
from .board_writer import Draft, zip_bytes
from .pictures import saved

SECONDS, BYTES = 2.0, 200 * 2**20


def refusal(run: Callable[[], object]) -> str:
    """Return why something is refused, which must not take long."""
    start = time.process_time()
    with pytest.raises(DataError) as refused:
        run()
    assert time.process_time() - start < SECONDS
    assert "Traceback" not in str(refused.value)
    return str(refused.value)


def bounded(run: Callable[[], object]) -> str:
    """Return why something is refused, which must take neither long nor much memory."""
    refusal(run)
    tracemalloc.start()
    try:
        text = refusal(run)
        assert tracemalloc.get_traced_memory()[1] < BYTES
    finally:
        tracemalloc.stop()
    return text


def told(entries: dict[str, bytes]) -> str:
    data = zip_bytes(entries.items())
    return refusal(lambda: board_of(Archive(data, "bd20")))


def told_in_bounds(entries: dict[str, bytes]) -> str:
    data = zip_bytes(entries.items())
    return bounded(lambda: board_of(Archive(data, "bd20")))


def changed(**entries: bytes) -> dict[str, bytes]:
    return Draft().entries() | {name.replace("_", "."): data for name, data in entries.items()}


# Archives ---------------------------------------------------------------------------------------


def test_what_is_no_file(tmp_path: Path) -> None:
    assert "there is no such file" in refusal(lambda: read_board(tmp_path / "bd99"))
    assert "this is a folder" in refusal(lambda: read_board(tmp_path))
    assert "be read" in refusal(lambda: open_archive(Path("bd\0")))


@pytest.mark.parametrize("data", [b"", b"PK", b"not a zip at all" * 50, b"PK\x05\x06" + b"\xff" * 40])
def test_what_is_no_zip(data: bytes) -> None:
    assert "is not a ZIP archive" in refusal(lambda: Archive(data, "bd20"))


def test_a_seven_zip_archive_is_named_as_such() -> None:
    assert "7-Zip" in refusal(lambda: Archive(b"7z\xbc\xaf\x27\x1c" + b"\0" * 100, "bdDold1"))


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Draft().write(tmp_path)
    monkeypatch.setattr(archives, "MAX_FILE", 100)
    assert "bytes is too large; 100 bytes at most" in refusal(lambda: read_board(path))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without an end")
def test_a_file_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_FILE", 100)
    assert "is too large; 100 bytes at most" in refusal(lambda: open_archive(Path("/dev/zero")))


def test_too_many_entries() -> None:
    data = zip_bytes((f"e{n}", b"") for n in range(2001))
    assert "too many entries; 2000 at most" in refusal(lambda: Archive(data, "bd20"))


@pytest.mark.parametrize("more", [0, 2001])
@pytest.mark.parametrize("name", ["buildFile", "buildFile.xml"])
def test_a_module_is_called_a_module(name: str, more: int) -> None:
    data = zip_bytes([(name, b""), *((f"e{n}", b"") for n in range(more))])
    assert "is a module of VASSAL" in refusal(lambda: Archive(data, "bd20"))
    assert name in Archive(data, "VASL.vmod", module=True)


def test_a_module_larger_than_any_board_is_called_a_module(tmp_path: Path) -> None:
    path = tmp_path / "VASL.vmod"
    path.write_bytes(b"")
    assert "is a module of VASSAL" in refusal(lambda: open_archive(path))
    assert "no such file" in refusal(lambda: open_archive(tmp_path / "none.vmod"))


def test_a_zip_bomb_is_seen_before_it_is_unpacked() -> None:
    bomb = changed(LOSData=b"\0" * 40_000_000)
    assert "times its size" in told_in_bounds(bomb)
    assert "unpacks to 60000000 bytes" in told(changed(LOSData=b"\0" * 60_000_000))


def test_entries_that_are_longer_or_shorter_than_said() -> None:
    data = zip_bytes([("a", b"x" * 5000)])
    real, less, more = (struct.pack("<I", size) for size in (5000, 10, 6000))
    for wrong in (less, more):
        archive = Archive(data.replace(real, wrong), "bd20")
        assert "a: is" in refusal(lambda archive=archive: archive.read("a"))  # type: ignore[misc]


def test_a_spoilt_entry() -> None:
    data = bytearray(zip_bytes([("a", bytes(range(256)) * 20)]))
    data[60] ^= 0xFF
    assert "is damaged" in refusal(lambda: Archive(bytes(data), "bd20").read("a"))


def test_entries_that_are_locked_or_packed_strangely() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("a", b"b" * 100)
    assert "packed in an unusual way" in refusal(lambda: Archive(data.getvalue(), "bd20"))
    locked = bytearray(zip_bytes([("a", b"b")]))
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    assert "is encrypted" in refusal(lambda: Archive(bytes(locked), "bd20"))


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a\\b", "a\nb", "x" * 300])
def test_strange_names(name: str) -> None:
    text = refusal(lambda: Archive(zip_bytes([(name, b"")]), "bd20"))
    assert "strange name" in text
    assert "\\n" not in name or "\nb" not in text


def test_an_entry_without_a_name() -> None:
    data = bytearray(zip_bytes([("a", b"")]))
    at = data.index(b"PK\x01\x02")
    data[at + 28] = 0
    data[at + 30] = 1
    assert "strange name" in refusal(lambda: Archive(bytes(data), "bd20"))


def test_two_entries_of_one_name() -> None:
    data = zip_bytes([("a1", b""), ("a2", b"")]).replace(b"a2", b"a1")
    assert "two entries have the same name" in refusal(lambda: Archive(data, "bd20"))


def test_folders_and_further_entries_do_no_harm(tmp_path: Path) -> None:
    path = Draft().write(tmp_path, **{"folder/": b"", "folder/more.gif": b"x"})
    archive = open_archive(path)
    assert "folder/" not in archive.names
    assert repr(archive) == "<Archive bd20: 4 entries>"
    assert archive.packed_size("folder/more.gif") > 0
    assert "is not in the archive" in refusal(lambda: archive.read("nothing"))
    assert "unpacks to" in refusal(lambda: archive.read("LOSData", 10))


# Metadata ---------------------------------------------------------------------------------------

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not XML"),
        ("<boardMetadata", "is not XML"),
        ("\ufffe", "is not XML"),
        ("<other/>", "is not about a board"),
        (f'<!DOCTYPE b [<!ENTITY l0 "ha">{LAUGHS}]><boardMetadata name="&l9;"/>', "entities"),
        ('<!DOCTYPE b SYSTEM "file:///etc/passwd"><boardMetadata/>', "document type"),
        ("<boardMetadata>" + "<a>" * 300_000, "is not XML"),
        ("<boardMetadata/>", "name: is missing"),
    ],
)
def test_metadata_that_will_not_do(text: str, why: str) -> None:
    assert why in told(changed(BoardMetadata_xml=text.encode()))


def test_deep_nesting_is_no_harm(tmp_path: Path) -> None:
    draft = Draft(inside="<a>" * 120_000 + "</a>" * 120_000)
    start = time.process_time()
    board = read_board(draft.write(tmp_path))
    assert len(board.hexes) == 22
    assert time.process_time() - start < SECONDS


def test_too_much_metadata() -> None:
    text = Draft(inside=" " * 5_000_000).xml().encode()
    why = told(changed(BoardMetadata_xml=text))
    assert "unpacks to" in why


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("hexWidth", "0"),
        ("hexWidth", "-5"),
        ("hexWidth", "1e308"),
        ("hexHeight", "nan"),
        ("hexHeight", "inf"),
        ("hexHeight", "wide"),
        ("A1CenterX", "99999999999"),
        ("A1CenterY", "-1e300"),
        ("width", "1000000000"),
        ("height", "0"),
        ("name", "x" * 41),
        ("name", "a&#10;b"),
        ("version", "9" * 100),
        ("boardImageFileName", ""),
    ],
)
def test_absurd_words_of_the_metadata(word: str, value: str) -> None:
    assert word in told(Draft(words={word: value}).entries())


def test_all_that_is_wrong_is_told_at_once() -> None:
    text = told(Draft(words={"hexWidth": "0", "height": "no", "name": ""}).entries())
    assert all(word in text for word in ("hexWidth", "height", "name"))


def test_hexsides_that_are_none() -> None:
    inside = '<slopes><slope hex="C2" hexsides="9"/></slopes>'
    assert "digits from 0 to 5" in told(Draft(inside=inside).entries())


def test_a_file_that_is_no_board() -> None:
    assert "has neither BoardMetadata.xml" in told({"savedata": b"x"})
    assert "bdX.gif: is not in the archive" in told({"data": b""} | {"bd20.txt": b""}).replace("bd20.gif", "bdX.gif")


# Pictures that fill the memory ------------------------------------------------------------------

LAID = """
import re, sys
from pathlib import Path
from laager.vasl.archive import open_archive
from laager.vasl.boards.picture import packed_picture
from laager.vasl.scenario.changes import Overlay, changed_board
folder = Path(sys.argv[1])
if sys.argv[2] == "laid":
    laid = [Overlay("x1", "A1", "A2", "A1")]
    _, (told,) = changed_board(open_archive(folder / "bd20"), (), laid, [folder])
    print(told.result)
else:
    print(packed_picture(open_archive(folder / "ovrX"), "large.png", (0, 0, 4000, 4000), 64)[1])
print(re.search(r"VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux to tell the peak")
@pytest.mark.parametrize(("do", "told"), [("laid", "applied"), ("packed", "image/jpeg")])
def test_the_largest_pictures_fill_no_more_than_they_may(do: str, told: str, tmp_path: Path) -> None:
    """Measured from outside: what Pillow and numpy take is not all seen by Python's tracer."""
    woods = (85, 95, 45, 255)
    picture = Image.new("RGBA", (2400, 2490), woods)
    picture.paste((0, 0, 0, 0), (90, 90, 2300, 2400))
    draft = Draft(columns=45, rows=40)
    draft.write(tmp_path)
    entries = {f"ovrx1{turn}.gif": saved(picture, "PNG") for turn in "ad"}
    if do == "packed":
        entries["large.png"] = saved(picture.resize((4000, 4000)), "PNG")
    (tmp_path / "ovrX").write_bytes(zip_bytes(entries.items()))
    run = subprocess.run([sys.executable, "-c", LAID, str(tmp_path), do], capture_output=True, text=True, check=True)
    said, most = run.stdout.split()
    assert said == told
    assert int(most) * 1024 < BYTES


# Pictures and LOS data --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        (b"", "is not a picture that is known"),
        (b"GIF89a", "is not a picture that is known"),
        (b"\xff\xd8\xff", "is damaged"),
        (b"\xff\xd8\xff\xc0\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00", "is damaged"),
        (w.gif(0, 10), "is of 0 x 10 pixels"),
        (w.gif(65535, 65535), "is of 65535 x 65535 pixels"),
        (w.gif(19000, 19000), "is of 19000 x 19000 pixels"),
        (w.png(2**31, 2), "is of 2147483648 x 2 pixels"),
    ],
)
def test_pictures_that_will_not_do(picture: bytes, why: str) -> None:
    assert why in told(changed(bd20_gif=picture))


def los(body: bytes) -> bytes:
    return gzip.compress(w.java(body), 1, mtime=0)


HEAD = struct.pack(">iiii", 5, 4, 225, 258)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "is cut off"),
        (b"plain text", "is damaged"),
        (gzip.compress(b"", mtime=0), "is cut off"),
        (gzip.compress(b"text", mtime=0), "is not a Java object stream"),
        (gzip.compress(b"\xac\xed\x00\x05\x70", mtime=0), "more than plain data"),
        (gzip.compress(b"\xac\xed\x00\x05z\x7f\xff\xff\xffab", mtime=0), "is cut off"),
        (gzip.compress(b"\xac\xed\x00\x05" + b"w\x00" * 90_000, mtime=0), "cut into too many blocks"),
        (los(HEAD), "is cut off"),
        (los(HEAD + b"\0" * 2 * 225 * 258), "is cut off"),
        (los(HEAD + b"\0" * (2 * 225 * 258 + 23)), "goes on after its end"),
        (los(struct.pack(">iiii", 5, 4, 226, 258)), "is of 226 x 258 pixels"),
        (los(struct.pack(">iiii", -5, 4, 225, 258)), "is of -5 x 4 hexes"),
        (los(struct.pack(">iiii", 104, 400, 225, 258)), "is of 41600 hexes"),
        (los(struct.pack(">iiii", 6, 4, 225, 258) + b"\0" * (2 * 225 * 258 + 27)), "is of 6 x 4"),
        (Draft().los_data()[:200], "is cut off"),
    ],
    ids=lambda value: value if isinstance(value, str) else "data",
)
def test_los_data_that_will_not_do(data: bytes, why: str) -> None:
    assert why in told(changed(LOSData=data))


def test_a_bomb_inside_the_los_data() -> None:
    """Twenty-five times as many pixels as there are, in a few kilobytes."""
    data = los(HEAD + b"\0" * 30_000_000)
    assert "goes on after its end" in told_in_bounds(changed(LOSData=data))


def test_a_large_picture_of_nothing_is_read_in_bounds() -> None:
    wide, high = 3000, 2500
    words = {"hexWidth": "750", "hexHeight": "625", "A1CenterY": "312.5", "height": "4"}
    body = struct.pack(">iiii", 5, 4, wide, high) + bytes(2 * wide * high) + bytes(21)
    entries = changed(bd20_gif=w.gif(wide, high), LOSData=los(body))
    entries["BoardMetadata.xml"] = Draft(words=words).xml().encode()
    assert "is cut off" in told_in_bounds(entries)


def test_hexes_that_do_not_fit_the_picture() -> None:
    assert "hexes outside the picture" in told(Draft(words={"hexWidth": "90"}).entries())
    assert "hexes outside the picture" in told(Draft(words={"A1CenterY": "200"}).entries())


def test_an_old_board_with_more_hexes_than_any() -> None:
    entries = {"data": b"dx 8\ndy 8", "bd20.gif": w.gif(5000, 5000)}
    assert "has more hexes than any board" in told(entries)


def test_hexes_that_would_have_the_same_name() -> None:
    entries = {"data": b"dx 8\ndy 60", "bd20.gif": w.gif(1000, 300)}
    assert "two hexes of it would have the same name" in told(entries)


def test_a_board_whose_hexes_all_lie_outside_its_picture() -> None:
    entries = {"data": b"x0 1\ndx 500\ndy 60", "bd20.gif": w.gif(300, 9)}
    assert "has no hexes in its picture" in told(entries | {"data": b"x0 100\ny0 100\ndx 400\ndy 400"})
