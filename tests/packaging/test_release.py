"""`make release`: what it refuses, and what it leaves."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tarfile
from datetime import date
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def loaded() -> Any:
    spec = importlib.util.spec_from_file_location("release", ROOT / "deploy" / "release.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RELEASE = loaded()
TODAY = date(2026, 11, 23)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A committed copy of what the packages are built from, at version 0.1.0."""
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    package = tmp_path / "src" / "laager"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('"""Laager."""\n\n__version__ = "0.1.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n")
    (tmp_path / ".gitignore").write_text("dist\n")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "config", "user.name", "Nobody")
    git(tmp_path, "config", "user.email", "nobody@example.org")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "All")
    return tmp_path


def git(project: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=project, check=True, capture_output=True, text=True).stdout


def test_a_release_has_its_version_changelog_packages_and_tag(project: Path) -> None:
    RELEASE.release(project, "0.2.0", TODAY)
    assert sorted(path.name for path in (project / "dist").glob("laager*")) == [
        "laager-0.2.0-py3-none-any.whl",
        "laager-0.2.0.tar.gz",
    ]
    assert "## Unreleased\n\n## 0.2.0 (2026-11-23)\n\n### Added\n\n- A thing." in (project / "CHANGELOG.md").read_text()
    assert git(project, "tag").split() == ["v0.2.0"]
    assert git(project, "status", "--porcelain") == ""
    with tarfile.open(project / "dist" / "laager-0.2.0.tar.gz") as sdist:
        assert "laager-0.2.0/src/laager/__init__.py" in sdist.getnames()


def refused(project: Path, version: str, why: str) -> None:
    before = git(project, "log", "--oneline")
    with pytest.raises(RELEASE.UnfinishedError, match=why):
        RELEASE.release(project, version, TODAY)
    assert git(project, "log", "--oneline") == before
    assert git(project, "tag") == ""


def test_an_unfinished_tree_is_refused(project: Path) -> None:
    (project / "README.md").write_text("half a sent")
    refused(project, "0.2.0", "aren't committed")


@pytest.mark.parametrize("version", ["0.1.0", "0.0.9"])
def test_a_version_that_is_not_newer_is_refused(project: Path, version: str) -> None:
    refused(project, version, "isn't newer than 0.1.0")


@pytest.mark.parametrize("version", ["", "v0.2.0", "0.2"])
def test_what_is_not_a_version_is_refused(project: Path, version: str) -> None:
    refused(project, version, "isn't a version")


def test_a_changelog_without_news_is_refused(project: Path) -> None:
    (project / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- Old.\n")
    git(project, "commit", "-qam", "No news")
    refused(project, "0.2.0", "nothing under Unreleased")


def test_packages_that_do_not_pass_leave_the_tree_as_it_was(project: Path) -> None:
    (project / "README.md").unlink()
    git(project, "rm", "-q", "README.md")
    git(project, "commit", "-qm", "Without the text that pyproject.toml names")
    refused(project, "0.2.0", "failed")
    assert git(project, "status", "--porcelain") == ""
    assert '__version__ = "0.1.0"' in (project / "src" / "laager" / "__init__.py").read_text()
