"""Standard streams that the caller closed (``>&-``)."""

import os
import sys
from typing import Any


def open_closed_streams() -> None:
    """Give closed streams something to be: input is empty, writing output fails, errors are lost."""
    sys.stdin = sys.stdin or _null("r")
    sys.stdout = sys.stdout or _null("r")
    sys.stderr = sys.stderr or _null("w")


def _null(mode: str) -> Any:
    return open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123 - open as long as the program
