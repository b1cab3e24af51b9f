"""The command line: one file per verb; each parses, calls ``keywright.api``, prints."""

import sys


def main() -> None:
    """Run the program ``keywright``."""
    try:
        from keywright.faces.cli.app import app  # noqa: PLC0415 - inside, so that Ctrl-C is quiet from the start

        app()
    except KeyboardInterrupt:
        sys.exit(130)
