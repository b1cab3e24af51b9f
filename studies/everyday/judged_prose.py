"""Judged prose: letters, reports, reviews and the like, and trees that correct both tastes of the default for them."""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.documents import GoldKeyphrase, LabelledDocument, Style
from keywright.extraction.features.description.described_candidates import add_style_column
from keywright.extraction.learners.growing import Boosting, boosted_trees
from keywright.extraction.learners.trees import Trees
from keywright.reading.formats.plain import document_of_text
from studies.everyday.left_out import HeldOut
from studies.everyday.tastes import JUDGED, TOPIC, Described, describe, mean_numbers

PROSE: Final = Path(__file__).parent
"""Folder with letters, reviews, minutes and the like, written for this project: ``judged.jsonl`` with the phrases that
a reader would write below each text, judged before any list was looked at, and ``prose.jsonl`` without."""
PARTS_OF_PROSE: Final = 10
"""Groups of kinds of prose, which are left out together; arbitrary, as a group for each kind takes too long."""
PROSE_TREES: Final = Boosting(trees=120, leaves=8, rate=0.06, least=20, features=0.5)
"""Settings of trees that correct for prose; 80 or 120 trees, 8 or 16 leaves and a share of features of .3 or .5 are
within a point on kinds left out; in other languages, each left out, 160 trees gain .3 and 80 of 4 leaves lose 1.4."""
OF_TOPIC: Final = 2.0
"""Weight of phrases that say what a text is about; with 1, the topic of kinds left out is less often among the first
three, by four points."""


def describe_prose(language: str) -> Iterator[Described]:
    """Yield prose in English, or in all other languages, judged texts first.

    Some kinds of texts, or a language, are left out together.
    """
    for collection, name in ((JUDGED, "judged"), ("prose", "open"), ("prose", "prose")):
        for record in map(json.loads, (PROSE / f"{name}.jsonl").read_text("utf-8").splitlines()):
            code = record.get("language", "en")
            if (code == "en") == (language == "en"):
                document = replace(document_of_text(record["text"], record["id"]), language=code)
                gold = [GoldKeyphrase((phrase,), by) for by in (TOPIC, "good") for phrase in record.get(by, ())]
                kind = zlib.crc32(record["id"].rpartition("-")[0].encode()) % PARTS_OF_PROSE
                domain = f"prose {kind}" if code == "en" else code
                yield from describe([LabelledDocument(document, tuple(gold))], collection, domain, language, None)


def grow_prose_trees(held_out: Sequence[HeldOut], seed: int = 1) -> Trees:
    """Return trees that learnt from judged prose what to correct of both tastes, which saw nothing of it."""
    judged = [each for each in held_out if each.described.collection == JUDGED]
    return boosted_trees(
        np.concatenate([add_style_column(each.described.rows, Style.GENERAL) for each in judged]),
        np.concatenate([each.described.answers for each in judged]),
        replace(PROSE_TREES, seed=seed),
        weights=np.concatenate([np.where(each.described.topics, OF_TOPIC, 1.0) for each in judged]),
        start=np.concatenate([each.of_both for each in judged]),
    )


def number_in_prose(documents: Iterable[Described]) -> float:
    """Return the mean number of phrases that a reader wrote below a text."""
    return round(mean_numbers(each for each in documents if each.collection == JUDGED)[JUDGED], 1)


def correct_for_prose(held_out: Sequence[HeldOut], seed: int = 1) -> list[HeldOut]:
    """Return documents with corrections by trees that saw nothing of their domain, in the same order."""
    number = number_in_prose(each.described for each in held_out)
    of_all = grow_prose_trees(held_out, seed)
    trees = {
        domain: grow_prose_trees([each for each in held_out if each.described.domain != domain], seed)
        for domain in {each.described.domain for each in held_out if each.described.is_prose}
    }
    return [
        replace(each, correction=each.described.by(trees.get(each.described.domain, of_all)), number_in_prose=number)
        for each in held_out
    ]
