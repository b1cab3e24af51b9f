"""The answer of a run does not depend on where it ran, in how many pieces, or how often it was cut off."""

import itertools
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))  # worker processes inherit the path and import the toys by name

from execution_toys import LongestWords, NeedsTags, double

from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord, PartlyDone
from keywright.core.predictions import Failure, Run
from keywright.core.records import run_lines
from keywright.running.engines import Serial
from keywright.running.extraction import Extraction
from keywright.running.file_extraction import Shard, map_documents
from keywright.running.pool import Processes
from keywright.running.runs import RunWork, run_in_memory
from keywright.text.analyser import TextAnalyser

EXTRACTION = Extraction(TextAnalyser("en"), LongestWords(), top=5)
IDS = st.text(min_size=1, max_size=12)
WORDS = st.sampled_from(["grid", "computing", "scheduler", "broken", "defect", "ledger", "of", "workload"])
COLLECTIONS = st.dictionaries(IDS, st.lists(WORDS, max_size=8).map(" ".join), max_size=30).map(
    lambda texts: tuple(Document(name, text) for name, text in texts.items())
)


def answer(done: Run) -> Run:
    """The run without what may differ between two runs: how long it took."""
    return replace(done, seconds=None)


@given(documents=COLLECTIONS)
def test_every_document_has_one_outcome_and_order_stays(documents):
    done = run_in_memory(EXTRACTION, documents)
    assert [p.document_id for p in done.predictions] == [d.id for d in documents if not _fails(d)]
    assert [f.document_id for f in done.failures] == [d.id for d in documents if _fails(d)]


@given(documents=COLLECTIONS, seed=st.randoms(use_true_random=False))
def test_the_order_of_documents_changes_no_outcome(documents, seed):
    shuffled = list(documents)
    seed.shuffle(shuffled)
    here, there = run_in_memory(EXTRACTION, documents), run_in_memory(EXTRACTION, shuffled)
    assert set(map(str, here.predictions)) == set(map(str, there.predictions))
    assert set(here.failures) == set(there.failures)


@given(documents=COLLECTIONS, stops=st.lists(st.integers(1, 40), max_size=3))
def test_a_run_cut_off_and_resumed_gives_the_same_run(documents, stops, tmp_path_factory):
    output = tmp_path_factory.mktemp("ledger") / "run.jsonl"
    for stop in stops:
        # What a crash leaves behind: the parts finished before it, and the same call again later.
        with pytest.raises(KeyboardInterrupt):
            RunWork(EXTRACTION, _CutOff(stop)).write(output, lambda: documents)
        assert not output.exists()
    resumed = RunWork(EXTRACTION, keep=True).write(output, lambda: documents)
    assert answer(resumed.run) == answer(run_in_memory(EXTRACTION, documents))
    assert output.read_text("utf-8").splitlines() == "".join(run_lines(resumed.run)).splitlines()
    assert list(output.parent.iterdir()) == [output]


def test_finished_parts_are_not_repeated(tmp_path):
    documents = [Document(f"d{n}", "broken" if n % 7 == 3 else f"workload {n}") for n in range(130)]
    with pytest.raises(KeyboardInterrupt):
        RunWork(EXTRACTION, _CutOff(6)).write(tmp_path / "run", lambda: documents)  # batches of 1 to 32: 63 documents
    counting = _Counting()
    written = RunWork(EXTRACTION, counting).write(tmp_path / "run", lambda: documents)
    assert counting.documents == 130 - 63
    assert (written.done, written.run.predictions) == (111, ())
    assert [failure.document_id for failure in written.run.failures] == [f"d{n}" for n in range(3, 130, 7)]
    lines = (tmp_path / "run").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines[1:112]] == [f"d{n}" for n in range(130) if n % 7 != 3]
    assert lines[1:] == "".join(run_lines(run_in_memory(EXTRACTION, documents))).splitlines()[1:]


def test_a_batch_is_in_memory_not_the_collection(tmp_path):
    most = []

    def documents():
        for number in range(3000):
            document = _Watched(f"d{number}", "workload")
            _Watched.alive += 1
            most.append(_Watched.alive)
            yield document

    written = RunWork(EXTRACTION).write(tmp_path / "run", documents)
    assert written.done == 3000
    assert max(most) <= 3 * 64


def test_a_collection_that_changes_meanwhile_is_refused(tmp_path):
    documents = [[Document("a", "x"), Document("b", "y")], [Document("a", "x"), Document("b", "z")]]
    for second in (documents[1], documents[0][:1], [*documents[0], Document("c", "z")]):
        readings = iter([documents[0], second])
        with pytest.raises(BadRecord, match="changed while it was read"):
            RunWork(EXTRACTION).write(tmp_path / "run", lambda: next(readings))  # noqa: B023 - called at once
        assert list(tmp_path.iterdir()) == []


@given(name=st.text(), shards=st.integers(1, 50))
def test_a_document_is_in_one_shard(name, shards):
    assert [Shard(number, shards).holds(name) for number in range(1, shards + 1)].count(True) == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_give_the_answer_of_serial(jobs):
    documents = [Document(f"d{n}", f"scheduler number {n} {'broken' * (n % 7 == 0)}") for n in range(40)]
    assert answer(run_in_memory(EXTRACTION, documents, executor=Processes(jobs))) == answer(
        run_in_memory(EXTRACTION, documents)
    )


def test_a_killed_worker_costs_one_document():
    documents = [Document(f"d{n}", "killer" if n == 11 else f"workload {n}") for n in range(30)]
    done = run_in_memory(EXTRACTION, documents, executor=Processes(2))
    assert [(f.document_id, f.message) for f in done.failures] == [("d11", "the process that worked on it died")]
    assert [p.document_id for p in done.predictions] == [f"d{n}" for n in range(30) if n != 11]


def test_work_without_an_answer_for_dead_workers_says_so():
    with pytest.raises(PartlyDone, match="died twice on the same item"):
        list(Processes(1).map(double, range(10, 20)))


def test_an_endless_stream_is_read_as_far_as_needed():
    endless = (Document(f"d{n}", f"workload {n}") for n in itertools.count())
    first = list(itertools.islice(map_documents(Processes(1), EXTRACTION, endless), 5))
    assert [outcome.document_id for outcome in first] == ["d0", "d1", "d2", "d3", "d4"]


def test_failures_of_reading_pass_through_and_defects_are_contained():
    unread = Failure("x.pdf", "broken_file", "no PDF")
    documents = [unread, Document("a", "defect"), Document("b", "broken"), Document("c", "fine")]
    done = run_in_memory(EXTRACTION, documents)
    assert done.failures[0] == unread
    assert done.failures[1].code == "unexpected"
    assert done.failures[1].message == "ZeroDivisionError: a defect"
    assert done.failures[2] == Failure("b", "broken_file", "a broken document", "mend it")
    assert [p.texts for p in done.predictions] == [("fine",)]


def test_unmet_needs_are_a_failure_of_the_document():
    (failure,) = run_in_memory(Extraction(TextAnalyser("en"), NeedsTags()), [Document("a", "grid")]).failures
    assert failure.code == "needs_unmet"
    assert "needs-tags needs tags" in failure.message


def test_two_documents_of_one_id_are_refused():
    with pytest.raises(BadParameter, match="2 documents of toys have 1 ids"):
        run_in_memory(EXTRACTION, [Document("a", "x"), Document("a", "y")], "toys")


def test_progress_counts_to_the_end():
    told = []
    run_in_memory(
        EXTRACTION,
        [Document(f"d{n}", "grid") for n in range(3)],
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_ledgers_of_different_runs_differ(tmp_path):
    for extraction in (EXTRACTION, replace(EXTRACTION, top=1)):
        with pytest.raises(KeyboardInterrupt):
            RunWork(extraction, _CutOff(1)).write(tmp_path / "run", lambda: [Document("a", "x"), Document("b", "y")])
    assert len(list(tmp_path.glob("run.*.ledger.jsonl"))) == 2


@pytest.mark.parametrize("damage", [b"\0" * 40 + b"\n", b'{"id": "d7"}\n', b'{"id": "d7', b"", b"[]\n"])
def test_what_is_damaged_in_a_ledger_is_done_again(tmp_path, damage):
    documents = [Document(f"d{n}\udcff", f"workload {n}") for n in range(63)]
    expected = "".join(run_lines(run_in_memory(EXTRACTION, documents))).splitlines()[1:]
    with pytest.raises(KeyboardInterrupt):
        RunWork(EXTRACTION, _CutOff(4)).write(tmp_path / "run", lambda: documents)
    (ledger,) = tmp_path.glob("run.*.ledger.jsonl")
    lines = ledger.read_bytes().splitlines(keepends=True)
    assert len(lines) == 15
    ledger.write_bytes(b"".join([*lines[:7], damage, *lines[8:]]))
    counting = _Counting()
    RunWork(EXTRACTION, counting).write(tmp_path / "run", lambda: documents)
    assert counting.documents == 63 - 7
    assert (tmp_path / "run").read_text().splitlines()[1:] == expected
    assert list(tmp_path.iterdir()) == [tmp_path / "run"]


class _Watched(Document):
    """A document that is counted while it is in memory."""

    alive = 0

    def __del__(self) -> None:
        _Watched.alive -= 1


class _CutOff(Serial):
    """Dies after some items, as Ctrl-C does."""

    def __init__(self, after: int) -> None:
        self.after = after

    def map(self, work, items):
        yield from itertools.islice(map(work, items), self.after)
        raise KeyboardInterrupt


class _Counting(Serial):
    """Counts the documents that it is given."""

    documents = 0

    def map(self, work, items):
        for batch in items:
            self.documents += len(batch)
            yield work(batch)


def _fails(document: Document) -> bool:
    return bool({"broken", "defect"} & set(document.text.split()))
