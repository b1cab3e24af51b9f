"""The installed program, run as people run it."""

import json
import os
import subprocess
import sys
from pathlib import Path

from keywright.core.records import prediction_record
from keywright.core.signatures import short_signature, signature

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


def first_record(prediction, system):
    """The first record of an output, from Python: the short signature, and the full one once."""
    full = signature(system)
    return json.loads(json.dumps(prediction_record(prediction, short_signature(full)) | {"signature": full}))
