"""What all tests share.

Nothing that Laager keeps in mind for a user is the user's own. Branches of the rules are counted
in the tests of the rules alone: tracing makes a test twice as slow, and a line is not proven by a
command, a page or a whole campaign by chance passing over it.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from functools import cache
from pathlib import PurePath

import pytest
from hypothesis import settings

from tests.tries import PART

settings.load_profile(PART)

# As `laager` itself does: NumPy's threads wait for each other, and cost more than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

RULES = frozenset({"bridge_too_far", "design_your_own", "edsons_ridge", "historical", "platoon_leader", "rules"})
"""The folders of the tests of the rules."""

BY_CHANCE = frozenset(
    {
        "test_campaigns",
        "test_mutations_chance",
        "test_proposals",
        "test_purchase_soak",
        "test_redeployment_by_chance",
        "test_replay",
        "test_secrecy",
        "test_soak",
    }
)
"""Modules there that play whole campaigns, or many random purchases."""


gc.disable()


def pytest_collection_finish() -> None:
    """Look seldom for garbage: a third of the time of tests was spent on looking.

    What has been collected stays until the end; the campaigns that tests share do so too.
    """
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def no_memory_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let Laager keep its notes in a folder of the tests; processes that they start do so too."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
    patch.delenv("LAAGER_BOARDS", raising=False)
    yield
    patch.undo()


@pytest.fixture(autouse=True, scope="session")
def commands_built_once() -> Iterator[None]:
    """Build each command of `laager` once, as each process does: tests run thousands of them in one."""
    import typer

    from laager.cli import app

    alone = cache(app.alone)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "alone", lambda words, *of: alone(tuple(app.at_home(words)[:2]), *of))
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tests = config.rootpath / "tests"
    for item in items:
        where: PurePath = item.path.relative_to(tests)
        if where.parts[0] not in RULES or where.stem in BY_CHANCE:
            item.add_marker("no_cover")
