"""A check of the script that starts worker processes, each of which imports it again."""

import sys
from pathlib import Path

from keywright.core.errors import BadParameter


def check_main() -> None:
    """Check that worker processes can import the running script without starting its work again.

    A program without a file, such as an interpreter or a notebook, needs no guard.

    Raises:
        BadParameter: its source nowhere mentions ``__main__``, so that each worker would run it from the beginning.
    """
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    try:
        source = Path(path).read_text("utf-8") if path else None
    except (OSError, UnicodeDecodeError):  # packed or compiled; a worker that cannot start is reported later
        return
    if source is not None and "__main__" not in source:
        hint = (
            'put the work of the script into a function and call it under `if __name__ == "__main__":`, '
            "or leave out jobs and engine"
        )
        raise BadParameter(f"worker processes would run the script {path} again from its beginning", hint)
