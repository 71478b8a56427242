"""The story of battles and campaigns."""
