"""Redeployment: front lines, who must or may go, orders, and where units arrive (PL 3.2, 2.5)."""
