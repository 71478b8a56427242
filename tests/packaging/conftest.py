"""The wheel, built once, and the bare environment that it is installed into."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.packaging.installed import LAAGER, PINNED, ROOT, UV, WINDOWS, Installed, offline_first


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [UV, "build", "-q", "--wheel", "--python", sys.executable, "--no-build-isolation", "-o", out, ROOT],
        check=True,
        timeout=6000,
    )
    (made,) = out.glob("*.whl")
    return made


@pytest.fixture(scope="session")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Laager as `pip install laager` leaves it: the wheel and what it needs, no extras."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([UV, "venv", "-q", "--python", sys.executable, folder / "env"], check=True, timeout=600)
    python = folder / "env" / ("Scripts/python.exe" if WINDOWS else "bin/python")
    offline_first([UV, "pip", "install", "-q", "--python", python, *PINNED, wheel])
    (folder / "home").mkdir()
    return Installed(python.with_name(LAAGER), folder / "home")


@pytest.fixture(scope="session")
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
        for _ in range(6000):
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
        server.wait(timeout=600)
