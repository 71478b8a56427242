"""Accounts: logging in and out, passwords, what one likes, tokens."""
