"""Processes of this machine that hold the work, and the executor of them."""

import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import spawn
from pathlib import Path
from typing import Any

from keywright.core.errors import BadParameter, PartlyDone
from keywright.core.interfaces import Item, Result
from keywright.running.child import Child, ChildEnded, make_command
from keywright.running.pool import CannotStart, Pool, map_in_order


class WorkProcess(Child):
    """A process of this machine that holds the work, which is the first value that it works on: see ``hold_work``."""

    def __init__(self, *, shows_messages: bool = False) -> None:
        super().__init__(make_command("keywright.running.child"), own_group=True, quiet=not shows_messages)

    def work_on(self, value: object, seconds: float | None = None) -> Any:
        """Return the result of the work on a value, or raise its error, or ``ChildEnded``."""
        result, error = pickle.loads(self.ask(pickle.dumps(value), seconds))  # noqa: S301 - of our own process
        if error is not None:
            raise error
        return result


def hold_work(work: Callable[[Any], Any], *, of_script: bool = False) -> object:
    """Return the value that gives the work to a process; ``of_script``: it may be defined in the script that runs."""
    preparation = spawn.get_preparation_data("worker") if of_script else {}
    preparation.pop("authkey", None)  # pickles for processes of multiprocessing only
    return preparation, pickle.dumps(work)


@dataclass(frozen=True, slots=True)
class Processes:
    """An executor of ``jobs`` fresh processes; the work is sent to each once, and all must pickle."""

    jobs: int

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield results in the order of the items, see ``map_in_order``; a worker that dies costs one document."""
        check_main()
        before = (hold_work(work, of_script=True),)
        make_pool = partial(Pool, partial(WorkProcess, shows_messages=True), before=before)
        try:
            yield from map_in_order(make_pool(self.jobs), make_pool, work, items)
        except CannotStart as failure:
            hint = 'scripts need `if __name__ == "__main__":` around their own work; without processes it runs anywhere'
            raise PartlyDone("worker processes cannot start", hint) from failure.__cause__
        except ChildEnded:
            hint = "too little memory is a usual cause"
            raise PartlyDone("a worker process died twice on the same item", hint) from None


def check_main() -> None:
    """Check that processes can import the running script: without ``__main__`` its work would start again."""
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    try:
        source = Path(path).read_text("utf-8") if path else None
    except (OSError, UnicodeDecodeError):  # packed or compiled; a worker that cannot start is reported later
        return
    if source is not None and "__main__" not in source:
        hint = (
            'put the work of the script into a function and call it under `if __name__ == "__main__":`, '
            "or leave out jobs and engine"
        )
        raise BadParameter(f"worker processes would run the script {path} again from its beginning", hint)
