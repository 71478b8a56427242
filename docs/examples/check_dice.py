"""Recompute every roll of a campaign file: python check_dice.py FILE. Needs Python alone."""

import hashlib
import hmac
import json
import sys
from pathlib import Path

entries = [json.loads(line) for line in Path(sys.argv[1]).read_bytes().splitlines()]
seed = bytes.fromhex(entries[1]["body"]["seed"])
commitment = hashlib.sha256(b"laager-dice-1:" + seed).hexdigest()
assert commitment == entries[0]["body"]["dice"]["commitment"], "another seed was committed to"


def faces(dice: str, stream: str, number: int) -> list[int]:
    """Return the faces of a roll: two for a DR (the coloured die first), one for a dr."""
    wanted, counter = {"DR": 2, "dr": 1}[dice], 0
    found: list[int] = []
    while len(found) < wanted:
        message = f"{stream}:{number}:{dice}:{counter}".encode()
        block = hmac.digest(seed, message, "sha256")
        found += [1 + byte % 6 for byte in block if byte < 252]
        counter += 1
    return found[:wanted]


rolls = [entry for entry in entries if entry["type"] == "roll"]
for entry in rolls:
    roll = entry["body"]
    if roll["source"] == "rolled":
        expected = faces(roll["dice"], roll["stream"], roll["number"])
        assert roll["faces"] == expected, f"entry {entry['n']}: {roll['faces']} is not {expected}"
print(f"{len(rolls)} rolls, committed to as {commitment}")
