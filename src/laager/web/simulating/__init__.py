"""Whole campaigns by the thousand, played by the server for somebody, and what comes out of them."""
