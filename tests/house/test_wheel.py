"""What is shipped: wheel and sdist hold what they should and nothing else, with the metadata of the project."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.house.tree import ROOT
from tools.checks.distribution import check_metadata, check_sdist, check_wheel

BUILD = """
import gzip, sys, zipfile
from hatchling.cli import hatchling
compressor = zipfile._get_compressor
zipfile._get_compressor = lambda kind, level=None: compressor(kind, 1)
gzip.GzipFile.__init__.__defaults__ = (None, None, 1, None, None)
sys.exit(hatchling())
"""
"""The build with the weakest compression, which takes most of its time."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-c", BUILD, "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    return folder


def test_the_wheel_is_as_it_should_be(built: Path) -> None:
    assert list(check_wheel(next(built.glob("*.whl")))) == []


def test_the_sdist_is_as_it_should_be(built: Path) -> None:
    assert list(check_sdist(next(built.glob("*.tar.gz")))) == []


def test_a_wheel_that_lacks_or_has_too_much_is_refused(built: Path, tmp_path: Path) -> None:
    spoiled = tmp_path / "spoiled.whl"
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel, zipfile.ZipFile(spoiled, "w") as copy:
        for name in wheel.namelist():
            if name != "keywright/catalogue.py":
                copy.writestr(name, wheel.read(name))
        copy.writestr("tests/secret.py", "")
    assert list(check_wheel(spoiled)) == [
        "spoiled.whl lacks keywright/catalogue.py",
        "spoiled.whl has tests/secret.py, which is no part of the package",
    ]


def test_metadata_of_another_version_or_without_a_readme_are_refused() -> None:
    text = b"Metadata-Version: 2.4\nName: keywright\nVersion: 9.9\nSummary: S\n\nNothing"
    wrong = list(check_metadata(text, "x"))
    assert any("9.9" in line for line in wrong)
    assert any("README" in line for line in wrong)
