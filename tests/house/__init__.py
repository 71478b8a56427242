"""House rules: what a group plays differently."""
