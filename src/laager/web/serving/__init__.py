"""How the server runs: settings, addresses, the ASGI entry, limits, workers, `laager serve`."""
