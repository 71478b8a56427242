"""The HASL card and its charts: loading them, and checking them."""
