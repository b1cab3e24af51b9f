"""Function for ``Dataset.map`` of the library ``datasets`` (Hugging Face): columns of keyphrases beside texts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Unpack

import numpy as np

from keywright.api.inputs import SystemLike
from keywright.core.errors import BadParameter
from keywright.core.options import ListKeywords
from keywright.core.predictions import Failure, Outcome
from keywright.integrations.texts import TextExtractor, failure_message

_ROW: Final = "LazyRow"
"""Name of the type of one row that ``Dataset.map`` passes; that of a batch is ``LazyBatch``."""


class KeyphraseColumns:
    """A function for ``Dataset.map``, with ``batched=True`` or without, and with any ``num_proc``.

    It adds four columns, here for ``into="keyphrases"``, as arrays, which the data set stores as lists:

    * ``keyphrases``: strings, best first; empty for a text that fails;
    * ``keyphrases_scores``: numbers;
    * ``keyphrases_probabilities``: numbers from 0 to 1, NaN for keyphrases without probability;
    * ``keyphrases_error``: the error of a text that failed, else an empty string.

    >>> from keywright.integrations.datasets import KeyphraseColumns
    >>> columns = KeyphraseColumns("abstract", top=1)
    >>> columns({"abstract": "A grid scheduler assigns jobs. The grid scheduler is fair."})["keyphrases"]
    array(['grid scheduler'], dtype='<U14')

    Args:
        text: name of the column with the texts.
        into: name of the new column; the others begin with it.
        system, top, language, options: as for ``kw.extract``.
    """

    def __init__(
        self,
        text: str = "text",
        into: str = "keyphrases",
        *,
        system: SystemLike = "default",
        top: int | None = None,
        language: str | None = None,
        **options: Unpack[ListKeywords],
    ) -> None:
        self.text = text
        self.into = into
        self.extractor = TextExtractor(system, top, language, **options)

    def __call__(self, rows: Mapping[str, Any]) -> dict[str, Any]:
        """Return the new columns of one row, or of a batch: a mapping of columns to lists.

        Raises:
            BadParameter: there is no column of texts, or a new column exists: nothing is overwritten.
        """
        self._check(rows)
        texts = rows[self.text]
        # A list is a batch, except where `datasets` says that it is one row, such as one of tokens.
        if not isinstance(texts, Sequence) or isinstance(texts, str) or type(rows).__name__ == _ROW:
            return self._row(self.extractor.of(texts))
        outcomes = self.extractor.each(("text", text) for text in texts)
        new = list(map(self._row, outcomes))
        return {name: [row[name] for row in new] for name in self._names}

    @property
    def _names(self) -> tuple[str, ...]:
        return (self.into, *(f"{self.into}_{value}" for value in ("scores", "probabilities", "error")))

    def _check(self, rows: Mapping[str, Any]) -> None:
        if self.text not in rows:
            raise BadParameter(f"there is no column {self.text!r}", f"the columns are {', '.join(rows)}")
        for name in self._names:
            if name in rows:
                raise BadParameter(f"the column {name!r} exists already", "name the new columns with into='...'")

    def _row(self, outcome: Outcome) -> dict[str, Any]:
        keyphrases = () if isinstance(outcome, Failure) else outcome.keyphrases
        # Arrays have a type also when they are empty: lists would give a first batch without keyphrases columns of no
        # type, which later batches do not fit into.
        values = (
            np.array([keyphrase.text for keyphrase in keyphrases], dtype=np.str_),
            np.array([keyphrase.score for keyphrase in keyphrases], dtype=np.float64),
            np.array([keyphrase.probability for keyphrase in keyphrases], dtype=np.float64),
            failure_message(outcome) if isinstance(outcome, Failure) else "",
        )
        return dict(zip(self._names, values, strict=True))
