"""CPU time of each stage of ``keywright extract``: ``python benchmarks/speed/command_stages.py IN OUT [OPTION ...]``.

The command runs in this process, with a clock around the functions that its stages begin with; a stage is charged for
what it does itself, not for a stage that it calls. Loading is not counted: the clock is read before the second batch of
documents, and the rates are those of the documents behind it. PDFs are read in this process as well. One JSON object is
printed: seconds by stage, and the number of documents.
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

STAGES = {
    "language": ("keywright.text.languages:detect_language",),
    "reading": ("keywright.running.file_extraction:read_documents",),
    "words": ("keywright.text.analyser:TextAnalyser.analyse_together",),
    "candidates": ("keywright.extraction.systems.default:select_shortlist",),
    "features": ("keywright.extraction.systems.default:describe",),
    "ranking": ("keywright.extraction.systems.default:Default.extract_together",),
    "encoder": ("keywright.extraction.ranking.context_reader:ContextReader.of_all",),
    "output": ("keywright.running.extraction:Extraction.__call__",),
}
"""The functions that each stage begins with; what is outside of all of them is output."""


class StageClock:
    """CPU seconds of stages that call each other, each without those inside it."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(STAGES, 0.0)
        self._running = ["output"]
        self._last = time.process_time()

    def charge(self) -> None:
        """Add the time since the last call to the stage that runs."""
        now = time.process_time()
        self.seconds[self._running[-1]] += now - self._last
        self._last = now

    def wrap(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that is charged to a stage."""

        def timed(*arguments: Any, **options: Any) -> Any:
            self.charge()
            self._running.append(stage)
            try:
                return function(*arguments, **options)
            finally:
                self.charge()
                self._running.pop()

        return timed


def main(source: str, target: str, options: list[str]) -> None:
    """Run the command and print the seconds of its stages."""
    os.environ["KEYWRIGHT_DEBUG"] = "1"  # PDFs are read in this process
    clock = StageClock()
    for stage, places in STAGES.items():
        for place in places:
            module_name, _, path = place.partition(":")
            *owner_names, name = path.split(".")
            owner: Any = importlib.import_module(module_name)
            for owner_name in owner_names:
                owner = getattr(owner, owner_name)
            setattr(owner, name, clock.wrap(stage, getattr(owner, name)))
    files = importlib.import_module("keywright.running.file_extraction")
    batches: list[tuple[int, dict[str, float]]] = []

    def extract_batch(extraction: Any, documents: Any, extract: Callable[..., Any] = files.extract_batch) -> Any:
        outcomes = extract(extraction, documents)
        clock.charge()
        batches.append((len(outcomes), dict(clock.seconds)))
        return outcomes

    files.extract_batch = extract_batch
    sys.argv = ["keywright", "extract", source, "--format", "jsonl", "-o", target, "--quiet", "--force", *options]
    try:
        importlib.import_module("keywright.faces.cli").main()
    except SystemExit as ended:
        if ended.code:
            raise
    clock.charge()
    start = batches[0][1]
    seconds = {stage: spent - start[stage] for stage, spent in clock.seconds.items()}
    print(json.dumps({"documents": sum(number for number, _ in batches[1:]), "seconds": seconds}))


if __name__ == "__main__":
    main(str(Path(sys.argv[1])), sys.argv[2], sys.argv[3:])
