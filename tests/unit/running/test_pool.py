"""Pools: order, limits, and workers that are killed, die, or hang."""

import asyncio
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from keywright.core.errors import BadParameter, Busy, KeywrightError, TookTooLong, Unavailable
from keywright.running.request_pool import RequestPool

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the tests look at processes")


@dataclass(frozen=True)
class Work:
    """Work that does what an item says, or each of several; the answers to several say how many they were."""

    folder: Path

    def __call__(self, item: str | tuple[str, ...]) -> str | tuple[str | KeywrightError, ...]:
        if isinstance(item, tuple):
            return tuple(map(self.answer_part, item, [len(item)] * len(item)))
        return self.answer(item)

    def answer_part(self, item: str, count: int) -> str | KeywrightError:
        try:
            return f"{count} at once: {self.answer(item)}"
        except KeywrightError as error:
            return error

    def answer(self, item: str) -> str:
        what, _, value = item.partition(" ")
        match what:
            case "sleep":
                time.sleep(float(value))
            case "tell-and-refuse":
                (self.folder / str(os.getpid())).touch()
                raise BadParameter(value, "a hint")
            case "refuse":
                raise BadParameter(value, "a hint")
            case "break":
                raise ZeroDivisionError(value)
            case "die":
                os._exit(3)
            case "die-once":
                mark = self.folder / value
                if not mark.exists():
                    mark.touch()
                    os._exit(3)
            case "start":
                child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
                (self.folder / "pids").write_text(f"{os.getpid()} {child.pid}")
                time.sleep(60)
            case "print":
                print(value, flush=True)  # noqa: T201 - what a library might do
        return f"{what} done by {os.getpid()}"


def pooled(test, folder, *, jobs=1, queue=8, seconds=20.0):
    """Run a test with a started pool."""

    async def run():
        pool = RequestPool(Work(folder), "first", tuple, jobs=jobs, queue=queue, seconds=seconds)
        await pool.start()
        try:
            return await test(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


def worker(answer: str) -> int:
    return int(answer.rpartition(" ")[2])


def test_items_are_answered_in_order_by_as_many_processes_as_there_are(tmp_path):
    async def test(pool):
        answers = await asyncio.gather(*(pool.ask(f"item{number}") for number in range(20)))
        return [answer.split()[0] for answer in answers], {worker(answer) for answer in answers}

    names, workers = pooled(test, tmp_path, jobs=2)
    assert names == [f"item{number}" for number in range(20)]
    assert len(workers) <= 2
    assert os.getpid() not in workers


def test_an_error_of_the_work_comes_back_whole_and_costs_no_process(tmp_path):
    async def test(pool):
        before = worker(await pool.ask("a"))
        with pytest.raises(BadParameter) as caught:
            await pool.ask("refuse seven")
        with pytest.raises(KeywrightError, match="a defect of keywright: ZeroDivisionError") as defect:
            await pool.ask("break the text of a document")
        return (
            (caught.value.message, caught.value.hint, str(defect.value)),
            before == worker(await pool.ask("print hello")),
        )

    (message, hint, defect), same = pooled(test, tmp_path)
    assert (message, hint, same) == ("seven", "a hint", True)
    assert "document" not in defect.partition(";")[0]


def test_what_hangs_is_killed_and_costs_itself_only(tmp_path):
    async def test(pool):
        before = worker(await pool.ask("a"))
        hanging = asyncio.ensure_future(pool.ask("sleep 60"))
        waiting = asyncio.ensure_future(pool.ask("b"))
        began = time.monotonic()
        with pytest.raises(TookTooLong, match=r"after 0\.3 seconds"):
            await hanging
        taken = time.monotonic() - began
        return before, worker(await waiting), taken, dict(pool.processes.replaced)

    before, after, taken, replaced = pooled(test, tmp_path, seconds=0.3)
    assert 0.2 < taken < 5
    assert after != before
    assert replaced == {"time limit": 1}
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


def test_what_is_being_killed_when_the_pool_closes_is_gone_after_it(tmp_path):
    async def test(pool):
        before = worker(await pool.ask("a"))
        with pytest.raises(TookTooLong):
            await pool.ask("sleep 60")
        return before

    hanging = pooled(test, tmp_path, seconds=0.3)
    with pytest.raises(ProcessLookupError):
        os.kill(hanging, 0)


def test_a_pool_that_closes_under_work_starts_no_other_process(tmp_path):
    async def test(pool):
        async def answered():
            with pool.place():
                return await pool.ask("sleep 60")

        asked = asyncio.ensure_future(answered())
        await asyncio.sleep(0.1)
        await pool.close()
        with pytest.raises(Unavailable, match="stopped"):
            await asked
        await asyncio.sleep(1)
        return pool.processes.ready

    assert pooled(test, tmp_path) == 0


def test_a_process_that_dies_is_replaced_and_its_item_tried_once_more(tmp_path):
    async def test(pool):
        first = await pool.ask("die-once mark")
        with pytest.raises(Unavailable, match="a second one as well"):
            await pool.ask("die")
        return first, await pool.ask("a"), pool.processes.replaced["died"]

    first, after, died = pooled(test, tmp_path)
    assert first.startswith("die-once done")
    assert after.startswith("a done")
    assert died == 3


def test_a_process_that_is_killed_while_it_waits_is_noticed(tmp_path):
    async def test(pool):
        os.kill(worker(await pool.ask("a")), 9)
        await asyncio.sleep(0.2)
        return await pool.ask("b")

    assert pooled(test, tmp_path).startswith("b done")


def test_work_ends_when_its_client_has_gone_unless_it_is_nearly_done(tmp_path):
    async def test(pool):
        before = worker(await pool.ask("a"))
        for item in ("sleep 0.2", "sleep 60"):
            asked = asyncio.ensure_future(pool.ask(item))
            await asyncio.sleep(0.05)
            asked.cancel()
            began = time.monotonic()
            after = worker(await pool.ask("b"))
            yield_time = time.monotonic() - began
            if item == "sleep 0.2":
                assert after == before
        return before != after, yield_time, dict(pool.processes.replaced)

    is_other, taken, replaced = pooled(test, tmp_path)
    assert is_other
    assert taken < 10
    assert replaced == {"client gone": 1}


def test_a_client_that_goes_while_it_waits_costs_nothing(tmp_path):
    async def test(pool):
        working = asyncio.ensure_future(pool.ask("sleep 0.2"))
        await asyncio.sleep(0.05)
        waiting = asyncio.ensure_future(pool.ask("a"))
        await asyncio.sleep(0.05)
        waiting.cancel()
        return worker(await working) == worker(await pool.ask("b")), dict(pool.processes.replaced)

    assert pooled(test, tmp_path) == (True, {})


def test_places_are_limited(tmp_path):
    async def test(pool):
        with pool.place(), pool.place(), pool.place():
            with pytest.raises(Busy) as caught, pool.place():
                pass
            return caught.value.seconds, pool.admitted

    seconds, admitted = pooled(test, tmp_path, queue=2)
    assert admitted == 3
    assert 1 <= seconds <= 60


def test_a_stop_waits_for_what_was_admitted_and_for_no_longer_than_it_may(tmp_path):
    async def test(pool):
        async def answered():
            with pool.place():
                return await pool.ask("sleep 0.4")

        asked = asyncio.ensure_future(answered())
        await asyncio.sleep(0.1)
        too_soon = await pool.stop(0.1)
        with pytest.raises(Unavailable, match="stopping"), pool.place():
            pass
        return too_soon, await pool.stop(20), await asked

    too_soon, in_time, answer = pooled(test, tmp_path)
    assert (too_soon, in_time) == (1, 0)
    assert answer.startswith("sleep done")


def test_a_pool_whose_work_refuses_the_first_item_does_not_start_and_leaves_no_process(tmp_path):
    async def run():
        await RequestPool(Work(tmp_path), "tell-and-refuse it", tuple, jobs=4, queue=1, seconds=1).start()

    with pytest.raises(BadParameter, match="it"):
        asyncio.run(run())
    started = [int(file.name) for file in tmp_path.iterdir()]
    assert started
    for process in started:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_a_pool_whose_processes_die_does_not_start(tmp_path):
    async def run():
        await RequestPool(Work(tmp_path), "die", tuple, jobs=1, queue=1, seconds=1).start()

    with pytest.raises(Unavailable, match="does not start"):
        asyncio.run(run())


def is_running(process: int) -> bool:
    """Return whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for_end(pids: Path) -> None:
    """Wait until no process runs that a file names; it must not take long."""
    processes = list(map(int, pids.read_text().split()))
    assert len(processes) == 2
    deadline = time.monotonic() + 10
    while any(map(is_running, processes)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_what_a_process_has_started_is_killed_with_it(tmp_path):
    async def test(pool):
        with pytest.raises(TookTooLong):
            await pool.ask("start")

    pooled(test, tmp_path, seconds=3)
    wait_for_end(tmp_path / "pids")


PARENT = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from tests.unit.running.test_pool import Work
from keywright.running.pool import Pool
from keywright.running.pool import WorkProcess, hold_work
pool = Pool(WorkProcess, 1, (hold_work(Work(Path({folder!r}))),))
pool.start()
pool.submit("start").result()
"""


def test_a_busy_process_ends_with_its_killed_parent(tmp_path):
    program = PARENT.format(tests=str(Path(__file__).parents[3]), folder=str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", program]) as parent:
        while not (tmp_path / "pids").exists() or not (tmp_path / "pids").read_text():
            assert parent.poll() is None
            time.sleep(0.01)
        parent.kill()
    wait_for_end(tmp_path / "pids")


WORK = """
import keywright as kw
print("begins")
{guard}print([outcome.texts for _, outcome in kw.extract_files(kw.prepare("firstphrases", top=1), ["a.txt"], jobs=2)])
"""


@pytest.mark.parametrize("guard", ["", 'if __name__ == "__main__": '])
def test_a_script_without_a_guard_is_told(tmp_path, guard):
    (tmp_path / "a.txt").write_text("Tide gauges drift.")
    (tmp_path / "script.py").write_text(WORK.format(guard=guard))
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    if guard:
        assert done.stdout.splitlines()[-1] == "[('Tide gauges drift',)]"
    else:
        assert done.stdout == "begins\n"  # once: no worker has run it
        last = done.stderr.splitlines()[-1]
        assert "would run the script" in last
        assert 'call it under `if __name__ == "__main__":`' in last
