"""The executor that defines the results of all others: one item after the other, in this process."""

from collections.abc import Callable, Iterable, Iterator

from keywright.core.interfaces import Item, Result


class Serial:
    """An executor in this process."""

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield results in the order of the items."""
        return map(work, items)
