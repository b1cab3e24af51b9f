"""Letters of Arabic words: normal forms, words written together, and inflection.

One word is written in several ways: with or without vowel points, the hamza on alef, a final ya or alef maqsura.
Conjunctions, prepositions, the article and pronouns are written together with their word: ``split_clitics`` lists every
division that the letters allow; only a dictionary can decide among them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal, NamedTuple, TypeAlias

ALEF: Final = "ا"
ALEF_FORMS: Final = "أإآٱ"  # Alef with hamza above and below, with madda, with wasla
YA: Final = "ي"
MAQSURA: Final = "ى"
MARBUTA: Final = "ة"

ALEFS: Final = str.maketrans(ALEF_FORMS, ALEF * len(ALEF_FORMS))  # translation of all forms of alef into the plain one
_TATWEEL: Final = {0x0640: None}
_DIACRITICS: Final = dict.fromkeys(
    (*range(0x0610, 0x061B), *range(0x064B, 0x0660), 0x0670, *range(0x06D6, 0x06EE))
)  # short vowels, shadda, sukun, the signs of nunation, and marks of the Quran


@dataclass(frozen=True, slots=True)
class NormalForms:
    """Rules of a normal form; each can be switched off: vowel points, stretching, forms of alef, final alef maqsura."""

    diacritics: bool = True
    tatweel: bool = True
    alef: bool = True
    final_ya: bool = True

    def __call__(self, word: str) -> str:
        """Return the normal form of a word; other scripts stay as they are."""
        if self.diacritics:
            word = word.translate(_DIACRITICS)
        if self.tatweel:
            word = word.translate(_TATWEEL)
        if self.alef:
            word = word.translate(ALEFS)
        if self.final_ya and word.endswith(MAQSURA):
            word = word[:-1] + YA
        return word


FOLDED: Final = NormalForms()  # all rules, for lemmas; a final ta marbuta stays, which tells nouns from pronouns

CONJUNCTIONS: Final = ("", "و", "ف")
PREPOSITIONS: Final = ("", "ب", "ك", "ل")
FUTURE: Final = "س"
ARTICLE: Final = "ال"
PRONOUNS: Final = ("هما", "كما", "ها", "هم", "هن", "كم", "كن", "نا", "ني", "ه", "ك", "ي")
"""Pronouns behind a word, longest first."""

_LEAST: Final = 2  # letters of a word without its clitics: the shortest nouns
_HAMZA_ON_A_CARRIER: Final = "ؤئ"  # forms that a final hamza has before a pronoun


class Split(NamedTuple):
    """One division of a written word: conjunction, preposition and sign of the future, article, the rest, a pronoun."""

    before: tuple[str, ...]
    article: bool
    word: str
    pronoun: str

    @property
    def clitics(self) -> int:
        """Number of clitics; the article is not counted."""
        return len(self.before) + (self.pronoun != "")


def split_clitics(written: str) -> Iterator[Split]:
    """Yield the divisions of a word without vowel points, the whole word first; l- and the article are written ll-."""
    for conjunction, preposition in product(CONJUNCTIONS, (*PREPOSITIONS, FUTURE)):
        before = tuple(filter(None, (conjunction, preposition)))
        start = conjunction + preposition
        if not written.startswith(start):
            continue
        rest = written[len(start) :]
        if len(rest) >= _LEAST or not start:
            yield Split(before, article=False, word=rest, pronoun="")
            for pronoun in PRONOUNS:
                word = rest.removesuffix(pronoun)
                if word != rest and len(word) >= _LEAST:
                    yield Split(before, article=False, word=word, pronoun=pronoun)
        word = rest.removeprefix("ل" if preposition == "ل" else ARTICLE)
        if word != rest and len(word) >= _LEAST:
            yield Split(before, article=True, word=word, pronoun="")


def original_endings(split: Split) -> tuple[str, ...]:
    """Return the forms a word has without its pronoun: ta marbuta, alef maqsura and hamza change before one."""
    word = split.word
    if not split.pronoun:
        return (word,)
    if word.endswith("ت"):
        return (word, word[:-1] + MARBUTA)
    if word.endswith(ALEF):
        return (word, word[:-1] + MAQSURA)
    if word[-1] in _HAMZA_ON_A_CARRIER:
        return (word, word[:-1] + "ء")
    if word.endswith("و"):
        return (word, word + ALEF)  # the silent alef of verbs
    return (word,)


Inflection: TypeAlias = Literal[
    "plural", "plural_of_marbuta", "plural_of_nisba", "dual", "dual_construct", "construct", "nunation",
    "feminine_nisba", "feminine", "marbuta_as_ha", "verb",
]  # fmt: skip
"""Kinds of endings, each with its own cost."""


class Ending(NamedTuple):
    """An ending as ``written`` folded, the letters of the lemma there (``base``), and its inflection."""

    written: str
    base: str
    kind: Inflection


NOUN_ENDINGS: Final = (
    Ending("ات", MARBUTA, "plural_of_marbuta"), Ending("يات", "ية", "plural_of_marbuta"),
    Ending("يات", "ي", "plural_of_nisba"),
    Ending("ات", "", "plural"), Ending("ون", "", "plural"), Ending("ين", "", "plural"),
    Ending("ان", "", "dual"), Ending("ون", "ي", "dual"), Ending("ين", "ي", "dual"),
    Ending("تين", MARBUTA, "dual"), Ending("تان", MARBUTA, "dual"),
    Ending("تي", MARBUTA, "construct"), Ending("ي", "", "construct"), Ending("و", "", "construct"),
    Ending("ا", "", "dual_construct"), Ending("ا", "", "nunation"), Ending("يا", "ي", "nunation"),
    Ending("ية", "ي", "feminine_nisba"), Ending(MARBUTA, "", "feminine"), Ending("ه", MARBUTA, "marbuta_as_ha"),
)  # fmt: skip
"""Endings of nouns and adjectives, from any grammar of Arabic."""

VERB_ENDINGS: Final = tuple(
    Ending(written, base, "verb")
    for written, base in (
        *((ending, "") for ending in ("ت", "وا", "نا", "تم", "ا", "تا", "ن", "ون", "ين", "ان")),
        *((ending, "ي") for ending in ("ت", "وا", "ون")),
    )
)
"""Endings of verbs; weak verbs lose their last letter before some."""

AROUND_VERBS: Final = frozenset({"ون", "وا", "ين", "ان", "ن"})  # endings of the imperfect, with a letter before

NO_ENDING: Final = Ending("", "", "verb")
PERSONS: Final = "يتنا"  # letters, in folded form, before the imperfect: he, she or you, we, I

_IMPERFECT: Final = 3  # letters of the shortest form: one of the person, two of the verb
_FORM_TWO: Final = 5  # letters of the verbal noun of form II: t, two radicals, long i, the third radical
_FORM_FOUR: Final = 5  # letters of that of form IV: alef, two radicals, long a, the third radical
_HAMZA_ABOVE: Final = "أ"  # begins broken plurals of the shape of form IV, whose verbal noun has the hamza below
_OF_PERSONS: Final = frozenset("تانوه")  # last letters of finite verbs and of pronouns


def is_verbal_noun_shape(written: str, folded: str, lemma: str) -> bool:
    """Return whether a form that a dictionary derives from a verb has the shape of a noun, as keyphrases have."""
    if folded.endswith(MARBUTA):
        return True
    if len(folded) == _FORM_TWO and folded[0] == "ت" and folded[3] == "ي":
        return True
    if len(folded) >= _FORM_FOUR and folded[0] == "ا" and folded[-2] == "ا" and written[0] != _HAMZA_ABOVE:
        return True
    same_first = folded[0] not in PERSONS and folded[0] == lemma[:1]
    return same_first and not folded.startswith(lemma) and folded[-1] not in _OF_PERSONS and folded[:-1] != lemma[:-1]


def imperfect_bases(form: str) -> tuple[str, str] | None:
    """Return the two verbs an imperfect may be of, without its person and with alef instead; None for other forms."""
    return (form[1:], "ا" + form[1:]) if len(form) >= _IMPERFECT and form[0] in PERSONS else None


IRREGULAR: Final = {
    written: FOLDED(lemma)
    for written, lemma in {"قرى": "قرية", "قوى": "قوة", "أخرى": "آخر", "مرات": "مرة", "باسم": "اسم"}.items()
}
"""Frequent words that simplemma's dictionary lacks or lists under another one; met in the documents of the search."""

INVARIABLE: Final = frozenset(map(FOLDED, "أيضا جدا حاليا فقط حيث حين عندما بينما خلال".split()))
"""Adverbs and conjunctions that look like inflected nouns."""
