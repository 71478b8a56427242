"""The workers of a server, as its supervisor sees them."""

from __future__ import annotations

import os
from socket import socket

from uvicorn.supervisors import multiprocess

from laager.web.shared.jobs import end_with_parent


class Worker(multiprocess.Process):
    """uvicorn's worker, whose death the supervisor hears of at once.

    uvicorn asks each worker through a pipe whether it lives, and keeps both ends of it open. If a worker dies before
    it has answered, that waits as long as for one that says nothing, and replaces no other worker meanwhile.
    """

    def start(self) -> None:
        """Start it, and leave its end of the pipe to it alone."""
        super().start()
        self.child_conn.close()

    def target(self, sockets: list[socket] | None = None) -> None:
        """Serve. A worker that still starts when the server is killed ends at once, and lets go of the port."""
        end_with_parent(self._end_if_starting)
        super().target(sockets)

    def _end_if_starting(self) -> None:
        # Once it has started it finishes what is under way (`asgi`).
        if not self.server.started:
            os._exit(1)
