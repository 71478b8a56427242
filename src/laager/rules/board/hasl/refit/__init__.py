"""The Refit Phase from the end of Melee to repair, one module per subject."""
