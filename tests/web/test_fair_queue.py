"""One queue for requests, jobs and passwords: groups take turns, nobody has all places, no turn is lost."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier, Event, Lock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.web.shared.fair_queue import VISIT, BusyError, FairQueue, GoneError, Turn, Visit
from tests.web.serving import PATIENCE

MOST_OF_ONE = 6


def nothing() -> None:
    pass


def test_people_take_turns_and_nobody_asks_for_too_much() -> None:
    queue = FairQueue(lambda: 2, most_of_one=MOST_OF_ONE, enough="enough of yours are under way")
    first = [queue.enter(1, "", nothing) for _ in range(MOST_OF_ONE)]
    # One person never has all places, and waits for no more than so many.
    assert [turn.has_place for turn in first] == [True] + [False] * (MOST_OF_ONE - 1)
    with pytest.raises(BusyError, match=r"enough of yours are under way; try again in 5 seconds"):
        queue.enter(1, "", nothing)
    others = [queue.enter(who, "", nothing) for who in (2, 3)]
    assert [turn.has_place for turn in others] == [True, False]
    queue.leave(first[0])
    # Who asked later, and has nothing under way, comes before the second job of the first.
    assert others[1].has_place
    assert not first[1].has_place
    queue.leave(others[0])
    assert first[1].has_place
    for turn in (first[2], first[1], others[1], *first[3:], *others):
        queue.leave(turn)
    assert (queue.taken, queue.waiting) == (0, 0)


def test_a_full_queue_says_when_to_come_again() -> None:
    queue = FairQueue(lambda: 1, most_waiting=3, crowded="there is too much to draw")
    for one in range(4):
        queue.enter(one, "", nothing)
    with pytest.raises(BusyError, match="too much to draw; try again in 10 seconds") as caught:
        queue.enter(9, "", nothing)
    assert caught.value.seconds == 10


def test_who_loses_patience_or_goes_away_leaves_the_queue() -> None:
    queue = FairQueue(lambda: 1)
    held = queue.enter(1, "", nothing)
    with pytest.raises(BusyError), queue.turn(2, patience=0.01):
        pytest.fail("there was no place")
    freed: list[bool] = []
    visit = Visit(lambda: freed.append(True), gone=True)
    token = VISIT.set(visit)
    with pytest.raises(GoneError), queue.turn(2):
        pytest.fail("there was no place")
    VISIT.reset(token)
    assert freed == [True]
    assert (queue.taken, queue.waiting) == (1, 0)
    queue.leave(held)
    with queue.turn(2):
        assert queue.taken == 1


ACTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), max_size=60)


@given(acts=ACTS, places=st.integers(1, 9))
def test_places_are_given_out_as_far_as_the_rules_allow(acts: list[tuple[int, int, bool]], places: int) -> None:
    queue, turns, woken, numbers = FairQueue(lambda: places), list[Turn](), Counter[int](), count()
    member_share, group_share = (places + 1) // 2, places - places // 4
    for group, member, leaves in acts:
        if leaves and turns:
            queue.leave(turns.pop((group * 4 + member) % len(turns)))
        else:
            number = next(numbers)
            turns.append(queue.enter(group, member, lambda number=number: woken.update([number])))  # type: ignore[misc]
        holding = [turn for turn in turns if turn.has_place]
        of_member = Counter((turn.group, turn.member) for turn in holding)
        of_group = Counter(turn.group for turn in holding)
        assert queue.taken == len(holding) <= places
        assert max(of_member.values(), default=0) <= member_share
        assert max(of_group.values(), default=0) <= group_share
        # Who waits either finds all places taken, or has his share, or his group has.
        assert all(
            turn.has_place
            or queue.taken == places
            or of_member[turn.group, turn.member] == member_share
            or of_group[turn.group] == group_share
            for turn in turns
        )
    assert max(woken.values(), default=0) <= 1
    for turn in turns:
        queue.leave(turn)
    assert (queue.taken, queue.waiting, queue._waiting, queue._held) == (0, 0, {}, {})


def test_a_queue_of_one_place_lets_one_thread_in_at_a_time() -> None:
    queue, lock, begin, inside = FairQueue(lambda: 1), Lock(), Barrier(8), 0

    def work(who: int) -> int:
        nonlocal inside
        begin.wait(PATIENCE)
        for _ in range(20):
            with queue.turn(who % 3, who):
                with lock:
                    inside += 1
                assert inside == 1
                with lock:
                    inside -= 1
        return 20

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(work, range(8))) == 160
    assert (queue.taken, queue.waiting) == (0, 0)


def test_who_gets_its_place_at_once_is_not_woken() -> None:
    woken = Event()
    assert FairQueue(lambda: 1).enter(1, "", woken.set).has_place
    assert not woken.is_set()
