"""The server's entry: `uvicorn laager.web.asgi:application`."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings

from django.conf import settings
from django.core.asgi import get_asgi_application

from laager.web.bounded import Bounded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "laager.web.settings")

# Files of the pages are small; that they are read at once needs no word in the log.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")


def _end_with_parent() -> None:
    """End this worker when the process that started it is gone, be it killed.

    A worker left over would go on answering at the old address, and nobody could end it.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()


_end_with_parent()
application = Bounded(get_asgi_application(), settings.CONFIG.at_once)
