"""Mentions of phrases in a text, by stems: for phrases of generators, which come without spans."""

from dataclasses import dataclass
from typing import Self

from keywright.text.normal import PARTS, normal_form
from keywright.text.stems import stemmer


@dataclass(frozen=True, slots=True)
class TextStems:
    """The stems of a text, in order.

    Attributes:
        stems: with two blanks around each, so that a search for a padded stem can match both of two neighbours.
        language: of the stemmer.
    """

    stems: str
    language: str

    @classmethod
    def from_text(cls, text: str, language: str | None = None) -> Self:
        """Return the stems of a text; English without a language."""
        return cls(f" {_stems(text, language or 'en').replace(' ', '  ')} ", language or "en")

    def contains(self, phrase: str) -> bool:
        """Return whether the stems of a phrase occur in sequence; never for a phrase without stems."""
        return bool(self.mentions(phrase))

    def mentions(self, phrase: str) -> int:
        """Return how often the stems of a phrase occur in sequence."""
        padded = self._padded(phrase)
        return self.stems.count(padded) if padded.strip() else 0

    def first(self, phrase: str) -> float:
        """Return the share of the text before the first mention, 0 to 1; 1 for a phrase that does not occur."""
        padded = self._padded(phrase)
        at = self.stems.find(padded) if padded.strip() else -1
        return 1.0 if at < 0 else at / len(self.stems)

    def _padded(self, phrase: str) -> str:
        """Return the stems of a phrase with blanks as in ``stems``."""
        return f" {_stems(phrase, self.language).replace(' ', '  ')} "


def _stems(text: str, language: str) -> str:
    """Return the stems of all parts of words, with blanks between."""
    stem = stemmer(language)
    return " ".join(stem(part) for part in PARTS.findall(normal_form(text)))
