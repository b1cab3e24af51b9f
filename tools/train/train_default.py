"""Train the default extractor's trees of a language on its training collections, and keep them with a card.

    KEYWRIGHT_MIRROR=... python tools/train/train_default.py [--language en|fr|any] [--check]

Collections, styles and weights are those of ``datasets/training_mix.py``, which leaves out what overlaps a test set.
The lexicon of author keyphrases was counted from lists of which some belong to training documents: for each document
the lists that look like its own are taken out of what the lexicon says, as no list of a new document is in it; of
French, whose background is small and of the same theses, the document's own phrases are taken out of that, too. Trees
for any other language learn from English and French documents without any tables. The same data give the same file.
Takes about a quarter of an hour on one core; ``--check`` trains on a hundredth, to see that it runs.
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

from keywright.core.documents import AnalysedDocument
from keywright.core.styles import Style
from keywright.corpus.by_language import ANY, knowledge_of
from keywright.corpus.knowledge import Knowledge
from keywright.corpus.labelled import text_key
from keywright.corpus.subtract_counts import subtract_counts
from keywright.datasets.author_lists import author_lists
from keywright.datasets.training_mix import ALL_LANGUAGES, FRENCH, TRAINING, training_documents
from keywright.features.description.style import styled
from keywright.learners.ranker_training import Examples, train_ranker
from keywright.systems.default import Default
from keywright.text.analyser import TextAnalyser
from keywright.text.gold_keys import gold_keys

MODELS: Final = Path(__file__).parents[2] / "src" / "keywright" / "models"
PARTS: Final = {"en": TRAINING, "fr": FRENCH, ANY: ALL_LANGUAGES}
CHECKED: Final = Style.AUTHOR.value
"""The one style whose ranking and probabilities could be checked in a language that was left out of training."""


def without_text(knowledge: Knowledge, document: AnalysedDocument) -> Knowledge:
    """The knowledge less what this document adds to the background."""
    table = knowledge.background
    own = np.unique(phrases_of(document, document.source.language or "en"))
    return replace(knowledge, background=subtract_counts(table, [own], table.card["least_documents"]))


def examples(mirror: Path, language: str, every: int) -> Iterator[Examples]:
    """All training documents of a language, described."""
    lists = None if language == ANY else author_lists(language, mirror)
    analysers = {"en": TextAnalyser("en"), "fr": TextAnalyser("fr")}
    system = Default(ranker=None, knowledge=knowledge_of(language))  # type: ignore[arg-type]  # it is being made
    for number, one in enumerate(track(training_documents(PARTS[language], mirror), "describing", disable=every > 1)):
        if number % every:
            continue
        own = one.labelled.document.language or "en"
        document = analysers[own].analyse(one.labelled.document)
        gold = gold_keys(one.labelled.gold, own)
        knowledge = lists.without_own(system.knowledge, gold) if lists else system.knowledge
        knowing = replace(system, knowledge=without_text(knowledge, document) if language == "fr" else knowledge)
        view, weight = knowing.view(document)
        rows, names = knowing.rows(view, weight)
        answers = np.isin(view.shortlist.key, gold)
        if len(answers):
            style, twins = one.part.style, f"{text_key(document):016x}"  # equal texts are held out together
            yield Examples(twins, style, styled(rows, style), answers, (*names, "style"), one.part.weight, len(gold))


def card_of(language: str, documents: int) -> dict[str, Any]:
    """What the file says of itself."""
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
    given = parser.parse_args()
    found = list(examples(Path(os.environ["KEYWRIGHT_MIRROR"]), given.language, 100 if given.check else 1))
    judge = train_ranker(found, card=card_of(given.language, len(found)))
    if given.language == ANY:
        judge = replace(judge, probability={CHECKED: judge.probability[CHECKED]})
    print(len(found), "documents", sum(len(one.answers) for one in found), "rows", judge.fingerprint)
    if not given.check:
        target = MODELS / f"default_{given.language}.json.zst"
        judge.save(target)
        print(target.name, target.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
