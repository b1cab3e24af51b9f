"""Quality of concepts as subjects: untrained and trained, beside the subjects that indexers gave.

    python benchmarks/quality/subjects.py [--documents N] [--json FILE]

The collections are ``fao_agrovoc`` and ``pubmed_mesh`` of the data folder (``KEYWRIGHT_MIRROR``), in the order of the
SHA-256 of their ids: the subjects of the first half are the vocabulary, which ``subject`` learns to rank from this
half, and the second half is measured. All subjects count, also those that the vocabulary lacks. The default was trained
on both halves, among many other documents (``datasets.training_mix``), so that its figures are somewhat too high;
``trained without the default`` has no part of it, as phrases are ranked by their first mention alone. F@k are means
over documents; nDCG@10 has gains of 0 and 1; ECE@10 is the expected calibration error of the first ten concepts of all
documents, in ten bins of equal width.
"""

import argparse
import csv
import hashlib
import json
import math
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import keywright as kw
from keywright.calibration.calibration_error import measure_error
from keywright.core.zstandard import zstd

_COLLECTIONS = ("fao_agrovoc", "pubmed_mesh")
_STYLES = ("general", "author", "indexer", "subject")
_BASES = {"trained": "default", "trained without the default": "firstphrases"}
_DEPTH = 10


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, help="documents of each collection (default: all of the second half)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    for collection in _COLLECTIONS:
        figures[collection] = _measured(collection, options.documents)
        facts = ", ".join(f"{name} {value:,}" for name, value in figures[collection].items() if name != "systems")
        print(f"{collection}: {facts}")
        for system, row in figures[collection]["systems"].items():
            print(f"  {system:27}", ", ".join(f"{name} {value:.3f}" for name, value in row.items()))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def _measured(collection: str, most: int | None) -> dict[str, Any]:
    """Return facts of a collection and its vocabulary, and a row for each system."""
    path = Path(os.environ["KEYWRIGHT_MIRROR"]) / "other_domains" / f"{collection}.jsonl.zst"
    with zstd.open(path, "rt", encoding="utf-8") as file:
        records = sorted(map(json.loads, file), key=lambda record: hashlib.sha256(record["id"].encode()).hexdigest())
    first, second = records[: len(records) // 2], records[len(records) // 2 :][:most]
    subjects = list(dict.fromkeys(subject for record in first for subject in record["keyphrases"]))
    uris = {subject.casefold(): f"urn:subject:{number}" for number, subject in enumerate(subjects)}
    with tempfile.TemporaryDirectory() as scratch:
        table, index, indexed = (Path(scratch) / name for name in ("subjects.csv", "index", "indexed.jsonl"))
        with table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("uri", "label_en"))
            writer.writerows((uris[subject.casefold()], subject) for subject in subjects)
        indexed.write_text("".join(json.dumps({**record, "language": "en"}) + "\n" for record in first), "utf-8")
        card = kw.build_vocabulary(table, index).card
        documents = [kw.document(record["text"], record["id"], language="en") for record in second]
        # Subjects that the vocabulary lacks keep their names, which no concept has.
        gold = [{uris.get(name.casefold(), name) for name in record["keyphrases"]} for record in second]
        known = sum(uri.startswith("urn:subject:") for uris_of in gold for uri in uris_of)
        rows = {style: _row(_untrained(style, index), documents, gold) for style in _STYLES}
        for name, base in _BASES.items():
            start = time.process_time()
            system = kw.train("subject", indexed, vocabulary=index, base=kw.system(base))
            seconds = time.process_time() - start
            rows[name] = _row(kw.prepare(system, top=_DEPTH, language="en"), documents, gold)
            rows[name]["seconds of training"] = seconds
        return {
            "concepts": card["concepts"],
            "ambiguous keys": card["ambiguous"]["en"],
            "indexed documents": len(first),
            "documents": len(documents),
            "subjects": sum(map(len, gold)),
            "subjects in the vocabulary": known,
            "systems": rows,
        }


def _untrained(style: str, index: Path) -> Any:
    """Return the extraction of concepts by the probabilities of a style of the default."""
    return kw.prepare(
        top=_DEPTH, vocabulary=kw.load_vocabulary(index), only_vocabulary=True, style=style, language="en"
    )


def _row(extraction: Any, documents: Sequence[Any], gold: Sequence[set[str]]) -> dict[str, float]:
    """Return the measures of an extraction over all documents."""
    extraction.prediction(documents[0])
    start = time.process_time()
    predictions = [extraction.prediction(document) for document in documents]
    seconds = time.process_time() - start
    ranked = [[phrase.concept.uri for phrase in each.keyphrases if phrase.concept] for each in predictions]
    return {
        **{
            f"F@{cutoff}": statistics.mean(_f1(uris, known, cutoff) for uris, known in zip(ranked, gold, strict=True))
            for cutoff in (5, 10)
        },
        "nDCG@10": statistics.mean(_ndcg(uris, known) for uris, known in zip(ranked, gold, strict=True)),
        "ECE@10": _calibration_error(predictions, gold),
        "documents per second": len(documents) / seconds,
    }


def _f1(ranked: Sequence[str], gold: set[str], cutoff: int) -> float:
    """Return the harmonic mean of precision of a list, of ``cutoff`` places, and recall."""
    hits = sum(uri in gold for uri in ranked[:cutoff])
    return 2 * hits / (cutoff + len(gold))


def _ndcg(ranked: Sequence[str], gold: set[str]) -> float:
    gain = sum(1 / math.log2(rank + 1) for rank, uri in enumerate(ranked[:_DEPTH], start=1) if uri in gold)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(_DEPTH, len(gold)) + 1))


def _calibration_error(predictions: Sequence[Any], gold: Sequence[set[str]]) -> float:
    """Return the expected calibration error of all concepts with a probability."""
    pairs = [
        (phrase.probability, phrase.concept.uri in known)
        for each, known in zip(predictions, gold, strict=True)
        for phrase in each.keyphrases
        if phrase.probability is not None
    ]
    return measure_error(*map(np.array, zip(*pairs, strict=True)))


if __name__ == "__main__":
    main()
