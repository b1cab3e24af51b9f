"""Train the default's trees for tags and for prose, a gate for each, and probabilities.

    PYTHONPATH=. KEYWRIGHT_MIRROR=... python tools/train/train_tags.py [--language en|any] [--check]

Trees for tags learn from the everyday collections whose licences permit it, ``EVERYDAY`` of
``datasets/training_mix.py``; those for prose from judged texts, as corrections of what both tastes say that saw nothing
of these. Both gates also learn from documents of authors and readers. Probabilities are fitted on documents of domains
that were left out of trees and gates, the same number of each collection. The same data give the same files. Takes a
quarter of an hour on one core; ``--check`` takes a few documents of each collection and saves nothing.
"""

import argparse
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from train_default import save_shipped

from keywright.core.documents import Style
from keywright.datasets.training_mix import EVERYDAY
from keywright.extraction.corpus.knowledge import ANY
from keywright.extraction.learners.ranker import TrainedRanker
from keywright.extraction.ranking.language_resources import load_shipped_ranker
from studies.everyday.judged_prose import correct_for_prose, describe_prose, grow_prose_trees, number_in_prose
from studies.everyday.left_out import fit_maps, fit_probability, leave_domains_out
from studies.everyday.tastes import (
    JUDGED,
    MOST,
    Described,
    describe_others,
    describe_tagged,
    fit_gate,
    grow_tag_trees,
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


def train(language: str, mirror: Path, most: int | None) -> Iterator[tuple[str, TrainedRanker]]:
    """Yield names and rankers: describe, train, hold out, fit probabilities."""
    tagged = [each for each in describe_tagged(language, mirror, most) if learnable(each)]
    unknown = [each for each in describe_tagged(language, mirror, min(MOST, most or MOST)) if not learnable(each)]
    others = list(describe_others(language, mirror, min(MOST, most or MOST)))
    others += describe_prose(language)
    shipped = load_shipped_ranker(language)
    print(f"{len(tagged)} tagged documents, {len(others)} others, {len(unknown)} for probabilities alone")
    by_collection: dict[str, list[Described]] = {}
    for each in tagged:
        by_collection.setdefault(each.collection, []).append(each)
    some = itertools.chain.from_iterable(take_evenly(of_collection, MOST) for of_collection in by_collection.values())
    documents = [*some, *unknown, *others]
    held_out = list(leave_domains_out(documents, language, shipped.trees, learnable, print))
    held_out = correct_for_prose(held_out)
    of_both, of_prose = fit_maps(held_out)
    of_tags = fit_probability([each for each in held_out if each.described.tagged], lambda each: each.tags)
    card: dict[str, Any] = {
        "made_by": "tools/train/train_tags.py",
        "date": "2026-11-29",
        "gate": sorted({each.collection for each in others}),
        "licence": "numbers learnt from the documents, of which no text is part of the file",
        "checked": "documents that overlap a test set are left out, docs/results/decontamination.md",
    }
    yield (
        f"tags_{language}",
        TrainedRanker(
            grow_tag_trees(tagged, language),
            shipped.columns,
            {Style.TAGS.value: of_tags, Style.GENERAL.value: of_both},
            {
                "name": f"default_tags_{language}",
                "what": "boosted trees that rank candidates as tags, a gate between them and the default's other trees,"
                " and probabilities of both",
                "documents": len(tagged),
                "sources": sorted({each.collection for each in tagged}),
                **card,
            },
            {Style.TAGS.value: number_of_tags(tagged)},
            by_weight=language == ANY,
            gate=fit_gate([*tagged, *others], language),
        ),
    )
    judged = [each for each in others if each.collection == JUDGED]
    yield (
        f"prose_{language}",
        TrainedRanker(
            grow_prose_trees(held_out),
            shipped.columns,
            {Style.GENERAL.value: of_prose},
            {
                "name": f"default_prose_{language}",
                "what": "boosted trees that correct the default's other trees for everyday prose, their gate, and"
                " probabilities of all together",
                "documents": len(judged),
                "sources": ["studies/everyday/judged.jsonl"],
                **card,
            },
            {Style.GENERAL.value: number_in_prose(judged)},
            by_weight=language == ANY,
            gate=fit_gate([*tagged, *others], language, of_prose=True),
        ),
    )


def main() -> None:
    """Train, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="train on little and save nothing")
    parser.add_argument("--language", choices=("en", ANY), default="en")
    options = parser.parse_args()
    for name, ranker in train(options.language, Path(os.environ["KEYWRIGHT_MIRROR"]), 12 if options.check else None):
        print(name, ranker.fingerprint, ranker.expected)
        if not options.check:
            save_shipped(ranker, name)


if __name__ == "__main__":
    main()
