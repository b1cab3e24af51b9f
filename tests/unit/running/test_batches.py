"""Batches of a stream: how many items they have, and what they never wait for."""

import itertools
import threading

import pytest

import keywright as kw
from keywright.core.documents import Document
from keywright.running import batches as batches_module
from keywright.running.batches import MOST_CHARACTERS, MOST_ITEMS, Batches
from keywright.running.file_extraction import FromFiles, drop_document
from keywright.running.pool import Processes


def one(_item) -> int:
    return 1


def test_batches_double_up_to_the_most():
    sizes = list(map(len, Batches(range(200), one)))
    assert sizes == [1, 2, 4, 8, 16, 32, 64, 64, 9]
    assert max(sizes) == MOST_ITEMS
    assert list(itertools.chain.from_iterable(Batches(range(200), one))) == list(range(200))


def test_batches_are_bounded_in_characters_and_a_large_item_is_alone():
    sizes = [1, MOST_CHARACTERS // 2, MOST_CHARACTERS // 2, MOST_CHARACTERS // 2, 5 * MOST_CHARACTERS, 1, 1, 1]
    assert list(Batches(sizes, int)) == [(sizes[0],), tuple(sizes[1:3]), (sizes[3],), (sizes[4],), (1, 1, 1)]


def test_a_source_that_has_nothing_more_is_not_waited_for():
    waiting = [False] * 3 + [True] * 100
    batches = Batches(range(10), one, lambda _seconds: waiting.pop(0) if waiting else True)
    assert list(batches) == [(0,), (1,), (2,), (3,), (4, 5), (6, 7, 8, 9)]


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    replaced = Clock()
    monkeypatch.setattr(batches_module, "time", replaced)
    return replaced


def test_an_item_that_was_slow_to_come_ends_its_batch(clock):
    def slow():
        for number in range(8):
            clock.now += 0.1 * (number == 5)
            yield number

    assert list(Batches(slow(), one)) == [(0,), (1, 2), (3, 4, 5), (6,), (7,)]


def test_slow_work_makes_batches_smaller(clock):
    sizes = []
    for batch in Batches(range(20), one):
        sizes.append(len(batch))
        clock.now += 0.6 * (len(batch) > 2)
    assert sizes == [1, 2, 4, 2, 4, 2, 4, 1]


def test_an_error_of_the_source_comes_after_the_items_before_it():
    def broken():
        yield from range(5)
        raise OSError("cut off")

    batches = Batches(broken(), one)
    assert [next(batches) for _ in range(3)] == [(0,), (1, 2), (3, 4)]
    with pytest.raises(OSError, match="cut off"):
        next(batches)


def test_results_of_processes_come_while_the_source_is_silent():
    """The source gives its second document only after the first result has come."""
    result_came = threading.Event()

    def source():
        yield Document("a", "workload a")
        assert result_came.wait(60)
        yield Document("b", "workload b")

    batches = Batches(source(), one, lambda _seconds: result_came.is_set())
    results = Processes(2).map(FromFiles(kw.prepare("kpminer"), drop_document), batches)
    assert [outcome.document_id for _, outcome in next(results)] == ["a"]
    result_came.set()
    assert [[outcome.document_id for _, outcome in batch] for batch in results] == [["b"]]
