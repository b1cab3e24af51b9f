"""First words of names that are stop words: *New* of *New Zealand*."""

import numpy as np

from keywright.candidates.words import content_words
from keywright.core.arrays import Bools
from keywright.core.documents import AnalysedDocument, Case, WordFlag

_LETTER, _STOP_WORD = int(WordFlag.LETTER), int(WordFlag.LETTER | WordFlag.STOP)


def first_words_of_names(document: AnalysedDocument) -> Bools:
    """Return stop words that begin a name, such as *New* of *New Zealand*, (tokens,).

    They have a capital, a capitalised content word behind them, and a word without capital before them: at the
    beginning of a sentence and in titles, capitals say nothing.
    """
    names = np.zeros(len(document), bool)
    stop = (document.word_flags & _STOP_WORD == _STOP_WORD)[document.word] & (document.case == Case.CAPITAL)
    at = np.flatnonzero(stop[1:-1]) + 1  # few words, so that the rest is looked up for these only
    letters, content = document.word_flags[document.word] & _LETTER > 0, content_words(document)
    small_before = letters[at - 1] & (document.case[at - 1] == Case.LOWER)
    capital_behind = content[at + 1] & (document.case[at + 1] != Case.LOWER)
    together = document.sentence[at - 1] == document.sentence[at + 1]
    names[at] = small_before & capital_behind & together
    return names


def first_words_of_sentences(document: AnalysedDocument) -> Bools:
    """Return stop words with a capital that begin a sentence and have a capitalised content word behind, (tokens,).

    Most are no names (*The Internet*): their case follows from their place.
    """
    stop = (document.word_flags & _STOP_WORD == _STOP_WORD)[document.word] & (document.case == Case.CAPITAL)
    at = np.flatnonzero(stop[:-1])
    begins = (at == 0) | (document.sentence[at - 1] != document.sentence[at])
    capital_behind = content_words(document)[at + 1] & (document.case[at + 1] != Case.LOWER)
    first = np.zeros(len(document), bool)
    first[at[begins & capital_behind]] = True
    return first
