"""Ray: the same bytes as in one process, also after a worker or a node was killed. Run by ``make check-scale``."""

import contextlib
import itertools
import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from keywright import api
from keywright.core.errors import PartlyDone
from keywright.running.ray_actors import Ray

ray = pytest.importorskip("ray", reason="the extra scale is not installed")
pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PARTS = 12


@pytest.fixture(scope="module")
def extraction():
    return api.prepare("kpminer", top=3)


@pytest.fixture
def collection(tmp_path):
    words = "tide gauge harbour sea level altimetry satellite drift storm surge ocean basin".split()
    with (tmp_path / "many.jsonl").open("w") as file:
        for number in range(PARTS * 4):
            text = " ".join(f"The {words[(number + k) % 12]} {words[(number * k) % 12]} rises." for k in range(300))
            file.write(json.dumps({"id": f"d{number}", "text": text}) + "\n" if number != 7 else "broken\n")
    return tmp_path / "many.jsonl"


@pytest.fixture
def serial(collection, extraction):
    api.extract_parts(extraction, [collection], collection.with_name("serial"), size=4)
    return written(collection.with_name("serial"))


def written(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.glob("part-*"))}


@pytest.fixture
def cluster():
    """Return a cluster of three nodes on this machine, of one CPU each."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - optional

    nodes = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}
    started = Cluster(initialize_head=True, head_node_args=nodes)
    workers = [started.add_node(num_cpus=1, object_store_memory=80_000_000) for _ in range(2)]
    ray.init(address=started.address, log_to_driver=False)
    try:
        yield started, workers
    finally:
        ray.shutdown()
        started.shutdown()


def test_results_are_those_of_one_process(collection, serial, extraction):
    out = collection.with_name("ray")
    report = api.extract_parts(extraction, [collection], out, size=4, engine="ray", jobs=2)
    assert written(out) == serial
    assert (report.parts, dict(report.failures)) == (PARTS, {"bad_record": 1})
    assert not ray.is_initialized()  # what was started for the work has ended with it
    (alone,) = [
        [outcome.to_dict() for _, outcome in api.extract_files(extraction, [collection], engine=engine, jobs=jobs)]
        for engine, jobs in [("ray", 2)]
    ]
    assert alone == [outcome.to_dict() for _, outcome in api.extract_files(extraction, [collection])]


@pytest.mark.parametrize("what", ["worker", "node"])
def test_a_killed_worker_or_node_costs_nothing(cluster, collection, serial, extraction, what):
    machines, nodes = cluster
    out = collection.with_name("ray")
    killed = []

    def kill():
        while len(list(out.glob("part-*"))) < 2:
            time.sleep(0.005)
        if what == "node":
            machines.remove_node(nodes[0], allow_graceful=False)
            killed.append("node")
        else:
            killed.append(kill_one_worker())

    killer = threading.Thread(target=kill)
    killer.start()
    api.extract_parts(extraction, [collection], out, size=4, engine="ray", jobs=3)
    killer.join()
    assert killed
    assert killed[0]
    assert written(out) == serial


def kill_one_worker() -> bool:
    """Kill a process of an actor of this work."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if b"ray::_Worker" in (folder / "cmdline").read_bytes():
                os.kill(int(folder.name), signal.SIGKILL)
                return True
    return False


class Deadly:
    """Work that ends its process at some numbers, at others only once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, batch: tuple[int, ...]) -> tuple[int, ...]:
        mark = self.folder / "died"
        if 13 in batch or (20 in batch and not mark.exists()):
            if 13 not in batch:
                mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return tuple(2 * number for number in batch)

    def parts(self, batch):
        return tuple((number,) for number in batch)

    def lost(self, batch):
        return tuple(-number for number in batch)


def test_an_item_that_ends_workers_costs_itself_only(tmp_path):
    ray.init(num_cpus=2, object_store_memory=100_000_000, include_dashboard=False, log_to_driver=False)
    try:
        batches = [tuple(range(start, start + 4)) for start in range(0, 40, 4)]
        results = list(itertools.chain.from_iterable(Ray(2).map(Deadly(tmp_path), iter(batches))))
        assert results == [-13 if number == 13 else 2 * number for number in range(40)]
        with pytest.raises(ZeroDivisionError):
            list(Ray(1).map(lambda number: 1 // number, [1, 0, 1]))
        with pytest.raises(PartlyDone, match="has ended two workers"):
            list(Ray(1).map(lambda _: os.kill(os.getpid(), signal.SIGKILL), [1]))
        endless = Ray(2).map(lambda number: number + 1, itertools.count())
        assert list(itertools.islice(endless, 5)) == [1, 2, 3, 4, 5]
        endless.close()
    finally:
        ray.shutdown()
