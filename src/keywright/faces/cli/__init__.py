"""The command line: one file per verb; each parses, calls ``keywright.api``, prints."""

import os
import sys
from typing import Any


def main() -> None:
    """Run the program ``keywright``."""
    try:
        _open_closed_streams()
        from keywright.faces.cli.app import app  # noqa: PLC0415 - so that Ctrl-C is quiet
        from keywright.faces.cli.verbs.installation import COMPLETING, answer_shells  # noqa: PLC0415

        if COMPLETING in os.environ:
            answer_shells()
        app()
    except OSError as error:  # no verb guards the help
        from keywright.faces.cli.printing import report_error  # noqa: PLC0415 - as above

        sys.exit(report_error(error, machine=False))
    except KeyboardInterrupt:
        sys.exit(130)


def _open_closed_streams() -> None:
    """Give streams that the caller closed (``>&-``) something to be: input is empty, output fails, errors are lost."""
    sys.stdin = sys.stdin or _open_null("r")
    sys.stdout = sys.stdout or _open_null("r")
    sys.stderr = sys.stderr or _open_null("w")


def _open_null(mode: str) -> Any:
    return open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123 - open as long as the program
