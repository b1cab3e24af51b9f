"""Gold that is a long list of single words: few such documents teach generators to write word soup."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import BadParameter
from keywright.core.gold import GoldKeyphrase, LabelledDocument

Text = TypeVar("Text", Document, AnalysedDocument)


def is_word_list(gold: Sequence[GoldKeyphrase], least: int = 12, one_word: float = 0.8) -> bool:
    """Whether gold has at least ``least`` keyphrases, of which a larger share than ``one_word`` is of one word.

    Keyphrases with alternatives count by their first form, several kinds of gold together; equal forms count once.

    Args:
        gold: keyphrases of one document.
        least: fewest keyphrases of a list, from 1.
        one_word: share, 0 to 1.

    Raises:
        BadParameter: a number is out of its range.
    """
    if least < 1 or not 0 <= one_word <= 1:
        raise BadParameter(f"least {least}, one_word {one_word}", "expected a number from 1, and a share from 0 to 1")
    phrases = {one.forms[0] for one in gold}
    return len(phrases) >= least and sum(len(one.split()) == 1 for one in phrases) > one_word * len(phrases)


def without_word_lists(
    labelled: Iterable[LabelledDocument[Text]], least: int = 12, one_word: float = 0.8
) -> Iterator[LabelledDocument[Text]]:
    """Labelled documents whose gold is no word list, in their order: a filter for training data, never for test data.

    Raises:
        BadParameter: a number is out of its range.
    """
    return (one for one in labelled if not is_word_list(one.gold, least, one_word))
