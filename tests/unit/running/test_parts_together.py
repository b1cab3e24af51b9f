"""Parts of several clients that a worker works on together: each costs itself only."""

import asyncio
import os
import time

import pytest
from tests.unit.running.test_pool import pooled, worker

from keywright.core.errors import KeywrightError, TookTooLong, Unavailable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the tests look at processes")


async def be_quick(pool):
    """Ask for so many parts that parts count as quick."""
    for _ in range(100):
        await pool.ask_part("a", is_short=True)


def ask_parts(pool, *parts: str):
    """Ask for the first part, and while that is worked on for the others."""
    return [asyncio.ensure_future(pool.ask_part(part, is_short=True)) for part in parts]


def test_parts_that_wait_are_worked_on_together(tmp_path):
    async def test(pool):
        await be_quick(pool)
        return await asyncio.gather(*ask_parts(pool, "sleep 0.1", *(f"part{number}" for number in range(10))))

    answers = [answer.rpartition(" done")[0] for answer in pooled(test, tmp_path)]
    assert answers == [
        "1 at once: sleep",
        *(f"8 at once: part{number}" for number in range(8)),
        *(f"2 at once: part{number}" for number in (8, 9)),
    ]


def test_parts_that_wait_are_shared_by_the_processes(tmp_path):
    """Whoever is free takes half of the four, then half of the two, then the last."""

    async def test(pool):
        await be_quick(pool)
        return await asyncio.gather(*ask_parts(pool, "sleep 0.3", "sleep 0.3", "a", "b", "c", "d"))

    assert [answer[0] for answer in pooled(test, tmp_path, jobs=2)] == list("112211")


def test_long_parts_are_worked_on_alone(tmp_path):
    async def test(pool):
        await be_quick(pool)
        first = ask_parts(pool, "sleep 0.1")
        long = [pool.ask_part(name, is_short=False) for name in ("a", "b")]
        return await asyncio.gather(*first, *long)

    assert [answer[0] for answer in pooled(test, tmp_path)] == list("111")


def test_parts_that_take_long_are_worked_on_one_by_one(tmp_path):
    async def test(pool):
        await be_quick(pool)
        await pool.ask_part("sleep 2.5", is_short=True)  # the running mean is then above half of a quarter second
        return await asyncio.gather(*ask_parts(pool, "sleep 0.1", "a", "b"))

    assert [answer[0] for answer in pooled(test, tmp_path)] == list("111")


def test_parts_are_worked_on_one_by_one_until_they_are_known_to_be_quick(tmp_path):
    async def test(pool):
        first = await asyncio.gather(*ask_parts(pool, "sleep 0.1", "a", "b"))
        await be_quick(pool)
        return first, await asyncio.gather(*ask_parts(pool, "sleep 0.1", "a", "b"))

    first, later = pooled(test, tmp_path)
    assert [answer[0] for answer in first] == list("111")
    assert [answer[0] for answer in later] == list("122")


def test_a_part_that_is_refused_costs_itself_only(tmp_path):
    async def test(pool):
        await be_quick(pool)
        parts = ask_parts(pool, "sleep 0.1", "a", "refuse seven", "b")
        return await asyncio.gather(*parts, return_exceptions=True)

    _, first, error, last = pooled(test, tmp_path)
    assert (first[:12], str(error), last[:12]) == ("3 at once: a", "seven; a hint", "3 at once: b")


@pytest.mark.parametrize("bad", ["die", "sleep 60", "break it"])
def test_a_part_that_ends_badly_costs_itself_only(tmp_path, bad):
    async def test(pool):
        await be_quick(pool)
        parts = ask_parts(pool, "sleep 0.1", "a", bad, "b")
        return await asyncio.gather(*parts, return_exceptions=True)

    _, first, error, last = pooled(test, tmp_path, seconds=1)
    assert (first[:12], last[:12]) == ("1 at once: a", "1 at once: b")
    assert isinstance(error, {"die": Unavailable, "sleep 60": TookTooLong}.get(bad, KeywrightError))


def test_parts_whose_clients_go_cost_the_others_nothing(tmp_path):
    async def test(pool):
        await be_quick(pool)
        before = worker(await pool.ask("a"))
        first, gone, other, late = ask_parts(pool, "sleep 0.1", "sleep 0.6", "b", "sleep 60")
        await first
        await asyncio.sleep(0.2)
        gone.cancel()
        late.cancel()
        answers = await asyncio.gather(gone, other, late, return_exceptions=True)
        return before, answers, await pool.ask_part("c", is_short=True)

    before, (gone, other, late), after = pooled(test, tmp_path, seconds=2)
    assert isinstance(gone, asyncio.CancelledError)
    assert isinstance(late, asyncio.CancelledError)
    assert "b done by" in other
    assert worker(after) != before  # the part of 60 seconds was ended with its process


def test_a_process_ends_when_all_clients_of_its_parts_have_gone(tmp_path):
    async def test(pool):
        await be_quick(pool)
        before = worker(await pool.ask("a"))
        first, *gone = ask_parts(pool, "sleep 0.1", "sleep 60", "sleep 60")
        await first
        await asyncio.sleep(0.1)
        for each in gone:
            each.cancel()
        began = time.monotonic()
        after = worker(await pool.ask_part("b", is_short=True))
        return before != after, time.monotonic() - began

    is_other, taken = pooled(test, tmp_path)
    assert is_other
    assert taken < 15  # not the time limit of 20


def test_parts_that_wait_hear_of_the_end_of_the_pool(tmp_path):
    async def test(pool):
        await be_quick(pool)
        parts = ask_parts(pool, "sleep 60", "a", "b", "c")
        await asyncio.sleep(0.1)
        await pool.close()
        return await asyncio.gather(*parts, return_exceptions=True)

    assert all(isinstance(each, Unavailable) for each in pooled(test, tmp_path))
