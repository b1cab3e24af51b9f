"""Statistics of labelled documents, computed, never copied.

Words are runs of letters and digits. A gold entry is present if the stems of one of its forms follow each other among
the stems of the text's words, with any characters between words; stems are those of the shared task's stemmer, in lower
case. Gold that consists of stems is not stemmed again.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.text.stems import semeval_stem

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
