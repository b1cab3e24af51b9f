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
from keywright.testing.promises import (
    ARTICLE,
    EMPTY,
    LABELLED,
    NOTE,
    OTHER_GOLD,
    UNUSUAL,
    check_signature,
    copy_pickled,
    equal,
    fail_promise,
    phrase_forms,
    require,
)

_FEW: Final = 2
"""Length of short lists that are compared; arbitrary, but shorter than the lists of ordinary articles."""
_MANY: Final = 10
"""Length of long lists; as above."""
_NEEDS: Final = frozenset({"stems", "tags", "sections"})
_DOCUMENTS: Final = (ARTICLE, NOTE, *UNUSUAL)


@dataclass(frozen=True)
class Subject:
    """An extractor under check, ready to extract, with the analyser that gives what it needs."""

    extractor: Extractor
    analyser: Analyser

    def fresh(self) -> Extractor:
        """An equal extractor that has seen nothing."""
        return cast("Extractor", dataclasses.replace(cast("Any", self.extractor)))

    def answers(self, documents: Iterable[Document], extractor: Extractor | None = None) -> list[Prediction]:
        """One prediction a document, all in one go."""
        extractor = extractor or self.extractor
        rankings = [rank_document(extractor, self.analyser.analyse(document), _MANY) for document in documents]
        for ranking in rankings:
            promise = "`extract` gives a Ranking: it ends with `return rank(document, candidates, scores)`"
            require(isinstance(ranking, Ranking), extractor, promise, type(ranking).__name__)
        return [ranking.prediction(_MANY) for ranking in rankings]


Promise: TypeAlias = Callable[[Subject], None]


def is_described(subject: Subject) -> None:
    """It is a frozen dataclass with a name, known needs, and a signature that says what it is."""
    system = subject.extractor
    parameters = getattr(type(system), "__dataclass_params__", None)
    require(parameters is not None and parameters.frozen, system, "it is a frozen dataclass", type(system))
    require(isinstance(system.name, str) and system.name, system, "it has a name", system.name)
    require(system.needs <= _NEEDS, system, f"it needs only what analysers offer, {sorted(_NEEDS)}", system.needs)
    check_signature(system, subject.fresh())


def refuses_unknown_parameters(subject: Subject) -> None:
    """A parameter that does not exist is an error, not a shrug."""
    kind: Any = type(subject.extractor)
    try:
        kind(no_such_parameter=1)
    except (TypeError, BadParameter):
        return
    fail_promise(kind, "an unknown parameter is refused", "no_such_parameter=1 was taken")


def answers_for_its_document(subject: Subject) -> None:
    """A prediction names its document, and holds something where there is something."""
    answer = subject.answers([ARTICLE])[0]
    require(answer.document_id == ARTICLE.id, subject.extractor, "a prediction names its document", answer.document_id)
    require(answer.keyphrases, subject.extractor, "an ordinary article has keyphrases", answer)


def takes_any_text(subject: Subject) -> None:
    """No text is an error: empty text gives an empty prediction, odd texts whatever there is."""
    ranking = subject.extractor.extract(subject.analyser.analyse(EMPTY))
    require(isinstance(ranking, Ranking), subject.extractor, "extract gives a ranking, as rank(...) does", ranking)
    require(len(ranking) == 0, subject.extractor, "the empty document has no keyphrases", ranking)
    subject.answers(UNUSUAL)


def repeats_itself(subject: Subject) -> None:
    """The same input gives the same answer: twice, from a fresh value, and after other documents."""
    alone = subject.answers([ARTICLE], subject.fresh())[0]
    in_company = subject.answers([NOTE, *UNUSUAL, ARTICLE, ARTICLE])[-2:]
    require(equal(in_company[0], alone), subject.extractor, "a document is answered alike alone and in company", alone)
    require(equal(in_company[1], alone), subject.extractor, "a document is answered alike a second time", alone)


def depth_only_cuts(subject: Subject) -> None:
    """A short list is the beginning of a longer one, even if the system knows how long the list must be."""
    for document in _DOCUMENTS:
        analysed = subject.analyser.analyse(document)
        everything = subject.extractor.extract(analysed).keyphrases()
        promise = f"a shorter list is the beginning of a longer one, as for {document.id}"
        for depth in (_FEW, _MANY):
            short = rank_document(subject.extractor, analysed, depth).keyphrases(depth)
            require(short == everything[:depth], subject.extractor, promise, (short, everything[:depth]))


def ranks_best_first(subject: Subject) -> None:
    """Scores are numbers and never rise; probabilities are none or from 0 to 1; the chosen are among all there are."""
    for prediction in subject.answers(_DOCUMENTS):
        scores = [keyphrase.score for keyphrase in prediction.keyphrases]
        require(all(map(math.isfinite, scores)), subject.extractor, "scores are finite", scores)
        require(scores == sorted(scores, reverse=True), subject.extractor, "scores never rise down the list", scores)
        sure = [keyphrase.probability for keyphrase in prediction.keyphrases if keyphrase.probability is not None]
        require(all(0 <= each <= 1 for each in sure), subject.extractor, "probabilities lie from 0 to 1", sure)
    for document in _DOCUMENTS:
        whole = subject.extractor.extract(subject.analyser.analyse(document))
        stands = whole.chosen is None or 0 <= whole.chosen <= len(whole)
        require(stands, subject.extractor, "it stands by no more keyphrases than there are", whole.chosen)


def names_each_phrase_once(subject: Subject) -> None:
    """No two keyphrases of a document are the same phrase, and none is blank."""
    for document, prediction in zip(_DOCUMENTS, subject.answers(_DOCUMENTS), strict=True):
        listed: dict[str, str] = {}
        for text in prediction.texts:
            require(text.strip(), subject.extractor, "a keyphrase has text", text)
            for form in phrase_forms(text, subject.analyser, document.language):
                require(form not in listed, subject.extractor, "no phrase is listed twice", (listed.get(form), text))
            listed |= dict.fromkeys(phrase_forms(text, subject.analyser, document.language), text)


def points_into_the_text(subject: Subject) -> None:
    """Spans lie in the text, in order, and hold the phrase: up to case, hyphens, blanks and stem."""
    for document, prediction in zip(_DOCUMENTS, subject.answers(_DOCUMENTS), strict=True):
        for keyphrase in prediction.keyphrases:
            forms = phrase_forms(keyphrase.text, subject.analyser, document.language)
            spans = keyphrase.spans
            require(list(spans) == sorted(set(spans)), subject.extractor, "spans come in reading order, once", spans)
            for start, end in spans:
                inside = 0 <= start < end <= len(document.text)
                require(inside, subject.extractor, f"spans lie in the text of {document.id}", (start, end))
                there = document.text[start:end]
                forms_there = phrase_forms(there, subject.analyser, document.language)
                require(forms & forms_there, subject.extractor, "a span holds its phrase", (keyphrase.text, there))


def leaves_its_input_alone(subject: Subject) -> None:
    """Neither the document nor the extractor is altered by extraction."""
    analysed = subject.analyser.analyse(ARTICLE)
    before = copy_pickled(subject.analyser, analysed)
    described = signature(subject.extractor)
    subject.extractor.extract(analysed)
    require(equal(analysed, before), subject.extractor, "the document stays as it was", "an altered column")
    after = signature(subject.extractor)
    require(after == described, subject.extractor, "the extractor stays as it was", after)


def travels(subject: Subject) -> None:
    """It pickles, and the copy gives the same answer: that is how it reaches other processes and machines."""
    there = copy_pickled(subject.extractor, subject.extractor)
    ours, theirs = subject.answers([ARTICLE, NOTE]), subject.answers([ARTICLE, NOTE], there)
    require(equal(ours, theirs), subject.extractor, "a pickled copy gives the same answer", theirs)


EXTRACTOR_PROMISES: Final[tuple[Promise, ...]] = (
    is_described,
    refuses_unknown_parameters,
    answers_for_its_document,
    takes_any_text,
    repeats_itself,
    depth_only_cuts,
    ranks_best_first,
    names_each_phrase_once,
    points_into_the_text,
    leaves_its_input_alone,
    travels,
)


def check_extractor(extractor: Extractor, analyser: Analyser) -> None:
    """Check every promise of an extractor that is ready to extract.

    Args:
        extractor: fitted, if it is one that learns.
        analyser: gives what the extractor needs.

    Raises:
        BrokenPromise: the first promise that is not kept.
    """
    for promise in EXTRACTOR_PROMISES:
        promise(Subject(extractor, analyser))


def check_trainable(extractor: TrainableExtractor, analyser: Analyser) -> TrainableExtractor:
    """Check what an extractor that learns promises beyond the rest; the fitted value, for ``check_extractor``.

    Args:
        extractor: not fitted.
        analyser: gives what the extractor needs.

    Raises:
        BrokenPromise: the first promise that is not kept.
    """
    labelled = [LabelledDocument(analyser.analyse(each.document), each.gold) for each in LABELLED]
    before = signature(extractor)
    with contextlib.suppress(NotFitted):  # or it works with what it comes with
        extractor.extract(labelled[0].document)
    fitted = extractor.fit(labelled)
    require(fitted is not extractor, extractor, "fitting gives a new value", "itself")
    require(signature(extractor) == before, extractor, "fitting leaves the unfitted value as it was", extractor)
    again = extractor.fit(iter(labelled))
    first, second = (rank_document(each, labelled[0].document, _MANY).prediction(_MANY) for each in (fitted, again))
    require(equal(first, second), extractor, "fitting twice on the same documents gives the same system", second)
    check_signature(fitted, again)
    leaves_own_labels_out(extractor, labelled)
    return fitted


def leaves_own_labels_out(
    extractor: TrainableExtractor, labelled: Sequence[LabelledDocument[AnalysedDocument]]
) -> None:
    """A training document's keyphrases change no number that its own candidates are described with.

    Only systems that show these numbers can be checked, by methods ``candidates(document)`` and
    ``features(candidates, document)``; others pass.

    Args:
        extractor: not fitted.
        labelled: training documents, of which the first holds the phrases of ``OTHER_GOLD``.

    Raises:
        BrokenPromise: a number changed, so that the system can read the answer from the question.
    """
    if not (hasattr(extractor, "candidates") and hasattr(extractor, "features")):
        return
    first, *others = labelled
    relabelled = [LabelledDocument(first.document, OTHER_GOLD), *others]
    rows = []
    for examples in (labelled, relabelled):
        fitted: Any = extractor.fit(examples)
        rows.append(fitted.features(fitted.candidates(first.document), first.document))
    require(equal(*rows), extractor, "a document's own labels change none of its own features", rows[1])
