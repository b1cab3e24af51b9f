"""The command line: one file per verb; each parses, calls ``keywright.api``, prints."""

import os
import sys


def main() -> None:
    """Run the program ``keywright``."""
    try:
        from keywright.faces.cli.closed_streams import open_closed_streams  # noqa: PLC0415 - so that Ctrl-C is quiet

        open_closed_streams()
        from keywright.faces.cli.app import app  # noqa: PLC0415 - as above
        from keywright.faces.cli.verbs.completion import COMPLETING, answer_shells  # noqa: PLC0415

        if COMPLETING in os.environ:
            answer_shells()
        app()
    except OSError as error:  # no verb guards the help
        from keywright.faces.cli.printing import report_error  # noqa: PLC0415 - as above

        sys.exit(report_error(error, machine=False))
    except KeyboardInterrupt:
        sys.exit(130)
