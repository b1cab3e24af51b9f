"""From a run and its gold to one decision a phrase, in the order that calibration needs.

Repeats go first, then what the protocol does not accept, then phrases are told present or absent, and then each is
right or wrong; only what is left has a confidence. With repeats kept, a right phrase that a model says again and again
would count as right each time.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from keywright.calibration.judgements.confidence import Confidence, confidences, usual_confidence
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.core.arrays import Ints
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord, unknown
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Keyphrase
from keywright.core.runs import Run
from keywright.evaluation.formats.gold_sets import GoldDocument, GoldSet
from keywright.evaluation.matching.exact import (
    IndexedGold,
    Texts,
    forms_of_class,
    indexed_classes,
    normalised_texts,
    ranked_forms,
)
from keywright.evaluation.normal_forms.kpg import (
    published_stems,
    published_tokens,
    stems_of_any_script,
    tokens_of_any_script,
)
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.rules import Form, PhraseClass, Repeats, whole_text

ANYWHERE: Final = replace(KPG, name="kpg-anywhere", text=whole_text, normalise=stems_of_any_script)
"""``kpg`` for documents of all scripts; a phrase is present wherever it stands, also beyond title and abstract."""

_UNSTEMMED: Final[Mapping[Callable[[str], Form], Callable[[str], Form]]] = {
    published_stems: published_tokens,
    stems_of_any_script: tokens_of_any_script,
}
"""How gold is cut that ships stemmed, by how all else is."""

_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)


@dataclass(frozen=True, slots=True)
class Decision:
    """A phrase of a list, judged.

    Attributes:
        keyphrase: as the system gave it.
        form: what was compared.
        rank: among those of its document that are left, from 1 on.
        present: whether it stands in the document.
        correct: whether it is a keyphrase, of its own class.
    """

    keyphrase: Keyphrase
    form: Form
    rank: int
    present: bool
    correct: bool


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """All phrases of a run that are left, by document.

    Attributes:
        ids: documents that have gold and an answer, in the gold's order, (documents,).
        lists: their phrases, best first, (documents,).
        gold: their present and their absent gold.
        texts: their normalised texts by id.
        protocol: the rules that they were judged by; repeats count once, whatever those that were asked for say.
    """

    ids: tuple[str, ...]
    lists: tuple[tuple[Decision, ...], ...]
    gold: Mapping[PhraseClass, IndexedGold]
    texts: Texts
    protocol: Protocol

    def columns(self, confidence: Confidence | str | None = None) -> JudgedPhrases:
        """As columns, with a confidence; None takes ``usual_confidence``.

        Raises:
            BadRecord: a phrase does not have what its confidence is computed from.
        """
        every = [one for decided in self.lists for one in decided]
        document = np.repeat(np.arange(len(self.ids)), [len(decided) for decided in self.lists])
        keyphrases = [one.keyphrase for one in every]
        return JudgedPhrases(
            ids=self.ids,
            document=document,
            rank=_ints(one.rank for one in every),
            confidence=confidences(keyphrases, usual_confidence(keyphrases) if confidence is None else confidence),
            correct=np.array([one.correct for one in every], dtype=bool),
            present=np.array([one.present for one in every], dtype=bool),
            words=_ints(_words(one) for one in every),
            gold=np.array([self.gold[part].sizes for part in _CLASSES], dtype=np.int64).T,
        )


def judged(
    run: Run,
    labelled: Iterable[LabelledDocument[Document]],
    protocol: Protocol = ANYWHERE,
    confidence: Confidence | str | None = None,
    *,
    stemmed: bool = False,
) -> JudgedPhrases:
    """The phrases of a run as columns, each judged by its gold: ``decided`` with a confidence.

    Args:
        run: of any system.
        labelled: texts and gold.
        protocol: one that tells present phrases from absent ones; its ``golds`` are the kinds of gold that count, all
            together, and none stands for all that there are.
        confidence: what it is; None takes ``probability`` where all phrases have one, else ``kpp-s`` where all have
            token probabilities, else ``kpp``, else ``score``.
        stemmed: whether the gold is stems, which must not be stemmed again.

    Raises:
        BadRecord: the run has no predictions, it and the gold have no document in common, one of them has a document
            twice, or a phrase lacks what its confidence comes from.
        BadParameter: the protocol does not tell present phrases from absent ones.
        NeedsUnmet: it does so by the texts, and the gold has none.
        UnknownName: it names a kind of gold that is not there.
    """
    return decided(run, labelled, protocol, stemmed=stemmed).columns(confidence)


def decided(
    run: Run, labelled: Iterable[LabelledDocument[Document]], protocol: Protocol = ANYWHERE, *, stemmed: bool = False
) -> Decisions:
    """The phrases of a run, each judged by its gold; arguments and errors are those of ``judged``.

    Documents without an answer, such as those that failed, and answers without gold are left out: calibration learns
    from the labelled part of a run.
    """
    if not protocol.needs_texts:
        message = f"protocol {protocol.name} does not tell present phrases from absent ones"
        raise BadParameter(message, "expected one that does, such as kpg")
    rules = replace(
        protocol,
        repeats=Repeats.FIRST,
        normalise_gold=_UNSTEMMED.get(protocol.normalise, published_tokens) if stemmed else protocol.normalise_gold,
    )
    answers, documents = _answered(run, labelled)
    kinds = _kinds(documents, rules)
    given = tuple(GoldDocument(one.id, tuple(gold.forms for gold in one.gold if gold.by in kinds)) for one in documents)
    ids = tuple(one.id for one in documents)
    plain = {one.id: rules.text(one.document) for one in documents}
    texts = normalised_texts({name: text for name, text in plain.items() if text.strip()}, frozenset(ids), rules)
    gold = indexed_classes(GoldSet("gold", given), rules, texts, _CLASSES)
    forms = ranked_forms({name: [one.text for one in answers[name]] for name in ids}, rules)
    hits: dict[tuple[str, Form], bool] = {}
    for part in _CLASSES:
        for name, entries in zip(ids, gold[part].entries, strict=True):
            listed = forms_of_class({name: forms[name]}, texts, part, rules)[name]
            hits |= {(name, form): hit > 0 for form, hit in zip(listed, rules.matching(listed, entries), strict=True)}
    lists = tuple(_decisions(name, answers[name], forms[name], (rules, texts[name], hits)) for name in ids)
    return Decisions(ids, lists, gold, texts, rules)


def _answered(
    run: Run, labelled: Iterable[LabelledDocument[Document]]
) -> tuple[dict[str, tuple[Keyphrase, ...]], list[LabelledDocument[Document]]]:
    """The answers by document, and the documents that have gold and an answer."""
    answers = {one.document_id: one.keyphrases for one in run.predictions}
    if not answers:
        message = f"the run has no predictions ({len(run.failures)} failures), so it and the gold have no document"
        raise BadRecord(f"{message} in common", "expected the answers of a system to at least one labelled document")
    documents = [one for one in labelled if one.id in answers]
    if not documents:
        message = f"the run ({len(answers)} documents) and the gold have no document in common"
        raise BadRecord(message, "name the gold of the collection that the run was made on")
    counted = Counter(one.document_id for one in run.predictions), Counter(one.id for one in documents)
    for where, ids in zip(("run", "gold"), counted, strict=True):
        name, times = ids.most_common(1)[0]
        if times > 1:
            raise BadRecord(f"document {name!r} comes {times} times in the {where}", "expected each document once")
    return answers, documents


def _kinds(documents: Sequence[LabelledDocument[Document]], protocol: Protocol) -> frozenset[str]:
    """The kinds of gold that count."""
    there = frozenset(gold.by for one in documents for gold in one.gold)
    for kind in protocol.golds:
        if kind not in there:
            raise unknown("gold", kind, there, "keywright datasets show NAME")
    return frozenset(protocol.golds) or there


def _decisions(
    name: str,
    keyphrases: Sequence[Keyphrase],
    forms: Sequence[Form],
    judge: tuple[Protocol, Form, Mapping[tuple[str, Form], bool]],
) -> tuple[Decision, ...]:
    """Decisions of one document: each form with the keyphrase that came to it first, of slots the first one."""
    rules, text, hits = judge
    first: dict[Form, Keyphrase] = {}
    for keyphrase in sorted(keyphrases, key=_slot):  # stable: ranks decide where there are no slots
        first.setdefault(rules.normalise(keyphrase.text), keyphrase)
    return tuple(
        Decision(first[form], form, rank, rules.presence(form, text), hits[name, form])
        for rank, form in enumerate(forms, start=1)
    )


def _slot(keyphrase: Keyphrase) -> int:
    """The slot that generated a phrase; 0 where there are none."""
    return (keyphrase.generation.slot if keyphrase.generation else None) or 0


def _words(one: Decision) -> int:
    """Words of a phrase: as its generator counts them, else of its form."""
    return one.keyphrase.generation.words if one.keyphrase.generation else len(one.form.split(" "))


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)
