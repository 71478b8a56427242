"""What tests need of a machine beside Python: a PostgreSQL server, a Chromium.

What is there is taken; what is not is installed, so that the next time needs no network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ENVIRONMENT = Path(sys.prefix)


def root() -> bool:
    """Tell whether packages of the system can be installed."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def system_package(*names: str) -> None:
    """Install packages of the system (Debian and its kin), as root."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    _run("apt-get", "update", "-q", environ=quiet)
    _run("apt-get", "install", "-q", "-y", "--no-install-recommends", *names, environ=quiet)


def wheel(requirement: str, folder: Path) -> None:
    """Install a wheel without what it depends on into a folder of its own."""
    uv = shutil.which("uv", path=str(ENVIRONMENT / "bin")) or "uv"
    python = str(ENVIRONMENT / "bin" / "python")
    _run(uv, "pip", "install", "-q", "--no-deps", "--python", python, "--target", str(folder),
         requirement)  # fmt: skip


def _run(*command: str, environ: dict[str, str] | None = None) -> None:
    sys.stderr.write(f"installing: {' '.join(command)}\n")
    # What installers say is not the outcome of tests.
    subprocess.run(command, check=True, stdout=sys.stderr, env=environ)
