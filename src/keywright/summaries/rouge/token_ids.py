"""Texts as numbers: token ids, with stop words left out and stems in the place of words."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Final

from keywright.summaries.rouge.tokens import Tokeniser, ascii_tokens, unicode_tokens
from keywright.summaries.texts import SummaryText

_LEFT_OUT: Final = 0
"""The id of a token that is left out."""


class _Ids(dict[str, int]):
    """Ids by token; the form of a token is found once.

    Attributes:
        some_left_out: True once a token was left out.
    """

    def __init__(self, form: Callable[[str], str | None]) -> None:
        super().__init__()
        self._form = form
        self._numbers: dict[str, int] = {}
        self.some_left_out = False

    def __missing__(self, token: str) -> int:
        form = self._form(token)
        if form is None:
            self.some_left_out = True
            self[token] = _LEFT_OUT
        else:
            self[token] = self._numbers.setdefault(form, len(self._numbers) + 1)
        return self[token]


class TokenIds:
    """The token ids of texts, from 1; equal forms have equal ids."""

    def __init__(self, form: Callable[[str], str | None], lower: Callable[[str], str] = str) -> None:
        """Begin without tokens.

        Args:
            form: gives the form of a token that is compared; None for a token that is left out.
            lower: applied to texts before they are cut into ASCII tokens.
        """
        self._ids = _Ids(form)
        self._lower = lower

    def sentences(self, text: SummaryText, tokeniser: Tokeniser, *, divided: bool) -> list[Sequence[int]]:
        """Return the token ids of each sentence of a text, or of the whole text in one list.

        Args:
            text: a text; tokens that it came in are used as they are, in lower case.
            tokeniser: how other texts are cut.
            divided: True for sentences, of which those without tokens are left out.
        """
        if text.tokens is not None:
            cut = [[token.lower() for token in tokens] for tokens in text.tokens]
            return self._numbered(cut if divided else [list(chain.from_iterable(cut))])
        pieces = text.sentences if divided else (text.whole,)
        if tokeniser == "unicode":
            return self._numbered(map(unicode_tokens, pieces))
        return self._numbered(ascii_tokens(self._lower(piece)) for piece in pieces)

    def _numbered(self, sentences: Iterable[Iterable[str]]) -> list[Sequence[int]]:
        numbered: list[Sequence[int]] = []
        for tokens in sentences:
            ids = list(map(self._ids.__getitem__, tokens))
            if self._ids.some_left_out:
                ids = list(filter(None, ids))
            if ids:
                numbered.append(ids)
        return numbered
