"""Suggesting a purchase that meets a side's wishes: an integer program over what the rules allow.

Prices and limits come from `lines`; nothing here checks by itself.
"""
