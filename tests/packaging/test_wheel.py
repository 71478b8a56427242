"""The wheel, installed into an environment with nothing else: its commands and pages, far from the source tree."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")


@dataclass(frozen=True)
class Installed:
    """Laager in an environment of its own, played in a folder of its own."""

    command: Path
    folder: Path

    def __call__(self, *words: str, stdin: str = "", code: int = 0) -> str:
        """Run a command, and return what it printed."""
        done = subprocess.run(
            [self.command, *words],
            input=stdin, capture_output=True, text=True, cwd=self.folder, env=self.env, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == code, done
        return done.stdout + done.stderr

    @property
    def env(self) -> dict[str, str]:
        """Nothing of the tests' own environment but where programs lie."""
        return {"PATH": os.defpath, "HOME": str(self.folder), "LAAGER_DATA": str(self.folder / "data")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [UV, "build", "-q", "--wheel", "--python", sys.executable, "--no-build-isolation", "-o", out, ROOT],
        check=True,
        timeout=120,
    )
    (made,) = out.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Laager as `uv tool install laager` leaves it: the wheel and what it needs, no extras."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([UV, "venv", "-q", "--python", sys.executable, folder / "env"], check=True, timeout=60)
    python = folder / "env" / "bin" / "python"
    pinned = ("-c", ROOT / "requirements.lock")
    install: list[str | Path] = [UV, "pip", "install", "-q", "--python", python, *pinned, wheel]
    # What the tests need is in uv's cache from making their environment; only a cleared cache asks the network.
    if subprocess.run([*install, "--offline"], check=False, timeout=120, capture_output=True).returncode:
        subprocess.run(install, check=True, timeout=300)
    (folder / "home").mkdir()
    return Installed(python.with_name("laager"), folder / "home")


def test_the_source_tree_is_not_used(bare: Installed) -> None:
    where = subprocess.run(
        [bare.command.with_name("python"), "-c", "import laager; print(laager.__file__)"],
        capture_output=True, text=True, cwd=bare.folder, env=bare.env, check=True,
    )  # fmt: skip
    assert str(ROOT) not in where.stdout


def test_a_campaign_is_begun_played_drawn_and_verified(bare: Installed) -> None:
    assert re.fullmatch(r"laager \d+\.\d+\.\d+\n", bare("--version"))
    assert "The Mill at Olshanka" in bare("cards")
    bare("new", "training")
    assert "Hint:" in bare("next", stdin="\n\nq\n")
    assert "sound" in bare("verify")
    bare("map", "--out", "map.svg")
    bare("map", "--out", "map.png")
    assert (bare.folder / "map.png").read_bytes().startswith(b"\x89PNG")
    assert "pl" in bare("rules", "pl", "2.3")
    assert "roster" in bare("sheet", "roster").lower()


def test_what_is_left_out_says_what_to_install(bare: Installed) -> None:
    bare("new", "training", "--file", "pdf.laager")
    told = bare("sheet", "roster", "--pdf", "roster.pdf", "--campaign", "pdf.laager", code=1)
    assert 'uv tool install "laager[pdf]"' in told
    assert not (bare.folder / "roster.pdf").exists()


@pytest.fixture(scope="module")
def served(bare: Installed) -> Iterator[tuple[str, str]]:
    """The address of a server, and the link that makes its owner."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = bare.folder / "serve.log"
    with log.open("w") as out:
        server = subprocess.Popen(
            [bare.command, "serve", "--port", str(port)], cwd=bare.folder, env=bare.env, stdout=out, stderr=out
        )
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(600):
            if server.poll() is not None:
                pytest.fail(log.read_text())
            try:
                httpx.get(f"{address}/health")
                break
            except httpx.TransportError:
                time.sleep(0.05)
        link = re.search(rf"{address}/\S+", log.read_text())
        yield address, link[0] if link else ""
    finally:
        server.terminate()
        server.wait(timeout=30)


def test_its_pages_have_their_styles_scripts_and_german(served: tuple[str, str]) -> None:
    address, link = served
    assert link
    with httpx.Client(follow_redirects=True, headers={"Accept-Language": "de"}, base_url=address) as browser:
        page = browser.get(link)
        assert page.status_code == 200
        assert 'lang="de"' in page.text
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
        assert {Path(file).suffix for file in files} >= {".css", ".js"}
        for file in files:
            got = browser.get(file)
            assert got.status_code == 200
            assert got.content


def test_the_wheel_holds_no_tests_and_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < 4_000_000
    listed = subprocess.run([sys.executable, "-m", "zipfile", "-l", wheel], capture_output=True, text=True, check=True)
    assert "laager/packs/pl/training.yaml" in listed.stdout
    assert "tests/" not in listed.stdout
