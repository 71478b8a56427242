"""`make release VERSION=0.2.0`: from a finished tree to a tagged commit and packages that can be uploaded.

Refuses a tree with changes, a version that isn't newer, and a changelog with nothing to release. Uploading is left to
whoever releases: `twine upload dist/*` and `git push --follow-tags`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
UNRELEASED = "## Unreleased\n"
VERSION = re.compile(r'^__version__ = "(\d+)\.(\d+)\.(\d+)"$', re.MULTILINE)


class UnfinishedError(Exception):
    """Why this tree can't be released."""


def run(root: Path, *words: str) -> str:
    """Run a command in the project's folder and return what it printed. Raises UnfinishedError if it fails."""
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnfinishedError(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def check(root: Path, version: str) -> None:
    """Raise UnfinishedError unless the tree is committed and the version the next one."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise UnfinishedError(f"{version!r} isn't a version; say for example VERSION=0.2.0")
    if changed := run(root, "git", "status", "--porcelain"):
        raise UnfinishedError(f"these files aren't committed:\n{changed}")
    found = VERSION.search((root / "src/laager/__init__.py").read_text(encoding="utf-8"))
    if not found or tuple(map(int, version.split("."))) <= tuple(map(int, found.groups())):
        raise UnfinishedError(
            f"{version} isn't newer than {'.'.join(found.groups()) if found else 'no version at all'}"
        )
    news = (root / "CHANGELOG.md").read_text(encoding="utf-8").partition(UNRELEASED)[2].partition("\n## ")[0]
    if not news.strip().replace("### Added", ""):
        raise UnfinishedError("the changelog has nothing under Unreleased")


def write(root: Path, version: str, today: date) -> None:
    """Write the version into the package and over the changelog's news."""
    package, changes = root / "src/laager/__init__.py", root / "CHANGELOG.md"
    package.write_text(VERSION.sub(f'__version__ = "{version}"', package.read_text(encoding="utf-8")), encoding="utf-8")
    heading = f"{UNRELEASED}\n## {version} ({today.isoformat()})\n"
    changes.write_text(changes.read_text(encoding="utf-8").replace(UNRELEASED, heading, 1), encoding="utf-8")


def build(root: Path) -> None:
    """Build sdist and wheel into dist/ and check them. Raises UnfinishedError."""
    shutil.rmtree(root / "dist", ignore_errors=True)
    uv, twine = (str(Path(sys.executable).with_name(name)) for name in ("uv", "twine"))
    run(root, uv, "build", "-q", "--python", sys.executable, "--no-build-isolation", "-o", "dist")
    run(root, twine, "check", "--strict", *map(str, sorted((root / "dist").glob("laager-*"))))


def release(root: Path, version: str, today: date) -> None:
    """Release: check, write, build, commit, tag. What fails leaves the tree as it was. Raises UnfinishedError."""
    check(root, version)
    try:
        write(root, version, today)
        build(root)
    except UnfinishedError:
        run(root, "git", "checkout", "--", "CHANGELOG.md", "src/laager/__init__.py")
        raise
    run(root, "git", "commit", "-qam", f"Release {version}")
    run(root, "git", "tag", "-a", f"v{version}", "-m", f"Laager {version}")


if __name__ == "__main__":
    try:
        release(ROOT, sys.argv[1] if len(sys.argv) > 1 else "", date.today())
    except UnfinishedError as err:
        sys.exit(f"not released: {err}")
    sys.stdout.write("released: see dist/; upload with twine upload dist/* and git push --follow-tags\n")
