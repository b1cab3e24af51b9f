"""Train the default extractor's trees of a language on its training collections, and save them with a card.

    PYTHONPATH=. KEYWRIGHT_MIRROR=... python tools/train/train_default.py [--language en|fr|any] [--check]

Collections, styles and weights are those of ``datasets/training_mix.py``, without what overlaps a test set.
The lexicon of author keyphrases was counted from lists some of which belong to training documents: for each document
the lists that look like its own are subtracted from the lexicon, as no list of a new document is in it. The French
background is small and counted from the same theses, so the document's own phrases are subtracted from it as well.
Trees for any other language learn from English and French documents without any tables. The same data give the same
file. Takes about a quarter of an hour on one core; ``--check`` trains on a hundredth, to see that it runs.
"""

import argparse
import itertools
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from build_background import phrases_of
from rich.progress import track

from keywright.core.documents import AnalysedDocument
from keywright.datasets.training_mix import TRAINING
from keywright.extraction.corpus.knowledge import ANY, Knowledge, knowledge_of
from keywright.extraction.learners.examples import Examples
from keywright.extraction.learners.ranker import TrainedRanker
from studies.training_data.author_lists import author_lists, subtract_counts
from studies.training_data.examples import (
    KnowledgeFor,
    TrainingData,
    as_counted,
    train,
    training_examples,
    untrained,
    without_lists,
)
from studies.training_data.training_documents import ALL_LANGUAGES, FRENCH, training_documents

MODELS: Final = Path(__file__).parents[2] / "src" / "keywright" / "models"
PARTS: Final = {"en": TRAINING, "fr": FRENCH, ANY: ALL_LANGUAGES}


def without_text(knowledge: Knowledge, document: AnalysedDocument) -> Knowledge:
    """Return the knowledge with this document subtracted from the background."""
    table = knowledge.background
    keys = np.unique(phrases_of(document, document.source.language or "en"))
    return replace(knowledge, background=subtract_counts(table, [keys], table.card["least_documents"]))


def examples(mirror: Path, language: str, every: int) -> Iterator[Examples]:
    """Yield the examples of every so many training documents of a language."""
    system = untrained(knowledge_of(language), language)
    data = TrainingData.of(itertools.islice(training_documents(PARTS[language], mirror), 0, None, every))
    total = sum(1 + document.part.general for document in data.documents)
    described = training_examples(system, data, taking_out(language, mirror))
    return iter(track(described, "describing", total, disable=every > 1))


def taking_out(language: str, mirror: Path) -> KnowledgeFor:
    """Return the function that takes what was counted in a training document out of the tables of a language."""
    if language == ANY:
        return as_counted
    lists = author_lists(language, mirror)
    if language == "fr":
        return lambda knowledge, document, gold: without_text(lists.without_own(knowledge, gold), document)
    return without_lists(lists)


def card_of(language: str, documents: int) -> dict[str, Any]:
    """Return the card of the file."""
    return {
        "name": f"default_{language}",
        "what": "boosted trees that rank candidates, and probabilities of their scores by style",
        "made_by": "tools/train_default.py",  # the path that the program had: cards are part of hashed files
        "date": "2026-11-21",
        "documents": documents,
        "sources": [
            f"{part.data} ({', '.join(part.kinds)}; style {part.style}, weight {part.weight})"
            for part in PARTS[language]
        ],
        "licence": "numbers learnt from the documents, of which no text is part of the file",
        "checked": "documents that overlap a test set are left out, docs/results/decontamination.md",
    }


def save_shipped(ranker: TrainedRanker, name: str) -> None:
    """Save a ranker as ``load_shipped_ranker`` finds it, and print its size."""
    target = MODELS / f"default_{name}.json.zst"
    ranker.save(target)
    print(target.name, target.stat().st_size, "bytes")


def main() -> None:
    """Describe, train, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="train on little and save nothing")
    parser.add_argument("--language", choices=PARTS, default="en")
    options = parser.parse_args()
    described = list(examples(Path(os.environ["KEYWRIGHT_MIRROR"]), options.language, 100 if options.check else 1))
    card = card_of(options.language, len({each.document for each in described}))
    ranker = train(described, options.language, card)
    print(len(described), "documents", sum(len(document.answers) for document in described), "rows", ranker.fingerprint)
    if not options.check:
        save_shipped(ranker, options.language)


if __name__ == "__main__":
    main()
