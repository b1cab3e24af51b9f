"""The contract of every extractor, promise by promise."""

import contextlib
import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, Document, LabelledDocument
from keywright.core.errors import BadParameter, NotFitted
from keywright.core.interfaces import Analyser, Extractor, TrainableExtractor, rank_document
from keywright.core.predictions import Prediction
from keywright.core.signatures import signature
from keywright.testing import promises

_FEW: Final = 2  # length of short lists that are compared; arbitrary, but shorter than those of ordinary articles
_MANY: Final = 10  # length of long lists; as above
_NEEDS: Final = frozenset({"stems", "terms", "tags", "sections"})
_DOCUMENTS: Final = (promises.ARTICLE, promises.NOTE, *promises.UNUSUAL)


@dataclass(frozen=True)
class Subject:
    """An extractor under check, ready to extract, with the analyser that gives what it needs."""

    extractor: Extractor
    analyser: Analyser

    def fresh(self) -> Extractor:
        """Return an equal extractor that has seen nothing."""
        return cast("Extractor", dataclasses.replace(cast("Any", self.extractor)))

    def require(self, holds: object, promise: str, observed: object) -> None:
        """Raise ``BrokenPromise`` unless a promise of the extractor holds."""
        promises.require(holds, self.extractor, promise, observed)

    def answers(self, documents: Iterable[Document], extractor: Extractor | None = None) -> list[Prediction]:
        """Return one prediction per document, all in one go."""
        extractor = extractor or self.extractor
        rankings = [rank_document(extractor, self.analyser.analyse(document), _MANY) for document in documents]
        for ranking in rankings:
            promise = "`extract` gives a Ranking: it ends with `return rank(document, candidates, scores)`"
            self.require(isinstance(ranking, Ranking), promise, type(ranking).__name__)
        return [ranking.prediction(_MANY) for ranking in rankings]

    def forms(self, text: str, document: Document) -> frozenset[str]:
        """Return the forms of a phrase of a document, as ``phrase_forms``."""
        return promises.phrase_forms(text, self.analyser, document.language)


Promise: TypeAlias = Callable[[Subject], None]


def is_described(subject: Subject) -> None:
    """It is a frozen dataclass with a name, known needs, and a signature that says what it is."""
    system = subject.extractor
    parameters = getattr(type(system), "__dataclass_params__", None)
    subject.require(parameters is not None and parameters.frozen, "it is a frozen dataclass", type(system))
    subject.require(isinstance(system.name, str) and system.name, "it has a name", system.name)
    subject.require(system.needs <= _NEEDS, f"it needs only what analysers offer, {sorted(_NEEDS)}", system.needs)
    promises.check_signature(system, subject.fresh())


def refuses_unknown_parameters(subject: Subject) -> None:
    """A parameter that does not exist is an error, not a shrug."""
    kind: Any = type(subject.extractor)
    try:
        kind(no_such_parameter=1)
    except (TypeError, BadParameter):
        return
    promises.fail_promise(kind, "an unknown parameter is refused", "no_such_parameter=1 was taken")


def answers_for_its_document(subject: Subject) -> None:
    """A prediction names its document, and holds something where there is something."""
    answer = subject.answers([promises.ARTICLE])[0]
    subject.require(answer.document_id == promises.ARTICLE.id, "a prediction names its document", answer.document_id)
    subject.require(answer.keyphrases, "an ordinary article has keyphrases", answer)


def takes_any_text(subject: Subject) -> None:
    """No text is an error: empty text gives an empty prediction, odd texts whatever there is."""
    ranking = subject.extractor.extract(subject.analyser.analyse(promises.EMPTY))
    subject.require(isinstance(ranking, Ranking), "extract gives a ranking, as rank(...) does", ranking)
    subject.require(len(ranking) == 0, "the empty document has no keyphrases", ranking)
    subject.answers(promises.UNUSUAL)


def repeats_itself(subject: Subject) -> None:
    """The same input gives the same answer: twice, from a fresh value, and after other documents."""
    alone = subject.answers([promises.ARTICLE], subject.fresh())[0]
    in_company = subject.answers([promises.NOTE, *promises.UNUSUAL, promises.ARTICLE, promises.ARTICLE])[-2:]
    subject.require(promises.equal(in_company[0], alone), "a document is answered alike alone and in company", alone)
    subject.require(promises.equal(in_company[1], alone), "a document is answered alike a second time", alone)


def depth_only_cuts(subject: Subject) -> None:
    """A short list is the beginning of a longer one, even if the system knows how long the list must be."""
    for document in _DOCUMENTS:
        analysed = subject.analyser.analyse(document)
        everything = subject.extractor.extract(analysed).keyphrases()
        promise = f"a shorter list is the beginning of a longer one, as for {document.id}"
        for depth in (_FEW, _MANY):
            short = rank_document(subject.extractor, analysed, depth).keyphrases(depth)
            subject.require(short == everything[:depth], promise, (short, everything[:depth]))


def ranks_best_first(subject: Subject) -> None:
    """Scores are numbers and never rise; probabilities are none or from 0 to 1; the chosen are among all there are."""
    for prediction in subject.answers(_DOCUMENTS):
        scores = [keyphrase.score for keyphrase in prediction.keyphrases]
        subject.require(all(map(math.isfinite, scores)), "scores are finite", scores)
        subject.require(scores == sorted(scores, reverse=True), "scores never rise down the list", scores)
        sure = [keyphrase.probability for keyphrase in prediction.keyphrases if keyphrase.probability is not None]
        subject.require(all(0 <= each <= 1 for each in sure), "probabilities lie from 0 to 1", sure)
    for document in _DOCUMENTS:
        whole = subject.extractor.extract(subject.analyser.analyse(document))
        within = whole.chosen is None or 0 <= whole.chosen <= len(whole)
        subject.require(within, "it stands by no more keyphrases than there are", whole.chosen)


def names_each_phrase_once(subject: Subject) -> None:
    """No two keyphrases of a document are the same phrase, and none is blank."""
    for document, prediction in zip(_DOCUMENTS, subject.answers(_DOCUMENTS), strict=True):
        listed: dict[str, str] = {}
        for text in prediction.texts:
            subject.require(text.strip(), "a keyphrase has text", text)
            forms = subject.forms(text, document)
            for form in forms:
                subject.require(form not in listed, "no phrase is listed twice", (listed.get(form), text))
            listed |= dict.fromkeys(forms, text)


def points_into_the_text(subject: Subject) -> None:
    """Spans lie in the text, in order, and hold the phrase: up to case, hyphens, blanks and stem."""
    for document, prediction in zip(_DOCUMENTS, subject.answers(_DOCUMENTS), strict=True):
        for keyphrase in prediction.keyphrases:
            forms, spans = subject.forms(keyphrase.text, document), keyphrase.spans
            subject.require(list(spans) == sorted(set(spans)), "spans come in reading order, once", spans)
            for start, end in spans:
                inside = 0 <= start < end <= len(document.text)
                subject.require(inside, f"spans lie in the text of {document.id}", (start, end))
                there = document.text[start:end]
                holds = forms & subject.forms(there, document)
                subject.require(holds, "a span holds its phrase", (keyphrase.text, there))


def leaves_its_input_alone(subject: Subject) -> None:
    """Neither the document nor the extractor is altered by extraction."""
    analysed = subject.analyser.analyse(promises.ARTICLE)
    before, described = promises.copy_pickled(subject.analyser, analysed), signature(subject.extractor)
    subject.extractor.extract(analysed)
    subject.require(promises.equal(analysed, before), "the document stays as it was", "an altered column")
    after = signature(subject.extractor)
    subject.require(after == described, "the extractor stays as it was", after)


def travels(subject: Subject) -> None:
    """It pickles, and the copy gives the same answer: that is how it reaches other processes and machines."""
    there = promises.copy_pickled(subject.extractor, subject.extractor)
    ours, theirs = (
        subject.answers([promises.ARTICLE, promises.NOTE]),
        subject.answers([promises.ARTICLE, promises.NOTE], there),
    )
    subject.require(promises.equal(ours, theirs), "a pickled copy gives the same answer", theirs)


EXTRACTOR_PROMISES: Final[tuple[Promise, ...]] = (
    is_described, refuses_unknown_parameters, answers_for_its_document, takes_any_text, repeats_itself, depth_only_cuts,
    ranks_best_first, names_each_phrase_once, points_into_the_text, leaves_its_input_alone, travels,
)  # fmt: skip


def check_extractor(extractor: Extractor, analyser: Analyser) -> None:
    """Check every promise of an extractor that is ready to extract; the first broken is ``BrokenPromise``."""
    for promise in EXTRACTOR_PROMISES:
        promise(Subject(extractor, analyser))


def check_trainable(extractor: TrainableExtractor, analyser: Analyser) -> TrainableExtractor:
    """Check what an extractor that learns promises beyond the rest; return the fitted value."""
    labelled = [LabelledDocument(analyser.analyse(each.document), each.gold) for each in promises.LABELLED]
    before = signature(extractor)
    with contextlib.suppress(NotFitted):  # or it works with what it comes with
        extractor.extract(labelled[0].document)
    fitted = extractor.fit(labelled)
    promises.require(fitted is not extractor, extractor, "fitting gives a new value", "itself")
    promises.require(
        signature(extractor) == before, extractor, "fitting leaves the unfitted value as it was", extractor
    )
    again = extractor.fit(iter(labelled))
    first, second = (rank_document(each, labelled[0].document, _MANY).prediction(_MANY) for each in (fitted, again))
    promises.require(
        promises.equal(first, second), extractor, "fitting twice on the same documents gives the same system", second
    )
    promises.check_signature(fitted, again)
    leaves_own_labels_out(extractor, labelled)
    return fitted


def leaves_own_labels_out(
    extractor: TrainableExtractor, labelled: Sequence[LabelledDocument[AnalysedDocument]]
) -> None:
    """A training document's keyphrases change no number that its own candidates are described with.

    Else the system, not fitted, could read the answer from the question. Only systems that show these numbers can be
    checked, by methods ``candidates(document)`` and ``features(candidates, document)``; others pass. The first of the
    training documents holds the phrases of ``OTHER_GOLD``.
    """
    if not (hasattr(extractor, "candidates") and hasattr(extractor, "features")):
        return
    first, *others = labelled
    rows = []
    for examples in (labelled, [LabelledDocument(first.document, promises.OTHER_GOLD), *others]):
        fitted: Any = extractor.fit(examples)
        rows.append(fitted.features(fitted.candidates(first.document), first.document))
    promises.require(
        promises.equal(*rows), extractor, "a document's own labels change none of its own features", rows[1]
    )
