"""The dictionary of inflected Arabic forms that lemmas are looked up in: simplemma's, and its folded forms."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from keywright.core.extras import needs_extra
from keywright.text.arabic.clitics import ARTICLE
from keywright.text.arabic.normal_forms import ALEFS, MAQSURA, YA

_PERSON: Final = "ي"
_PERFECT: Final = ("وا", "تما")
"""Endings of the perfect that no noun has: they did, you two did."""
_LEAST_OF_VERB: Final = 3  # letters: the shortest verb has three radicals


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Inflected forms with their lemmas, and what follows from them about lemmas.

    Attributes:
        exact: lemma by form, with hamzas, without vowel points.
        folded: lemma by form, both folded; where several forms fold into one, a lemma that differs from it.
        inflected: lemmas with another form.
        verbs: lemmas of an imperfect, or of a perfect with an ending that no noun has.
        only_verbs: verbs that no form with an article belongs to.
    """

    exact: Mapping[str, str]
    folded: Mapping[str, str]
    inflected: frozenset[str]
    verbs: frozenset[str]
    only_verbs: frozenset[str]

    @classmethod
    def of(cls, exact: Mapping[str, str]) -> "Lexicon":
        """Return the lexicon of a dictionary."""
        pairs = list(zip(_folded(exact.keys()), _folded(exact.values()), strict=True))
        folded: dict[str, str] = {}
        for form, lemma in pairs:
            if folded.get(form, form) == form:
                folded[form] = lemma
        verbs = frozenset(
            lemma
            for form, lemma in pairs
            if len(lemma) >= _LEAST_OF_VERB
            and ((form.startswith(_PERSON) and not lemma.startswith(_PERSON)) or form.removeprefix(lemma) in _PERFECT)
        )
        nouns = {lemma for form, lemma in pairs if form.startswith(ARTICLE)}
        inflected = frozenset(lemma for form, lemma in folded.items() if form != lemma)
        return cls(exact, folded, inflected, verbs, verbs - nouns)


def _folded(words: Iterable[str]) -> list[str]:
    """Return folded forms; one translation of the joined words takes a third of the time of one for each."""
    text = "\n".join(words).translate(ALEFS) + "\n"
    return text.replace(MAQSURA + "\n", YA + "\n").split("\n")[:-1]


@cache
def lexicon() -> Lexicon:
    """Return the lexicon of simplemma's dictionary, read once; takes about a second.

    Raises:
        MissingExtra: simplemma is not installed.
    """
    with needs_extra("arabic", "Arabic lemmas need the package simplemma"):
        from simplemma.strategies import DefaultDictionaryFactory  # noqa: PLC0415  (an extra)
    return Lexicon.of(DefaultDictionaryFactory().get_dictionary("ar"))
