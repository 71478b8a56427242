"""The rules to browse, and what their tables can bring."""
