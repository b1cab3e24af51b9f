"""Progress on standard error: a bar with a rate on a terminal, nothing elsewhere."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")


@contextmanager
def progress(task_name: str, *, quiet: bool) -> Iterator[Callable[[int, int | None], None]]:
    """Give a function to call with how much is done, and of how much (None if unknown)."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    rate = TextColumn("{task.fields[rate]}")
    columns = (TextColumn(task_name), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    # Results have standard output for themselves: rich would send them to where the bar is.
    screen = Console(stderr=True)
    with Progress(*columns, console=screen, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(task_name, total=None, rate="")

        def tell(done: int, total: int | None) -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, completed=done, total=total, rate=f"{speed:.1f}/s" if speed else "")

        yield tell


def counted(items: Iterable[Item], tell: Callable[[int, int | None], None]) -> Iterator[Item]:
    """Yield the items, counting them."""
    for done, item in enumerate(items, start=1):
        yield item
        tell(done, None)
