"""Examples at the end of a command's help."""

from __future__ import annotations


def examples(*lines: str) -> str:
    """Return examples for the end of a command's help, each on a line of its own."""
    return "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))
