"""Calibration errors as the study of keyphrase generators computed them, which is not how they are defined.

What all of them share, and what is wrong with it:

- a phrase is present if its letters stand in the stemmed text, in the middle of words, too;
- what is added up over the bins and what it is divided by are counted apart: the divisor is the number of *different*
  phrases of a class, one for a document without any, whatever was scored (``Reckoned``);
- a confidence of exactly 1 is added to every bin;
- gold of the models that are scored by phrases is stemmed once more than predictions and texts; Porter's stems of stems
  are other stems at times, so that right phrases count as wrong.

What one model has of its own is said where it is done. How the study scored them is known from its released programs,
of which nothing but these facts is here.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from keywright.calibration.judgements.confidence import Confidence, confidences
from keywright.calibration.measures.ece import bin_totals
from keywright.core.documents import Document
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Keyphrase
from keywright.evaluation.normal_forms.kpg import blank_stems
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.token_probabilities import Output
from keywright.experiments.kpg_calibration.predictions import predicted_run

_PRESENT_START: Final = "<p_start>"
_ABSENT_START: Final = "<a_start>"
_SEPARATOR: Final = "<sep>"
_BART_SEPARATOR: Final = ";"
_BART_END: Final = "</s>"
_FALLING: Final = frozenset({"<eos>", "<null>", "<digit>"})


@dataclass(frozen=True, slots=True)
class Scored:
    """Something that the study scored: a phrase, or a token in place of one.

    Attributes:
        confidence: 0 to 1.
        present: whether it was taken to be present.
        correct: whether it was taken to be right.
    """

    confidence: float
    present: bool
    correct: bool


@dataclass(frozen=True, slots=True)
class Reckoned:
    """What the study made of the predictions for one document.

    Attributes:
        scored: what is added up over the bins.
        present: how many present phrases the sum is divided by; a document without any counts as one.
        absent: how many absent ones, likewise.
    """

    scored: tuple[Scored, ...]
    present: int
    absent: int


@dataclass(frozen=True, slots=True)
class Stemmed:
    """A document as the study compared it.

    Attributes:
        text: stems of the text, the mark between title and abstract among them.
        gold: stems of its gold; gold that ships stemmed, as it is.
    """

    text: str
    gold: tuple[str, ...]

    def present(self, form: str) -> bool:
        """Whether the letters of a form stand in the text, be it within words."""
        return form in self.text

    def twice(self) -> frozenset[str]:
        """Stems of the stems of its gold."""
        return frozenset(map(blank_stems, self.gold))

    def joined(self, *, present: bool) -> str:
        """Stems of the stems of its gold of a class, one after the other."""
        return blank_stems(" ".join(one for one in self.gold if self.present(one) is present))

    def reckoned(self, scored: Sequence[Scored], counted: Collection[str]) -> Reckoned:
        """What was scored, with the number of those forms of each class that the sum is divided by."""
        present = sum(map(self.present, counted))
        return Reckoned(tuple(scored), max(1, present), max(1, len(counted) - present))


def stemmed(labelled: LabelledDocument[Document], *, gold_is_stemmed: bool = False) -> Stemmed:
    """The stems of a text and of its gold."""
    text = labelled.document.text.replace("\n", " <eos> ")
    gold = (one.forms[0] for one in labelled.gold)
    return Stemmed(blank_stems(text), tuple(one if gold_is_stemmed else blank_stems(one) for one in gold))


def tokens_as_phrases(_: Sequence[Keyphrase], document: Stemmed, output: Output) -> Reckoned:
    """One2Seq and One2Set: each token scores as a phrase, separators too, with the product of all probabilities so far.

    The probability never starts anew, so that it is near 0 after a few tokens and the error is little more than how
    often tokens are gold, multiplied by how often each is repeated: tokens score each time, different ones count.

    Args:
        _: its phrases, which are not looked at.
        document: the text and its gold.
        output: of ``rewritten``.
    """
    forms = [blank_stems(token) for token in output.tokens]
    running = np.cumprod(output.probabilities).tolist()
    scored = [
        Scored(sure, document.present(form), form in document.gold) for sure, form in zip(running, forms, strict=True)
    ]
    return document.reckoned(scored, set(forms))


def rewritten(outputs: Mapping[str, Output]) -> dict[str, Output]:
    """The tokens of One2Seq and One2Set that the study scored.

    End marks, null slots and numbers fall out; of those after something that was kept, the first becomes a separator
    of probability 1, be it in the next output. The first and the last token of an output go as well, and tokens
    between two that fall out: among them every phrase of one word of One2Set.
    """
    found, open_ = {}, False
    for name, output in outputs.items():
        kept: list[tuple[str, float]] = []
        falls = [token in _FALLING for token in output.tokens]
        for at, one in enumerate(zip(output.tokens, output.probabilities, strict=True)):
            if falls[at]:
                kept += [(_SEPARATOR, 1.0)] if open_ else []
                open_ = False
            elif 0 < at < len(falls) - 1 and not (falls[at - 1] and falls[at + 1]):
                kept.append(one)
                open_ = True
        found[name] = Output(tuple(token for token, _ in kept), tuple(probability for _, probability in kept))
    return found


def first_of_each(keyphrases: Sequence[Keyphrase], document: Stemmed, _: Output) -> Reckoned:
    """T5: spellings once each with their first confidence, so that other forms of one stem score again.

    A phrase that the end of a cut output leaves open counts and never scores.
    """
    closed = [one for one in keyphrases if one.generation is not None and one.generation.end is not None]
    return _spellings(closed, [one.text for one in keyphrases], document)


def without_the_last(keyphrases: Sequence[Keyphrase], document: Stemmed, output: Output) -> Reckoned:
    """BART: as T5, but only a separator closes a phrase: the last one of nearly every output counts and never scores.

    An output that ends with a separator has an empty phrase behind it, which counts as present.
    """
    tokens = [token.strip() for token in output.tokens]
    closed = keyphrases[: tokens.count(_BART_SEPARATOR)]
    empty = [""] if [token for token in tokens if token != _BART_END][-1:] == [_BART_SEPARATOR] else []
    return _spellings(closed, [*(one.text for one in keyphrases), *empty], document)


def _spellings(closed: Sequence[Keyphrase], counted: Sequence[str], document: Stemmed) -> Reckoned:
    """Each spelling once, right if its stems are gold stemmed twice."""
    places = {one.text: place for place, one in reversed(list(enumerate(closed)))}
    firsts, gold = [closed[place] for place in sorted(places.values())], document.twice()
    scored = [
        Scored(sure, document.present(form), form in gold)
        for sure, form in zip(confidences(firsts, Confidence.KPP_S).tolist(), map(_stems, firsts), strict=True)
    ]
    return document.reckoned(scored, [blank_stems(text) for text in dict.fromkeys(counted)])


def by_start_token(keyphrases: Sequence[Keyphrase], document: Stemmed, output: Output) -> Reckoned:
    """ExHiRD: present is what the model began as present; right is whatever stands in the joined gold of that class.

    So parts of gold are right. Repeats score each time, and different stems count, by the text, not by the start token.
    """
    started = [token == _PRESENT_START for token in output.tokens if token in {_PRESENT_START, _ABSENT_START}]
    gold = {present: document.joined(present=present) for present in (True, False)}
    sure, forms = confidences(keyphrases, Confidence.KPP_S).tolist(), [_stems(one) for one in keyphrases]
    scored = [
        Scored(one, present, form in gold[present]) for one, present, form in zip(sure, started, forms, strict=False)
    ]
    return document.reckoned(scored, set(forms))


SCORING: Final[Mapping[str, Callable[[Sequence[Keyphrase], Stemmed, Output], Reckoned]]] = MappingProxyType(
    {
        "exhird": by_start_token,
        "one2seq": tokens_as_phrases,
        "one2set": tokens_as_phrases,
        "bart": without_the_last,
        "t5": first_of_each,
    }
)
"""How each model was scored."""


def published_error(model: str, found: LoadedRun, outputs: Mapping[str, Output], *, present: bool) -> float:
    """The calibration error of a model's phrases of a class as the study computed it, 0 upwards.

    Args:
        model: of ``SCORING``.
        found: its predictions, texts and gold.
        outputs: what it wrote, by document.
        present: which class.
    """
    answers = {one.document_id: one.keyphrases for one in predicted_run(found).predictions}
    documents = [(one.id, stemmed(one, gold_is_stemmed=found.stemmed)) for one in found.labelled]
    wrote = rewritten(outputs) if SCORING[model] is tokens_as_phrases else outputs
    reckoned = [SCORING[model](answers[name], document, wrote[name]) for name, document in documents]
    return error_as_published(reckoned, present=present)


def error_as_published(documents: Sequence[Reckoned], *, present: bool) -> float:
    """The error over ten equal bins of what was scored of a class, divided by what was counted; above 1 with repeats.

    A confidence of exactly 1 is in no bin and was added to each of them.

    Args:
        documents: what the study made of each; none gives 0.
        present: which class.
    """
    counted = sum(one.present if present else one.absent for one in documents)
    scored = [one for document in documents for one in document.scored if one.present == present]
    sure, right = np.array([one.confidence for one in scored]), np.array([one.correct for one in scored], bool)
    whole = sure >= 1
    totals = bin_totals(sure[~whole], right[~whole]) + bin_totals(sure[whole], right[whole]).sum(1, keepdims=True)
    return float(np.abs(totals[1] - totals[2]).sum() / max(1, counted))


def _stems(keyphrase: Keyphrase) -> str:
    return blank_stems(keyphrase.text)
