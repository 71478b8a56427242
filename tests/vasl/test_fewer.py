"""Pictures of many colours in 256, held against Pillow's own fast octree."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from laager.vasl.colours.fewer import buckets, chosen, counted


def painted(kind: str, seed: int) -> NDArray[np.uint8]:
    """Return a picture of all colours, of like ones, or of few."""
    dice = np.random.default_rng(seed)
    if kind == "all":
        return dice.integers(0, 256, (60, 83, 3), np.uint8)
    if kind == "like":
        return np.clip(dice.normal(128, 10 + 9 * seed, (60, 83, 3)), 0, 255).astype(np.uint8)
    return dice.integers(0, 256, (3 + seed, 3), np.uint8)[dice.integers(0, 3 + seed, (60, 83))]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["all", "like", "few"])
def test_colours_are_those_that_pillow_chooses(kind: str, seed: int) -> None:
    picture = painted(kind, seed)
    theirs = Image.fromarray(picture).quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    colours, table = chosen(counted(picture[top : top + 7] for top in range(0, 60, 7)))
    assert np.array_equal(table[buckets(picture)], np.asarray(theirs))
    palette = np.array(theirs.getpalette("RGB")).reshape(-1, 3)
    assert np.array_equal(colours[: len(palette)], palette)
