"""The server's entry: `uvicorn laager.web.asgi:application`."""

from __future__ import annotations

import os
import warnings

from django.conf import settings
from django.core.asgi import get_asgi_application

from laager.web.bounded import Bounded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "laager.web.settings")

# Files of the pages are small; that they are read at once needs no word in the log.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")

application = Bounded(get_asgi_application(), settings.CONFIG.at_once)
