"""Inflection of Arabic words: endings with what they replace, and word shapes that only nouns have."""

from typing import Final, Literal, NamedTuple, TypeAlias

from keywright.text.arabic.normal_forms import FOLDED, MARBUTA

Inflection: TypeAlias = Literal[
    "plural", "plural_of_marbuta", "plural_of_nisba", "dual", "dual_construct", "construct", "nunation",
    "feminine_nisba", "feminine", "marbuta_as_ha", "verb",
]  # fmt: skip
"""Kinds of endings, each with its own cost."""


class Ending(NamedTuple):
    """An ending and what the lemma has in its place.

    Attributes:
        written: the ending, in folded form.
        base: the letters of the lemma there.
        kind: its inflection.
    """

    written: str
    base: str
    kind: Inflection


NOUN_ENDINGS: Final = (
    Ending("ات", MARBUTA, "plural_of_marbuta"),
    Ending("يات", "ية", "plural_of_marbuta"),
    Ending("يات", "ي", "plural_of_nisba"),
    Ending("ات", "", "plural"),
    Ending("ون", "", "plural"),
    Ending("ين", "", "plural"),
    Ending("ان", "", "dual"),
    Ending("ون", "ي", "dual"),
    Ending("ين", "ي", "dual"),
    Ending("تين", MARBUTA, "dual"),
    Ending("تان", MARBUTA, "dual"),
    Ending("تي", MARBUTA, "construct"),
    Ending("ي", "", "construct"),
    Ending("و", "", "construct"),
    Ending("ا", "", "dual_construct"),
    Ending("ا", "", "nunation"),
    Ending("يا", "ي", "nunation"),
    Ending("ية", "ي", "feminine_nisba"),
    Ending(MARBUTA, "", "feminine"),
    Ending("ه", MARBUTA, "marbuta_as_ha"),
)
"""Endings of nouns and adjectives, from any grammar of Arabic."""

VERB_ENDINGS: Final = tuple(
    Ending(written, base, "verb")
    for written, base in (
        *((ending, "") for ending in ("ت", "وا", "نا", "تم", "ا", "تا", "ن", "ون", "ين", "ان")),
        *((ending, "ي") for ending in ("ت", "وا", "ون")),
    )
)
"""Endings of verbs; weak verbs lose their last letter before some."""

AROUND_VERBS: Final = frozenset({"ون", "وا", "ين", "ان", "ن"})
"""Endings of the imperfect, which has a letter before the verb as well."""

NO_ENDING: Final = Ending("", "", "verb")
PERSONS: Final = "يتنا"
"""Letters, in folded form, before the imperfect: he, she or you, we, I."""

_IMPERFECT: Final = 3  # letters of the shortest form: one of the person, two of the verb
_FORM_TWO: Final = 5  # letters of the verbal noun of form II: t, two radicals, long i, the third radical
_FORM_FOUR: Final = 5  # letters of that of form IV: alef, two radicals, long a, the third radical
_HAMZA_ABOVE: Final = "أ"  # begins broken plurals of the shape of form IV, whose verbal noun has the hamza below
_OF_PERSONS: Final = frozenset("تانوه")  # last letters of finite verbs and of pronouns


def is_verbal_noun_shape(written: str, folded: str, lemma: str) -> bool:
    """Return whether a form that a dictionary derives from a verb has the shape of a noun.

    Dictionaries list verbal nouns under their verbs, and keyphrases are made of verbal nouns.

    Args:
        written: the form with its hamzas.
        folded: the form without them.
        lemma: the verb, folded.
    """
    if folded.endswith(MARBUTA):
        return True
    if len(folded) == _FORM_TWO and folded[0] == "ت" and folded[3] == "ي":
        return True
    if len(folded) >= _FORM_FOUR and folded[0] == "ا" and folded[-2] == "ا" and written[0] != _HAMZA_ABOVE:
        return True
    same_first = folded[0] not in PERSONS and folded[0] == lemma[:1]
    return same_first and not folded.startswith(lemma) and folded[-1] not in _OF_PERSONS and folded[:-1] != lemma[:-1]


def imperfect_bases(form: str) -> tuple[str, str] | None:
    """Return the two verbs an imperfect may be of, without its person and with alef instead; None for other forms.

    >>> imperfect_bases("يستخدم")
    ('ستخدم', 'استخدم')
    """
    if len(form) < _IMPERFECT or form[0] not in PERSONS:
        return None
    return form[1:], "ا" + form[1:]


IRREGULAR: Final = {
    written: FOLDED(lemma)
    for written, lemma in {"قرى": "قرية", "قوى": "قوة", "أخرى": "آخر", "مرات": "مرة", "باسم": "اسم"}.items()
}
"""Frequent words that simplemma's dictionary lacks or lists under another one; met in the documents of the search."""

INVARIABLE: Final = frozenset(map(FOLDED, "أيضا جدا حاليا فقط حيث حين عندما بينما خلال".split()))
"""Adverbs and conjunctions that look like inflected nouns."""
