"""Logs as the real engine plays them: every piece in the same hex, stack and state."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from laager.vasl.saves.save import read_save
from tests.vasl.engine import BOARDS, ask, needs_boards, needs_engine
from tests.vasl.save_writer import (
    NEW,
    Counter,
    board,
    change,
    concealed,
    game,
    hidden,
    layer,
    log,
    move,
    owner,
    sequence,
    stack,
    write,
)

PLAYER = "player-one"
POINTS = [(456, 464 + 64 * row) for row in range(4)] + [(512, 496), (625, 561), (484, 448)]
"""Centres of hexes of board 01, and a hexside."""


def counters() -> Iterator[Counter]:
    for number in range(1, 25):
        traits = [owner("Ann"), hidden(None), concealed(None), layer("broken +", at=-1)]
        if number % 8 == 0:
            traits.append(("immob;g;", ""))
        yield Counter(str(number), f"{number}-6-7 1sq", traits, at=random.Random(number).choice(POINTS))


class Play:
    """A game that is played at random: what its state was, and the steps."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.now = {one.id: one for one in counters()}
        self.start = [one.command() for one in self.now.values()]
        free = [one for one in self.now.values() if int(one.id) % 8]
        for number, at in enumerate(POINTS):
            self.start.append(stack(f"5{number}", [one for one in free if one.at == at], at))
        self.new = 100

    def steps(self, count: int) -> Iterator[Sequence[str]]:
        for _ in range(count):
            yield [self.one() for _ in range(self.dice.randint(1, 3))]

    def one(self) -> str:
        piece = self.now[self.dice.choice(list(self.now))]
        at, other = self.dice.choice(POINTS), self.dice.choice(list(self.now))
        what = self.dice.randrange(12)
        if what < 5:
            return move(piece.id, at, self.dice.choice(["null", other]), player=PLAYER)
        if what == 5:
            return move(f"5{self.dice.randrange(len(POINTS))}", at, player=PLAYER)
        if what < 8:
            return self.changed(piece)
        if what == 8:
            self.new += 1
            return f"+/{self.new}/stack/" + sequence([NEW, *map(str, at), piece.id, other], ";")
        if what == 9:
            ids = self.dice.sample(list(self.now), 4)
            here = [NEW, *map(str, at)]
            new, old = sequence([*here, *ids[:3]], ";"), sequence([*here, *ids[1:]], ";")
            return "D/" + sequence([f"5{self.dice.randrange(len(POINTS))}", new, old], "/")
        if what == 10 and len(self.now) > 15:
            del self.now[piece.id]
            return f"-/{piece.id}"
        self.new += 1
        made = replace(piece, id=str(self.new), at=at)
        self.now[made.id] = made
        return made.command()

    def changed(self, piece: Counter) -> str:
        traits = list(piece.traits)
        if self.dice.randrange(2):
            traits[3] = layer("broken +", at=self.dice.choice([1, -1]))
        if self.dice.randrange(2):
            traits[2] = concealed(self.dice.choice([None, PLAYER]))
        new = replace(piece, traits=traits, at=self.dice.choice([piece.at, self.dice.choice(POINTS)]))
        self.now[piece.id] = new
        return change(piece, new)


@needs_engine
@needs_boards
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak), pytest.param(3, marks=pytest.mark.soak)])
def test_a_log_ends_as_the_engine_ends_it(seed: int, tmp_path: Path) -> None:
    play = Play(seed)
    text = game(*play.start, boards=board(0, 0, "01"))
    start = write(tmp_path, text, "start.vsav")
    path = write(tmp_path, log(text, *play.steps(150)), "game.vlog")
    told = ask(start, BOARDS, "--continue", path, "--as", PLAYER)
    save = read_save(path)
    mine = {one.id: one for one in save.pieces}
    assert save.misfits == 0
    assert mine.keys() == told.by_id.keys()
    for number, other in told.by_id.items():
        piece = mine[number]
        assert (piece.map, piece.x, piece.y) == (other["map"], other["x"], other["y"]), number
        assert piece.name == other["true_name"]
        assert bool(piece.concealed_by) == (other["concealed_by"] is not None)
        assert other["location"] == (piece.place.hexside or piece.place.hex or "offboard")
    stacks = [tuple(one["id"] for one in inside if one["order"] >= 0) for key, inside in told.stacks.items() if key]
    assert sorted(one.pieces for one in save.stacks) == sorted(filter(None, stacks))
