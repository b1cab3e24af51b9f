"""Memory that a training has freed, given back to the system."""

import ctypes
import sys


def give_back_freed_memory() -> None:
    """Give freed memory back to the system, where the C library keeps it: glibc, which Linux has.

    Batches differ in length, so that their arrays leave gaps that the next ones do not fit: the memory of a training on
    the processor grows for hours although no more is in use. A call takes a tenth of a second.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # other C libraries of Linux have none
        if trim is not None:
            trim(0)
