"""The pictures of the guide are those that Laager draws now."""

import pytest

from tests.los.pictures import IMAGES, PICTURES


@pytest.mark.parametrize("name", PICTURES)
def test_the_guide_shows_what_laager_draws(name: str) -> None:
    kept = (IMAGES / name).read_text(encoding="utf-8")
    assert kept == PICTURES[name](), "draw them anew: python -m tests.los.pictures"
