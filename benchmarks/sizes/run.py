"""``make sizes``: what keywright, its extras and other tools take on the disk, and how soon they answer.

Each row is a new virtual environment without pip, filled from the package index by uv where that is on the path, else
by pip, with byte code. Sizes are the bytes of all files in it, less those of an empty one. Seconds are of processor
time, user and system, of a new process on one thread: the least of several, since a busy machine only adds to them.
"""

import argparse
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

from tools_beside import TOOLS, Tool

ROOT = Path(__file__).resolve().parents[2]
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "RAYON")}
_RUNS = 5  # processes of which the fastest counts; arbitrary
_TEXT = ROOT / "examples" / "note.txt"


def main() -> None:
    """Measure, print a row for each tool, and write the rows if a file is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", nargs="*", metavar="TOOL", help="only these; default: all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there; rows of other tools stay")
    given = parser.parse_args()
    unknown = set(given.tools) - TOOLS.keys()
    if unknown:
        parser.error(f"no tool called {', '.join(sorted(unknown))}; there are {', '.join(TOOLS)}")
    with tempfile.TemporaryDirectory() as folder:
        wheel = _wheel(Path(folder))
        print(f"the wheel of keywright: {wheel.stat().st_size / 1e6:.1f} MB; Python {platform.python_version()}")
        for name in given.tools or TOOLS:
            row = _row(TOOLS[name], wheel, Path(folder) / "environment")
            print(f"{name:24} {json.dumps(row, ensure_ascii=False)}", flush=True)
            if given.json:
                _store(given.json, wheel, {name: row})


def _store(file: Path, wheel: Path, rows: dict[str, Any]) -> None:
    """Write rows into the file, at once, beside those of other tools."""
    rows = (json.loads(file.read_text("utf-8"))["rows"] if file.is_file() else {}) | rows
    result = {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "text_characters": len(_TEXT.read_text("utf-8")),
        "wheel_megabytes": round(wheel.stat().st_size / 1e6, 1),
        "rows": {name: rows[name] for name in TOOLS if name in rows},
    }
    file.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _wheel(folder: Path) -> Path:
    """Build the wheel."""
    _checked([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT)
    return next(folder.glob("*.whl"))


def _row(tool: Tool, wheel: Path, folder: Path) -> dict[str, Any]:
    """Return size and times of a tool; a note where it cannot be installed or run."""
    print(f"... {tool.name}", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=False, symlinks=True)
    python = str(folder / "bin" / "python")
    empty = _bytes(folder)
    row: dict[str, Any] = {"note": tool.note}
    try:
        for requirements in tool.installations(wheel):
            _install(python, requirements)
        listed = json.loads(_checked([python, "-c", _PACKAGES]))
        row |= {"megabytes": round((_bytes(folder) - empty) / 1e6, 1), "packages": len(listed)}
        row["versions"] = {name: listed[name] for name in tool.shown if name in listed}
        row["import_seconds"] = _seconds(python, tool.imported)
        row["first_seconds"] = _seconds(python, tool.extraction) if tool.extraction else None
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or "").strip().splitlines() or ["no message"]
        row["note"] = f"failed: {lines[-1]}"
    return row


_PACKAGES = (
    "import json; from importlib.metadata import distributions;"
    "print(json.dumps({each.metadata['Name'].lower().replace('_', '-'): each.version for each in distributions()}))"
)


def _install(python: str, requirements: list[str]) -> None:
    uv = shutil.which("uv")
    installer = [uv, "pip", "install", "--compile-bytecode", "--python", python] if uv else _pip(python)
    _checked([*installer, "--quiet", "-c", str(ROOT / "constraints.txt"), *requirements])


def _pip(python: str) -> list[str]:
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python, "install"]


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _seconds(python: str, code: str) -> float:
    """Return the processor time of the fastest of several new processes."""
    command = [python, "-c", code, str(_TEXT)]
    _checked(command)  # once unmeasured, so that all files are in memory
    return round(min(_processor_time(command) for _ in range(_RUNS)), 2)


def _processor_time(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _checked(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _checked(command: list[str], cwd: Path | None = None) -> str:
    environment = os.environ | _ONE_THREAD
    environment.pop("PYTHONPATH", None)
    return subprocess.run(  # noqa: S603 - our own programs
        command, capture_output=True, text=True, check=True, env=environment, cwd=cwd
    ).stdout


if __name__ == "__main__":
    main()
