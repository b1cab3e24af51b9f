"""Where tests find data: the folders named by KEYWRIGHT_MIRROR and KEYWRIGHT_GOLDENS.

Without them the tests marked ``data`` skip. With KEYWRIGHT_REQUIRE_DATA=1, as in ``.ci/run``, such a skip is a failure.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

for _library in (
    "OMP",
    "OPENBLAS",
    "MKL",
):  # read when numpy is imported, which nothing above does; programs inherit it
    os.environ.setdefault(
        f"{_library}_NUM_THREADS", "1"
    )  # threads of small products wait for each other: 5 to 20 times slower

settings.register_profile("keywright", deadline=None)  # no test is timed: machines are shared
settings.load_profile("keywright")

DATA_FIXTURES = {"mirror", "goldens"}


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever uses the data says so with the mark, or the skip below would go unseen."""
    for item in items:
        used = DATA_FIXTURES & set(getattr(item, "fixturenames", ()))
        if used and not item.get_closest_marker("data"):
            message = f"{item.nodeid} uses {', '.join(sorted(used))} without @pytest.mark.data"
            raise pytest.UsageError(message)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """A test marked ``data`` that skips although the data was promised has failed."""
    report = yield
    promised = os.environ.get("KEYWRIGHT_REQUIRE_DATA") == "1" and item.get_closest_marker("data")
    if promised and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped although KEYWRIGHT_REQUIRE_DATA=1: {reason}"
    return report
