"""Run another tool over a file as users would: ``python benchmarks/speed/peer_command.py NAME IN OUT [TRAINING]``.

JSON Lines in and out, one text after the other, in the interpreter of the peers' environment, which has no keywright.
``TRAINING`` is a file of texts whose frequencies pke's KPMiner takes.
"""

import json
import logging
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from peer_work import PEERS


def main(name: str, source: Path, target: Path, training: Path | None) -> None:
    """Write the phrases of each text."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    texts = _texts(training) if training else []
    work = PEERS[name].make({"training": texts, "papers": []})
    with source.open(encoding="utf-8") as lines, target.open("w", encoding="utf-8") as output:
        for line in lines:
            record = json.loads(line)
            phrases = [_phrase(entry) for entry in work(record["text"])]
            output.write(json.dumps({"id": record["id"], "keyphrases": phrases}) + "\n")


def _texts(path: Path) -> list[str]:
    return [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()]


def _phrase(entry: Any) -> str:
    """Return the text of a phrase, which tools give alone, in a pair, or as an attribute."""
    if isinstance(entry, str):
        return entry
    if isinstance(entry, Sequence):
        return next(str(part) for part in entry if isinstance(part, str))
    return str(entry.text)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]) if len(sys.argv) > 4 else None)  # noqa: PLR2004
