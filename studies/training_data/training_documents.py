"""Documents that the default is trained on, and statistics of them."""

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Style
from keywright.core.errors import BadParameter, WrongFingerprint
from keywright.datasets.collection import load
from keywright.datasets.training_mix import RULES, TRAINING, TrainingPart, usual_fingerprint
from keywright.text.stems import semeval_stem

GUARDED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "semeval2010/test": ("author", "reader", "combined"),
        "semeval2010_abstracts/test": ("combined",),
        "inspec/test": ("uncontr",),
        "krapivin2009/test": ("author",),
        "krapivin_abstracts/test": ("author",),
        "kp20k_small/test": ("author",),
        "akec/test": ("crowd",),
        "semeval2010/train": ("author", "reader", "combined"),
    }
)
"""Data sets for reporting, and the papers on whose folds parameters are chosen, with the kinds of gold to compare.
Inspec's controlled terms are not among them: lists of two or three such terms agree by chance."""

FRENCH: Final = (TrainingPart("papyrus_fr/train", ("author",), Style.AUTHOR, every=3),)
"""French training data: a third of the theses."""

ALL_LANGUAGES: Final = (
    *(replace(part, every=3 * part.every) for part in TRAINING),
    TrainingPart("papyrus_fr/train", ("author",), Style.AUTHOR, 0.3, every=7),
    TrainingPart("wicc_es/train", ("author",), Style.AUTHOR, 0.3, every=2),
)
"""Training data for languages without trees of their own: a third of the English, and some French theses and Spanish
papers."""


@dataclass(frozen=True, slots=True)
class TrainingDocument:
    """A training document: its part, and the document with the gold to use."""

    part: TrainingPart
    labelled: LabelledDocument[Document]


def training_documents(
    parts: Sequence[TrainingPart] = TRAINING, mirror: Path | None = None
) -> Iterator[TrainingDocument]:
    """Yield the documents of all parts in order, without those that overlap a guarded data set or have no gold.

    Raises:
        BadParameter: a part is held out for reporting, or was never compared with the guarded data sets.
        WrongFingerprint: a card has changed since it was compared.
        MissingData: a collection is not on this machine.
    """
    for part in parts:
        data = load(part.data, mirror)
        if data.held_out:
            raise BadParameter(f"the gold of {part.data} is for reporting only", "train on another split")
        overlapping = left_out(part.data, part.rules)
        for labelled in itertools.islice(data, 0, None, part.every):
            meta = labelled.document.meta
            if labelled.id in overlapping or any(meta.get(key) in values for key, values in part.besides.items()):
                continue
            gold = tuple(entry for entry in labelled.gold if entry.by in part.kinds)
            if gold:
                yield TrainingDocument(part, LabelledDocument(labelled.document, gold))


def left_out(name: str, rules: Sequence[str] = RULES) -> frozenset[str]:
    """Return the ids of documents of a training collection that overlap a guarded data set.

    Raises:
        BadParameter: it was never compared.
        WrongFingerprint: its card, or that of a guarded data set, has changed since.
    """
    stored = compared()
    if name not in stored["training"]:
        raise BadParameter(
            f"{name} was never compared with the test sets",
            "add it to tools/checks/decontamination_report.py and run that",
        )
    for split, expected in {**stored["guarded"], name: stored["training"][name]["fingerprint"]}.items():
        if (current := usual_fingerprint(split)) != expected:
            raise WrongFingerprint(
                f"the card of {split} has fingerprint {current}, overlaps were found with {expected}",
                "run tools/checks/decontamination_report.py",
            )
    overlapping: Mapping[str, Mapping[str, Any]] = stored["training"][name]["overlaps"]
    return frozenset(document for document, by_rule in overlapping.items() if any(rule in by_rule for rule in rules))


@cache
def compared() -> Mapping[str, Any]:
    """Return what ``tools/checks/decontamination_report.py`` stored: rules, fingerprints, overlaps by collection."""
    text = files("keywright.datasets").joinpath("overlaps.json").read_text(encoding="utf-8")
    stored: dict[str, Any] = json.loads(text)
    return MappingProxyType(stored)


_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class GoldStatistics:
    """Gold of one kind.

    Attributes:
        entries: keyphrases, repeats included.
        forms: accepted forms of all entries.
        distinct: entries, each counted once per document.
        present: entries that occur in their document.
        without: documents that have none of this kind.
        lengths: number of entries by the words of their first form.
    """

    entries: int
    forms: int
    distinct: int
    present: int
    without: int
    lengths: Mapping[int, int]

    @property
    def share_present(self) -> float | None:
        """Share of the entries that occur in their document, 0 to 1; None without entries."""
        return self.present / self.entries if self.entries else None


@dataclass(frozen=True, slots=True)
class Statistics:
    """Numbers of one data set; ``gold`` by kind, in the order of first appearance."""

    documents: int
    words: int
    characters: int
    gold: Mapping[str, GoldStatistics]

    def per_document(self, kind: str) -> float:
        """Return the mean number of entries of a kind."""
        return self.gold[kind].entries / self.documents


def statistics(labelled: Iterable[LabelledDocument[Document]], forms: str = "surface") -> Statistics:
    """Count documents, words and gold; an empty data set has zeros and no kinds.

    Args:
        labelled: documents with gold.
        forms: form of the gold; ``stem`` for stems.
    """
    documents = words = characters = 0
    tallies: dict[str, _Tally] = {}
    for each in labelled:
        text_words = _WORD.findall(each.document.text.lower())
        documents, words, characters = documents + 1, words + len(text_words), characters + len(each.document.text)
        text = f" {' '.join(map(semeval_stem, text_words))} "
        by_kind: dict[str, list[GoldKeyphrase]] = {}
        for entry in each.gold:
            by_kind.setdefault(entry.by, []).append(entry)
        for kind, entries in by_kind.items():
            tallies.setdefault(kind, _Tally()).add(entries, text, stemmed=forms == "stem")
    gold = {kind: tally.result(documents) for kind, tally in tallies.items()}
    return Statistics(documents, words, characters, gold)


class _Tally:
    """Running counts of one kind."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.lengths: Counter[int] = Counter()

    def add(self, entries: list[GoldKeyphrase], text: str, *, stemmed: bool) -> None:
        """Count one document's entries; ``text`` is its stems with a blank on either side of each."""
        self.counts["documents"] += 1
        self.counts["distinct"] += len({entry.forms for entry in entries})
        for entry in entries:
            forms = [_WORD.findall(form.lower()) for form in entry.forms]
            self.lengths[len(forms[0])] += 1
            stems = forms if stemmed else [[semeval_stem(word) for word in form] for form in forms]
            self.counts["entries"] += 1
            self.counts["forms"] += len(forms)
            self.counts["present"] += any(form and f" {' '.join(form)} " in text for form in stems)

    def result(self, documents: int) -> GoldStatistics:
        """Return the counts, for a data set of ``documents`` documents."""
        counts = self.counts
        return GoldStatistics(
            counts["entries"],
            counts["forms"],
            counts["distinct"],
            counts["present"],
            documents - counts["documents"],
            dict(sorted(self.lengths.items())),
        )
