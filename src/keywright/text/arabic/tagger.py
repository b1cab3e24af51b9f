"""Universal parts of speech of Arabic words, by logistic regression over the word and its two neighbours.

The log-odds of a tag are a sum over the features of the word itself, of the one before and of the one behind. So each
distinct word has three rows of scores, which are computed once; a text is then tagged with array look-ups.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import NeedsUnmet
from keywright.core.saving import MODELS, hash_columns, load_columns, save_columns
from keywright.core.signatures import signature
from keywright.text.analyser import TextAnalyser
from keywright.text.arabic.lemmas import Lemmatiser, lemmatiser
from keywright.text.arabic.spelling import FOLDED
from keywright.text.keys import hash_of
from keywright.text.tokens import normal_form
from keywright.text.word_borders import forget_words

_LONGEST_AFFIX: Final = 4  # letters; arbitrary
_LONGEST_LENGTH: Final = 8  # letters beyond which words are as good as this long; arbitrary
_WEAK: Final = frozenset("اويةمتسنىء")  # letters that inflection and derivation add; others are consonants

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
    beside = tuple(feature for name, feature in described.items() if name in _BESIDE)
    return WordFeatures(tuple(described.values()), beside)


def _kind_of(character: str) -> str:
    """Return a character's kind: letter of Arabic, of another script, digit, or the sign itself."""
    if character.isdigit():
        return "0"
    if not character.isalpha():
        return character
    return "a" if "\u0600" <= character <= "\u06ff" else "x"


FILE: Final = "tags_ar.npz"  # the bundled model, made by ``tools/train/arabic_tagger.py``

BEFORE, HERE, BEHIND = "-", "", "+"  # beginnings of the features of the word before, itself, and behind

PLACES: Final = (BEFORE, HERE, BEHIND)
NO_WORD: Final = ("no word",)  # Feature of the place before a sentence, and of the one behind it


@dataclass(frozen=True, eq=False)
class Tagger:
    """Weights of features by ascending hashed keys, (features, tags), with ``scale``, and ``bias`` without any."""

    tags: tuple[str, ...]
    keys: Keys
    table: Ints
    scale: Floats
    bias: Floats
    card: Mapping[str, Any] = field(default_factory=dict)
    _rows: dict[str, Floats] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, names: Sequence[str], weights: Floats, tags: Iterable[str], bias: Floats, **card: Any) -> "Tagger":
        """Return a tagger with weights (features, tags) rounded to bytes."""
        keys = np.array(list(map(hash_of, names)), np.uint64)
        order = np.argsort(keys)
        scale = max(float(np.abs(weights).max(initial=0)), 1e-9) / np.iinfo(np.int8).max  # 1e-9: no division by 0
        table = np.rint(weights[order] / scale).astype(np.int8)
        return cls(tuple(tags), keys[order], table, np.array([scale]), np.asarray(bias, float), card)

    def tag(self, words: Sequence[str], sentence: Ints, lemmas: Lemmatiser | None = None) -> Ints:
        """Return the index of each token's tag, the first of equal ones, (tokens,), by sentences and lemmas."""
        if not words:
            return np.zeros(0, np.int64)
        # Three rows for each distinct word, gathered and added with a shift of one token: no loop over the tokens.
        distinct, number = np.unique(np.array(words, object).astype(str), return_inverse=True)
        rows = np.stack(self._scores(distinct.tolist(), lemmas or lemmatiser()))[number.reshape(-1)]
        nothing = np.stack([self._sum(place, NO_WORD) for place in PLACES])
        same = np.diff(sentence) == 0
        scores = self.bias + rows[:, 1]
        scores[1:] += np.where(same[:, None], rows[:-1, 0], nothing[0])
        scores[0] += nothing[0]
        scores[:-1] += np.where(same[:, None], rows[1:, 2], nothing[2])
        scores[-1] += nothing[2]
        return np.asarray(scores.argmax(axis=1))

    def _scores(self, words: Sequence[str], lemmas: Lemmatiser) -> list[Floats]:
        """Return scores that each word adds to the one behind it, to itself, to the one before it, (3, tags) each."""
        for word in words:
            if word not in self._rows:
                features = word_features(word, lemmas)
                names = (features.beside, features.here, features.beside)
                self._rows[word] = np.stack([self._sum(*pair) for pair in zip(PLACES, names, strict=True)])
        rows = [self._rows[word] for word in words]
        forget_words(self._rows, words)
        return rows

    def _sum(self, place: str, names: Iterable[str]) -> Floats:
        """Return the sum of the weights of some features at a place, (tags,); unknown ones add nothing."""
        wanted = np.fromiter((hash_of(place + name) for name in names), np.uint64)
        at = np.searchsorted(self.keys, wanted).clip(max=max(0, len(self.keys) - 1))
        rows = at[self.keys[at] == wanted] if len(self.keys) else at[:0]
        return np.asarray(self.table[rows].sum(axis=0, dtype=np.int64) * self.scale[0])

    @property
    def fingerprint(self) -> str:
        """Return the beginning of the SHA-256 of the arrays: the tagger's part in a signature."""
        return str(self.card.get("sha256") or self._hash())[:8]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.tags, self.keys, self.table, self.scale, self.bias, self.card)

    def save(self, path: Path) -> None:
        """Write as one file, with ``features``, ``tags`` and ``sha256`` added to the card."""
        card = {**self.card, "features": len(self.keys), "tags": list(self.tags), "sha256": self._hash()}
        columns = {"keys": self.keys, "table": self.table, "scale": self.scale, "bias": self.bias}
        save_columns(path, card, columns, compressed=True)

    @classmethod
    def load(cls, path: Path) -> "Tagger":
        """Return a saved tagger."""
        sizes = {"keys": ("features",), "table": ("features", "tags"), "scale": (1,), "bias": ("tags",)}
        columns, card = load_columns(path, "an Arabic tagger", sizes)
        return cls(tuple(card["tags"]), **columns, card=card)

    def _hash(self) -> str:
        return hash_columns((self.keys, "<u8"), (self.table, "i1"), (self.scale, "<f8"), (self.bias, "<f8"))


@cache
def tagger() -> Tagger:
    """Return the bundled tagger, read once."""
    return Tagger.load(MODELS / FILE)


LANGUAGE: Final = "ar"


@dataclass(frozen=True, slots=True, eq=False)
class ArabicTaggedAnalyser:
    """A ``TextAnalyser`` for Arabic (else ``NeedsUnmet``) with universal tags of words without clitics."""

    inner: TextAnalyser = field(default_factory=lambda: TextAnalyser(LANGUAGE))
    tagger: Tagger = field(default_factory=tagger)

    def __post_init__(self) -> None:
        """Raise for other languages before any document is read."""
        if self.inner.language != LANGUAGE:
            raise NeedsUnmet(f"the Arabic tagger cannot tag language {self.inner.language!r}", "use a TaggedAnalyser")

    def analyse(self, document: Document) -> AnalysedDocument:
        """Return the columns of one document, with tags."""
        analysed = self.inner.analyse(document)
        text = document.text
        places = zip(analysed.start.tolist(), analysed.end.tolist(), strict=True)
        tag = self.tagger.tag([text[start:end] for start, end in places], analysed.sentence)
        numbers, tag = np.unique(tag, return_inverse=True)
        names = tuple(self.tagger.tags[number] for number in numbers.tolist())
        return replace(analysed, analyser=self.signature, tag=tag.astype(np.int16).reshape(-1), tags=names)

    @property
    def signature(self) -> str:
        """Return the identity of this analyser's results."""
        return signature(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle both parts without their caches."""
        return type(self), (self.inner, self.tagger)
