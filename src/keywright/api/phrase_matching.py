"""Comparison of phrases by stem."""

from keywright.text import keys
from keywright.text.stems import stemmer


def phrase_key(phrase: str, language: str | None = None) -> int:
    """Return a number that is the same for phrases that differ only in inflection, case and hyphens.

    >>> phrase_key("sensor network") == phrase_key("Sensor-networks")
    True

    Args:
        phrase: any text; without a letter or digit its key is 0.
        language: ISO 639-1 code; English when None.
    """
    return keys.phrase_key(phrase, stemmer(language or "en"))
