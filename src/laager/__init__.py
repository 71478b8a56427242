"""Laager: the campaign referee for squad-level hex wargames.

What people script with is in `laager.api`, and comes from here too: `import laager; laager.open("evening.laager")`.
"""

from importlib import import_module

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # Only when asked for: commands start faster without it. The stub beside names what there is.
    api = import_module("laager.api") if not name.startswith("_") else None
    if name in getattr(api, "__all__", ()):
        return getattr(api, name)
    raise AttributeError(f"module 'laager' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *import_module("laager.api").__all__})
