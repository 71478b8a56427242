"""Starting: nothing is imported that a command does not need; shells complete words."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from laager.cli.app import alone, app

from .conftest import Laager
from .running import environment, install, process

HEAVY = (
    "pydantic", "rich", "ruamel", "questionary", "prompt_toolkit", "jinja2", "resvg_py",
    "rustworkx", "networkx", "yaml", "filelock", "scipy", "pyarrow", "matplotlib", "distributed",
)  # fmt: skip


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("installed"))


def imported(folder: Path, installed: Path, *words: str) -> set[str]:
    """Return the packages that a command has imported when it ends."""
    code = (
        "import sys, atexit; sys.argv[0] = 'laager'\n"
        "atexit.register(lambda: sys.stderr.write('\\n'.join(sys.modules)))\n"
        "from laager.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(installed),
        check=False,
        timeout=600,
    )
    return set(done.stderr.split())


def test_version_imports_next_to_nothing(tmp_path: Path, installed: Path) -> None:
    found = imported(tmp_path, installed, "--version")
    assert "laager" in found
    assert not {"typer", "laager.cli.app", "laager.base", *HEAVY} & found


@pytest.mark.parametrize("words", [["--help"], ["next", "--help"], ["nxet"]])
def test_help_imports_no_campaign_and_no_rules(tmp_path: Path, installed: Path, words: list[str]) -> None:
    found = imported(tmp_path, installed, *words)
    assert "laager.cli.app" in found
    heavy = {name for name in found if name.split(".")[0] in set(HEAVY) - {"pydantic"}}
    assert not heavy
    assert not {name for name in found if name.startswith(("laager.campaign", "laager.rules"))}


def test_tables_and_rules_are_read_without_the_rules_themselves(tmp_path: Path, installed: Path) -> None:
    for words in (["rules", "pl", "3.47"], ["table", "pl"]):
        found = imported(tmp_path, installed, *words)
        assert not {name for name in found if name.startswith("laager.rules.platoon_leader.steps")}
        assert not {"questionary", "jinja2", "rustworkx", "resvg_py"} & found


def test_a_status_needs_no_prompts_and_no_pictures(tmp_path: Path, installed: Path) -> None:
    assert process(tmp_path, installed, "new", "rzhavets").code == 0
    found = imported(tmp_path, installed, "status")
    assert not {"questionary", "prompt_toolkit", "jinja2", "resvg_py", "rich"} & found


# Completion ---------------------------------------------------------------------------------------


def completed(laager: Laager, *words: str) -> list[str]:
    """Return what bash offers for the last of these words."""
    asked = {"COMP_WORDS": " ".join(["laager", *words]), "COMP_CWORD": str(len(words))}
    return laager(_LAAGER_COMPLETE="complete_bash", **asked).out.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["sto"], ["story"]),
        (["next", "--s"], ["--side", "--solo"]),
        (["rules", "p"], ["parlour", "pl"]),
        (["table", "pl", "--d"], ["--drm"]),
        (["schema", "m"], ["map"]),
    ],
)
def test_the_shell_completes(laager: Laager, words: list[str], offered: list[str]) -> None:
    assert completed(laager, *words) == offered


def test_completion_is_shown_and_installed(tmp_path: Path, installed: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    wanted = {"HOME": str(home), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = process(tmp_path, installed, "--show-completion", "bash", **wanted)
    assert shown.code == 0
    assert "_LAAGER_COMPLETE" in shown.out
    done = process(tmp_path, installed, "--install-completion", "bash", **wanted)
    assert done.code == 0, done
    assert "laager" in (home / ".bash_completions" / "laager.sh").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["next"], {"next"}),
        (["vasl", "import", "bd01"], {"vasl import"}),
        (["map", "import"], {"vasl import"}),
        (["chart", "fil"], {"chart fill", "chart check", "chart export", "chart import"}),
    ],
)
def test_a_command_is_made_alone(words: list[str], left: set[str]) -> None:
    assert set(commands(get_command(alone(words)))) == left


@pytest.mark.parametrize("words", [[], ["--help"], ["nxet"], ["--server", "http://example.test", "next"]])
def test_what_names_no_command_makes_them_all(words: list[str]) -> None:
    assert set(commands(get_command(alone(words)))) == set(commands(get_command(app)))


def commands(of: Any, before: str = "") -> Iterator[str]:
    """Yield the names of all commands, with those of their groups."""
    for name, one in of.commands.items():
        if hasattr(one, "commands"):
            yield from commands(one, f"{before}{name} ")
        else:
            yield before + name
