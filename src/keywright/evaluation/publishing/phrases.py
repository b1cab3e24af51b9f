"""Which phrases hit, which predictions are wrong, which gold is missed, and what the mistakes of a run cost."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.runs import Run
from keywright.evaluation.formats.answers import Answers, written
from keywright.evaluation.formats.gold_sets import GoldDocument, gold_sets, texts_for
from keywright.evaluation.matching.exact import IndexedGold, forms_of_class, ranked_forms
from keywright.evaluation.measures.counts import Counts
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
        document: id of the document.
        text: as the run or the gold writes it.
        predicted: whether it is among the predictions that count.
        gold: whether it is in the gold.
        present: whether its stems stand in a row in the document; None where the text is not there.
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
        text: the phrase.
        documents: where, in gold order.
        cost: what F would gain if each of these documents had one more hit, a fraction.
    """

    text: str
    documents: tuple[str, ...]
    cost: float


def phrases(judged: Judged, protocol: Protocol, kind: str, cutoff: Cutoff) -> tuple[Phrase, ...]:
    """Phrases of both sides for one gold set of the report, document by document: predictions by rank, then misses.

    Args:
        judged: the run and its gold.
        protocol: the rules.
        kind: name of the gold set in the report.
        cutoff: how many predictions count.
    """
    answers, surfaces = _answers(judged.predictions, protocol)
    scorer = Scorer.of(protocol, gold_sets(judged.labelled), texts_for(protocol, judged.labelled))
    gold = scorer.sets[kind]
    forms = forms_of_class(ranked_forms(answers.lists, protocol), scorer.texts, gold.part, protocol)
    texts = {one.id: _stems(one.document.text) for one in judged.labelled if one.document.text.strip()}
    found: list[Phrase] = []
    for place, name in enumerate(gold.ids):
        ranked = forms.get(name, ())
        ranked = ranked[: _depth(cutoff, len(ranked), gold.sizes[place])]
        hits = protocol.matching(ranked, gold.entries[place])
        lists = [(surfaces.get((name, form), form), True, hit > 0) for form, hit in zip(ranked, hits, strict=True)]
        lists += [(text, False, True) for text in _missed(gold, place, ranked, protocol)]
        for text, predicted, right in lists:
            present = f" {_stems(text)} " in f" {texts[name]} " if name in texts else None
            found.append(Phrase(name, text, predicted, right, present))
    return tuple(found)


def mistakes(
    given: Iterable[Phrase], counts: Counts, protocol: Protocol, cutoff: Cutoff, *, missed: bool
) -> tuple[Mistake, ...]:
    """Phrases that were missed, or predicted and wrong, those that cost most first; equal ones by their letters."""
    places = {name: place for place, name in enumerate(counts.ids)}
    where: dict[str, dict[str, None]] = defaultdict(dict)
    for one in given:
        if one.predicted != missed and one.gold == missed:
            where[one.text][one.document] = None
    gain = _Gain.of(counts, protocol, cutoff)
    found = (
        Mistake(text, tuple(documents), gain([places[name] for name in documents])) for text, documents in where.items()
    )
    return tuple(sorted(found, key=lambda one: (-one.cost, -len(one.documents), one.text)))


@dataclass(frozen=True, slots=True, eq=False)
class _Gain:
    """What F gains by one more hit in each of some documents."""

    total: Floats
    more: Floats  # (documents, columns): what one more hit adds to the sums
    cutoffs: tuple[Cutoff, ...]
    place: int
    protocol: Protocol

    @classmethod
    def of(cls, counts: Counts, protocol: Protocol, cutoff: Cutoff) -> "_Gain":
        rules, place = exact(protocol), counts.cutoffs.index(cutoff)
        better = counts.hits.copy()
        room = np.minimum(counts.gold, counts.divisors[:, place])
        better[:, place] = np.maximum(better[:, place], np.minimum(better[:, place] + 1, room))
        now, then = (statistics(one, rules.average[0], rules) for one in (counts, replace(counts, hits=better)))
        return cls(now.sum(axis=0), then - now, counts.cutoffs, place, rules)

    def __call__(self, documents: Sequence[int]) -> float:
        totals = np.stack([self.total, self.total + self.more[list(documents)].sum(axis=0)])
        now, then = values(totals, self.cutoffs, self.protocol.average[0], self.protocol).F[:, self.place].tolist()
        return float(then - now)


def _answers(predictions: Run | Answers, protocol: Protocol) -> tuple[Answers, Mapping[tuple[str, Form], str]]:
    """Lists as they are scored, and the surface form of each form in its document."""
    surfaces: dict[tuple[str, Form], str] = {}
    if isinstance(predictions, Answers):
        for name, given in predictions.lists.items():
            for text in given:
                surfaces.setdefault((name, protocol.normalise(text)), text)
        return predictions, surfaces
    for one in predictions.predictions:
        for text in one.texts:
            for line in protocol.write((text,)):
                surfaces.setdefault((one.document_id, protocol.normalise(line)), text)
    return written(predictions, protocol.write), surfaces


def _missed(gold: IndexedGold, place: int, ranked: Sequence[Form], protocol: Protocol) -> Iterator[str]:
    """The gold of one document that no counted prediction equals, as the collection writes it."""
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
    """For each form of the gold the first phrase that has it."""
    normalise = protocol.normalise_gold or protocol.normalise
    names: dict[Form, str] = {}
    for entry in document.entries:
        for text in entry:
            names.setdefault(normalise(text), text)
    return names


def _depth(cutoff: Cutoff, predicted: int, gold: int) -> int:
    """How many predictions a cutoff takes."""
    sizes = {"M": predicted, "O": gold, "G": max(predicted, gold)}
    return cutoff if isinstance(cutoff, int) else sizes[cutoff]


def _stems(text: str) -> str:
    """Words of a text as stems, one blank between: what presence is told by in these tables."""
    return " ".join(_WORDS.findall(semeval_stem(unicodedata.normalize("NFKC", text).casefold())))
