"""Core and extras: what is named exists, is installed in one wording, and the core stays small."""

import importlib.metadata
import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from tests.house.tree import PACKAGE, ROOT

MOST_MEGABYTES = 220
"""Of the core's libraries and keywright itself, installed, with byte code; it was 416 before scipy left."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NAMED = re.compile(r"(?:needs_extra|describe_install)\(\s*[\"'](\w[\w,-]*)[\"']")


def sources() -> dict[str, str]:
    return {str(path.relative_to(PACKAGE)): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}


def test_every_extra_that_a_message_names_exists() -> None:
    named = {name for text in sources().values() for name in NAMED.findall(text)}
    assert {"eval", "graphs", "html", "tags", "train"} <= named <= set(PROJECT["optional-dependencies"])


def test_the_line_that_installs_an_extra_is_worded_in_one_place() -> None:
    assert [name for name, text in sources().items() if re.search(r"pip install[^\n]*\[", text)] == ["core/errors.py"]


def core() -> set[str]:
    """Names of the core's dependencies and of everything that they need, as installed here."""
    names: set[str] = set()
    waiting = list(PROJECT["dependencies"])
    while waiting:
        requirement = Requirement(waiting.pop())
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        needed = requirement.marker is None or any(
            requirement.marker.evaluate({"extra": extra}) for extra in ["", *requirement.extras]
        )
        if needed and name not in names:
            names.add(name)
            waiting += importlib.metadata.requires(requirement.name) or []
    return names


def size(paths: list[Path]) -> int:
    """Return bytes of files, and of the byte code that Python adds to its sources where the installer has not."""
    return sum(path.stat().st_size * (2 if path.suffix == ".py" else 1) for path in paths if path.suffix != ".pyc")


def test_the_core_is_small() -> None:
    """Byte code is counted as large as its source, which is more than it is."""
    installed = [
        Path(file.locate())
        for name in core()
        for file in importlib.metadata.files(name) or ()
        if file.locate().is_file()
    ]
    ours = [path for path in PACKAGE.rglob("*") if path.is_file()]
    megabytes = (size(installed) + size(ours)) / 1e6
    assert 100 < megabytes < MOST_MEGABYTES


def test_the_core_needs_no_library_of_an_extra() -> None:
    assert core().isdisjoint({"scipy", "scikit-learn", "trafilatura", "matplotlib", "spacy", "lightgbm", "onnxruntime"})
