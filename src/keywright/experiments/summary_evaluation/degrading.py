"""Worse versions of a summary, by stated rules."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.summaries.kpeval import KPEval
from keywright.summaries.texts import SummaryText
from keywright.text.sentences import split_sentences

_REMOVED: Final = 10
"""Keyphrases that ``without_keyphrases`` takes out of a summary; arbitrary."""


@dataclass(frozen=True, slots=True)
class Material:
    """A summary and what its degraded versions are made of.

    Attributes:
        text: the summary.
        other: a summary of another topic.
        keyphrases: places of the summary's keyphrases, most probable first, half-open, in characters.
        other_forms: another surface form with the same lemma, by form in lower case.
        random: source of random numbers.
    """

    text: str
    other: str
    keyphrases: Sequence[Sequence[tuple[int, int]]]
    other_forms: Mapping[str, str]
    random: np.random.Generator


Rule = Callable[[Material], str]


def shuffled_words(material: Material) -> str:
    """Return all words in random order, on one line."""
    words = material.text.split()
    return " ".join(words[at] for at in material.random.permutation(len(words)))


def shuffled_sentences(material: Material) -> str:
    """Return the sentences in random order."""
    sentences = _sentences(material.text)
    return "\n".join(sentences[at] for at in material.random.permutation(len(sentences)))


def truncated(share: float) -> Rule:
    """Return the rule that cuts a summary after a share of its words."""

    def cut(material: Material) -> str:
        words = material.text.split()
        return " ".join(words[: max(1, round(share * len(words)))])

    return cut


def mixed(share: float) -> Rule:
    """Return the rule that replaces a share of the words, at the end, by the beginning of the other topic's summary."""

    def replace_end(material: Material) -> str:
        words, others = material.text.split(), material.other.split()
        length = round(share * len(words))
        return " ".join([*words[: len(words) - length], *others[:length]])

    return replace_end


def without_keyphrases(material: Material) -> str:
    """Return the summary without the mentions of its ten most probable keyphrases."""
    gone = np.zeros(len(material.text), bool)
    for spans in material.keyphrases[:_REMOVED]:
        for start, end in spans:
            gone[start:end] = True
    return " ".join("".join(np.array(list(material.text))[~gone]).split())


def other_forms(material: Material) -> str:
    """Return the summary with each word in another form of the same lemma, where the collection has one."""
    return " ".join(material.other_forms.get(word.lower(), word) for word in material.text.split())


RULES: Final[Mapping[str, Rule]] = {
    "shuffled-words": shuffled_words,
    "shuffled-sentences": shuffled_sentences,
    "truncated-75": truncated(0.75),
    "truncated-50": truncated(0.5),
    "truncated-25": truncated(0.25),
    "mixed-25": mixed(0.25),
    "mixed-50": mixed(0.5),
    "mixed-75": mixed(0.75),
    "without-keyphrases": without_keyphrases,
    "other-forms": other_forms,
}
"""Degraded versions by name; numbers are percentages of words: that stay, or that come from another topic."""


def places_of_keyphrases(text: str, evaluator: KPEval, language: str) -> list[Sequence[tuple[int, int]]]:
    """Return the places of a text's keyphrases, most probable first."""
    keyphrases = evaluator.keyphrases(SummaryText(text, language=language)).keyphrases.values()
    return [each.spans for each in sorted(keyphrases, key=lambda each: -(each.probability or 0.0))]


def forms_by_lemma(texts: Iterable[str], lemma: Callable[[str], str]) -> dict[str, str]:
    """Return, for each word of the texts, the next form with the same lemma in alphabetical order, if there is one."""
    forms: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        for word in text.lower().split():
            forms[lemma(word)].add(word)
    successors: dict[str, str] = {}
    for group in forms.values():
        ring = sorted(group)
        if len(ring) > 1:
            successors.update(zip(ring, [*ring[1:], ring[0]], strict=True))
    return successors


def _sentences(text: str) -> tuple[str, ...]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return tuple(lines) if len(lines) > 1 else split_sentences(text)
