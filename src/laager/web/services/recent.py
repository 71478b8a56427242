"""What a worker keeps in memory: the things used last, up to a number."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """The things that were used last, at most so many. All threads of a worker share them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = Lock()
        self._kept: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return what is kept under a key; make it first if there is nothing."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        # Not under the lock: it can take seconds. If two threads make it, both get the first one.
        made = make()
        with self._lock:
            found = self._kept.setdefault(key, made)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
            return found

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
