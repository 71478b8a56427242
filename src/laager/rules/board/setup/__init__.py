"""Setup before a battle: who hides, what fortifications become, the setup sheet."""
