"""Batches of a stream: large where items wait to be read, small where they come slowly or have only begun."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Generic

from keywright.core.interfaces import Item

MOST_ITEMS: Final = 64
"""Items of a batch. A default extraction of 64 abstracts together costs less than half of one by one; more of them save
hardly anything, and delay the results."""
MOST_CHARACTERS: Final = 250_000
"""Characters of a batch, unless a single item has more: some five papers, which cost a fifth less together than one by
one; measured, twice as many gain nothing."""
_SLOW: Final = 0.05  # seconds for which a source may be silent before those that wait for it are served; arbitrary

_LONG: Final = 0.5
"""Seconds between two batches above which they get smaller, so that the results of a slow system do not come in large
heaps; arbitrary."""

Ready = Callable[[float], bool | None]
"""Test whether more can be read at once, after up to so many seconds; None where that is unknown."""


class Batches(Iterator[tuple[Item, ...]], Generic[Item]):
    """Items in batches of 1, 2, 4 ...; smaller where work or source is slow; ``size``: characters of an item."""

    def __init__(self, items: Iterable[Item], size: Callable[[Item], int], ready: Ready | None = None) -> None:
        self._items, self._size, self._ready = iter(items), size, ready or (lambda _seconds: None)
        self._limit = 1
        self._slow = False
        self._returned: float | None = None  # when the last batch was
        self._next: list[Item] = []  # an item that was too large for the last batch
        self._error: Exception | None = None

    def __next__(self) -> tuple[Item, ...]:
        """Return the next batch; raise the error of the source once all items before it were returned."""
        if self._returned is not None and time.monotonic() - self._returned > _LONG:
            self._limit //= 2
        elif self._returned is not None:
            self._limit *= 2
        self._limit = min(max(self._limit, 1), MOST_ITEMS)
        batch: list[Item] = []
        characters = 0
        while len(batch) < self._limit and (pulled := self._next or self._pulled()):
            characters += self._size(pulled[0])
            if batch and characters > MOST_CHARACTERS:
                self._next = pulled
                break
            self._next = []
            batch += pulled
            if not self.is_ready(_SLOW):
                self._limit = 0
                break
        if not batch:
            raise self._error or StopIteration
        self._returned = time.monotonic()
        return tuple(batch)

    def is_ready(self, seconds: float = 0.0) -> bool:
        """Return whether another item can probably be had at once, after waiting so long at most."""
        if self._next or self._error:
            return True
        ready = self._ready(seconds)
        return not self._slow if ready is None else ready

    @property
    def is_asked(self) -> bool:
        """True if the source knows its readiness, so that it is worth asking again."""
        return self._ready(0.0) is not None

    def _pulled(self) -> list[Item]:
        """Return the next item of the source; none at its end, or at its error, which is kept."""
        if self._error:
            return []
        began = time.monotonic()
        try:
            return [next(self._items)]
        except StopIteration:
            return []
        except Exception as error:  # noqa: BLE001 - raised after the items before it
            self._error = error
            return []
        finally:
            self._slow = time.monotonic() - began > _SLOW
