"""Train the default extractor's trees on all training collections, and keep them with a card.

    KEYWRIGHT_MIRROR=... python tools/train_default.py [--check]

Collections, styles and weights are those of ``datasets/training.py``, which leaves out what overlaps a test set. The
lexicon of author keyphrases was counted from lists of which some belong to training documents: for each document the
lists that look like its own are taken out of what the lexicon says, as no list of a new document is in it. The same
data give the same file. Takes about a quarter of an hour on one core; ``--check`` trains on a hundredth, to see that it
runs.
"""

import argparse
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from build_lexicons import lists_of_phrases
from rich.progress import track

from keywright.core.arrays import Keys
from keywright.corpus.counts import PhraseCounts
from keywright.corpus.knowledge import Knowledge
from keywright.datasets.training import TRAINING, training_documents
from keywright.learners.training import Examples, judge_of
from keywright.systems.default import Default, styled
from keywright.text.analyser import TextAnalyser
from keywright.text.gold_keys import gold_keys
from keywright.text.keys import phrase_key

TARGET: Final = Path(__file__).parents[1] / "src" / "keywright" / "models" / "default_en.json.zst"
SHARED, SHARE = 2, 0.6
"""A list that shares so many phrases, and this part of the shorter of both, with a document's gold may be its own."""


class Lists:
    """The author lists behind the lexicon, to find those of a training document."""

    def __init__(self, mirror: Path) -> None:
        self.lists: list[Sequence[str]] = [list(phrases) for phrases in lists_of_phrases(mirror)]
        self.holding: dict[int, list[int]] = defaultdict(list)
        for number, phrases in enumerate(self.lists):
            for key in {phrase_key(phrase) for phrase in phrases}:
                self.holding[key].append(number)

    def without_own(self, knowledge: Knowledge, gold: Keys) -> Knowledge:
        """The knowledge less what lists that look like this gold contributed."""
        shared = Counter(number for key in gold.tolist() for number in self.holding.get(key, ()))
        own = [
            self.lists[number]
            for number, common in shared.items()
            if common >= SHARED and common >= SHARE * min(len(self.lists[number]), len(gold))
        ]
        if not own:
            return knowledge
        phrases = [phrase for one in own for phrase in one]
        words = [word for phrase in phrases for word in set(phrase.split())]
        heads = [phrase.split()[-1] for phrase in phrases if phrase.split()]
        return replace(
            knowledge,
            chosen=less(knowledge.chosen, phrases),
            chosen_words=less(knowledge.chosen_words, words),
            chosen_heads=less(knowledge.chosen_heads, heads),
        )


def less(table: PhraseCounts, entries: Sequence[str]) -> PhraseCounts:
    """The table without these entries, each as often as it is there."""
    own = PhraseCounts.of_phrases(sorted(Counter(map(phrase_key, entries)).items()), 0)
    left = np.array(table.counts, np.int64)
    known = np.isin(own.keys, table.keys)
    left[np.searchsorted(table.keys, own.keys[known])] -= own.counts[known].astype(np.int64)
    return replace(table, counts=np.maximum(left, 0))


def examples(mirror: Path, every: int) -> Iterator[Examples]:
    """All training documents, described."""
    lists, analyser = Lists(mirror), TextAnalyser("en")
    system = Default(judge=None)  # type: ignore[arg-type]  # it is what is being made
    for number, one in enumerate(track(training_documents(mirror=mirror), "describing", disable=every > 1)):
        if number % every:
            continue
        document = analyser.analyse(one.labelled.document)
        gold = gold_keys(one.labelled.gold, "en")
        knowing = replace(system, knowledge=lists.without_own(system.knowledge, gold))
        view, weight = knowing.view(document)
        rows, names = knowing.rows(view, weight)
        answers = np.isin(view.few.key, gold)
        if len(answers):
            name = f"{one.part.data}/{one.labelled.id}"
            style = one.part.style
            yield Examples(name, style, styled(rows, style), answers, (*names, "style"), one.part.weight)


def main() -> None:
    """Describe, train, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="train on little and save nothing")
    given = parser.parse_args()
    found = list(examples(Path(os.environ["KEYWRIGHT_MIRROR"]), 100 if given.check else 1))
    card = {
        "name": "default_en",
        "what": "boosted trees that rank candidates, and probabilities of their scores by style",
        "made_by": "tools/train_default.py",
        "date": "2026-11-21",
        "documents": len(found),
        "sources": [
            f"{part.data} ({', '.join(part.kinds)}; style {part.style}, weight {part.weight})" for part in TRAINING
        ],
        "licence": "numbers learnt from the documents, of which no text is part of the file",
        "checked": "documents that overlap a test set are left out, docs/reference/decontamination.md",
    }
    judge = judge_of(found, card=card)
    print(len(found), "documents", sum(len(one.answers) for one in found), "rows", judge.fingerprint)
    if not given.check:
        judge.save(TARGET)
        print(TARGET.name, TARGET.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
