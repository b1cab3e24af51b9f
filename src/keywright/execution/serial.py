"""One item after the other, here: this defines the answer that every other executor must give."""

from collections.abc import Callable, Iterable, Iterator

from keywright.core.interfaces import Item, Result


class Serial:
    """Applies the work in this process, in order."""

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Results, one at a time, in the order of the items."""
        return map(work, items)
