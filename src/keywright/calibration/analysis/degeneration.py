"""Degenerate output of generators: soups of single words, and repeats.

A generator that has learned from lists of single words may answer a document with dozens of them (*paper, use, data*),
each with a probability near 1. Few such documents spoil the measures of a whole collection: so they are told apart.
``datasets.word_lists`` finds the training documents that teach it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from keywright.calibration.judgements.confidence import Confidence, confidences, usual_confidence
from keywright.core.errors import BadParameter
from keywright.core.predictions import Keyphrase
from keywright.core.runs import Run
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer


@dataclass(frozen=True, slots=True)
class SoupRule:
    """What makes a list a soup; all three must hold.

    Attributes:
        phrases: more distinct phrases than this.
        one_word: a larger share of them than this is of one word; 0 to 1.
        confidence: their mean confidence is above this, 0 to 1; None where it does not matter.

    Raises:
        BadParameter: a number is out of its range.
    """

    phrases: int = 12
    one_word: float = 0.8
    confidence: float | None = 0.9

    def __post_init__(self) -> None:
        """Refuse shares that are none."""
        if self.phrases < 0:
            raise BadParameter(f"phrases {self.phrases}", "expected a number from 0, such as 12")
        for name, share in (("one_word", self.one_word), ("confidence", self.confidence)):
            if share is not None and not 0 <= share <= 1:
                raise BadParameter(f"{name} {share}", "expected a share, from 0 to 1")


@dataclass(frozen=True, slots=True)
class Degeneration:
    """How much of a run is degenerate.

    Attributes:
        documents: how many there are.
        soup: ids of those whose list is a soup.
        long: how many have more distinct phrases than the rule allows, soup or not.
        phrases: how many were given, repeats included.
        repeats: how many of them have the stems of an earlier one of their document.
    """

    documents: int
    soup: tuple[str, ...]
    long: int
    phrases: int
    repeats: int

    @property
    def soup_share(self) -> float | None:
        """Of the documents, 0 to 1; None where there are none."""
        return len(self.soup) / self.documents if self.documents else None

    @property
    def duplicates(self) -> float | None:
        """Share of repeats among the phrases, 0 to 1; None where there are none."""
        return self.repeats / self.phrases if self.phrases else None


def degeneration(run: Run, rule: SoupRule | None = None, confidence: Confidence | str | None = None) -> Degeneration:
    """Soups and repeats of a run.

    Args:
        run: of any system, as it was given out.
        rule: what makes a soup; None for the usual one.
        confidence: which one the rule looks at; None for ``usual_confidence`` of the run.

    Raises:
        BadParameter: the rule looks at confidence, and the run has only scores, which are not comparable.
        BadRecord: a phrase does not have what its confidence is computed from.
    """
    rule = rule or SoupRule()
    kind = Confidence(confidence or usual_confidence([one for each in run.predictions for one in each.keyphrases]))
    any_phrase = any(each.keyphrases for each in run.predictions)
    if rule.confidence is not None and kind is Confidence.SCORE and any_phrase:
        message = "the run has scores, which are no confidence"
        raise BadParameter(message, "calibrate it, or leave confidence out of the rule: confidence=None")
    distinct = {each.document_id: _distinct(each.keyphrases, each.language) for each in run.predictions}
    given = sum(len(each.keyphrases) for each in run.predictions)
    return Degeneration(
        len(run.predictions),
        tuple(name for name, phrases in distinct.items() if is_soup(phrases, rule, kind)),
        sum(len(phrases) > rule.phrases for phrases in distinct.values()),
        given,
        given - sum(map(len, distinct.values())),
    )


def is_soup(
    distinct: Sequence[Keyphrase], rule: SoupRule | None = None, confidence: Confidence | str = Confidence.KPP_S
) -> bool:
    """Whether the phrases of one document, no two alike, are a soup.

    Raises:
        BadRecord: a phrase does not have what its confidence is computed from.
    """
    rule = rule or SoupRule()
    if len(distinct) <= rule.phrases or not distinct:
        return False
    if sum(_words(one) == 1 for one in distinct) <= rule.one_word * len(distinct):
        return False
    return rule.confidence is None or float(confidences(distinct, confidence).mean()) > rule.confidence


def _distinct(keyphrases: Iterable[Keyphrase], language: str | None) -> tuple[Keyphrase, ...]:
    """The first keyphrase of each stem; those without letter or digit by their text."""
    stem = stemmer(language or "en")
    first: dict[int | str, Keyphrase] = {}
    for one in keyphrases:
        first.setdefault(phrase_key(one.text, stem) or one.text, one)
    return tuple(first.values())


def _words(keyphrase: Keyphrase) -> int:
    """Words of a phrase: as its generator counts them, else between blanks."""
    return keyphrase.generation.words if keyphrase.generation else len(keyphrase.text.split())
