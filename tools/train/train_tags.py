"""Train the default's trees for tags, its gate between both tastes, and probabilities of tags and of both together.

    PYTHONPATH=. KEYWRIGHT_MIRROR=... python tools/train/train_tags.py [--language en|any] [--check]

Trees and gate learn from the everyday collections whose licences permit it, ``EVERYDAY`` of
``datasets/training_mix.py``, the gate also from documents of the other taste and from prose. Probabilities are fitted
on documents of domains that were left out of trees and gate, the same number of each collection. The same data give the
same file. Takes a quarter of an hour on one core; ``--check`` takes a few documents of each collection and saves
nothing.
"""

import argparse
import itertools
import os
from pathlib import Path
from typing import Any, Final

from train_default import save_shipped

from keywright.core.documents import Style
from keywright.datasets.training_mix import EVERYDAY
from keywright.extraction.corpus.knowledge import ANY
from keywright.extraction.learners.ranker import TrainedRanker
from keywright.extraction.ranking.language_resources import load_shipped_ranker
from studies.everyday.tastes import (
    MOST,
    Described,
    describe_others,
    describe_prose,
    describe_tagged,
    fit_gate,
    fit_probability,
    grow_tag_trees,
    leave_domains_out,
    number_of_tags,
    take_evenly,
)
from studies.training_data.training_documents import left_out

PERMITTED: Final = {part.data: part.rules for part in EVERYDAY}
"""Rules by which an overlap leaves a document out, by the collections that may be learnt from."""


def learnable(document: Described) -> bool:
    """Return whether a document may be learnt from: by its licence, and as it overlaps no test set."""
    rules = PERMITTED.get(document.collection)
    return not document.tagged or (
        rules is not None and document.labelled.id not in left_out(document.collection, rules)
    )


def train(language: str, mirror: Path, most: int | None) -> TrainedRanker:
    """Describe, train, hold out, fit probabilities."""
    tagged = [each for each in describe_tagged(language, mirror, most) if learnable(each)]
    unknown = [each for each in describe_tagged(language, mirror, min(MOST, most or MOST)) if not learnable(each)]
    others = list(describe_others(language, mirror, min(MOST, most or MOST)))
    if language == "en":
        others += describe_prose()
    shipped = load_shipped_ranker(language)
    print(f"{len(tagged)} tagged documents, {len(others)} others, {len(unknown)} for probabilities alone")
    by_collection: dict[str, list[Described]] = {}
    for each in tagged:
        by_collection.setdefault(each.collection, []).append(each)
    some = itertools.chain.from_iterable(take_evenly(of_collection, MOST) for of_collection in by_collection.values())
    documents = [*some, *unknown, *others]
    held_out = list(leave_domains_out(documents, language, shipped.trees, learnable, print))
    maps = {
        style.value: fit_probability(held_out, tags_alone=style == Style.TAGS) for style in (Style.TAGS, Style.GENERAL)
    }
    card: dict[str, Any] = {
        "name": f"default_tags_{language}",
        "what": "boosted trees that rank candidates as tags, a gate between them and the default's other trees, and"
        " probabilities of both",
        "made_by": "tools/train/train_tags.py",
        "date": "2026-11-26",
        "documents": len(tagged),
        "sources": sorted({each.collection for each in tagged}),
        "gate": sorted({each.collection for each in others}),
        "licence": "numbers learnt from the documents, of which no text is part of the file",
        "checked": "documents that overlap a test set are left out, docs/results/decontamination.md",
    }
    return TrainedRanker(
        grow_tag_trees(tagged, language),
        shipped.columns,
        maps,
        card,
        {Style.TAGS.value: number_of_tags(tagged)},
        by_weight=language == ANY,
        gate=fit_gate([*tagged, *others], language),
    )


def main() -> None:
    """Train, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="train on little and save nothing")
    parser.add_argument("--language", choices=("en", ANY), default="en")
    options = parser.parse_args()
    ranker = train(options.language, Path(os.environ["KEYWRIGHT_MIRROR"]), 12 if options.check else None)
    print(ranker.fingerprint, ranker.expected)
    if not options.check:
        save_shipped(ranker, f"tags_{options.language}")


if __name__ == "__main__":
    main()
