"""Where tests find data: the folders named by KEYWRIGHT_MIRROR and KEYWRIGHT_GOLDENS."""

import os
from pathlib import Path

import pytest


def _folder(variable: str) -> Path:
    named = os.environ.get(variable)
    if not named:
        pytest.skip(f"{variable} is not set")
    folder = Path(named).resolve()
    if not folder.is_dir():
        pytest.fail(f"{variable} names no folder: {named}")
    return folder


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The folder of data; tests that use it are marked ``data``."""
    return _folder("KEYWRIGHT_MIRROR")


@pytest.fixture(scope="session")
def goldens() -> Path:
    """The folder of reference answers; tests that use it are marked ``data``."""
    return _folder("KEYWRIGHT_GOLDENS")
