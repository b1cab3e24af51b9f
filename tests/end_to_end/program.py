"""The installed program, run as people run it."""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

from tests.end_to_end.warm_program import WarmProgram

from keywright.core.signatures import short_signature, signature

PROGRAM = Path(sys.executable).with_name("keywright")


FRESH = ("PYTHON", "LC_", "LANG")  # beginnings of the names of variables that Python reads when it starts


@functools.cache
def warm():
    """The process that commands of this test process are forked from."""
    return WarmProgram()


def keywright(*arguments: object, stdin=b"", cwd=None, fresh=False, **environment: str):
    """Run ``keywright``; what came of it, as text. No terminal, no colours, no debugging.

    ``fresh``: start Python, not only a process that has loaded the modules; also where the environment asks for it.
    """
    command = [str(PROGRAM), *map(str, arguments)]
    fresh = fresh or sys.platform != "linux" or any(name.startswith(FRESH) for name in environment)
    if not fresh:
        return warm().run(command, stdin, str(cwd or Path.cwd()), clean(**environment))
    return subprocess.run(
        command, input=stdin, capture_output=True, cwd=cwd, env=clean(**environment), timeout=120, check=False
    )


def clean(**environment: str):
    """This process's environment without what would change the program's behaviour."""
    kept = {name: value for name, value in os.environ.items() if name != "KEYWRIGHT_DEBUG"}
    return {**kept, "COLUMNS": "100", "NO_COLOR": "1", **environment}


def first_record(prediction, system):
    """The first record of an output, from Python: the short signature, and the full one once."""
    full = signature(system)
    return json.loads(json.dumps(prediction.to_dict(short_signature(full)) | {"signature": full}))
