"""Design Your Own: both sides buy any order of battle by the rules (chapter H, 1.1 to 1.84)."""
