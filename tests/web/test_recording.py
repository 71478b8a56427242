"""The film of the README can be made anew from the pages as they are now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.docs.pages import DOCS


def seconds(film: Path) -> float:
    total = 0
    with Image.open(film) as shown:
        for number in range(getattr(shown, "n_frames", 1)):
            shown.seek(number)
            shown.load()
            total += shown.info["duration"]
    return total / 1000


@pytest.mark.soak
@pytest.mark.browser
def test_the_film_is_made(tmp_path: Path) -> None:
    film = tmp_path / "film.webp"
    subprocess.run([sys.executable, "-m", "tests.web.recording", film], check=True, timeout=300)
    assert 20 < seconds(film) < 40


def test_the_film_of_the_readme_is_half_a_minute_and_small() -> None:
    film = DOCS / "images" / "laager.webp"
    assert 20 < seconds(film) < 40
    assert film.stat().st_size < 1_700_000
