"""The engine: facts, log, state, steps, questions, secrecy, undo, audit."""
