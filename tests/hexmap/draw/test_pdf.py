"""A drawing as a page: its size, its lettering, the picture below."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image
from pypdfium2 import PdfDocument, PdfImage, PdfPage

from laager.hexmap.draw import Backdrop, as_data_url, draw_pdf, draw_svg
from laager.hexmap.values import Picture
from tests.hexmap.draw.reading import parsed
from tests.hexmap.draw.sample import made, sample_layers, sample_map
from tests.sheets.reading import metadata, pages


def page(pdf: bytes) -> PdfPage:
    (only,) = PdfDocument(pdf)
    return only


def images(pdf: bytes) -> list[PdfImage]:
    return [piece for piece in page(pdf).get_objects() if isinstance(piece, PdfImage)]


def test_the_page_is_as_large_as_the_drawing_a_hex_twelve_millimetres() -> None:
    svg = draw_svg(sample_map(), sample_layers())
    box = page(draw_pdf(svg, "Sample")).get_mediabox()
    size = [float(parsed(svg).attrib[key]) / 2 for key in ("width", "height")]
    assert [float(edge) for edge in box] == pytest.approx([0, 0, *size], abs=0.1)


def test_letters_stay_letters_in_the_font_that_ships() -> None:
    pdf = draw_pdf(draw_svg(sample_map(), sample_layers()), "A title")
    (text,) = pages(pdf)
    assert "Sample valley" in text
    assert "M10" in text
    assert metadata(pdf)["Title"] == "A title"
    assert b"LaagerSans" in draw_pdf(draw_svg(made()), "Map")


def test_the_same_drawing_gives_the_same_bytes() -> None:
    svg = draw_svg(made())
    assert draw_pdf(svg, "Map") == draw_pdf(svg, "Map")


def test_titles_are_no_markup() -> None:
    title = '#panic("x") *bold* $1$ \\ "'
    assert metadata(draw_pdf(draw_svg(made()), title))["Title"] == title


def test_the_picture_of_a_backdrop_is_on_the_page() -> None:
    data = BytesIO()
    Image.new("RGB", (60, 70), (200, 30, 40)).save(data, "PNG")
    picture = Picture("bd1", "a" * 64, "A1", (10.0, 10.0), (10.0, 11.0), (0, 0, 60, 70))
    backdrop = Backdrop(((picture, as_data_url(data.getvalue(), "image/png")),))
    plain, shown = (draw_svg(made(), None, below) for below in (None, backdrop))
    assert not images(draw_pdf(plain, "Map"))
    (image,) = images(draw_pdf(shown, "Map"))
    drawn = image.get_bitmap().to_pil()
    assert drawn.size == (60, 70)
    assert drawn.convert("RGB").getpixel((5, 5)) == (200, 30, 40)


def test_what_is_no_drawing_is_refused() -> None:
    with pytest.raises(ValueError, match="this is not a drawing of a map"):
        draw_pdf("<p>hello</p>", "Map")
