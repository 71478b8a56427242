"""`laager backup` and `laager restore`: all that a server knows, in one file that either database takes.

A backup is a ZIP of the rows of every table, as JSON lines, and of the names of the migrations that the database had.
It is restored into those migrations and then brought up to date, so that an older backup, or one of the other database,
serves as well.
"""
