"""Words that templates may use."""
