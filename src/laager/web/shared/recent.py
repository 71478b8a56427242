"""What a worker keeps in memory: the things used last, up to a number of them and a number of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """The things that were used last, up to a limit. All threads of a worker share them.

    With `size`, which tells the bytes of a thing, they have `most_bytes` together; the thing used last always stays.
    """

    def __init__(self, most: int, most_bytes: int = 0, size: Callable[[V], int] | None = None) -> None:
        self.most = most
        self.most_bytes = most_bytes
        self._size = size
        self._lock = Lock()
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._sizes: dict[K, int] = {}
        self._bytes = 0

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return what is kept under a key; make it first if there is nothing."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        # Not under the lock: it can take seconds. If two threads make it, both get the first one.
        made = make()
        with self._lock:
            kept = self._kept.setdefault(key, made)
            self._weigh(key)
            self._shed()
            return kept

    def forget(self, key: K) -> None:
        """Keep what is under a key no longer."""
        with self._lock:
            if self._kept.pop(key, None) is not None:
                self._bytes -= self._sizes.pop(key, 0)

    def weigh(self, key: K) -> None:
        """Look anew how large a thing is that may have grown; the oldest ones go if it is all too much."""
        with self._lock:
            if key in self._kept:
                self._weigh(key)
                self._shed()

    def _weigh(self, key: K) -> None:
        if self._size is not None:
            size = self._size(self._kept[key])
            self._bytes += size - self._sizes.get(key, 0)
            self._sizes[key] = size

    def _shed(self) -> None:
        while len(self._kept) > self.most or (self._size and self._bytes > self.most_bytes and len(self._kept) > 1):
            key, _ = self._kept.popitem(last=False)
            self._bytes -= self._sizes.pop(key, 0)

    @property
    def bytes(self) -> int:
        """The bytes of all that is kept."""
        return self._bytes

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._sizes.clear()
            self._bytes = 0
