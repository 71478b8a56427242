"""English, whoever reads it: the month as a word, so that no day is taken for one."""
