"""The command line: one file a verb, each parses, calls ``keywright.api``, prints."""

import sys


def main() -> None:
    """The program ``keywright``."""
    try:
        from keywright.faces.cli.app import app  # noqa: PLC0415 - inside, so that Ctrl-C is quiet from the start

        app()
    except KeyboardInterrupt:
        sys.exit(130)
