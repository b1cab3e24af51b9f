"""Memory that a training on the processor frees: kept for the next batch, and given back to the system now and then.

Both only where the C library is glibc, as on Linux; elsewhere they do nothing.
"""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

_TRIM_THRESHOLD: Final = -1
"""Parameter of ``mallopt`` (malloc.h): free bytes at the end of the heap that are given back."""
_MOST_MAPPED: Final = -4
"""Parameter of ``mallopt`` (malloc.h): number of arrays that are mapped one by one."""
_USUAL: Final = {_TRIM_THRESHOLD: 128 * 1024, _MOST_MAPPED: 65_536}
"""Values of glibc before anybody sets them."""
_KEEPING: Final = {_TRIM_THRESHOLD: 2**31 - 1, _MOST_MAPPED: 0}
"""The largest number that ``mallopt`` takes, and nothing mapped."""


@contextmanager
def freed_memory_kept() -> Iterator[None]:
    """Keep freed memory in the process while the block runs.

    By default every large array is mapped anew and given back when it is freed, and the system fills each of its pages
    with zeros: a tenth of a training of One2Seq, a fifth of One2Set (profile ``small``, one core).
    """
    _set(_KEEPING)
    try:
        yield
    finally:
        _set(_USUAL)
        give_back_freed_memory()


def give_back_freed_memory() -> None:
    """Give freed memory back to the system.

    Batches differ in length, so that their arrays leave gaps that the next ones do not fit: the memory of a training on
    the processor grows for hours although no more is in use. A call takes a tenth of a second.
    """
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


def _set(values: dict[int, int]) -> None:
    set_parameter = _function("mallopt")
    if set_parameter is not None:
        for parameter, value in values.items():
            set_parameter(parameter, value)


def _function(name: str) -> Any:
    """Return a function of the C library; None where it has none of this name, as others of Linux than glibc."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
