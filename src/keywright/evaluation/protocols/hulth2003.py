"""evalHulth2003, the usual scorer of Inspec (Hulth, EMNLP 2003), in eight schemes.

A scheme is a form of phrases and a matching: tokens unchanged (plain names), in lower case (``-lower``), as look-up
lemmas (``-lemma``) or as stems (``-stem``); ``exact`` credits a prediction that equals a gold phrase, ``part-of`` one
whose tokens follow each other inside a gold phrase, so that its recall can exceed 1. Both sides are sets of forms, all
predictions count, and documents are pooled. An empty line is a prediction and part of any gold phrase.

The forms are those of spaCy 2.0.11 and NLTK 3.2.5, which the tool is pinned to: ``Mice`` stays ``mice``, ``data``
becomes ``datum``, ``IT`` and ``it`` are two stems. ``modern`` replaces them by current tools, see
``normal_forms/phrases.py``.
"""

from dataclasses import replace
from typing import Final

from keywright.evaluation import rules
from keywright.evaluation.measures.counts import at
from keywright.evaluation.normal_forms import phrases as forms
from keywright.evaluation.protocol import Protocol

HULTH2003_EXACT: Final = Protocol(
    name="hulth2003-exact", marks=rules.ByteMarks.KEPT, unknown_ids=rules.OddIds.COUNTED, normalise=forms.spacy2_tokens,
    accept=rules.everything, short_list=rules.ShortList.OF_LENGTH, measures=at("M"),
)  # fmt: skip
"""Equal tokens."""

HULTH2003_PART_OF: Final = replace(HULTH2003_EXACT, name="hulth2003-part-of", matching=rules.part_of)
"""Tokens that follow each other in a gold phrase."""

HULTH2003_MODERN_EXACT: Final = replace(
    HULTH2003_EXACT, name="hulth2003-modern-exact", normalise=forms.modern_words, accept=rules.not_empty
)
"""Equal parts of words, by current tools; a phrase without a word is not a prediction."""

HULTH2003_MODERN_PART_OF: Final = replace(
    HULTH2003_MODERN_EXACT, name="hulth2003-modern-part-of", matching=rules.part_of
)
"""Parts of words that follow each other in a gold phrase, by current tools."""


def _derive(protocol: Protocol, form: str, normalise: rules.Normalise) -> Protocol:
    return replace(protocol, name=f"{protocol.name}-{form}", normalise=normalise)


HULTH2003_EXACT_LOWER: Final = _derive(HULTH2003_EXACT, "lower", forms.spacy2_lower)
HULTH2003_EXACT_LEMMA: Final = _derive(HULTH2003_EXACT, "lemma", forms.spacy2_lemmas)
HULTH2003_EXACT_STEM: Final = _derive(HULTH2003_EXACT, "stem", forms.nltk325_stems)
HULTH2003_PART_OF_LOWER: Final = _derive(HULTH2003_PART_OF, "lower", forms.spacy2_lower)
HULTH2003_PART_OF_LEMMA: Final = _derive(HULTH2003_PART_OF, "lemma", forms.spacy2_lemmas)
HULTH2003_PART_OF_STEM: Final = _derive(HULTH2003_PART_OF, "stem", forms.nltk325_stems)
HULTH2003_MODERN_EXACT_LOWER: Final = _derive(HULTH2003_MODERN_EXACT, "lower", forms.modern_lower)
HULTH2003_MODERN_EXACT_LEMMA: Final = _derive(HULTH2003_MODERN_EXACT, "lemma", forms.modern_lemmas)
HULTH2003_MODERN_EXACT_STEM: Final = _derive(HULTH2003_MODERN_EXACT, "stem", forms.modern_stems)
HULTH2003_MODERN_PART_OF_LOWER: Final = _derive(HULTH2003_MODERN_PART_OF, "lower", forms.modern_lower)
HULTH2003_MODERN_PART_OF_LEMMA: Final = _derive(HULTH2003_MODERN_PART_OF, "lemma", forms.modern_lemmas)
HULTH2003_MODERN_PART_OF_STEM: Final = _derive(HULTH2003_MODERN_PART_OF, "stem", forms.modern_stems)
