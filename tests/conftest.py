"""What all tests share: nothing that Laager keeps in mind for a user is the user's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def no_memory_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let Laager keep its notes in a folder of the tests; processes that they start do so too."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
    patch.delenv("LAAGER_BOARDS", raising=False)
    yield
    patch.undo()
