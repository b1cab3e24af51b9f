"""Keyphrases of another tool, written as it finds them: ``python peer_lists.py PEER TEXTS RUN``.

Started by ``run.py`` with the interpreter of the peers' environment, which has no keywright. ``TEXTS`` holds documents
and what to learn from; ``RUN`` gets a line for each document, and documents that have one are passed over. A document
on which the tool breaks gets an empty list with the reason.
"""

import json
import logging
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import peer_pke

TOP = 40
Texts = dict[str, Any]
Work = Callable[[str], Sequence[Any]]


def pke(kind: str, texts: Texts) -> Work:
    """A system of pke; KPMiner takes phrases of short texts that are there once, Kea learns from all training texts."""
    once = {"lasf": 1} if kind == "KPMiner" and texts["short"] else None
    return peer_pke.tagged(kind, {**texts, "gold": stemmed(texts)}, top=TOP, few=None, selection=once)


def stemmed(texts: Texts) -> list[list[str]]:
    """Gold as pke's candidates are: Porter stems with blanks between; gold of the shared task is stemmed already."""
    from nltk.stem.snowball import SnowballStemmer  # noqa: PLC0415 - each peer is imported where it runs

    stem = SnowballStemmer("porter").stem
    return [[" ".join(map(stem, phrase.lower().split())) for phrase in phrases] for phrases in texts["gold"]]


def yake(texts: Texts) -> Work:  # noqa: ARG001 - peers have one signature
    """YAKE with its own defaults: phrases of up to three words."""
    from yake import KeywordExtractor  # noqa: PLC0415 - each peer is imported where it runs

    work: Work = KeywordExtractor(lan="en", n=3, top=TOP).extract_keywords
    return work


_PKE = ("KPMiner", "TopicRank", "SingleRank", "MultipartiteRank", "PositionRank", "TfIdf", "Kea")
PEERS: dict[str, Callable[[Texts], Work]] = {"yake-0.7.3": yake, **{f"pke-{kind}": partial(pke, kind) for kind in _PKE}}


def main(name: str, texts_file: Path, run: Path) -> None:
    """Write what is missing."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    texts = json.loads(texts_file.read_text("utf-8"))
    done = {json.loads(line)["id"] for line in run.read_text("utf-8").splitlines()} if run.is_file() else set()
    left = [(one, text) for one, text in texts["documents"] if one not in done]
    if not left:
        return
    work = PEERS[name](texts)
    with run.open("a", encoding="utf-8") as file:
        for number, (one, text) in enumerate(left, 1):
            print(f"\r{name} {len(done) + number}/{len(texts['documents'])}", end="", file=sys.stderr)
            record: dict[str, Any] = {"id": one}
            try:
                record["keyphrases"] = [phrase for phrase, _ in work(text)]
            except Exception as error:  # noqa: BLE001 - whatever breaks another tool is a line of its run
                record |= {"keyphrases": [], "failed": f"{type(error).__name__}: {error}"}
            file.write(json.dumps(record) + "\n")
            file.flush()
    print(file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
