"""What all calls of the JSON API share: who calls, parsing, refusals, shapes, the reference page."""
