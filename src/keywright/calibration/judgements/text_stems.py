"""Where phrases stand in a text, by stems: for phrases of systems that generate and do not say so."""

from dataclasses import dataclass
from typing import Self

from keywright.text.normal import PARTS, normal_form
from keywright.text.stems import stemmer


@dataclass(frozen=True, slots=True)
class TextStems:
    """The stems of a text, one after the other.

    Attributes:
        stems: with two blanks around each, so that neighbours share none.
        language: of the stemmer.
    """

    stems: str
    language: str

    @classmethod
    def of(cls, text: str, language: str | None = None) -> Self:
        """The stems of a text; English when no language is given."""
        return cls(f" {_stems(text, language or 'en').replace(' ', '  ')} ", language or "en")

    def holds(self, phrase: str) -> bool:
        """Whether the stems of a phrase follow each other in the text; a phrase without any is nowhere."""
        return bool(self.mentions(phrase))

    def mentions(self, phrase: str) -> int:
        """How often they do."""
        sought = self._sought(phrase)
        return self.stems.count(sought) if sought.strip() else 0

    def first(self, phrase: str) -> float:
        """Where they do first: share of the text before it, 0 to 1; 1 for a phrase that is nowhere."""
        sought = self._sought(phrase)
        at = self.stems.find(sought) if sought.strip() else -1
        return 1.0 if at < 0 else at / len(self.stems)

    def _sought(self, phrase: str) -> str:
        return f" {_stems(phrase, self.language).replace(' ', '  ')} "


def _stems(text: str, language: str) -> str:
    """Stems of all parts of words, with blanks between."""
    stem = stemmer(language)
    return " ".join(stem(part) for part in PARTS.findall(normal_form(text)))
