"""Design Your Own besides its questions: terms, orders of battle, odds, suggestions, exports."""
