"""What is shipped: the wheel holds the package with its data files and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.house.tree import PACKAGE, ROOT


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        return set(wheel.namelist())


def test_every_file_of_the_package_is_in_the_wheel(shipped: set[str]) -> None:
    ours = {path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {f"keywright/{path.relative_to(PACKAGE).as_posix()}" for path in ours} <= shipped


def test_nothing_else_is_in_the_wheel_but_its_description(shipped: set[str]) -> None:
    others = {name for name in shipped if not name.startswith("keywright/")}
    assert all(".dist-info/" in name for name in others)
    assert {Path(name).name for name in others} == {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "LICENSE"}
