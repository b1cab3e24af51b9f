"""A process that answers requests: ``python -m keywright.running.request_child``.

Its input and output are frames, pickled values behind their length. The first frame is the work, a function; each other
is an item, whose answer is the function's result, or the error that it raised. The process ends with its input, or soon
after its parent.
"""

import os
import pickle
import signal
import struct
import threading
import time
from collections.abc import Callable
from typing import IO, Any, Final

from keywright.core.errors import KeywrightError

LENGTH: Final = struct.Struct(">Q")
"""Length of a frame in bytes, before it."""
_LOOK: Final = 1.0
"""Seconds between two looks at whether the parent is still there; arbitrary."""


def main() -> None:
    """Answer until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C belongs to the parent, which ends its workers
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)  # output of libraries is discarded
    if os.name == "posix":
        threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    work = None
    while (frame := _read_frame(requests)) is not None:
        if work is None:
            work = pickle.loads(frame)  # noqa: S301 - written by the parent
            continue
        answer = pickle.dumps(_answer(work, pickle.loads(frame)))  # noqa: S301 - as above
        answers.write(LENGTH.pack(len(answer)) + answer)
        answers.flush()


def _answer(work: Callable[[Any], Any], item: Any) -> tuple[Any, Exception | None]:
    """Return the result or the error of an item."""
    try:
        return work(item), None
    except KeywrightError as error:
        return None, error
    except Exception as error:  # noqa: BLE001 - of any kind, for one item only
        # The message may quote the document, so that only the kind of the error is passed on.
        hint = "please report it, if possible with the document"
        return None, KeywrightError(f"a defect of keywright: {type(error).__name__}", hint)


def _read_frame(stream: IO[bytes]) -> bytes | None:
    """Return the next frame; None at the end."""
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def _end_with_parent(parent: int) -> None:
    """End this process and those that it has started once its parent is gone, also in the middle of work."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os.killpg(os.getpgrp(), signal.SIGKILL)


if __name__ == "__main__":
    main()
