"""Keyphrases of the texts that another library holds, with offsets into these texts."""

import contextlib
import functools
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Unpack

from keywright.api import extract_each, prepare
from keywright.api.inputs import Named, SystemLike, read_item
from keywright.core.errors import MissingExtra
from keywright.core.options import ListKeywords
from keywright.core.predictions import Failure, Outcome

_MARK: Final = "\ufeff"  # Byte order mark, which a document leaves out
_SHOWN: Final = 3  # failures that a warning quotes; arbitrary


@contextlib.contextmanager
def needs_package(package: str) -> Iterator[None]:
    """Raise ``MissingExtra`` with the line that installs a package, as ``pip`` calls it, if imports inside fail."""
    try:
        yield
    except MissingExtra:
        raise
    except ImportError as error:
        message = f"this part of keywright is for the package {package}, which cannot be imported: {error}"
        raise MissingExtra(message, f"pip install {package}") from error


class TextExtractor:
    """``kw.extract`` for texts of another library: plain texts in, one outcome for each.

    It pickles as its settings: every process loads the system for itself.

    Args:
        system, top, language, options: as for ``kw.extract``.
    """

    def __init__(
        self,
        system: SystemLike = "default",
        top: int | None = None,
        language: str | None = None,
        **options: Unpack[ListKeywords],
    ) -> None:
        self._settings = (system, top, language)
        self._options = options
        self._extraction = prepare(system, top, language, **options)
        self.signature = self._extraction.signature

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the settings, with the signature: caches notice a system that was trained again."""
        return functools.partial(type(self), **self._options), self._settings, {"signature": self.signature}

    def each(self, items: Iterable[Named]) -> Iterator[Outcome]:
        """Yield a prediction or a failure for each text, in order; spans are offsets into the text as it was passed.

        Args:
            items: names for messages, and the texts; values that are not texts fail, as in a list for ``kw.extract``.
        """
        names_and_texts = list(items)
        outcomes = extract_each(self._extraction, (read_item(text, name) for name, text in names_and_texts))
        return (_restore_offsets(outcome, text) for outcome, (_, text) in zip(outcomes, names_and_texts, strict=True))

    def of(self, text: object, name: str = "text") -> Outcome:
        """Return the prediction or the failure for one text."""
        return next(self.each([(name, text)]))


def list_keyphrases(outcome: Outcome) -> list[dict[str, Any]]:
    """Return keyphrases as plain dictionaries with the keys of ``extract --json``; none for a failure."""
    if isinstance(outcome, Failure):
        return []
    keyphrases: list[dict[str, Any]] = outcome.to_dict()["keyphrases"]
    return keyphrases


def failure_message(failure: Failure) -> str:
    """Return the error of a failure, with the hint, on one line."""
    return f"{failure.message}; {failure.hint}" if failure.hint else failure.message


def list_warnings(outcome: Outcome) -> list[str]:
    """Return the warnings of a prediction, or the error of a failure."""
    return [failure_message(outcome)] if isinstance(outcome, Failure) else list(outcome.warnings)


def add_keyphrases(metadata: Mapping[str, Any], outcome: Outcome, into: str, *, details: bool) -> dict[str, Any]:
    """Return a copy of a document's metadata with its keyphrases, and with the error of a failure.

    Args:
        metadata: of the document; existing values of the keys are replaced.
        outcome: of the document.
        into: key of the keyphrases; that of the error ends in ``_error``.
        details: whether keyphrases are dictionaries in place of strings.
    """
    error = f"{into}_error"
    copy = {key: value for key, value in metadata.items() if key != error}
    copy[into] = list_keyphrases(outcome) if details else [each["text"] for each in list_keyphrases(outcome)]
    if isinstance(outcome, Failure):
        copy[error] = failure_message(outcome)
    return copy


def warn_of_failures(outcomes: Sequence[Outcome]) -> None:
    """Warn once if texts have failed, with the errors of the first."""
    failures = [outcome for outcome in outcomes if isinstance(outcome, Failure)]
    if failures:
        quoted = "; ".join(failure.message for failure in failures[:_SHOWN])
        more = "; ..." if len(failures) > _SHOWN else ""
        message = f"{len(failures)} of {len(outcomes)} texts have no keyphrases because they failed: {quoted}{more}"
        warnings.warn(message, stacklevel=3)


def _restore_offsets(outcome: Outcome, text: object) -> Outcome:
    """Return an outcome with spans in the text as it was passed: a document has line feeds alone at line ends."""
    if isinstance(outcome, Failure) or not isinstance(text, str) or ("\r" not in text and text[:1] != _MARK):
        return outcome
    # The offset in the text of each character of its document.
    offsets = [at for at in range(len(text)) if text[at : at + 2] != "\r\n" and (at or text[0] != _MARK)]
    keyphrases = (
        replace(each, spans=tuple((offsets[start], offsets[end - 1] + 1) for start, end in each.spans))
        for each in outcome.keyphrases
    )
    return replace(outcome, keyphrases=tuple(keyphrases))
