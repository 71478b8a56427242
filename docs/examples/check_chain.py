"""Check the hashes of a campaign file: python check_chain.py FILE. Needs Python alone."""

import hashlib
import json
import sys
from pathlib import Path

previous = "0" * 64
for number, line in enumerate(Path(sys.argv[1]).read_bytes().splitlines(), start=1):
    head, _, tail = line.rpartition(b',"hash":"')
    digest = hashlib.sha256(head).hexdigest()
    entry = json.loads(line)
    assert tail == digest.encode() + b'"}', f"line {number} was changed"
    assert entry["prev"] == previous, f"line {number} does not follow the line before it"
    assert entry["n"] == number, f"line {number} is numbered {entry['n']}"
    previous = digest
print(f"{number} lines, head {previous}")
