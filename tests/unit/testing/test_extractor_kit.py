"""The kit finds what it is for: a system that keeps its promises passes, each broken one is named."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import ClassVar, Self

import numpy as np
import pytest

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument, WordFlag
from keywright.core.errors import BrokenPromise, NotFitted
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction
from keywright.extraction.candidates.ngrams import ngrams
from keywright.testing.extractors import (
    EXTRACTOR_PROMISES,
    Promise,
    Subject,
    answers_for_its_document,
    check_extractor,
    check_trainable,
    depth_only_cuts,
    is_described,
    leaves_its_input_alone,
    names_each_phrase_once,
    points_into_the_text,
    ranks_best_first,
    refuses_unknown_parameters,
    repeats_itself,
    takes_any_text,
    travels,
)
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import gold_keys


@dataclass(frozen=True)
class Frequent:
    """The most frequent words that are no stop words, by stem."""

    least_seen: int = 1

    name: ClassVar[str] = "frequent"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        wanted = (document.flags & WordFlag.LETTER > 0) & (document.flags & WordFlag.STOP == 0)
        places: dict[int, list[tuple[int, int]]] = {}
        for stem, start, end in zip(*self.columns(document, wanted), strict=True):
            places.setdefault(stem, []).append((start, end))
        ranked = sorted(places.values(), key=lambda spans: (-len(spans), spans[0]))
        text = document.source.text
        return Ranking.from_keyphrases(
            document.source, (Keyphrase(text[s[0][0] : s[0][1]], len(s), spans=tuple(s)) for s in ranked)
        )

    def columns(self, document: AnalysedDocument, wanted: Ints) -> Iterable[list[int]]:
        return (column[wanted].tolist() for column in (document.stem, document.start, document.end))


@pytest.fixture(scope="module")
def analyser() -> TextAnalyser:
    return TextAnalyser()


@pytest.mark.parametrize("promise", EXTRACTOR_PROMISES, ids=lambda each: each.__name__)
def test_a_sound_system_keeps_every_promise(promise: Promise, analyser: TextAnalyser) -> None:
    promise(Subject(Frequent(), analyser))


class Earlier(Frequent):
    """Gives a prediction, as the interface of earlier versions wanted."""

    def extract(self, document: AnalysedDocument) -> Prediction:
        return super().extract(document).prediction()


class Nameless(Frequent):
    name: ClassVar[str] = ""


class Shrugging(Frequent):
    def __init__(self, **anything: int) -> None: ...


class Forgetful(Frequent):
    def extract(self, document: AnalysedDocument) -> Ranking:
        return replace(super().extract(document), source=replace(document.source, id="?"))


class Inventive(Frequent):
    def extract(self, document: AnalysedDocument) -> Ranking:
        return super().extract(document) or Ranking.from_keyphrases(document.source, [Keyphrase("nothing", 1.0)])


@dataclass(frozen=True)
class Remembering(Frequent):
    seen: Counter[str] = field(default_factory=Counter, metadata={"signed": False})

    def extract(self, document: AnalysedDocument) -> Ranking:
        ranking = super().extract(document)
        self.seen.update(ranking.prediction().texts)
        return replace(ranking, scores=ranking.scores + self.seen.total())


class Reordering(Frequent):
    def extract_first(self, document: AnalysedDocument, depth: int | None) -> Ranking:
        keyphrases = self.extract(document).keyphrases(depth)
        return Ranking.from_keyphrases(document.source, keyphrases[1:] + keyphrases[:1])


class Upside(Frequent):
    def extract(self, document: AnalysedDocument) -> Ranking:
        ranking = super().extract(document)
        return replace(ranking, scores=-ranking.scores)


class Overconfident(Frequent):
    def extract(self, document: AnalysedDocument) -> Ranking:
        return replace(super().extract(document), probabilities=lambda positions: np.full(len(positions), 1.5))


class Stubborn(Frequent):
    def extract(self, document: AnalysedDocument) -> Ranking:
        return replace(super().extract(document), chosen=1000)


class Repetitive(Frequent):
    def extract(self, document: AnalysedDocument) -> Ranking:
        keyphrases = super().extract(document).keyphrases()
        again = tuple(replace(keyphrase, text=keyphrase.text + "s") for keyphrase in keyphrases[:1])
        return Ranking.from_keyphrases(document.source, again + keyphrases)


class Shifted(Frequent):
    def extract(self, document: AnalysedDocument) -> Ranking:
        keyphrases = super().extract(document).keyphrases()
        moved = (replace(k, spans=tuple((start + 1, end + 1) for start, end in k.spans)) for k in keyphrases)
        return Ranking.from_keyphrases(document.source, moved)


class Meddling(Frequent):
    def extract(self, document: AnalysedDocument) -> Ranking:
        document.sentence[:] = np.arange(len(document))
        return super().extract(document)


@dataclass(frozen=True)
class Rooted(Frequent):
    order: object = field(default_factory=lambda: lambda spans: spans, metadata={"signed": False})


BROKEN = [
    (is_described, Nameless, "it has a name"),
    (refuses_unknown_parameters, Shrugging, "an unknown parameter is refused"),
    (answers_for_its_document, Earlier, "it ends with `return rank"),
    (answers_for_its_document, Forgetful, "a prediction names its document"),
    (takes_any_text, Inventive, "the empty document has no keyphrases"),
    (repeats_itself, Remembering, "answered alike"),
    (depth_only_cuts, Reordering, "a shorter list is the beginning of a longer one"),
    (ranks_best_first, Upside, "scores never rise"),
    (ranks_best_first, Overconfident, "probabilities lie from 0 to 1"),
    (ranks_best_first, Stubborn, "stands by no more keyphrases than there are"),
    (names_each_phrase_once, Repetitive, "no phrase is listed twice"),
    (points_into_the_text, Shifted, "a span"),
    (leaves_its_input_alone, Meddling, "the document stays as it was"),
    (travels, Rooted, "it pickles"),
]


@pytest.mark.parametrize(("promise", "made", "message"), BROKEN, ids=lambda each: getattr(each, "__name__", None))
def test_a_broken_promise_is_found_and_named(
    promise: Promise, made: type[Frequent], message: str, analyser: TextAnalyser
) -> None:
    with pytest.raises(BrokenPromise, match=re.escape(message)):
        promise(Subject(made(), analyser))
    with pytest.raises(AssertionError):  # which is what test runners look for
        check_extractor(made(), analyser)


def test_every_promise_is_shown_to_bite() -> None:
    assert {promise for promise, *_ in BROKEN} == set(EXTRACTOR_PROMISES)


@dataclass(frozen=True)
class Learning(Frequent):
    """Ranks only after it has seen how often words occur in labelled documents."""

    fitted: int = 0

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        return replace(self, fitted=sum(len(each.document) for each in labelled))

    def extract(self, document: AnalysedDocument) -> Ranking:
        if not self.fitted:
            raise NotFitted("not fitted")
        return super().extract(document)


@dataclass(frozen=True)
class Moody(Learning):
    """Fits to something else each time."""

    moods: ClassVar[Iterator[int]] = count(1)

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        return replace(super().fit(labelled), fitted=next(self.moods))


class Itself(Learning):
    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        object.__setattr__(self, "fitted", sum(len(each.document) for each in labelled))
        return self


@dataclass(frozen=True)
class Described(Learning):
    """Describes n-grams by how often they were chosen, as a system does that learns from features."""

    chosen: tuple[int, ...] = ()

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        known = list(labelled)
        keys = tuple(key for each in known for key in gold_keys(each.gold, "en").tolist())
        return replace(super().fit(known), chosen=keys)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        return ngrams(document, 3)

    def features(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        return (candidates.frequency >= self.least_seen)[:, None].astype(float)


class Leaking(Described):
    def features(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        return np.isin(candidates.key, np.array(self.chosen, np.uint64))[:, None].astype(float)


def test_features_without_labels_pass(analyser: TextAnalyser) -> None:
    check_trainable(Described(), analyser)


def test_a_system_that_learns_is_fitted_and_checked(analyser: TextAnalyser) -> None:
    check_extractor(check_trainable(Learning(), analyser), analyser)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (Itself, "gives a new value"),
        (Moody, "equal signatures"),
        (Leaking, "own labels change none of its own features"),
    ],
)
def test_a_system_that_learns_wrongly_is_found(made: type[Learning], message: str, analyser: TextAnalyser) -> None:
    with pytest.raises(BrokenPromise, match=message):
        check_trainable(made(), analyser)
