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
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from build_background import phrases_of
from rich.progress import track

from keywright.core.documents import AnalysedDocument, Style
from keywright.corpus.counts import subtract_counts
from keywright.corpus.knowledge import ANY, Knowledge, knowledge_of
from keywright.corpus.labelled import text_key
from keywright.datasets.training_mix import TRAINING
from keywright.features.description.described_candidates import styled
from keywright.learners.ranker import Examples, train_ranker
from keywright.systems.default import Default
from keywright.text.analyser import TextAnalyser
from keywright.text.gold_keys import gold_keys
from studies.training_data.author_lists import author_lists
from studies.training_data.training_documents import ALL_LANGUAGES, FRENCH, training_documents

MODELS: Final = Path(__file__).parents[2] / "src" / "keywright" / "models"
PARTS: Final = {"en": TRAINING, "fr": FRENCH, ANY: ALL_LANGUAGES}
CHECKED: Final = Style.AUTHOR.value
"""The only style whose ranking and probabilities could be checked in a language that was left out of training."""


def without_text(knowledge: Knowledge, document: AnalysedDocument) -> Knowledge:
    """Return the knowledge with this document subtracted from the background."""
    table = knowledge.background
    keys = np.unique(phrases_of(document, document.source.language or "en"))
    return replace(knowledge, background=subtract_counts(table, [keys], table.card["least_documents"]))


def examples(mirror: Path, language: str, every: int) -> Iterator[Examples]:
    """Yield all training documents of a language, described."""
    lists = None if language == ANY else author_lists(language, mirror)
    analysers = {"en": TextAnalyser("en"), "fr": TextAnalyser("fr")}
    system = Default(ranker=None, knowledge=knowledge_of(language))  # type: ignore[arg-type]  # it is trained here
    documents = training_documents(PARTS[language], mirror)
    for number, training in enumerate(track(documents, "describing", disable=every > 1)):
        if number % every:
            continue
        its_language = training.labelled.document.language or "en"
        document = analysers[its_language].analyse(training.labelled.document)
        gold = gold_keys(training.labelled.gold, its_language)
        knowledge = lists.without_own(system.knowledge, gold) if lists else system.knowledge
        knowing = replace(system, knowledge=without_text(knowledge, document) if language == "fr" else knowledge)
        view, weight = knowing.view(document)
        rows, names = knowing.rows(view, weight)
        answers = np.isin(view.shortlist.key, gold)
        if len(answers):
            style, twins = training.part.style, f"{text_key(document):016x}"  # equal texts are held out together
            yield Examples(
                twins, style, styled(rows, style), answers, (*names, "style"), training.part.weight, len(gold)
            )


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
        "checked": "documents that overlap a test set are left out, docs/reference/decontamination.md",
    }


def main() -> None:
    """Describe, train, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="train on little and save nothing")
    parser.add_argument("--language", choices=PARTS, default="en")
    options = parser.parse_args()
    described = list(examples(Path(os.environ["KEYWRIGHT_MIRROR"]), options.language, 100 if options.check else 1))
    ranker = train_ranker(described, card=card_of(options.language, len(described)))
    if options.language == ANY:
        ranker = replace(ranker, probability={CHECKED: ranker.probability[CHECKED]})
    print(len(described), "documents", sum(len(document.answers) for document in described), "rows", ranker.fingerprint)
    if not options.check:
        target = MODELS / f"default_{options.language}.json.zst"
        ranker.save(target)
        print(target.name, target.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
