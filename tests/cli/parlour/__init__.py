"""A rule system for the tests of the command line: it has a question of every form."""
