"""Makes the pictures of README and docs anew: `make pictures`, or `python -m tests.pictures maps pages`.

Every picture in `docs/images` has a source here, which a test sees to; another says which are older than their pages.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from laager.hexmap import load_map
from laager.hexmap.draw import draw_png, draw_svg

IMAGES = Path("docs/images")
EXAMPLE = Path("docs/examples/bridge-map.yaml")

MAPS: Mapping[str, tuple[str, int]] = {
    "rijnoord.png": ("rijnoord", 1100),
    "kokusa-ridge.png": ("kokusa-ridge", 1100),
    "sorgiva.png": ("sorgiva", 1000),
    "ripamare.png": ("ripamare", 1100),
    "training.png": ("training", 1200),
}
"""Maps of the cards that ship: the card, and the width of the picture in pixels."""


def draw_maps() -> None:
    """Draw each card's map as it is when the first battle is over: with counters, fortifications and Control."""
    from PIL import Image

    for name, (card, width) in MAPS.items():
        picture = Image.open(io.BytesIO(draw_png(_draw_campaign(card), width))).convert("RGB")
        picture.quantize(160).save(IMAGES / name, optimize=True)


def _draw_campaign(card: str) -> str:
    from tests.web.screenshots import prepare

    with tempfile.TemporaryDirectory() as data:
        # What plays campaigns for the tests of pages belongs to Django.
        prepare(Path(data) / "site")
        from laager.campaign.engine import Campaign
        from laager.campaign.ruleset import find_ruleset
        from laager.campaign.views import view
        from tests.web.fielded import Memory, played

        store = Memory()
        store.append(played(card))
        campaign = Campaign(store)
        ruleset = find_ruleset(campaign.opening["ruleset"])
        return draw_svg(*ruleset.drawing(campaign.context, view(campaign, "umpire").state))


def take_pages() -> None:
    """Take the pictures of pages with the test browser, light and dark."""
    from tests.web.screenshots import BEST, PHONE_PAGE

    shown = "|".join((*BEST.values(), PHONE_PAGE))
    with tempfile.TemporaryDirectory() as folder:
        _run("tests.web.screenshots", folder, "--guide", "--only", f"^({shown})$")


def draw_example() -> None:
    """Draw the map of the example in the docs."""
    (IMAGES / "bridge.svg").write_text(draw_svg(load_map(EXAMPLE)), encoding="utf-8")


def follow_tutorials() -> None:
    """Take the pictures of the tutorials, by the tests that type them."""
    from tests.docs.illustrating import FOLDER

    os.environ[FOLDER] = str(IMAGES.resolve())
    _run("pytest", "-q", "-k", "the_page_leads", "tests/docs/test_first_card.py", "tests/docs/test_your_module.py")


def _run(module: str, *words: str) -> None:
    subprocess.run([sys.executable, "-m", module, *words], check=True)


MAKERS: Mapping[str, Callable[[], None]] = {
    "maps": draw_maps,
    "pages": take_pages,
    "film": lambda: _run("tests.web.recording"),
    "los": lambda: _run("tests.los.pictures"),
    "example": draw_example,
    "tutorials": follow_tutorials,
}
"""What makes pictures, by the names that narrow the command down."""


def sources() -> Mapping[str, str]:
    """Return what makes each picture, by the name of its file."""
    from tests.docs.illustrating import tutorial_pictures
    from tests.los.pictures import PICTURES
    from tests.web.screenshots import BEST, PHONES

    pages = (*(f"web-{name}.png" for name in BEST), PHONES)
    made = {"maps": MAPS, "pages": pages, "film": ("laager.webp",), "los": PICTURES, "example": ("bridge.svg",)}
    made |= {"tutorials": tutorial_pictures()}
    return {picture: maker for maker, pictures in made.items() for picture in pictures}


def main(wanted: list[str]) -> int:
    """Make the pictures; return an exit code."""
    if unknown := set(wanted) - MAKERS.keys():
        sys.stderr.write(f"there is nothing that makes {', '.join(sorted(unknown))}; there are {', '.join(MAKERS)}\n")
        return 2
    for name in wanted or MAKERS:
        MAKERS[name]()
    _run("tests.marking", *(wanted or MAKERS))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
