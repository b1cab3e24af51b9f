"""Where tests find data: the folders named by KEYWRIGHT_MIRROR and KEYWRIGHT_GOLDENS.

Without them the tests marked ``data`` skip, and one line at the start says how many. With KEYWRIGHT_REQUIRE_DATA=1,
as in ``.ci/run``, such a skip is a failure. ``--show-skipped`` lists every skipped test at the end.
"""

import gc
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from keywright.text import word_borders

# Threads of small matrix products wait for each other: one thread is 5 to 20 times faster. Libraries read these names
# when numpy is imported, which nothing above does; programs that a test starts inherit them.
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # no test reports anything over the network

# No test is timed: machines are shared. Of nine faults planted in scoring and statistics, 40 examples and hypothesis'
# usual 100 find the same.
settings.register_profile("keywright", deadline=None, max_examples=40)
settings.load_profile("keywright")

LONGER = {"docs", "golden"}  # folders
DATA_FIXTURES = {"mirror": "KEYWRIGHT_MIRROR", "goldens": "KEYWRIGHT_GOLDENS"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--show-skipped", action="store_true", help="list skipped tests at the end, with the reason of each"
    )
    parser.addoption(
        "--thorough", action="store_true", help="run the tests marked thorough, of which others are smaller ones"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let each of several processes begin to collect elsewhere: each file is compiled by the one that comes first."""
    if config.getoption("show_skipped"):
        config.option.reportchars += "s"
    worker = getattr(config, "workerinput", None)
    if worker and [Path(name).name for name in config.args] == ["tests"]:
        files = sorted(map(str, Path(config.args[0]).rglob("test_*.py")))
        start = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        config.args = [*files[start:], *files[:start]]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is imported and collected stays until the end, so no search for garbage looks at it."""
    gc.disable()
    collected = yield
    gc.freeze()
    gc.enable()
    return collected


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
    return _folder(DATA_FIXTURES["mirror"])


@pytest.fixture
def without_borders(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The packages that tell words apart count as not installed."""
    remembering = (word_borders.split_unspaced, word_borders.is_functional)
    monkeypatch.setattr(word_borders, "find_packages", lambda: {"icu4py": False, "kiwipiepy": False})
    for function in remembering:
        function.__self__.clear()
    yield
    for function in remembering:
        function.__self__.clear()


@pytest.fixture(scope="session")
def goldens() -> Path:
    """The folder of reference answers; tests that use it are marked ``data``."""
    return _folder(DATA_FIXTURES["goldens"])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse unmarked use of the data, whose skips would go unseen; put tests marked ``long`` first.

    With several processes no long test is left for the end, when the others have nothing to do. Tests of results and of
    documents take longer than others, so they come next.
    """
    for item in items:
        used = _fixtures(item)
        if used and not item.get_closest_marker("data"):
            message = f"{item.nodeid} uses {', '.join(sorted(used))} without @pytest.mark.data"
            raise pytest.UsageError(message)
    if not config.getoption("thorough"):
        thorough = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=thorough)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
    items.sort(
        key=lambda item: (item.get_closest_marker("long") is None, item.path.parent.name not in LONGER, item.path)
    )


def _fixtures(item: pytest.Item) -> set[str]:
    return DATA_FIXTURES.keys() & set(getattr(item, "fixturenames", ()))


# How many tests are skipped for want of data is said before the first test. With several processes only these collect,
# so each leaves the line in a file of this run, and the process that reports reads it.


def _data_line(items: Sequence[pytest.Item]) -> str:
    """Return the line that says how many tests skip for want of data, or nothing."""
    missing = [variable for variable in DATA_FIXTURES.values() if not os.environ.get(variable)]
    skipped = 0
    for item in items:
        wanted = [DATA_FIXTURES[name] for name in _fixtures(item) or DATA_FIXTURES]
        skipped += item.get_closest_marker("data") is not None and not set(missing).isdisjoint(wanted)
    if not skipped or os.environ.get("KEYWRIGHT_REQUIRE_DATA") == "1":
        return ""
    return f"{skipped} of {len(items)} tests are skipped: no data folders ({' and '.join(missing)} not set)"


def _line_file(run: str) -> Path:
    return Path(tempfile.gettempdir()) / f"keywright-tests-{run}.txt"


def pytest_report_collectionfinish(items: Sequence[pytest.Item]) -> str:
    return _data_line(items)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    worker = getattr(session.config, "workerinput", None)
    if worker and worker["workerid"] == "gw0" and (line := _data_line(session.items)):
        _line_file(worker["testrunuid"]).write_text(line, "utf-8")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any) -> None:
    file = _line_file(node.workerinput["testrunuid"])
    if node.workerinput["workerid"] == "gw0" and file.is_file():
        node.config.get_terminal_writer().line(file.read_text("utf-8"))
        file.unlink()


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
