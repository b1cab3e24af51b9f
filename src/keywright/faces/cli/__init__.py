"""The command line: one file per verb; each parses, calls ``keywright.api``, prints."""

import gc
import os
import sys


def main() -> None:
    """Run the program ``keywright``."""
    gc.set_threshold(20_000, 50, 100)  # values here are seldom in circles: the usual search for these takes 4 % of time
    try:
        for name, mode in (("stdin", "r"), ("stdout", "r"), ("stderr", "w")):
            # The caller closed it (``>&-``): input is empty then, output fails, errors are lost.
            if getattr(sys, name) is None:
                setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - open to the end
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
