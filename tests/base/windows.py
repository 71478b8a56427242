"""A disk that refuses what Windows refuses, for tests on other systems."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from laager.base import disk

MAX_PATH = 260


class WindowsDisk:
    """Folders can't be opened, permission bits say nothing, open files can't be replaced, long paths aren't found."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.open_for: dict[str, int] = {}
        """How often the replacement of a file is refused, by its name."""
        self.slept: list[float] = []
        self._opened, self._replaced = os.open, Path.replace
        patch.setattr(disk, "WINDOWS", True)
        patch.setattr(os, "open", self._open)
        patch.setattr(os, "chmod", lambda *_, **__: None)
        patch.setattr(Path, "chmod", lambda *_, **__: None)
        patch.setattr(Path, "replace", self._replacing())
        patch.setattr(time, "sleep", self.slept.append)

    def _open(self, path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if os.path.isdir(path):  # noqa: PTH112
            raise PermissionError(13, "Permission denied", str(path))
        if len(str(path)) >= MAX_PATH:
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return self._opened(path, flags, *rest, **more)

    def _replacing(self) -> Callable[[Path, Path], Path]:
        def replace(source: Path, target: Path) -> Path:
            left = self.open_for.get(target.name, 0)
            if left:
                self.open_for[target.name] = left - 1
                raise PermissionError(13, "Access is denied", str(target))
            return self._replaced(source, target)

        return replace


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> WindowsDisk:
    """Let this test's disk refuse what Windows refuses."""
    return WindowsDisk(monkeypatch)
