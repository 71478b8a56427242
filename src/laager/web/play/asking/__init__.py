"""Questions and their answers, dice that players roll, several answers at once."""
