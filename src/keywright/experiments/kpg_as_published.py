"""Calibration errors as the study of keyphrase generators computed them, which is not how they are defined.

Deviations that all models share, facts about the study's released programs; those of models are at their functions:

- a phrase is present if its letters occur in the stemmed text, even in the middle of words;
- the sum over the bins is divided by the number of *different* phrases of a class (``Tally``);
- a confidence of exactly 1 is added to every bin;
- gold of the models that are scored by phrases is stemmed once more than predictions and texts.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from keywright.calibration.calibration_error import sum_bins
from keywright.calibration.phrases import compute_confidences
from keywright.core.choices import Confidence
from keywright.core.documents import Document, LabelledDocument
from keywright.core.keyphrases import Keyphrase
from keywright.evaluation.normal_forms.phrases import blank_stems
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.generations import Output
from keywright.experiments.kpg_predictions import take_run

_PRESENT_START: Final = "<p_start>"
_ABSENT_START: Final = "<a_start>"
_SEPARATOR: Final = "<sep>"
_BART_SEPARATOR: Final = ";"
_BART_END: Final = "</s>"
_DROPPED: Final = frozenset({"<eos>", "<null>", "<digit>"})


class Scored(NamedTuple):
    """A phrase that the study scored, or a token in place of one."""

    confidence: float
    present: bool
    correct: bool


class Tally(NamedTuple):
    """Phrases of one document that the study summed, and the numbers that sums are divided by, at least 1."""

    scored: tuple[Scored, ...]
    present: int
    absent: int


@dataclass(frozen=True, slots=True)
class Stemmed:
    """A document as the study compared it: stems of its text, mark behind the title included, and of its gold."""

    text: str
    gold: tuple[str, ...]

    def present(self, form: str) -> bool:
        """Return whether the letters of a form occur in the text, even within words."""
        return form in self.text

    def twice(self) -> frozenset[str]:
        """Return the stems of the stems of its gold."""
        return frozenset(map(blank_stems, self.gold))

    def joined(self, *, present: bool) -> str:
        """Return the stems of the stems of its gold of a class, concatenated."""
        return blank_stems(" ".join(form for form in self.gold if self.present(form) is present))

    def tally(self, scored: Sequence[Scored], counted: Collection[str]) -> Tally:
        """Return the scored phrases with the number of counted forms of each class."""
        present = sum(map(self.present, counted))
        return Tally(tuple(scored), max(1, present), max(1, len(counted) - present))


def stem_document(labelled: LabelledDocument[Document], *, gold_is_stemmed: bool = False) -> Stemmed:
    """Return the stems of a text and of its gold."""
    text = labelled.document.text.replace("\n", " <eos> ")
    gold = (entry.forms[0] for entry in labelled.gold)
    return Stemmed(blank_stems(text), tuple(form if gold_is_stemmed else blank_stems(form) for form in gold))


def score_tokens(_: Sequence[Keyphrase], document: Stemmed, output: Output) -> Tally:
    """Score One2Seq and One2Set: each token and separator as a phrase, with the product of all probabilities so far.

    The product never restarts, so that it is near 0 after a few tokens, and the error is little more than the share of
    gold tokens times the mean number of repetitions: every occurrence is scored, different tokens are counted.
    """
    forms = [blank_stems(token) for token in output.tokens]
    running = zip(np.cumprod(output.probabilities).tolist(), forms, strict=True)
    scored = [Scored(product, document.present(form), form in document.gold) for product, form in running]
    return document.tally(scored, set(forms))


def rewrite_outputs(outputs: Mapping[str, Output]) -> dict[str, Output]:
    """Return the tokens of One2Seq and One2Set that the study scored.

    End marks, null slots and numbers are dropped, the first of a run becomes a separator of probability 1; so are the
    first and the last token of an output, and tokens between two that are dropped.
    """
    result, is_open = {}, False
    for name, output in outputs.items():
        pairs: list[tuple[str, float]] = []
        dropped = [token in _DROPPED for token in output.tokens]
        for at, pair in enumerate(zip(output.tokens, output.probabilities, strict=True)):
            if dropped[at]:
                pairs += [(_SEPARATOR, 1.0)] if is_open else []
                is_open = False
            elif 0 < at < len(dropped) - 1 and not (dropped[at - 1] and dropped[at + 1]):
                pairs.append(pair)
                is_open = True
        result[name] = Output(tuple(token for token, _ in pairs), tuple(probability for _, probability in pairs))
    return result


def score_first_spellings(keyphrases: Sequence[Keyphrase], document: Stemmed, _: Output) -> Tally:
    """Score T5: each spelling once with its first confidence; an open last phrase is counted and never scored."""
    closed = [phrase for phrase in keyphrases if phrase.generation is not None and phrase.generation.end is not None]
    return _score_spellings(closed, [phrase.text for phrase in keyphrases], document)


def score_closed_spellings(keyphrases: Sequence[Keyphrase], document: Stemmed, output: Output) -> Tally:
    """Score BART: as T5, but only a separator closes a phrase; an empty one behind the last is counted as present."""
    tokens = [token.strip() for token in output.tokens]
    closed = keyphrases[: tokens.count(_BART_SEPARATOR)]
    empty = [""] if [token for token in tokens if token != _BART_END][-1:] == [_BART_SEPARATOR] else []
    return _score_spellings(closed, [*(phrase.text for phrase in keyphrases), *empty], document)


def _score_spellings(closed: Sequence[Keyphrase], counted: Sequence[str], document: Stemmed) -> Tally:
    """Score each spelling once, as right if its stems are gold stemmed twice."""
    firsts: dict[str, Keyphrase] = {}
    for phrase in closed:
        firsts.setdefault(phrase.text, phrase)
    confidences, gold = compute_confidences(list(firsts.values()), Confidence.KPP_S).tolist(), document.twice()
    pairs = zip(confidences, map(blank_stems, firsts), strict=True)
    scored = [Scored(confidence, document.present(form), form in gold) for confidence, form in pairs]
    return document.tally(scored, [blank_stems(text) for text in dict.fromkeys(counted)])


def score_by_start_token(keyphrases: Sequence[Keyphrase], document: Stemmed, output: Output) -> Tally:
    """Score ExHiRD: a phrase is present by its start token, and right if the joined gold of that class contains it.

    So parts of gold are right. Repeats are scored each time; different stems are counted, by the text.
    """
    started = [token == _PRESENT_START for token in output.tokens if token in {_PRESENT_START, _ABSENT_START}]
    gold = {present: document.joined(present=present) for present in (True, False)}
    forms = [blank_stems(phrase.text) for phrase in keyphrases]
    confidences = compute_confidences(keyphrases, Confidence.KPP_S).tolist()
    scored = [
        Scored(confidence, present, form in gold[present])
        for confidence, present, form in zip(confidences, started, forms, strict=False)
    ]
    return document.tally(scored, set(forms))


SCORING: Final[Mapping[str, Callable[[Sequence[Keyphrase], Stemmed, Output], Tally]]] = {
    "exhird": score_by_start_token, "one2seq": score_tokens, "one2set": score_tokens, "bart": score_closed_spellings,
    "t5": score_first_spellings,
}  # fmt: skip
"""The scoring of each model."""


def compute_published_error(model: str, loaded: LoadedRun, outputs: Mapping[str, Output], *, present: bool) -> float:
    """Return the calibration error of a model's phrases of a class as the study computed it, 0 upwards."""
    keyphrases = {prediction.document_id: prediction.keyphrases for prediction in take_run(loaded).predictions}
    documents = [(paper.id, stem_document(paper, gold_is_stemmed=loaded.stemmed)) for paper in loaded.labelled]
    scored_outputs = rewrite_outputs(outputs) if SCORING[model] is score_tokens else outputs
    tallies = [SCORING[model](keyphrases[name], document, scored_outputs[name]) for name, document in documents]
    return compute_error(tallies, present=present)


def compute_error(documents: Sequence[Tally], *, present: bool) -> float:
    """Return the error over ten equal bins of a class, divided by the phrases counted: above 1 where phrases repeat."""
    counted = sum(document.present if present else document.absent for document in documents)
    scored = [phrase for document in documents for phrase in document.scored if phrase.present == present]
    confidence = np.array([phrase.confidence for phrase in scored])
    right = np.array([phrase.correct for phrase in scored], bool)
    certain = confidence >= 1
    in_every_bin = sum_bins(confidence[certain], right[certain]).sum(1, keepdims=True)
    totals = sum_bins(confidence[~certain], right[~certain]) + in_every_bin
    return float(np.abs(totals[1] - totals[2]).sum() / max(1, counted))
