"""Documents of the training data that are also in a test set: the same title, or nearly the same words.

The rule is that of the KP20k split of Chen et al. 2019: the same title, or a Jaccard similarity of 0.7 between the sets
of words that are not function words.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from keywright.core.extras import needs_extra
from keywright.neural.data.examples import Example, Words
from keywright.neural.data.words import TITLE_END
from keywright.text.stopwords import stopwords

_SIMILAR: Final = 0.7
"""Jaccard similarity from which two documents are the same; Chen et al. 2019, section 4.1."""
_TITLE: Final = 3
"""Fewest words of a title that tells a document apart (*Editorial*, *Book review*); arbitrary."""
_AT_ONCE: Final = 2_000
"""Training documents that are compared at once, which bounds memory; arbitrary."""


def overlapping(examples: Sequence[Example], guarded: Mapping[str, Words]) -> dict[str, str]:
    """Return which guarded document each overlapping example is, by the example's id.

    Args:
        examples: to learn from.
        guarded: words of each guarded document, by its name.
    """
    if not examples or not guarded:
        return {}
    names = list(guarded)
    titles = {title: name for name, words in guarded.items() if (title := _title(words))}
    overlaps = {
        example.id: titles[title] for example in examples if (title := _title(example.source)) in titles and title
    }
    numbers: dict[str, int] = {}
    guarded_rows = _matrix([guarded[name] for name in names], numbers)
    for at in range(0, len(examples), _AT_ONCE):
        part = examples[at : at + _AT_ONCE]
        rows = _matrix([example.source for example in part], numbers, grow=False)
        sizes = np.array([len(_content(example.source)) for example in part])
        common = (rows @ guarded_rows.T).tocoo()  # numbers of common words, for the pairs that have any
        union = sizes[common.row] + np.asarray(guarded_rows.sum(1)).ravel()[common.col] - common.data
        same = common.data >= _SIMILAR * union
        for row, column in zip(common.row[same].tolist(), common.col[same].tolist(), strict=True):
            overlaps.setdefault(part[row].id, names[column])
    return overlaps


def _title(words: Words) -> Words:
    """Return the words of a title; none if there is no title, or a short one."""
    end = TITLE_END[-1]
    title = words[: words.index(end)] if end in words else ()
    return title if len(title) > _TITLE else ()


def _content(words: Words) -> set[str]:
    """Return the distinct words that are not function words."""
    return set(words) - stopwords("en")


def _matrix(sources: Sequence[Words], numbers: dict[str, int], *, grow: bool = True) -> Any:
    """Return which words each source has, (sources, words); words without a number get one, or are left out."""
    with needs_extra("neural", "the comparison with test sets needs scipy"):
        from scipy.sparse import csr_array  # noqa: PLC0415 - heavy
    rows, columns = [], []
    for row, words in enumerate(sources):
        for word in sorted(_content(words)):
            number = numbers.setdefault(word, len(numbers)) if grow else numbers.get(word)
            if number is not None:
                rows.append(row)
                columns.append(number)
    values = np.ones(len(rows), np.int32)
    return csr_array((values, (rows, columns)), shape=(len(sources), len(numbers)))
