"""Features of a written Arabic word for the tagger, as texts, each the same wherever the word occurs."""

import re
from typing import Final, NamedTuple

from keywright.text.arabic.lemmas import Lemmatiser
from keywright.text.arabic.normal_forms import FOLDED
from keywright.text.keys import normal_form

_LONGEST_AFFIX: Final = 4  # letters; arbitrary
_LONGEST_LENGTH: Final = 8  # letters beyond which words are as good as this long; arbitrary
_WEAK: Final = frozenset("اويةمتسنىء")
"""Letters that inflection and derivation add; all others are consonants of a pattern."""

_BESIDE: Final = frozenset("word lemma before pronoun ending entry shape verb s1 s2 s3 p2 l2".split())
"""Features that a word has for its neighbours."""

_RUNS: Final = re.compile(r"(.)\1+")
_NUNATION: Final = "\u064b"  # double fatha, which many texts write though they have no other point


class WordFeatures(NamedTuple):
    """Features of a word for its own tag, and those among them for the tags of the words beside it."""

    here: tuple[str, ...]
    beside: tuple[str, ...]


def word_features(text: str, lemmas: Lemmatiser) -> WordFeatures:
    """Return the features of a token as written: form, affixes, best analysis, entry in the dictionary, shape."""
    written = normal_form(text)
    form = FOLDED(written)
    best, lexicon = lemmas.best(written), lemmas.lexicon
    rest = FOLDED(best.split.word)
    in_lexicon = (
        rest in lexicon.folded, best.lemma in lexicon.inflected, best.lemma in lexicon.verbs,
        best.lemma in lexicon.only_verbs,
    )  # fmt: skip
    features = {
        "word": form,
        "lemma": best.lemma,
        "before": "+".join(best.split.before) + "+" * best.split.article,
        "pronoun": best.split.pronoun,
        "ending": f"{best.ending.kind} {best.ending.written}",
        "verb": str(best.verb),
        "entry": "".join(str(int(value)) for value in in_lexicon),
        "shape": _RUNS.sub(r"\1", "".join(map(_kind_of, text))),
        "pattern": "".join(letter if letter in _WEAK else "c" for letter in rest),
        "length": str(min(len(rest), _LONGEST_LENGTH)),
        "points": f"{written != text} {_NUNATION in text}",
        "l2": best.lemma[:2],
        "m2": best.lemma[-2:],
        "r2": rest[:2],
        "t2": rest[-2:],
    }
    for length in range(1, min(_LONGEST_AFFIX, len(form) - 1) + 1):
        features[f"p{length}"], features[f"s{length}"] = form[:length], form[-length:]
    described = {name: f"{name}={value}" for name, value in features.items()}
    return WordFeatures(
        tuple(described.values()), tuple(feature for name, feature in described.items() if name in _BESIDE)
    )


def _kind_of(character: str) -> str:
    """Return a character's kind: letter of Arabic, of another script, digit, or the sign itself."""
    if character.isdigit():
        return "0"
    if not character.isalpha():
        return character
    return "a" if "\u0600" <= character <= "\u06ff" else "x"
