"""Keyphrases of a text in lemma form: the units that KPEval matches, and that reports show."""

import enum
from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.core.candidates import Spans
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.interfaces import Analyser, Extractor
from keywright.summaries.texts import SummaryText

Top: TypeAlias = int | Literal["chosen"] | None


class Forms(enum.StrEnum):
    """Forms that make two keyphrases one: equal lemmas, or equal words in lower case."""

    LEMMAS = "lemmas"
    SURFACE = "surface"


@dataclass(frozen=True, slots=True)
class LemmaKeyphrase:
    """One keyphrase of a text.

    Attributes:
        lemmas: its identity: forms of its words with blanks between, usually lemmas (stems where there are none).
        text: surface form.
        spans: places in the text, half-open, in characters.
        probability: that a person would choose it, 0 to 1; None from systems without probabilities.
    """

    lemmas: str
    text: str
    spans: Spans
    probability: float | None


@dataclass(frozen=True, slots=True)
class TextKeyphrases:
    """The keyphrases of one text.

    Attributes:
        keyphrases: by lemmas, best first.
        warnings: of the extractor, for people.
    """

    keyphrases: Mapping[str, LemmaKeyphrase]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LemmaExtractor:
    """An extractor with the analyser that gives it lemmas.

    Attributes:
        extractor: ranks phrases.
        analyser: makes columns; its stems are taken as lemmas.
    """

    extractor: Extractor
    analyser: Analyser

    def keyphrases(
        self, text: SummaryText, longest: int | None = None, top: Top = None, forms: Forms = Forms.LEMMAS
    ) -> TextKeyphrases:
        """Return the keyphrases of a text; none of a text without words.

        Args:
            text: the text.
            longest: words of the longest phrase; None for any number.
            top: number of keyphrases; None for all that the extractor ranks, ``chosen`` for as many as its own rule
                chooses, if it has one.
            forms: what tells keyphrases apart.
        """
        document = self._analysed(text)
        ranking = self.extractor.extract(document)
        listed: dict[str, LemmaKeyphrase] = {}
        depth = ranking.chosen if top == "chosen" else None
        if len(ranking):
            form_of_token = _form_of_token(document, forms)
            breaks = [at for at, sign in enumerate(document.source.text) if sign == "\n"][1::2]
            for keyphrase in ranking.keyphrases(depth):
                lemmas = _lemmas(document, form_of_token, keyphrase.spans[0]) if keyphrase.spans else [keyphrase.text]
                if longest is None or len(lemmas) <= longest:
                    spans = tuple(
                        (start - bisect(breaks, start), end - bisect(breaks, start)) for start, end in keyphrase.spans
                    )
                    form = " ".join(lemmas)
                    listed.setdefault(form, LemmaKeyphrase(form, keyphrase.text, spans, keyphrase.probability))
                if len(listed) == top:
                    break
        return TextKeyphrases(listed, ranking.all_warnings())

    def lemmas(self, text: SummaryText, forms: Forms = Forms.LEMMAS) -> str:
        """Return the forms of all words of a text, with blanks between and around, to find phrases in."""
        return f" {' '.join(_form_of_token(self._analysed(text), forms))} "

    def _analysed(self, text: SummaryText) -> AnalysedDocument:
        """Analyse a text with each line break doubled: lines are sentences, and blank lines end them."""
        return self.analyser.analyse(Document("", text.whole.replace("\n", "\n\n"), language=text.language))


def _form_of_token(document: AnalysedDocument, forms: Forms) -> list[str]:
    if forms is Forms.SURFACE:
        return [document.words[word] for word in document.word.tolist()]
    return [document.stems[stem] for stem in document.word_stem[document.word].tolist()]


def _lemmas(document: AnalysedDocument, form_of_token: list[str], span: tuple[int, int]) -> list[str]:
    """Return the lemmas of the tokens in a span of the text."""
    first, last = document.start.searchsorted(span[0]), document.end.searchsorted(span[1])
    return form_of_token[first : last + 1]
