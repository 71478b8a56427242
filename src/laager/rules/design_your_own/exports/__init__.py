"""Orders of battle of Design Your Own for use elsewhere: campaign cards, and vasl-templates."""
