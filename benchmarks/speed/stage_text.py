"""Speed of what happens between a document and its ranking: analysis, candidates, look-up, pickling."""

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import papers
from measuring import Row, timed

from keywright.core.arrays import Keys
from keywright.core.documents import AnalysedDocument, Document
from keywright.extraction.candidates.ngrams import content_words, ngrams
from keywright.extraction.candidates.prefilter import content_words_and_connectors
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import background
from keywright.reading.bare_text.sections import find_sections
from keywright.text.analyser import TextAnalyser

_LOOKED_UP = 10_000
_LARGE = 2_000_000
_LENGTH = 8_000
AGAIN = 50


def sectioned(most: int | None) -> list[Document]:
    """The test papers with sections."""
    return [replace(one, sections=find_sections(one.text)) for one in papers.bare_papers(most)]


def analysed(most: int | None) -> list[AnalysedDocument]:
    """The test papers as columns."""
    analyser = TextAnalyser("en")
    return [analyser.analyse(one) for one in sectioned(most)]


def analysis(most: int | None) -> Iterator[Row]:
    """Analysis by an analyser that has seen nothing, then again by the one that has seen these papers."""
    documents = sectioned(most)
    TextAnalyser("en").analyse(Document("start", "The stop list and the stemmer are loaded here."))
    analyser = TextAnalyser("en")
    found: list[AnalysedDocument] = []
    cold = timed(
        ("analyse, cold", "papers"),
        len(documents),
        lambda: found.extend(map(analyser.analyse, documents)),
        rounds=1,
        note="no word was seen before",
    )
    tokens = sum(map(len, found))
    yield replace(cold, tokens=tokens)
    yield timed(
        ("analyse, warm", "papers"),
        len(documents),
        lambda: [analyser.analyse(one) for one in documents],
        tokens=tokens,
        note="every word was seen before",
    )


def candidates(most: int | None) -> Iterator[Row]:
    """N-grams of up to five words, and the candidates of the default system."""
    documents = analysed(most)
    tokens = sum(map(len, documents))
    for name, inside in (("n-grams", None), ("candidates with connectors", content_words_and_connectors)):
        count = sum(len(ngrams(one, 5, content_words, inside)) for one in documents)
        yield timed(
            (name, "papers"),
            len(documents),
            lambda: [ngrams(one, 5, content_words, inside) for one in documents],  # noqa: B023 - called at once
            tokens=tokens,
            note=f"up to 5 words; {count // len(documents):,} a paper",
        )


def lookup(most: int | None) -> Iterator[Row]:
    """Look-up of 10,000 candidates of papers in the bundled table, and in one of two million entries."""
    keys = np.concatenate([ngrams(one, 5).key for one in analysed(most)])[:_LOOKED_UP]
    for name, table in (("the background", background()), ("2,000,000 entries", _large(keys))):
        table.of(keys)
        known = int((table.of(keys) > 0).sum())
        yield timed(
            (f"look up in {name}", "look-ups"),
            AGAIN,
            lambda: [table.of(keys) for _ in range(AGAIN)],  # noqa: B023 - called at once
            note=f"{len(keys):,} candidates, {known:,} of them among {len(table):,} entries",
        )


def _large(known: Keys) -> PhraseCounts:
    """A table of two million entries that holds every second one of these keys."""
    drawn = np.random.default_rng(7).integers(0, 1 << 64, _LARGE, dtype=np.uint64)
    keys = np.unique(np.concatenate((known[::2], drawn[: _LARGE - len(known[::2])])))
    return PhraseCounts(keys, np.ones(len(keys), np.uint32), 1_000)


def pickling(most: int | None) -> Iterator[Row]:
    """Pickling of the analysed paper nearest to 8,000 tokens."""
    one = min(analysed(most), key=lambda document: abs(len(document) - _LENGTH))
    packed = pickle.dumps(one, pickle.HIGHEST_PROTOCOL)
    text = len(one.source.text.encode())
    note = f"{len(one):,} tokens, {len(packed):,} bytes, {text:,} of them the text"
    dump, read = lambda: pickle.dumps(one, pickle.HIGHEST_PROTOCOL), lambda: pickle.loads(packed)  # noqa: S301 - just packed
    for name, work in (("pickle a paper", dump), ("unpickle a paper", read)):
        yield timed((name, "papers"), AGAIN, repeated(work), tokens=AGAIN * len(one), note=note)


def repeated(work: Callable[[], object]) -> Callable[[], object]:
    """The same fifty times, for what one call does too fast to be timed."""
    return lambda: [work() for _ in range(AGAIN)]
