"""The workers of a server, as its supervisor sees them."""

from __future__ import annotations

from uvicorn.supervisors import multiprocess


class Worker(multiprocess.Process):
    """uvicorn's worker, whose death the supervisor hears of at once.

    uvicorn asks each worker through a pipe whether it lives, and keeps both ends of it open. If a worker dies before
    it has answered, that waits as long as for one that says nothing, and replaces no other worker meanwhile.
    """

    def start(self) -> None:
        """Start it, and leave its end of the pipe to it alone."""
        super().start()
        self.child_conn.close()
