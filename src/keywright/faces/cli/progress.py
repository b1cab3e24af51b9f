"""Progress on standard error: a bar with a rate where someone is watching, nothing elsewhere."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")


@contextmanager
def progress(what: str, *, quiet: bool) -> Iterator[Callable[[int, int | None], None]]:
    """A function to be told how much is done, of how much (None where that is not known)."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    rate = TextColumn("{task.fields[rate]}")
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    # Results have standard output for themselves: rich would send them to where the bar is.
    screen = Console(stderr=True)
    with Progress(*columns, console=screen, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(what, total=None, rate="")

        def tell(done: int, total: int | None) -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, completed=done, total=total, rate=f"{speed:.1f}/s" if speed else "")

        yield tell


def counted(items: Iterable[Item], tell: Callable[[int, int | None], None]) -> Iterator[Item]:
    """The items, told one by one."""
    for done, item in enumerate(items, start=1):
        yield item
        tell(done, None)
