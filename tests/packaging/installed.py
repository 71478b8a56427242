"""Laager installed from its wheel, far from the source tree."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
WINDOWS = os.name == "nt"
LAAGER = "laager.exe" if WINDOWS else "laager"
UV = BIN / ("uv.exe" if WINDOWS else "uv")
PINNED = ("-c", str(ROOT / "requirements.lock"))


@dataclass(frozen=True)
class Installed:
    """Laager in an environment of its own, played in a folder of its own."""

    command: Path
    folder: Path

    def __call__(self, *words: str, stdin: str = "", code: int | None = 0) -> str:
        """Run a command and return what it printed; it must end with `code`, or anyhow (None)."""
        done = subprocess.run(
            [self.command, *words],
            input=stdin, capture_output=True, text=True, cwd=self.folder, env=self.env, timeout=600, check=False,
        )  # fmt: skip
        assert code is None or done.returncode == code, done
        return done.stdout + done.stderr

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        return self.command.with_name("python.exe" if WINDOWS else "python")

    @property
    def env(self) -> dict[str, str]:
        """Nothing of the tests' own environment but where programs lie."""
        # Without SYSTEMROOT Windows opens no socket.
        needed = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
        home = str(self.folder)
        return needed | {"PATH": os.defpath, "HOME": home, "USERPROFILE": home, "LAAGER_DATA": f"{home}/data"}

    def elsewhere(self, folder: Path) -> Installed:
        """Return the same Laager, played in another folder."""
        folder.mkdir()
        return Installed(self.command, folder)


def offline_first(words: list[str | Path], env: dict[str, str] | None = None) -> None:
    """Run an installer on what lies in uv's cache; only a cleared cache asks the network."""
    for where in ({"UV_OFFLINE": "1"}, {}):
        given = {**os.environ, **(env or {}), **where}
        done = subprocess.run(words, check=False, timeout=1200, capture_output=True, text=True, env=given)
        if done.returncode == 0:
            return
    raise AssertionError(done.stderr)
