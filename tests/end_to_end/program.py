"""The installed program, run as people run it."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("keywright")


def keywright(*arguments: object, stdin=b"", cwd=None, **environment: str):
    """Run ``keywright``; what came of it, as text. No terminal, no colours, no debugging."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=clean(**environment),
        timeout=120,
        check=False,
    )


def clean(**environment: str):
    """This process's environment without what would change the program's behaviour."""
    kept = {name: value for name, value in os.environ.items() if name != "KEYWRIGHT_DEBUG"}
    return {**kept, "COLUMNS": "100", "NO_COLOR": "1", **environment}
