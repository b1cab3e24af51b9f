"""Speed of a vocabulary index: to build it, to open it, and what it costs a document.

    python benchmarks/speed/bench_vocabulary.py [--labels FILE] [--json FILE]

``FILE`` is a text file with one label per line, or a table with a column ``subject``. Without it the subject headings
of the Library of Congress are taken from the package ``invenio-subjects-lcsh`` if it is installed, else as many labels
are made of words of the documents. Documents are abstracts and papers; milliseconds are CPU time, medians of three
rounds.
"""

import argparse
import importlib.util
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import papers

import keywright as kw
from keywright.core.documents import Document

_MADE = 463_000  # labels that are made: as many as the subject headings
_PACKAGE = "invenio_subjects_lcsh"
_HEADINGS = "extraction/vocabularies/subjects_lcsh.csv"
_ROUNDS = 3
_ABSTRACTS, _PAPERS = 300, 20


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=Path, metavar="FILE", help="labels (default: subject headings, or made ones)")
    parser.add_argument("--made", type=int, default=_MADE, help="number of labels that are made")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    abstracts, bare = papers.abstracts(_ABSTRACTS)[1], papers.bare_papers(_PAPERS)
    with tempfile.TemporaryDirectory() as scratch:
        labels, source = _labels(options.labels, options.made, [*abstracts, *bare])
        index = Path(scratch) / "index"
        build = _seconds(lambda: kw.build_vocabulary(labels, index, force=True))
        opened = _seconds(lambda: kw.load_vocabulary(index))
        vocabulary = kw.load_vocabulary(index)
        figures: dict[str, Any] = {
            "labels": len(vocabulary),
            "source": source,
            "megabytes": sum(path.stat().st_size for path in index.iterdir()) / 1e6,
            "build seconds": build,
            "open seconds": opened,
            **_of_documents("abstract", abstracts, vocabulary),
            **_of_documents("paper", bare, vocabulary),
        }
    for name, value in figures.items():
        print(f"{name}: {value:,.3f}" if isinstance(value, float) else f"{name}: {value}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def _labels(file: Path | None, made: int, documents: Sequence[Document]) -> tuple[Path | list[str], str]:
    """Return labels or their file, and where they come from."""
    if file is not None:
        return file, file.name
    package = importlib.util.find_spec(_PACKAGE)
    if package is not None and package.submodule_search_locations:
        return Path(package.submodule_search_locations[0]) / _HEADINGS, "Library of Congress Subject Headings"
    words = sorted({word for document in documents for word in document.text.lower().split() if word.isalpha()})
    rng = random.Random(1)  # noqa: S311 - nothing secret
    labels = {" ".join(rng.choices(words, k=rng.choice((1, 2, 2, 3, 3, 4)))) for _ in range(made)}
    return sorted(labels), "made of words of the documents"


def _of_documents(kind: str, documents: Sequence[Document], vocabulary: Sequence[str]) -> dict[str, float]:
    """Return milliseconds for a document without and with the vocabulary."""
    spent = {}
    for name, options in {"without": {}, "with": {"vocabulary": vocabulary}}.items():
        extraction = kw.prepare(**options)  # type: ignore[arg-type]  # one keyword
        seconds = _seconds(lambda extraction=extraction: [extraction.prediction(each) for each in documents])
        spent[f"{kind}, ms {name} vocabulary"] = 1_000 * seconds / len(documents)
    return spent


def _seconds(work: Callable[[], object]) -> float:
    """Return the median CPU seconds of some rounds; the first, in which words are new, is not counted."""
    work()
    rounds = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        work()
        rounds.append(time.process_time() - start)
    return statistics.median(rounds)


if __name__ == "__main__":
    main()
