"""First words of names that are stop words: *New* of *New Zealand*."""

from typing import Final

import numpy as np

from keywright.core.arrays import Ints
from keywright.core.document_batches import Analysed
from keywright.core.documents import Case, WordFlag

_LETTER: Final = int(WordFlag.LETTER)
_STOP: Final = int(WordFlag.STOP)
_NO_CONTENT: Final = int(WordFlag.STOP | WordFlag.SYMBOLIC | WordFlag.LONE)


def first_words(document: Analysed) -> tuple[Ints, Ints]:
    """Return tokens that may be stop words at the beginning of a name, ascending: surely, and possibly, (some,) each.

    They have a capital, and a capitalised content word of the same sentence behind them. After a word without capital
    they begin a name (*of New Zealand*). At the beginning of a sentence most do not (*The Internet*), as their case
    follows from their place; anywhere else, as in titles, capitals say nothing.
    """
    at = np.flatnonzero(document.case[:-1] == Case.CAPITAL)  # few tokens, so that the rest is looked up for these only
    flags, behind = document.word_flags[document.word[at]], document.word_flags[document.word[at + 1]]
    name = (flags & (_LETTER | _STOP) == _LETTER | _STOP) & (behind & (_LETTER | _NO_CONTENT) == _LETTER)
    name &= (document.case[at + 1] != Case.LOWER) & (document.sentence[at] == document.sentence[at + 1])
    at = at[name]
    begins = (at == 0) | (document.sentence[at - 1] != document.sentence[at])
    small_before = (document.case[at - 1] == Case.LOWER) & (document.word_flags[document.word[at - 1]] & _LETTER > 0)
    return at[small_before & ~begins], at[begins]
