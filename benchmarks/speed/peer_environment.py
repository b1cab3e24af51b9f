"""The environment of the peers: made once, filled requirement by requirement, with a reason for what cannot be had."""

import json
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Collection
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parents[1] / "peers.txt"
_STATE = "peers.json"
_ADDRESS = re.compile(r"\S+://\S+")


def interpreter(folder: Path) -> Path:
    """The Python of an environment."""
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def prepare(folder: Path, only: Collection[str] = ()) -> dict[str, str]:
    """Make the environment and install what is missing.

    Args:
        folder: of the environment.
        only: names of packages; all when empty.

    Returns:
        By name of a package why it could not be installed; empty when all could.
    """
    if not interpreter(folder).is_file():
        print(f"Making a virtual environment for other tools in {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True)
    state = folder / _STATE
    known: dict[str, str] = json.loads(state.read_text("utf-8")) if state.is_file() else {}
    now = dict(known) if only else {}
    for line in _lines():
        if only and line.partition("==")[0] not in only:
            continue
        now[line] = "" if known.get(line) == "" else _install(folder, line)
    state.write_text(json.dumps(now, indent=1), "utf-8")
    return {line.partition("==")[0]: reason for line, reason in now.items() if reason}


def _lines() -> list[str]:
    lines = REQUIREMENTS.read_text("utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _install(folder: Path, line: str) -> str:
    """Install one requirement; the reason if that fails, else empty."""
    print(f"Installing {line.split(maxsplit=1)[0]} into {folder}", file=sys.stderr)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(line + "\n")
        file.flush()
        hashed = ["--require-hashes", "--no-deps"] if "--hash" in line else []
        command = [str(interpreter(folder)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *hashed]
        done = subprocess.run([*command, "-r", file.name], capture_output=True, text=True, check=False)  # noqa: S603 - pip, with our own list
    if done.returncode == 0:
        return ""
    errors = [text for text in done.stderr.splitlines() if text.startswith("ERROR")] or ["pip failed"]
    return _ADDRESS.sub("...", errors[-1].removeprefix("ERROR: "))
