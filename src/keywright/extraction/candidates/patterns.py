"""Phrases whose word classes or tags, one letter per token, match a regular expression, and noun chunks.

Nominal groups of English text by closed-class words and suffixes, without a tagger.

Eichler and Neumann, "DFKI KeyWE: Ranking Keyphrases Extracted from Scientific Articles", SemEval 2010, find four kinds
of groups this way; their rules are not published, and these are ours. A word that is neither of a closed class (the
stop list) nor marked by its suffix counts as a noun, unless the word before makes it a verb: *we propose*, *can
improve*, *to improve*. In other languages, where none of this applies, all content words are nouns.
"""

import re
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.word_lists import read_words
from keywright.extraction.candidates.ngrams import content_words, group_occurrences, ngram_occurrences, tokens_among
from keywright.extraction.candidates.restricting import unite_candidates
from keywright.text.tag_lexicon import BARRIER, tag_classes
from keywright.text.word_borders import cache_words


def class_phrases(
    document: AnalysedDocument, classes: str, pattern: str, longest: int, *, maximal: bool = False, unnamed: str = ""
) -> Candidates:
    """Return runs of tokens inside a sentence whose classes match a pattern.

    ``classes``: one ASCII letter per token, (tokens,), X is in no run; ``pattern``: a regular expression over them, for
    a whole run; ``longest``: tokens of a run without ``unnamed`` ones, inner tokens that are not part of the key
    (*quality of the service* is *quality of service*); ``maximal``: only runs that do not overlap, from the left, the
    longest first.
    """
    letters = np.frombuffer(classes.encode("ascii"), np.uint8)
    skipped = np.isin(letters, np.frombuffer(unnamed.encode("ascii"), np.uint8))
    inside = letters != ord(BARRIER)
    key, position, width = ngram_occurrences(document, longest, lambda _: inside, None, lambda _: skipped)
    matches = _matches(letters, position, width, re.compile(pattern))
    if maximal:
        matches[matches] = _leftmost_longest(position[matches], width[matches])
    return group_occurrences(key[matches], position[matches], width[matches])


def _matches(letters: Ints, position: Ints, width: Ints, pattern: re.Pattern[str]) -> Bools:
    """Return whether each run matches, (runs,)."""
    # Few runs are distinct: those of one width become fixed-width strings, and the pattern sees each of them once.
    matches = np.zeros(len(position), bool)
    for tokens in np.unique(width).tolist():
        these = np.flatnonzero(width == tokens)
        runs = letters[position[these, None] + np.arange(tokens)].view(f"S{tokens}").ravel()
        distinct, which = np.unique(runs, return_inverse=True)
        fits = np.array([pattern.fullmatch(run.decode("ascii")) is not None for run in distinct.tolist()], bool)
        matches[these] = fits[which]
    return matches


def _leftmost_longest(position: Ints, width: Ints) -> Bools:
    """Return whether each run, ascending, remains when earlier, then longer runs exclude overlapping ones, (runs,)."""
    remains = np.zeros(len(position), bool)
    longest = np.flatnonzero(np.diff(position, append=-1) != 0)
    end = 0
    # Each decision depends on the previous one, so this is a loop; it only sees the few matching runs.
    for run, start, tokens in zip(longest.tolist(), position[longest].tolist(), width[longest].tolist(), strict=True):
        if start >= end:
            remains[run] = True
            end = start + tokens
    return remains


_NOUN_CHUNK: Final = "[JNG]*N"


def tag_phrases(
    document: AnalysedDocument, pattern: str, longest: int, *, maximal: bool = False, allowed: Bools | None = None
) -> Candidates:
    """Return runs of ``allowed`` tokens inside a sentence whose ``tag_classes`` match a pattern."""
    classes = tag_classes(document)
    if allowed is not None:
        letters = np.frombuffer(classes.encode("ascii"), "S1")
        classes = np.where(allowed, letters, BARRIER.encode("ascii")).tobytes().decode("ascii")
    return class_phrases(document, classes, pattern, longest, maximal=maximal)


def noun_chunks(document: AnalysedDocument, longest: int) -> Candidates:
    """Return nouns with all modifiers before them, split from the left where longer than ``longest`` tokens."""
    return tag_phrases(document, _NOUN_CHUNK, longest, maximal=True)


_SUBJECTS: Final = frozenset("i we you they he she it who".split())
_BEFORE_VERBS: Final = frozenset("to can could will would may might must shall should cannot not".split())
_DETERMINERS: Final = frozenset("a an the this that these those its their our his her my your".split())
_CLOSED: Final = {"of": "O", "and": "A", "or": "A", "'s": "P"}
_NOUNS: Final = read_words("text/words_en.txt", "nouns")
"""Nouns of scientific text with a suffix of another class; collected by hand."""
_SUFFIXES: Final = {
    BARRIER: "ly|i[sz]e|i[sz]e[sd]|ify|ifie[sd]",
    "E": "ed",
    "G": "ing",
    "J": "al|ous|ive|able|ible|ic|ful|less|ary",
}
"""Suffixes of word classes, as in ``word_classes``."""
_BY_SUFFIX: Final = tuple(
    (letter, re.compile(f"(?=.*[aeiouy].*(?:{suffix})$).{{3,}}(?:{suffix})")) for letter, suffix in _SUFFIXES.items()
)
"""Patterns of these after at least three letters with a vowel: *string* does not end in the suffix *-ing*."""
_NOUN: Final = "[JEGN]*NG?"
_OF_NOUNS: Final = f"{_NOUN}(?:OD?|P){_NOUN}"
_COORDINATED: Final = f"([JEGN])A\\1{_NOUN}"


def nominal_groups(document: AnalysedDocument, longest: int = 8, *, maximal: bool = True) -> Candidates:
    """Return groups of four kinds.

    Nouns with their modifiers (*distributed grid market*), two such groups with *of* or a possessor's *'s* between
    them, and those with coordinated modifiers (*static and dynamic analysis*). A group does not begin with a
    determiner, and a determiner after *of* is not part of its key. A group has at most ``longest`` tokens without
    determiners. Parts of groups that are groups are returned unless ``maximal``.
    """
    classes = word_classes(document)
    simple = class_phrases(document, classes, _NOUN, longest, maximal=maximal)
    of_nouns = class_phrases(document, classes, _OF_NOUNS, longest, maximal=maximal, unnamed="D")
    coordinated = class_phrases(document, classes, _COORDINATED, longest, maximal=maximal)
    return unite_candidates(unite_candidates(simple, of_nouns), coordinated)


def word_classes(document: AnalysedDocument) -> str:
    """Return one letter per token, (tokens,), without a tagger.

    N noun, J adjective, E participle in *-ed*, G word in *-ing*, O *of*, A *and*, *or*, P a possessor's *'s*, D a
    determiner after *of*, X any other.
    """
    content = content_words(document)
    if document.source.language not in {None, "en"}:
        return "".join(np.where(content, "N", BARRIER))
    of_form = np.array([_CLOSED.get(word) or _by_suffix(word) for word in document.words], "U1")
    classes = np.where(content | tokens_among(document, _CLOSED), of_form[document.word], BARRIER)
    # The word before makes a token a verb: a subject, or one that infinitives follow, which do not end in a single s.
    infinitive = np.array([not re.search("[^s]s$", word) for word in document.words], bool)[document.word]
    may_be_verbs = _behind(document, tokens_among(document, _BEFORE_VERBS)) & infinitive
    classes[_behind(document, tokens_among(document, _SUBJECTS)) | may_be_verbs] = BARRIER
    classes[_behind(document, tokens_among(document, {"of"})) & tokens_among(document, _DETERMINERS)] = "D"
    return "".join(classes)


@cache_words
def _by_suffix(word: str) -> str:
    """Return the letter of a content word, from its ending."""
    return "N" if word in _NOUNS else next((kind for kind, suffix in _BY_SUFFIX if suffix.fullmatch(word)), "N")


def _behind(document: AnalysedDocument, tokens: Bools) -> Bools:
    """Return whether each token follows a marked one in the same sentence, (tokens,)."""
    behind = np.zeros(len(tokens), bool)
    behind[1:] = tokens[:-1] & (np.diff(document.sentence) == 0)
    return behind
