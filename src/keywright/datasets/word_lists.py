"""Gold that is a long list of single words: a few such documents make generators produce degenerate output."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from keywright.core.documents import AnalysedDocument, Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter

Text = TypeVar("Text", Document, AnalysedDocument)


def is_word_list(gold: Sequence[GoldKeyphrase], least: int = 12, one_word: float = 0.8) -> bool:
    """Return whether gold has at least ``least`` keyphrases, more than a share ``one_word`` of them single words.

    Keyphrases with alternatives count by their first form, several kinds of gold together; equal forms count once.

    Raises:
        BadParameter: a number is out of its range.
    """
    if least < 1 or not 0 <= one_word <= 1:
        raise BadParameter(f"least {least}, one_word {one_word}", "expected a number from 1, and a share from 0 to 1")
    phrases = {keyphrase.forms[0] for keyphrase in gold}
    return len(phrases) >= least and sum(len(phrase.split()) == 1 for phrase in phrases) > one_word * len(phrases)


def without_word_lists(
    labelled: Iterable[LabelledDocument[Text]], least: int = 12, one_word: float = 0.8
) -> Iterator[LabelledDocument[Text]]:
    """Yield labelled documents whose gold is not a word list, in order: a filter for training data, not test data."""
    return (each for each in labelled if not is_word_list(each.gold, least, one_word))
