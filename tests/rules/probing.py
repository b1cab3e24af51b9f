"""Probes: small scored examples that say what a protocol must show, computed by hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Final

import numpy as np

from keywright.core.documents import Document, LabelledDocument, Section, SectionKind
from keywright.core.errors import KeywrightError
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.evaluation.answers import Answers, GoldDocument, GoldSet, parse_answers, select_texts
from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.measures.semantic import SemanticMatching
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import score

Entry = str | tuple[str, ...]
KINDS: Final = ("author", "reader", "combined")
SAME: Final = "same"
"""A document whose full list hits its gold at rank 1, so that scorers which stop at a row without a match go on."""
_HALF: Final = 0.05
_TOY: Final = {
    "cat": (1, 0),
    "dog": (0.6, 0.8),
    "nets": (1, 0),
    "net": (0.5, 0.75**0.5),
    "far": (1, 0),
    "small": (_HALF, (1 - _HALF**2) ** 0.5),
    "less": (-_HALF, (1 - _HALF**2) ** 0.5),
}


def full(*first: str) -> tuple[str, ...]:
    """These phrases, then wrong ones of two words, fifteen in all."""
    return (*first, *(f"w{n} x{n}" for n in range(15 - len(first))))


@dataclass(frozen=True)
class Probe:
    """One example.

    Attributes:
        name: of the example.
        gold: entries by document.
        lists: predictions by document; bytes are an answer file.
        see: what is looked at.
        expect: what is seen, by patterns of names of protocols; the last that fits counts, and where none does the
            protocol is not probed.
        native: whether predictions are a run, which passes through the protocol's writer.
        same: whether the document ``same`` is added before the others.
        repeated: answers for a document that was answered before.
        kinds: whether there are three kinds of gold, all the same, even where the protocol names none.
        texts: title, abstract and body by document.
    """

    name: str
    gold: Mapping[str, Sequence[Entry]]
    lists: Mapping[str, Sequence[str]] | bytes
    see: Callable[[Report], Any]
    expect: Mapping[str, Any]
    native: bool = False
    same: bool = True
    repeated: int = 0
    kinds: bool = False
    texts: Mapping[str, tuple[str, str, str]] | None = None

    def expected(self, protocol: str) -> Any:
        """What a protocol must show; None where it is not probed."""
        found = None
        for patterns, value in self.expect.items():
            if any(fnmatchcase(protocol, pattern) for pattern in patterns.split()):
                found = value
        return found

    def seen(self, protocol: Protocol) -> Any:
        """What a protocol shows; the name of the error where it stops."""
        try:
            return plain(self.see(self._report(protocol)))
        except (KeywrightError, LookupError, ValueError) as error:
            return type(error).__name__

    def _report(self, protocol: Protocol) -> Report:
        gold = {SAME: ("red fox",), **self.gold} if self.same else self.gold
        documents = tuple(GoldDocument(name, tuple(map(_forms, entries))) for name, entries in gold.items())
        labelled = [LabelledDocument(_document(name, (self.texts or {}).get(name)), ()) for name in gold]
        kinds = KINDS if self.kinds or protocol.golds else KINDS[-1:]
        sets = tuple(GoldSet(kind, documents) for kind in kinds)
        return score(self._answers(protocol), sets, protocol, select_texts(protocol, labelled))

    def _answers(self, protocol: Protocol) -> Answers | Run:
        if isinstance(self.lists, bytes):
            return parse_answers(self.lists, protocol.marks)
        lists = {SAME: full("red fox"), **self.lists} if self.same else self.lists
        if self.native:
            return Run("s", "d", "a", tuple(_prediction(name, phrases) for name, phrases in lists.items()))
        return Answers("lists", {name: tuple(phrases) for name, phrases in lists.items()}, len(lists), self.repeated)


def toy(phrases: Sequence[str]) -> Any:
    """Embeddings of a few words, (phrases, 2); of others 0."""
    return np.array([_TOY.get(phrase, (0, 0)) for phrase in phrases], dtype=float).reshape(len(phrases), 2)


def lightened(protocol: Protocol) -> Protocol:
    """The protocol, with the toy in place of an encoder."""
    families = tuple(
        replace(family, of=replace(family.of, encode=toy)) if isinstance(family.of, SemanticMatching) else family
        for family in protocol.means
    )
    return replace(protocol, means=families)


def combined(report: Report) -> Counts:
    """Counts of the combined gold, all of its phrases."""
    return report.counts[_prefix(report)]


def hits(report: Report) -> list[list[float]]:
    """Hits by rank of each document but ``same``."""
    counts = combined(report)
    pairs = zip(counts.by_rank().tolist(), counts.predicted.tolist(), strict=True)
    return [row[:length] for row, length in pairs][1:]


def sizes(report: Report) -> list[int]:
    """Gold entries of each document but ``same``."""
    return combined(report).gold.tolist()[1:]


def lengths(report: Report) -> list[int]:
    """Predictions that have a rank of each document but ``same``."""
    return combined(report).predicted.tolist()[1:]


def matched(report: Report) -> str:
    """Names of the documents with a hit, but ``same``."""
    return " ".join(name for name, row in zip(combined(report).ids[1:], hits(report), strict=True) if any(row))


def numbers(*names: str) -> Callable[[Report], list[float]]:
    """These values of the combined gold, all of its phrases."""

    def see(report: Report) -> list[float]:
        by = _prefix(report)
        return [report.values[f"{by}/{name}"] for name in names]

    return see


def plain(seen: Any) -> Any:
    """What is seen or expected: numbers to nine decimals, lists as tuples."""
    if isinstance(seen, float):
        return round(seen, 9)
    return tuple(map(plain, seen)) if isinstance(seen, list | tuple) else seen


def _prefix(report: Report) -> str:
    """Name of the set of all phrases of the combined gold; empty where there is none."""
    return next((name for name in ("combined/all", "all", "combined") if name in report.counts), "")


def _forms(entry: Entry) -> tuple[str, ...]:
    return (entry,) if isinstance(entry, str) else entry


def _prediction(name: str, phrases: Sequence[str]) -> Prediction:
    return Prediction(name, tuple(Keyphrase(phrase, 1.0) for phrase in phrases))


def _document(name: str, parts: tuple[str, str, str] | None) -> Document:
    title, abstract, body = parts or ("title", "abstract", "body")
    start, end = len(title) + 1, len(title) + 1 + len(abstract)
    marks = (Section(SectionKind.TITLE, 0, len(title)), Section(SectionKind.ABSTRACT, start, end))
    return Document(name, f"{title}\n{abstract}\n{body}", marks)
