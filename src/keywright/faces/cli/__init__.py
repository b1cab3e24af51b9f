"""The command line: one file per verb; each parses, calls ``keywright.api``, prints."""

import os
import sys


def main() -> None:
    """Run the program ``keywright``."""
    try:
        from keywright.faces.cli.app import app  # noqa: PLC0415 - inside, so that Ctrl-C is quiet from the start
        from keywright.faces.cli.verbs.completion import COMPLETING, answer_shells  # noqa: PLC0415

        if COMPLETING in os.environ:
            answer_shells()
        app()
    except KeyboardInterrupt:
        sys.exit(130)
