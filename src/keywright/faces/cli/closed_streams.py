"""Standard streams that the caller closed (``>&-``)."""

import os
import sys
from typing import Any


def open_closed_streams() -> None:
    """Give closed streams something to be: input is empty, writing output fails, errors are lost."""
    sys.stdin = sys.stdin or _open_null("r")
    sys.stdout = sys.stdout or _open_null("r")
    sys.stderr = sys.stderr or _open_null("w")


def _open_null(mode: str) -> Any:
    return open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123 - open as long as the program
