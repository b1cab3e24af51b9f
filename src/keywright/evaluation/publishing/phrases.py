"""Phrases of a run and its gold: hits, wrong predictions, missed gold, and the cost of these mistakes in F."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.predictions import Run
from keywright.evaluation.formats.answers import Answers, written
from keywright.evaluation.formats.gold_sets import GoldDocument, gold_sets, texts_for
from keywright.evaluation.matching.exact import IndexedGold, forms_of_class, ranked_forms
from keywright.evaluation.measures.counts import Counts, depth
from keywright.evaluation.measures.measure import Cutoff
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Form
from keywright.evaluation.run_formats.pairing import Judged
from keywright.evaluation.scoring.aggregation import statistics, values
from keywright.evaluation.scoring.scorer import Scorer
from keywright.evaluation.statistics.bootstrap import exact
from keywright.text.stems import semeval_stem

_WORDS: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of one document, on one side or on both.

    Attributes:
        text: as spelled in the run or the gold.
        predicted: whether it is among the predictions that count.
        gold: whether it is in the gold.
        present: whether its stems follow each other in the document; None without text.
    """

    document: str
    text: str
    predicted: bool
    gold: bool
    present: bool | None

    @property
    def words(self) -> int:
        """Number of words between blanks."""
        return len(self.text.split())


@dataclass(frozen=True, slots=True)
class Mistake:
    """A phrase that was wrong or missed in one or more documents.

    Attributes:
        documents: their ids, in gold order.
        cost: gain in F if each of these documents had one more hit, a fraction.
    """

    text: str
    documents: tuple[str, ...]
    cost: float


def phrases(judged: Judged, protocol: Protocol, kind: str, cutoff: Cutoff) -> tuple[Phrase, ...]:
    """Return phrases of both sides for one gold set, document by document: predictions by rank, then misses."""
    answers, surfaces = _answers(judged.predictions, protocol)
    scorer = Scorer.of(protocol, gold_sets(judged.labelled), texts_for(protocol, judged.labelled))
    gold = scorer.sets[kind]
    forms = forms_of_class(ranked_forms(answers.lists, protocol), scorer.texts, gold.part, protocol)
    documents = (labelled.document for labelled in judged.labelled)
    texts = {document.id: _stems(document.text) for document in documents if document.text.strip()}
    collected: list[Phrase] = []
    for place, name in enumerate(gold.ids):
        ranked = forms.get(name, ())
        ranked = ranked[: int(depth(cutoff, np.array(len(ranked)), np.array(gold.sizes[place])))]
        hits = [credit > 0 for credit in protocol.matching(ranked, gold.entries[place])]
        lists = [
            (surfaces.get((name, form), form), True, credit > 0) for form, credit in zip(ranked, hits, strict=True)
        ]
        lists += [(text, False, True) for text in _missed(gold, place, ranked, protocol)]
        for text, predicted, hit in lists:
            present = f" {_stems(text)} " in f" {texts[name]} " if name in texts else None
            collected.append(Phrase(name, text, predicted, hit, present))
    return tuple(collected)


def mistakes(
    phrases: Iterable[Phrase], counts: Counts, protocol: Protocol, cutoff: Cutoff, *, missed: bool
) -> tuple[Mistake, ...]:
    """Return phrases that were missed, or predicted and wrong, sorted by cost, documents and text."""
    places = {name: place for place, name in enumerate(counts.ids)}
    where: dict[str, dict[str, None]] = defaultdict(dict)
    for phrase in phrases:
        if phrase.predicted != missed and phrase.gold == missed:
            where[phrase.text][phrase.document] = None
    gain = _Gain.of(counts, protocol, cutoff)
    collected = (
        Mistake(text, tuple(documents), gain([places[name] for name in documents])) for text, documents in where.items()
    )
    return tuple(sorted(collected, key=lambda mistake: (-mistake.cost, -len(mistake.documents), mistake.text)))


@dataclass(frozen=True, slots=True, eq=False)
class _Gain:
    """Gain in F by one more hit in each of some documents."""

    total: Floats
    more: Floats  # (documents, columns): increase of the sums by one more hit
    cutoffs: tuple[Cutoff, ...]
    place: int
    protocol: Protocol

    @classmethod
    def of(cls, counts: Counts, protocol: Protocol, cutoff: Cutoff) -> "_Gain":
        rules, place = exact(protocol), counts.cutoffs.index(cutoff)
        better = counts.hits.copy()
        room = np.minimum(counts.gold, counts.divisors[:, place])
        better[:, place] = np.maximum(better[:, place], np.minimum(better[:, place] + 1, room))
        now, then = (statistics(hits, rules.average[0], rules) for hits in (counts, replace(counts, hits=better)))
        return cls(now.sum(axis=0), then - now, counts.cutoffs, place, rules)

    def __call__(self, documents: Sequence[int]) -> float:
        totals = np.stack([self.total, self.total + self.more[list(documents)].sum(axis=0)])
        now, then = values(totals, self.cutoffs, self.protocol.average[0], self.protocol).F[:, self.place].tolist()
        return float(then - now)


def _answers(predictions: Run | Answers, protocol: Protocol) -> tuple[Answers, Mapping[tuple[str, Form], str]]:
    """Return lists as they are scored, and the surface form of each form in its document."""
    surfaces: dict[tuple[str, Form], str] = {}
    if isinstance(predictions, Answers):
        for name, phrases in predictions.lists.items():
            for text in phrases:
                surfaces.setdefault((name, protocol.normalise(text)), text)
        return predictions, surfaces
    for prediction in predictions.predictions:
        for text in prediction.texts:
            for line in protocol.write((text,)):
                surfaces.setdefault((prediction.document_id, protocol.normalise(line)), text)
    return written(predictions, protocol.write), surfaces


def _missed(gold: IndexedGold, place: int, ranked: Sequence[Form], protocol: Protocol) -> Iterator[str]:
    """Yield the gold of one document that no counted prediction equals, as spelled in the collection."""
    entries = gold.entries[place]
    hit = {entry for form in ranked for entry in entries.get(form, ())}
    names = _names(gold.gold.documents[place], protocol)
    shown: set[int] = set()
    for form, numbers in entries.items():
        for number in numbers:
            if number not in hit and number not in shown:
                shown.add(number)
                yield names.get(form, form)


def _names(document: GoldDocument, protocol: Protocol) -> Mapping[Form, str]:
    """Map each form of the gold to the first phrase that has it."""
    normalise = protocol.normalise_gold or protocol.normalise
    names: dict[Form, str] = {}
    for entry in document.entries:
        for text in entry:
            names.setdefault(normalise(text), text)
    return names


def _stems(text: str) -> str:
    """Stem the words of a text, joined by blanks; presence in these tables is decided by them."""
    return " ".join(_WORDS.findall(semeval_stem(unicodedata.normalize("NFKC", text).casefold())))
