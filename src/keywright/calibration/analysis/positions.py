"""Positions: how sure a generator is inside a phrase, and where in their documents keyphrases stand and are found.

The analyses of Kundu, Ray Chowdhury and Caragea 2023 (Neural Keyphrase Generation: Analysis and Evaluation): mean
probability by place in the phrase (their Figure 2), gold by fifth of the document (Table 3) and recall by fifth
(Figure 4).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.calibration.judgements.judging import Decisions
from keywright.core.arrays import Floats, Ints
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import BadRecord
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Keyphrase
from keywright.evaluation.normal_forms.kpg import stems_of_any_script
from keywright.evaluation.rules import PhraseClass, title_and_abstract

FIFTHS: Final = 5
PLACES: Final = 5

_PIECE_MARK: Final = "▁"
_TITLE_MARK: Final = " <eos> "


@dataclass(frozen=True, slots=True, eq=False)
class ByPlace:
    """A number for each place in a phrase, or for each part of a document.

    Attributes:
        size: what it is the mean of, (places,).
        mean: nan where there is nothing, (places,).
    """

    size: Ints
    mean: Floats


def probability_by_place(
    decisions: Iterable[Decisions], *, present: bool, words: bool = False, places: int = PLACES
) -> ByPlace:
    """Mean probability of the first, second ... token of phrases that are present, or absent; right or wrong.

    Args:
        decisions: of one run, or of runs over several collections.
        present: which phrases.
        words: whether pieces are first multiplied into words, so that models of words and of pieces can be compared.
        places: how many; what comes later in a phrase is left away.

    Raises:
        BadRecord: a phrase has no token probabilities.
    """
    every = (one for many in decisions for decided in many.lists for one in decided if one.present == present)
    rows = [
        (place, probability)
        for one in every
        for place, probability in enumerate(
            (word_probabilities if words else token_probabilities)(one.keyphrase)[:places]
        )
    ]
    place = np.array([row[0] for row in rows], dtype=np.int64)
    return _means(place, np.array([row[1] for row in rows], dtype=np.float64), places)


def token_probabilities(keyphrase: Keyphrase) -> tuple[float, ...]:
    """The probability of each token, 0 to 1.

    Raises:
        BadRecord: there are none.
    """
    if keyphrase.generation is None:
        message = f"phrase {keyphrase.text!r:.60} has no token probabilities"
        raise BadRecord(message, "this analysis needs the output of a generator, such as a `generations` file")
    return tuple(map(math.exp, keyphrase.generation.log_probabilities))


def word_probabilities(keyphrase: Keyphrase) -> tuple[float, ...]:
    """The probability of each word, 0 to 1: the product over its pieces.

    A piece that is blank begins the next word; one at the end, where the output was cut off, belongs to none.

    Raises:
        BadRecord: there are none, or tokens are numbers, so that nobody knows where words begin.
    """
    given = token_probabilities(keyphrase)
    words, letters = keyphrase.text.split(), list(_letters(keyphrase))
    if "".join(letters) != "".join(words):
        message = f"the tokens of {keyphrase.text!r:.60} do not make up the phrase"
        raise BadRecord(message, "look at tokens, or import pieces in letters")
    ends = np.cumsum([len(word) for word in words])
    found = [1.0] * len(words)
    start = 0
    for token, probability in zip(letters, given, strict=True):
        word = int(np.searchsorted(ends, start, side="right"))
        if word < len(words):
            found[word] *= probability
        start += len(token)
    return tuple(found)


def _letters(keyphrase: Keyphrase) -> Iterator[str]:
    """Tokens without blanks and marks of blanks."""
    tokens = keyphrase.generation.tokens if keyphrase.generation else ()
    return ("".join(token.replace(_PIECE_MARK, "").split()) for token in tokens)


def gold_by_fifth(labelled: Iterable[LabelledDocument[Document]], *, as_published: bool = False) -> Ints:
    """How many gold phrases begin in each fifth of title and abstract, by characters, (5,).

    A phrase is looked for letter by letter in the stems of the text, and repeats of the collection count, as published.
    What was published also divides the place in the stemmed text by the length of the unstemmed text, which is longer,
    so that the last fifth starves, and takes the mark between title and abstract for text; the correct count divides
    by the length of the stemmed text.
    """
    found: Ints = np.zeros(FIFTHS, dtype=np.int64)
    for one in labelled:
        plain = _marked(one.document) if as_published else title_and_abstract(one.document)
        text = stems_of_any_script(plain)
        length = len(plain) if as_published else len(text)
        places = [text.find(form) for form in (stems_of_any_script(gold.forms[0]) for gold in one.gold) if form]
        np.add.at(found, _fifths([place for place in places if place >= 0], length), 1)
    return found


def _marked(document: Document) -> str:
    """The text with the mark that stood between title and abstract."""
    parts = [document.section(kind) for kind in (SectionKind.TITLE, SectionKind.ABSTRACT)]
    return _TITLE_MARK.join(part for part in parts if part) if all(parts) else document.text


def recall_by_fifth(decisions: Decisions) -> ByPlace:
    """The share of present gold that was found, by the fifth of the document in which it first stands.

    A document is its normalised text, its fifths are by characters.
    """
    fifth: list[int] = []
    found: list[bool] = []
    present = decisions.gold[PhraseClass.PRESENT]
    for name, decided, entries in zip(decisions.ids, decisions.lists, present.entries, strict=True):
        right = {number for one in decided if one.correct and one.present for number in entries[one.form]}
        text = f" {decisions.texts[name]} "
        first: dict[int, int] = {}
        for form, numbers in entries.items():
            place = max(text.find(f" {form} "), text.find(form) - 1, 0)
            for number in numbers:
                first[number] = min(place, first.get(number, place))
        fifth += _fifths(list(first.values()), len(text) - 2).tolist()
        found += [number in right for number in first]
    return _means(np.array(fifth, dtype=np.int64), np.array(found, dtype=np.float64), FIFTHS)


def _fifths(places: Sequence[int], length: int) -> Ints:
    """The fifth of each place; the end of the text belongs to the last."""
    share: Floats = FIFTHS * np.asarray(places, dtype=np.float64) / max(length, 1)
    return np.minimum(share.astype(np.int64), FIFTHS - 1)


def _means(place: Ints, values: Floats, places: int) -> ByPlace:
    """Means of values by place."""
    size = np.bincount(place, minlength=places)
    with np.errstate(invalid="ignore"):
        return ByPlace(size, np.bincount(place, values, minlength=places) / size)
