"""The CG Card: its format, and its checks against map and catalogue (PL 1.2)."""
