"""The server's entry: `uvicorn laager.web.asgi:application`."""

from __future__ import annotations

import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "laager.web.settings")

# Files of the pages are small; that they are read at once needs no word in the log.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")

application = get_asgi_application()
