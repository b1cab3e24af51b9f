"""Modules of this program that run as processes of their own."""

import os
import sys


def make_command(module: str) -> tuple[str, ...]:
    """Return the command that runs a module; nothing is imported from the current folder, which may be a stranger's."""
    return sys.executable, "-P", "-m", module


def share_modules() -> dict[str, str]:
    """Return the environment in which such a process finds the modules that this one does."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
