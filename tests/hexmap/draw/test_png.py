from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import resvg_py
from hypothesis import given
from hypothesis import strategies as st

from laager.hexmap.draw import FONT_FILES, Layers, draw_png, draw_svg
from laager.hexmap.draw.fonts import clip_text, covers, text_width
from laager.hexmap.draw.style import FONT
from tests.hexmap.draw.reading import ink, parsed, png_size
from tests.hexmap.draw.sample import made


def lettered(words: str, **attributes: str) -> str:
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60" font-family="{FONT}">'
        f'<text x="20" y="40" font-size="30"{more}>{words}</text></svg>'
    )


def test_a_picture_has_the_width_asked_for_and_the_height_in_proportion() -> None:
    svg = draw_svg(made())
    root = parsed(svg)
    width, height = png_size(draw_png(svg, 600))
    assert width == 600
    assert height == pytest.approx(600 * float(root.attrib["height"]) / float(root.attrib["width"]), abs=1.5)


def test_lettering_is_drawn_without_any_font_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []
    real = resvg_py.svg_to_bytes

    def spy(**options: Any) -> bytes:
        asked.append(options)
        png: bytes = real(**options)
        return png

    monkeypatch.setattr(resvg_py, "svg_to_bytes", spy)
    _, _, dark = ink(draw_png(lettered("H7 Zürich Ж"), 400))
    assert asked[0]["skip_system_fonts"] is True
    assert dark > 800
    # The same call without our fonts shows nothing: it is they that were drawn.
    bare = real(svg_string=lettered("H7 Zürich Ж"), width=400, skip_system_fonts=True)
    assert ink(bare) == (0, 0, 0)


def test_fonts_of_the_machine_are_asked_for_letters_that_ours_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def spy(**options: Any) -> bytes:
        asked.append(options["skip_system_fonts"])
        return b""

    monkeypatch.setattr(resvg_py, "svg_to_bytes", spy)
    draw_png(lettered("Hill 203"), 100)
    draw_png(lettered("Łódź &amp; Сталинград, “Höhe” × 3"), 100)
    draw_png(lettered("丸山"), 100)
    assert asked == [True, True, False]


@pytest.mark.parametrize("words", ["H7", "Red Barricades", "Сталинград", "WWWW", "iiii", "AV To"])
@pytest.mark.parametrize("bold", [False, True])
def test_widths_of_text_are_those_of_the_picture(words: str, bold: bool) -> None:
    more = {"font_weight": "bold"} if bold else {}
    first, last, _ = ink(draw_png(lettered(words, **more), 400))
    width = text_width(words, 30, bold=bold)
    # Blank left and right of the letters, and pairs such as AV drawn closer, make it a little less.
    assert 0.86 * width - 5 <= last - first <= width


def test_bold_is_wider() -> None:
    assert text_width("Kampfgruppe", 10, bold=True) > text_width("Kampfgruppe", 10)
    assert text_width("", 10) == 0


def test_text_is_cut_to_a_width() -> None:
    assert clip_text("Town hall", 10, 200) == "Town hall"
    short = clip_text("Town hall of the old quarter", 10, 60)
    assert short.endswith("…")
    assert text_width(short, 10) <= 60
    assert clip_text("Town hall", 10, 1) == ""


@given(st.text(max_size=40), st.floats(0, 300), st.booleans())
def test_as_much_of_a_text_is_kept_as_fits(text: str, width: float, bold: bool) -> None:
    found = clip_text(text, 10, width, bold=bold)
    if text_width(text, 10, bold=bold) <= width:
        assert found == text
        return
    kept = max((end for end in range(len(text)) if text_width(text[:end] + "…", 10, bold=bold) <= width), default=0)
    assert found == (text[:kept].rstrip() + "…" if kept else "")


def test_a_very_long_name_costs_no_more_than_the_part_that_is_drawn() -> None:
    class Counted(str):
        looked = 0

        def __iter__(self) -> Iterator[str]:
            for letter in super().__iter__():
                Counted.looked += 1
                yield letter

    assert clip_text(Counted("x" * 300_000), 10, 200).endswith("…")
    assert Counted.looked < 100


def test_the_fonts_and_their_licence_ship() -> None:
    for file in FONT_FILES:
        assert file.read_bytes()[:4] == b"\x00\x01\x00\x00"
        assert "Bitstream Vera" in (file.parent / "LICENSE.txt").read_text()
    assert covers("Äß ŁŚ Ωμ Жя — “x” × − …")
    assert not covers("丸")


def test_a_width_must_be_one_pixel_at_least() -> None:
    with pytest.raises(ValueError, match="width of 0"):
        draw_png(lettered("x"), 0)


def test_layers_reach_the_pixels() -> None:
    map_ = made()
    plain = draw_png(draw_svg(map_, Layers(legend=False)), 300)
    held = draw_png(draw_svg(map_, Layers(legend=False, control={"C3": "x"})), 300)
    assert png_size(plain) == png_size(held)
    assert plain != held
