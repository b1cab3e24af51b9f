"""Normal forms of Arabic words, each rule with its own switch.

Arabic text writes one word in several ways: with or without vowel points, with the hamza on alef or without it, with a
final ya or a final alef maqsura. Comparison needs one way of writing.
"""

from dataclasses import dataclass
from typing import Final

DIACRITICS: Final = frozenset(
    map(chr, (*range(0x0610, 0x061B), *range(0x064B, 0x0660), 0x0670, *range(0x06D6, 0x06EE)))
)
"""Short vowels, shadda, sukun, the signs of nunation, and marks of the Quran."""

TATWEEL: Final = "\u0640"
ALEF: Final = "ا"
ALEF_FORMS: Final = "أإآٱ"
"""Alef with hamza above and below, with madda, with wasla."""
YA: Final = "ي"
MAQSURA: Final = "ى"
MARBUTA: Final = "ة"
HA: Final = "ه"

ALEFS: Final = str.maketrans(ALEF_FORMS, ALEF * len(ALEF_FORMS))
"""Translation of all forms of alef into the plain one."""
_TATWEEL: Final = {ord(TATWEEL): None}
_DIACRITICS: Final = {ord(sign): None for sign in DIACRITICS}


@dataclass(frozen=True, slots=True)
class NormalForms:
    """Rules of a normal form; each can be switched off.

    Attributes:
        diacritics: drop vowel points.
        tatweel: drop the sign that stretches a word.
        alef: write all forms of alef without hamza, madda and wasla.
        final_ya: write a final alef maqsura as ya.
        ta_marbuta: write a final ta marbuta as ha, which many texts do. Off by default: it tells nouns from pronouns.
    """

    diacritics: bool = True
    tatweel: bool = True
    alef: bool = True
    final_ya: bool = True
    ta_marbuta: bool = False

    def __call__(self, word: str) -> str:
        """Return the normal form of a word; other scripts stay as they are.

        >>> NormalForms()("القُـرَى")
        'القري'
        """
        if self.diacritics:
            word = word.translate(_DIACRITICS)
        if self.tatweel:
            word = word.translate(_TATWEEL)
        if self.alef:
            word = word.translate(ALEFS)
        if self.final_ya and word.endswith(MAQSURA):
            word = word[:-1] + YA
        if self.ta_marbuta and word.endswith(MARBUTA):
            word = word[:-1] + HA
        return word


FOLDED: Final = NormalForms()
"""All rules but that of ta marbuta: the form in which lemmas are compared."""
