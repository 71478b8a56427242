"""Pages where a campaign is played: the table, questions, dice, the report, undo, the end, live news."""
