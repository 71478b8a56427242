"""Rule systems, one package each."""
