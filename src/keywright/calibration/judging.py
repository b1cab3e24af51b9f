"""From a run and its gold to one decision per phrase, in the order that calibration needs: without repeats first."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from keywright.calibration.phrases import JudgedPhrases, choose_confidence, compute_confidences
from keywright.core.choices import Confidence
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord, unknown_name
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Run
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.normal_forms.phrases import (
    published_stems,
    published_tokens,
    stems_of_any_script,
    tokens_of_any_script,
)
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.rules import Form, PhraseClass, Repeats, whole_text
from keywright.evaluation.scoring import counting

KPG_WHOLE_TEXT: Final = replace(KPG, name="kpg-anywhere", text=whole_text, normalise=stems_of_any_script)
"""``kpg`` for documents of all scripts; a phrase is present if it occurs anywhere, also beyond title and abstract."""

_UNSTEMMED: Final[Mapping[Callable[[str], Form], Callable[[str], Form]]] = {
    published_stems: published_tokens,
    stems_of_any_script: tokens_of_any_script,
}
"""Normal form of gold that ships stemmed, by the normal form of predictions."""

_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)


@dataclass(frozen=True, slots=True)
class Decision:
    """A judged phrase of a list."""

    keyphrase: Keyphrase
    form: Form  # normalised form that was compared
    rank: int  # among the phrases of its document that are left, from 1 on
    present: bool
    correct: bool

    @property
    def words(self) -> int:
        """Number of words: as its generator counts them, else of its form."""
        return self.keyphrase.generation.words if self.keyphrase.generation else len(self.form.split(" "))


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """All judged phrases of a run, by document."""

    ids: tuple[str, ...]  # documents that have gold and an answer, in the gold's order, (documents,)
    lists: tuple[tuple[Decision, ...], ...]  # their phrases, best first, (documents,)
    gold: Mapping[PhraseClass, counting.IndexedGold]  # their present and their absent gold
    texts: counting.Texts  # their normalised texts by id
    protocol: Protocol  # the rules that were applied, by which repeats never count

    @property
    def keyphrases(self) -> list[Keyphrase]:
        """The phrases of all documents."""
        return [decision.keyphrase for decisions in self.lists for decision in decisions]

    def columns(self, confidence: Confidence | str | None = None) -> JudgedPhrases:
        """Return the phrases as columns, by default with ``choose_confidence``."""
        flat = [decision for decisions in self.lists for decision in decisions]
        keyphrases = self.keyphrases
        return JudgedPhrases(
            self.ids,
            document=np.repeat(np.arange(len(self.ids)), [len(decisions) for decisions in self.lists]),
            rank=np.array([decision.rank for decision in flat], dtype=np.int64),
            confidence=compute_confidences(keyphrases, confidence or choose_confidence(keyphrases)),
            correct=np.array([decision.correct for decision in flat], dtype=bool),
            present=np.array([decision.present for decision in flat], dtype=bool),
            words=np.array([decision.words for decision in flat], dtype=np.int64),
            gold=np.array([self.gold[part].sizes for part in _CLASSES], dtype=np.int64).T,
        )


def decide(
    run: Run,
    labelled: Iterable[LabelledDocument[Document]],
    protocol: Protocol = KPG_WHOLE_TEXT,
    *,
    stemmed: bool = False,
) -> Decisions:
    """Judge the phrases of a run by its gold.

    Documents without an answer, such as those that failed, and answers without gold are left out: calibration learns
    from the labelled part of a run. ``protocol``: one that distinguishes present from absent phrases; its ``golds`` are
    the kinds of gold that count, all together; all kinds when empty. ``stemmed``: whether the gold is stems, which must
    not be stemmed again.
    """
    if not protocol.needs_texts:
        message = f"protocol {protocol.name} does not distinguish present from absent phrases"
        raise BadParameter(message, "expected one that does, such as kpg")
    normalise_gold = _UNSTEMMED.get(protocol.normalise, published_tokens) if stemmed else protocol.normalise_gold
    rules = replace(protocol, repeats=Repeats.FIRST, normalise_gold=normalise_gold)
    answers, documents = _match_answers(run, labelled)
    ids = tuple(document.id for document in documents)
    plain_texts = {document.id: rules.text(document.document) for document in documents}
    texts = counting.normalise_texts(
        {name: text for name, text in plain_texts.items() if text.strip()}, frozenset(ids), rules
    )
    all_kinds = frozenset(each.by for document in documents for each in document.gold)
    for kind in rules.golds:
        if kind not in all_kinds:
            raise unknown_name("gold", kind, all_kinds, "keywright datasets show NAME")
    kinds = frozenset(rules.golds) or all_kinds
    accepted = {each.id: tuple(gold.forms for gold in each.gold if gold.by in kinds) for each in documents}
    gold_set = GoldSet("gold", tuple(GoldDocument(name, entries) for name, entries in accepted.items()))
    gold = counting.index_classes(gold_set, rules, texts, _CLASSES)
    forms = counting.rank_forms({name: [keyphrase.text for keyphrase in answers[name]] for name in ids}, rules)
    correct: dict[str, dict[Form, bool]] = {name: {} for name in ids}
    for part, indexed in gold.items():
        class_forms = counting.forms_of_class(forms, texts, part, rules)
        for name, entries in zip(ids, indexed.entries, strict=True):
            hits = rules.matching(class_forms[name], entries)
            correct[name] |= {form: hit > 0 for form, hit in zip(class_forms[name], hits, strict=True)}
    lists = []
    for name in ids:
        # Each form with its first keyphrase, of slots with that of the first. The sort is stable: else ranks decide.
        first: dict[Form, Keyphrase] = {}
        for phrase in sorted(answers[name], key=lambda each: (each.generation.slot if each.generation else None) or 0):
            first.setdefault(rules.normalise(phrase.text), phrase)
        decisions = (
            Decision(first[form], form, rank, rules.presence(form, texts[name]), correct[name][form])
            for rank, form in enumerate(forms[name], start=1)
        )
        lists.append(tuple(decisions))
    return Decisions(ids, tuple(lists), gold, texts, rules)


def drop_withheld(
    run: Run, labelled: Iterable[LabelledDocument[Document]], confidence: Confidence | str | None = None
) -> tuple[tuple[LabelledDocument[Document], ...], list[str]]:
    """Return the documents with probabilities in a run where most have them, and a note on others (``domain.py``)."""
    documents = tuple(labelled)
    if confidence not in {None, Confidence.PROBABILITY}:
        return documents, []
    answers = {prediction.document_id: prediction.keyphrases for prediction in run.predictions if prediction.keyphrases}
    without = {name for name, phrases in answers.items() if all(phrase.probability is None for phrase in phrases)}
    if not without or 2 * len(without) >= len(answers):
        return documents, []
    note = f"{len(without)} documents are left out: the system gives no probabilities for them"
    return tuple(document for document in documents if document.id not in without), [note]


def _match_answers(
    run: Run, labelled: Iterable[LabelledDocument[Document]]
) -> tuple[dict[str, tuple[Keyphrase, ...]], list[LabelledDocument[Document]]]:
    """Return the answers by document, and the documents that have gold and an answer."""
    answers = {prediction.document_id: prediction.keyphrases for prediction in run.predictions}
    if not answers:
        message = f"the run has no predictions ({len(run.failures)} failures), so it and the gold have no document"
        raise BadRecord(f"{message} in common", "expected the answers of a system to at least one labelled document")
    documents = [document for document in labelled if document.id in answers]
    if not documents:
        message = f"the run ({len(answers)} documents) and the gold have no document in common"
        raise BadRecord(message, "name the gold of the collection that the run was made on")
    predicted = Counter(prediction.document_id for prediction in run.predictions)
    for source, ids in (("run", predicted), ("gold", Counter(document.id for document in documents))):
        name, times = ids.most_common(1)[0]
        if times > 1:
            raise BadRecord(f"document {name!r} comes {times} times in the {source}", "expected each document once")
    return answers, documents
