"""Abstracts in Parquet by one process, own processes, Ray and Daft: documents a second, and the same bytes.

    make bench-engines ARGS="--documents 20000 --json benchmarks/results/engines.json"

Each engine reads the same file and writes Parquet with one row a document; start and loading are included, as a user
waits for them. The abstracts are those of the data set ``train_mix``. Figures of a machine that does other work at the
same time are too low for every engine: the load is recorded beside them.
"""

import argparse
import contextlib
import json
import os
import platform
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import keywright as kw
from keywright.api import TableColumns

_SIZE = 1_000
_SHORTEST, _LONGEST = 400, 3_000  # characters of an abstract
_KILLED_AFTER = 3  # parts that are done when a worker is killed


def main() -> None:
    """Measure the engines in turn; print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", metavar="ENGINE", help="an engine; may be given several times")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "abstracts.parquet"
        count = _write(source, options.documents)
        rows = []
        expected: dict[str, bytes] = {}
        engines = _engines(source, folder, options.jobs)
        for engine, work in (
            (name, work) for name, work in engines.items() if not options.only or name in options.only
        ):
            started = time.monotonic()
            try:
                written = work()
            except ImportError as error:
                print(f"{engine:24} not installed: {error}")
                continue
            seconds = time.monotonic() - started
            expected = expected or written
            row = {"engine": engine, "seconds": round(seconds, 1), "documents_per_second": round(count / seconds, 1)}
            rows.append(row | {"equal": written == expected, "load": round(os.getloadavg()[0], 1)})
            print(
                f"{engine:24} {count / seconds:8.1f} documents/s {seconds:8.1f} s  equal: {written == expected}",
                flush=True,
            )
    if options.json:
        record = {"documents": count, "jobs": options.jobs, "part": _SIZE, "machine": _machine(), "rows": rows}
        options.json.write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def _write(path: Path, documents: int) -> int:
    """Write abstracts as Parquet, in groups of a part; return how many there are."""
    texts: list[str] = []
    for labelled in kw.dataset("train_mix"):
        text = labelled.document.text
        if _SHORTEST <= len(text) <= _LONGEST:
            texts.append(text)
        if len(texts) == documents:
            break
    table = pa.table({"id": [f"a{number}" for number in range(len(texts))], "abstract": texts})
    pq.write_table(table, path, row_group_size=_SIZE)
    return len(texts)


def _engines(source: Path, folder: Path, jobs: int) -> dict[str, Callable[[], dict[str, bytes]]]:
    def parts(name: str, engine: str, jobs: int | None) -> dict[str, bytes]:
        out = folder / name
        kw.extract_parts(
            kw.prepare(), [source], out, size=_SIZE, output="parquet", wide=True, engine=engine, jobs=jobs,
            columns=TableColumns("abstract", None, "id"),
        )  # fmt: skip
        return _content(pa.concat_tables(pq.read_table(part) for part in sorted(out.glob("*.parquet"))))

    def killed(name: str, engine: str, worker: bytes) -> dict[str, bytes]:
        with _killing(folder / name, worker):
            return parts(name, engine, jobs)

    return {
        "serial": lambda: parts("serial", "serial", None),
        f"processes, {jobs}": lambda: parts("processes", "processes", jobs),
        "processes, one killed": lambda: killed("processes-killed", "processes", b"spawn_main"),
        f"ray, {jobs}": lambda: _with("ray", lambda: parts("ray", "ray", jobs)),
        "ray, one killed": lambda: _with("ray", lambda: killed("ray-killed", "ray", b"ray::_Worker")),
        f"daft, {jobs}": lambda: _by_daft(source, jobs),
    }


def _with(package: str, work: Callable[[], dict[str, bytes]]) -> dict[str, bytes]:
    __import__(package)
    return work()


def _by_daft(source: Path, jobs: int) -> dict[str, bytes]:
    """Return the results of Daft, whose function is given whole batches of columns."""
    import daft  # noqa: PLC0415 - optional

    from keywright.integrations.table_batches import BatchKeyphrases  # noqa: PLC0415 - for this engine

    kind = daft.DataType.struct(
        {"keyphrases": daft.DataType.list(daft.DataType.string()), "error": daft.DataType.string()}
    )

    @daft.udf(return_dtype=kind, concurrency=jobs, batch_size=_SIZE)  # type: ignore[untyped-decorator]
    class Keyphrases:
        def __init__(self) -> None:
            self.extract = BatchKeyphrases("abstract", "id")

        def __call__(self, ids: Any, texts: Any) -> list[dict[str, Any]]:
            done = self.extract(pa.table({"id": ids.to_arrow(), "abstract": texts.to_arrow()}))
            return [{"keyphrases": row["keyphrases"], "error": row["error"]} for row in done.to_pylist()]

    frame = daft.read_parquet(str(source))
    frame = frame.select(frame["id"], Keyphrases(frame["id"], frame["abstract"]).alias("done"))
    rows = [{"id": row["id"], **row["done"]} for row in frame.to_pylist()]
    return _content(pa.Table.from_pylist(rows))


def _content(table: pa.Table) -> dict[str, bytes]:
    """Return keyphrases or error by id, as bytes."""
    return {
        row["id"]: json.dumps([row["keyphrases"], row["error"]]).encode()
        for row in table.select(["id", "keyphrases", "error"]).to_pylist()
    }


@contextlib.contextmanager
def _killing(out: Path, worker: bytes) -> Iterator[None]:
    """Kill one worker process once some parts are done."""
    done = threading.Event()

    def kill() -> None:
        while not done.wait(0.05):
            if len(list(out.glob("*.parquet"))) >= _KILLED_AFTER and (pids := _workers(worker)):
                os.kill(pids[0], signal.SIGKILL)
                print(f"  killed worker {pids[0]}", flush=True)
                return

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield
    finally:
        done.set()
        killer.join()


def _workers(name: bytes) -> list[int]:
    """Return the processes of workers of this program: its children, and the actors of Ray."""
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            is_ours = parent == os.getpid() or name.startswith(b"ray::")
            if is_ours and name in (folder / "cmdline").read_bytes():
                pids.append(int(folder.name))
    return pids


def _machine() -> dict[str, Any]:
    versions = {}
    for package in ("ray", "daft", "pyarrow"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[package] = metadata.version(package)
    return {"cores": os.cpu_count(), "python": platform.python_version(), "system": sys.platform, **versions}


if __name__ == "__main__":
    main()
