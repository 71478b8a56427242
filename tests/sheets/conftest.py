"""The command line's own fixtures, for `laager sheet`."""

from tests.cli.conftest import evening, laager

__all__ = ["evening", "laager"]
