"""Noise for denoising: a changed text teaches a generator to restore it, before it learns to write keyphrases.

Lewis et al., "BART: Denoising Sequence-to-Sequence Pre-training", ACL 2020, section 2.2: sentences change places, and
spans of words, whose lengths have a Poisson distribution, are each replaced by one mark. A title keeps its place.
"""

import itertools
from collections.abc import Mapping
from typing import Final

import numpy as np

from keywright.neural.data.examples import Example, Words
from keywright.neural.data.words import MASKED, TITLE_END

_SHARE: Final = 0.3
"""Share of the words that spans replace; Lewis et al. 2020, section 3."""
_MEAN_LENGTH: Final = 3.0
"""Mean length of a span in words; Lewis et al. 2020, section 2.2."""
_SENTENCE_END: Final = "."


def noisy(name: str, source: Words, random: np.random.Generator) -> Example:
    """Return an example of this name with the changed source, whose only keyphrase is the text."""
    text = tuple(word for word in source if word != TITLE_END[-1])
    return Example(name, corrupted(source, random), (text,), ())


def corrupted(source: Words, random: np.random.Generator) -> Words:
    """Return a source with some spans replaced by marks, and the sentences behind its title in another order."""
    head = source.index(TITLE_END[-1]) if TITLE_END[-1] in source else 0
    title, mark, text = source[:head], source[head : head + 1] if head else (), source[head + 1 if head else 0 :]
    sentences = sentences_of(text)
    order = random.permutation(len(sentences)).tolist()
    shuffled = tuple(itertools.chain.from_iterable(sentences[place] for place in order))
    return (*_with_spans(title, random), *mark, *_with_spans(shuffled, random))


def sentences_of(words: Words) -> list[Words]:
    """Return the sentences of a text, which end with full stops."""
    ends = [at + 1 for at, word in enumerate(words) if word == _SENTENCE_END]
    bounds = [0, *ends, len(words)]
    return [words[start:end] for start, end in itertools.pairwise(bounds) if start < end]


def _with_spans(words: Words, random: np.random.Generator) -> Words:
    """Return words of which a share is replaced, at random."""
    room = round(_SHARE * len(words))
    lengths: list[int] = []
    while sum(lengths) < room:
        lengths.append(min(int(random.poisson(_MEAN_LENGTH)), room - sum(lengths)))
    left = len(words) - room
    # At most one span between two kept words, so that marks are never adjacent; only empty spans can be too many.
    lengths = sorted(lengths, reverse=True)[: left + 1]
    gaps = random.choice(left + 1, size=len(lengths), replace=False).tolist()
    return infilled(words, dict(zip(gaps, lengths, strict=True)))


def infilled(words: Words, spans: Mapping[int, int]) -> Words:
    """Return words with spans replaced by one mark each.

    Args:
        words: of a text.
        spans: length of each span, 0 for a mark between words, by the number of kept words before it.
    """
    result: list[str] = []
    at = 0
    left = len(words) - sum(spans.values())
    for count in range(left + 1):
        if count in spans:
            result.append(MASKED)
            at += spans[count]
        if count < left:
            result.append(words[at])
            at += 1
    return tuple(result)
