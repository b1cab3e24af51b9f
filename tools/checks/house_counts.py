"""Print how the house of keywright is doing: files, lines, circles, imports, names, tests, documents, wording.

Usage: ``python tools/checks/house_counts.py [--against COMMIT] [--json] [--write] [--list KIND] [--skip-run]``

``--against`` counts a commit of this repository as well; ``--list`` shows every place that breaks a rule of one kind;
``--write`` lowers tests/house/language_allowed.toml to today's counts and refuses to raise a number.
"""

import argparse
import io
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from house_allowed import ALLOWED, allowed, lowered, toml, total
from house_language import KINDS, checked_files, counts_by_folder, findings
from house_structure import NEEDED, count_structure

ROOT: Final = Path(__file__).resolve().parents[2]


def main() -> None:
    """Count and print, or write the allow-list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", metavar="COMMIT", help="count this commit as well, and show both")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--write", action="store_true", help="lower the allow-list to today's counts")
    parser.add_argument("--list", choices=KINDS, help="print every place of this kind")
    parser.add_argument(
        "--skip-run", action="store_true", help="do not run the commands whose entered files are counted"
    )
    options = parser.parse_args()
    if options.write:
        sys.exit(_write())
    if options.list:
        _list(options.list)
        return
    columns = {"now": counts(ROOT, run=not options.skip_run)}
    if options.against:
        with tempfile.TemporaryDirectory() as folder:
            _check_out(options.against, Path(folder))
            columns = {options.against: counts(Path(folder), run=not options.skip_run)} | columns
    print(json.dumps(columns, indent=2) if options.json else "\n".join(_table(columns)))


def counts(root: Path, *, run: bool) -> dict[str, int]:
    """Return the counts of structure and language of a tree of files."""
    language = total(counts_by_folder(root))
    totals = {f"language: {kind}": language[kind] for kind in KINDS}
    return count_structure(root, run=run) | totals | {"language: all": language.total()}


def _table(columns: dict[str, dict[str, int]]) -> list[str]:
    names = list(dict.fromkeys(name for column in columns.values() for name in column))
    wide = max(map(len, names))
    shown = [f"{'':{wide}}" + "".join(f"  {title[:10]:>10}" for title in columns)]
    for name in names:
        numbers = "".join(f"  {column.get(name, '-'):>10}" for column in columns.values())
        shown.append(f"{name:{wide}}{numbers}")
    return shown


def _check_out(commit: str, folder: Path) -> None:
    """Unpack the files of a commit that the counts need into a folder."""
    listed = subprocess.run(
        ["git", "ls-tree", "--name-only", commit, *NEEDED],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    command = ["git", "archive", "--format=tar", commit, *listed.stdout.split()]
    packed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


def _list(kind: str) -> None:
    for path in checked_files(ROOT):
        for finding in findings(path):
            if finding.kind == kind:
                print(f"{path.relative_to(ROOT)}:{finding.line}: {finding.text}")


def _write() -> str | None:
    """Write the allow-list, or return why not."""
    file = ROOT / ALLOWED
    try:
        numbers = lowered(allowed(file), counts_by_folder(ROOT))
    except ValueError as error:
        return str(error)
    file.write_text(toml(allowed(file).before, numbers), "utf-8")
    return None


if __name__ == "__main__":
    main()
