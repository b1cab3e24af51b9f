"""The text of a summary, a reference or a source: a string, its sentences, or tokens that someone else cut."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from keywright.core.errors import BadRecord
from keywright.text.sentences import split_sentences

_FORM = "expected a string, a list of sentences, or a list of lists of tokens"


@dataclass(frozen=True, eq=True)
class SummaryText:
    """One text of an evaluation.

    Attributes:
        whole: the text as one string: as given, or its sentences on lines of their own, tokens joined by blanks.
        given_sentences: sentences, where the text came in sentences; else None.
        tokens: tokens of each sentence, where the text came in tokens; else None. Evaluators use them as they are.
        language: ISO 639-1 code; None if unknown.
    """

    whole: str
    given_sentences: tuple[str, ...] | None = None
    tokens: tuple[tuple[str, ...], ...] | None = None
    language: str | None = None

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """Sentences: as given, else the lines of a text that has line breaks, else as the splitter finds them."""
        if self.given_sentences is not None:
            return self.given_sentences
        if "\n" in self.whole:
            return tuple(line.strip() for line in self.whole.splitlines() if line.strip())
        return split_sentences(self.whole, self.language)

    @property
    def empty(self) -> bool:
        """True if no character is a letter or a digit."""
        return not any(map(str.isalnum, self.whole))

    @classmethod
    def from_json(cls, value: Any, place: str, language: str | None = None) -> "SummaryText":
        """Return the text of a JSON value.

        Args:
            value: a string, a list of sentences, or a list of lists of tokens.
            place: of the value, for messages.
            language: ISO 639-1 code.

        Raises:
            BadRecord: the value has another form.
        """
        if isinstance(value, str):
            return cls(value, language=language)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return cls("\n".join(value), tuple(value), language=language)
        if isinstance(value, list) and all(_are_tokens(item) for item in value):
            tokens = tuple(map(tuple, value))
            sentences = tuple(map(" ".join, tokens))
            return cls("\n".join(sentences), sentences, tokens, language)
        raise BadRecord(f"{place} is {value!r:.60}", _FORM)


def _are_tokens(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(token, str) for token in value)
