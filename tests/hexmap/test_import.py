from __future__ import annotations

import subprocess
import sys

import pytest

import laager.hexmap

SLOW = ("pydantic", "ruamel.yaml", "networkx", "rustworkx", "jinja2", "resvg_py")


def test_importing_the_map_stays_light() -> None:
    code = f"import laager.hexmap, sys; print([name for name in {SLOW} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    assert all(getattr(laager.hexmap, name) is not None for name in laager.hexmap.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'load_mop'"):
        laager.hexmap.load_mop  # type: ignore[attr-defined]  # noqa: B018
