"""Part-of-speech tags of the papers of SemEval-2010, stored because tagging takes minutes; a program that stores them.

KEYWRIGHT_MIRROR=... python -m tests.golden.semeval2010_tags

A token has the rank of its tag among those of its word, most frequent first; words are numbered by first occurrence.
"""

import lzma
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from keywright.core.documents import AnalysedDocument
from keywright.experiments.semeval2010_task import TEST, TRAIN, shared_papers

STORED = Path(__file__).with_suffix(".npz.xz")


def papers(mirror: Path, *, tagged: bool = False) -> list[AnalysedDocument]:
    """Return the analysed papers, first those of training."""
    return [paper.document for split in (TRAIN, TEST) for paper in shared_papers(split, mirror, tagged=tagged)]


def number_words(documents: list[AnalysedDocument]) -> np.ndarray:
    """Return for each token of all documents the number of its word in order of first occurrence."""
    numbers: dict[str, int] = {}
    words = ([document.words[word] for word in document.word.tolist()] for document in documents)
    return np.array([numbers.setdefault(word, len(numbers)) for each in words for word in each])


def tag_papers(documents: list[AnalysedDocument]) -> Iterator[AnalysedDocument]:
    """Yield the papers with their stored tags."""
    with lzma.open(STORED) as file, np.load(file) as stored:
        names, tags, starts, ranks = (stored[name] for name in ("names", "tags", "starts", "ranks"))
    ends = np.cumsum([len(document.word) for document in documents])
    assert ends[-1] == len(ranks), "the papers have other tokens than those that were tagged"
    tagged = names[tags[starts[number_words(documents)] + ranks]]
    for document, tag in zip(documents, np.split(tagged, ends), strict=False):
        distinct, index = np.unique(tag, return_inverse=True)
        yield replace(document, tag=index.astype(np.int16), tags=tuple(distinct.tolist()))


def main() -> None:
    """Store the tags as the tagger gives them now."""
    documents = papers(Path(os.environ["KEYWRIGHT_MIRROR"]).resolve(), tagged=True)
    names, tag = np.unique(
        [document.tags[tag] for document in documents for tag in document.tag.tolist()], return_inverse=True
    )
    pairs, counts = np.unique(number_words(documents) * len(names) + tag, return_counts=True)
    word, tags = np.divmod(pairs, len(names))
    order = np.lexsort((tags, -counts, word))
    starts = np.flatnonzero(np.diff(word, prepend=-1))
    ranks = np.empty(len(pairs), np.uint8)
    ranks[order] = np.arange(len(pairs)) - starts[word]
    ranks = ranks[np.searchsorted(pairs, number_words(documents) * len(names) + tag)]
    with lzma.open(STORED, "wb", preset=9 | lzma.PRESET_EXTREME) as file:
        np.savez(file, names=names, tags=tags[order].astype(np.uint8), starts=starts, ranks=ranks)


if __name__ == "__main__":
    main()
