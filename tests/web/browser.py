"""Finds a Chromium for the tests, or installs one: `python -m tests.web.browser`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.web import machine

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """Return where Chromium is; None if there is none."""
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        own = driver.chromium.executable_path
    return own if Path(own).exists() else None


def main() -> int:
    """See to it that there is one; return an exit code."""
    if chromium() is None:
        if machine.root():
            machine.system_package("chromium")
        else:
            command = [sys.executable, "-m", "playwright", "install", "chromium"]
            subprocess.run(command, check=True, stdout=sys.stderr)
    if chromium() is None:
        sys.stderr.write("no Chromium: install one, or put one on the PATH\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
