"""Nominal groups of English text by closed-class words and suffixes, without a tagger.

Eichler and Neumann, "DFKI KeyWE: Ranking Keyphrases Extracted from Scientific Articles", SemEval 2010, find four kinds
of groups this way; their rules are not published, these are ours. A word that is neither of a closed class (the stop
list) nor of a suffix that gives it away is taken for a noun, unless what stands before makes it a verb: *we propose*,
*can improve*, *to improve*. In other languages, where nothing of this applies, all content words are nouns.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

import numpy as np

from keywright.candidates.patterns import class_phrases
from keywright.candidates.restricting import joined
from keywright.candidates.words import content_words
from keywright.core.arrays import Bools
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.tag_classes import BARRIER

_SUBJECTS: Final = frozenset("i we you they he she it who".split())
_BEFORE_VERBS: Final = frozenset("to can could will would may might must shall should cannot not".split())
_DETERMINERS: Final = frozenset("a an the this that these those its their our his her my your".split())
_CLOSED: Final = {"of": "O", "and": "A", "or": "A", "'s": "P"}
_NOUNS: Final = frozenset(
    """family anomaly assembly supply reply butterfly signal proposal retrieval journal interval approval arrival
    portal terminal capital trial tutorial appraisal material potential total archive objective perspective directive
    initiative incentive alternative primitive derivative executive variable topic metric traffic logic music magic
    heuristic characteristic graphic statistic mechanic fabric clinic dictionary library summary boundary glossary
    vocabulary binary adversary intermediary exercise enterprise expertise promise noise speed embed""".split()
)
_SUFFIXES: Final = {
    BARRIER: "ly|i[sz]e|i[sz]e[sd]|ify|ifie[sd]",
    "E": "ed",
    "G": "ing",
    "J": "al|ous|ive|able|ible|ic|ful|less|ary",
}
_BY_SUFFIX: Final = tuple(
    (letter, re.compile(f"(?=.*[aeiouy].*(?:{suffix})$).{{3,}}(?:{suffix})")) for letter, suffix in _SUFFIXES.items()
)
_NOUN: Final = "[JEGN]*NG?"
_OF_NOUNS: Final = f"{_NOUN}(?:OD?|P){_NOUN}"
_COORDINATED: Final = f"([JEGN])A\\1{_NOUN}"


def nominal_groups(document: AnalysedDocument, longest: int = 8, *, maximal: bool = True) -> Candidates:
    """Groups of four kinds; an empty document gives none.

    Nouns with their modifiers (*distributed grid market*), two such groups with *of* or a possessor's *'s* between
    them, and those with coordinated modifiers (*static and dynamic analysis*). Determiners begin no group, and one
    behind *of* is no part of its name.

    Args:
        document: the analysed document.
        longest: most tokens of a group, determiners not counted.
        maximal: only groups as long as they get, of each kind; also their parts that are groups otherwise.
    """
    classes = word_classes(document)
    simple = class_phrases(document, classes, _NOUN, longest, maximal=maximal)
    of_nouns = class_phrases(document, classes, _OF_NOUNS, longest, maximal=maximal, unnamed="D")
    coordinated = class_phrases(document, classes, _COORDINATED, longest, maximal=maximal)
    return joined(joined(simple, of_nouns), coordinated)


def word_classes(document: AnalysedDocument) -> str:
    """One letter per token, (tokens,), without a tagger.

    N noun, J adjective, E participle in *-ed*, G word in *-ing*, O *of*, A *and* and *or*, P the *'s* of a possessor, D
    a determiner behind *of*, X whatever else.
    """
    content = content_words(document)
    if document.source.language not in {None, "en"}:
        return "".join(np.where(content, "N", BARRIER))
    of_form = np.array([_CLOSED.get(word) or _by_suffix(word) for word in document.words], "U1")
    classes = np.where(content | _among(document, _CLOSED), of_form[document.word], BARRIER)
    classes[_verbs(document)] = BARRIER
    classes[_behind(document, _among(document, {"of"})) & _among(document, _DETERMINERS)] = "D"
    return "".join(classes)


@lru_cache(maxsize=1 << 16)
def _by_suffix(word: str) -> str:
    """Letter of a content word, from how it ends."""
    if word in _NOUNS:
        return "N"
    return next((letter for letter, suffix in _BY_SUFFIX if suffix.fullmatch(word)), "N")


def _verbs(document: AnalysedDocument) -> Bools:
    """Tokens that are verbs because of what stands before, (tokens,). An infinitive does not end in a single *s*."""
    infinitive = np.array([not re.search("[^s]s$", word) for word in document.words], bool)[document.word]
    after_subject = _behind(document, _among(document, _SUBJECTS))
    return np.asarray(after_subject | (_behind(document, _among(document, _BEFORE_VERBS)) & infinitive), bool)


def _among(document: AnalysedDocument, forms: Collection[str]) -> Bools:
    """Tokens of these forms, (tokens,)."""
    wanted = np.array([word in forms for word in document.words], bool)
    return np.asarray(wanted[document.word], bool)


def _behind(document: AnalysedDocument, tokens: Bools) -> Bools:
    """Tokens right behind one of the given ones in the same sentence, (tokens,)."""
    behind = np.zeros(len(tokens), bool)
    behind[1:] = tokens[:-1] & (np.diff(document.sentence) == 0)
    return behind
