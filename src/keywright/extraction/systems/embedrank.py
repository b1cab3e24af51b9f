"""EmbedRank: phrases that mean what the document means, by the cosine of their embeddings.

Bennani-Smires, Musat, Hossmann, Baeriswyl and Jaggi, "Simple Unsupervised Keyphrase Extraction using Sentence
Embeddings", CoNLL 2018. Phrases and document are embedded in one space; the nearest phrases are its keyphrases. With
``diversity`` (EmbedRank++) they are chosen one after the other, each for nearness to the document less nearness to what
was chosen before (maximal marginal relevance), both similarities standardised: made of mean 0.5 and deviation 1.

Deviations: all-MiniLM-L6-v2 (extra ``embed``, English) instead of sent2vec; so the whole text is embedded, not only its
nouns and adjectives, as the encoder reads sentences. A text longer than the encoder sees is read to its end in pieces,
and its embedding is their mean, weighed by tokens. The paper's candidates are adjectives and then nouns
(``candidates="noun_phrases"``, which needs tags); n-grams, as KeyBERT has them, need no tagger and are the default.
``standardised=False`` takes cosines as they are, as KeyBERT does. ``least_seen`` leaves out rare phrases before they
are embedded, which is what takes the time.
"""

from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.ranking.rank import rank, spans_of, surface_form
from keywright.text.encoders import Encode, MiniLM

_NOUN_PHRASE: Final = "J*N+"


@dataclass(frozen=True)
class EmbedRank:
    """Cosine of phrase and document, less similarity to phrases already chosen.

    encode        texts to embeddings
    candidates    ngrams without stop words, or noun_phrases: adjectives and then nouns, which needs tags
    longest       maximum words of a phrase
    least_seen    minimum mentions of a phrase
    diversity     weight of novelty, 0 to 1: the paper's 1 - lambda; 0 is EmbedRank, 0.5 EmbedRank++
    standardised  whether similarities are standardised before weighting, as in the paper
    """

    encode: Encode = field(default_factory=MiniLM)
    candidates: Literal["ngrams", "noun_phrases"] = "ngrams"
    longest: int = 3
    least_seen: int = 1
    diversity: float = 0.0
    standardised: bool = True

    name: ClassVar[str] = "embedrank"

    def __post_init__(self) -> None:
        """Check that diversity is a share."""
        if not 0 <= self.diversity <= 1:
            raise BadParameter(f"diversity {self.diversity}", "expected a share, from 0 to 1")

    @property
    def needs(self) -> frozenset[str]:
        """Stems, and tags where candidates are made from them."""
        return frozenset({"stems", "tags"} if self.candidates == "noun_phrases" else {"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the phrases nearest to the document; with diversity, each for what the ones before it have not said.

        Raises:
            MissingExtra: the extra ``embed`` is not installed.
        """
        return self.extract_first(document)

    def extract_first(self, document: AnalysedDocument, depth: int | None = None) -> Ranking:
        """Rank the first phrases; with diversity, each one is compared with all that are left."""
        phrases = self.phrases(document)
        phrases = phrases.where(phrases.frequency >= self.least_seen)
        if not len(phrases):
            return rank(document, phrases, np.zeros(0))
        spans, text = spans_of(document, phrases, np.arange(len(phrases))), document.source.text
        forms = [surface_form(text, of_phrase) for of_phrase in spans]
        embeddings = self.encode([*forms, _whole_text(document)])
        lengths = np.linalg.norm(embeddings, axis=1, keepdims=True)
        units = np.asarray(embeddings / np.where(lengths > 0, lengths, 1.0))
        near = units[:-1] @ units[-1]
        scores = self.marginal_relevance(units[:-1], near, depth) if self.diversity else near
        chosen = np.isfinite(scores)
        evidence = {"similarity": near[chosen]}
        warnings, complete = self._warn_of_language(document.language), bool(chosen.all())
        return rank(document, phrases.where(chosen), scores[chosen], evidence, warnings=warnings, complete=complete)

    def phrases(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams or noun phrases."""
        if self.candidates == "ngrams":
            return ngrams(document, self.longest)
        return tag_phrases(document, _NOUN_PHRASE, self.longest, maximal=True)

    def marginal_relevance(self, phrases: Floats, near: Floats, depth: int | None) -> Floats:
        """Return what each of the ``depth`` best was worth when chosen, (phrases,); minus infinity for the others.

        A phrase can be worth more than the one chosen before it, when it is unlike that one: it then gets the next
        smaller number, so that scores fall in the order of choice.

        Args:
            phrases: embeddings of length 1, (phrases, dimensions).
            near: cosines with the document, (phrases,).
            depth: number of phrases to choose; all when None.
        """
        relevance = self._scale_cosines(near)
        scores, alike = np.full(len(near), -np.inf), np.zeros(len(near))
        open_, last = np.ones(len(near), bool), np.inf
        for turn in range(len(near) if depth is None else min(depth, len(near))):
            worth = np.where(open_, (1 - self.diversity) * relevance - self.diversity * alike, -np.inf)
            best = int(worth.argmax())
            scores[best] = last = min(worth[best], np.nextafter(last, -np.inf))
            open_[best] = False
            others = np.arange(len(near)) != best
            cosines = np.zeros(len(near))
            cosines[others] = self._scale_cosines(phrases[others] @ phrases[best])
            alike = np.maximum(alike, cosines) if turn else cosines
        return scores

    def _scale_cosines(self, cosines: Floats) -> Floats:
        """Return cosines, standardised where wanted, (phrases,); equal ones are 0.5 each."""
        if not self.standardised or not len(cosines):
            return cosines
        spread = cosines.std()
        return 0.5 + (cosines - cosines.mean()) / spread if spread else np.full(len(cosines), 0.5)

    def _warn_of_language(self, language: str | None) -> tuple[str, ...]:
        """Return a warning where the encoder declares its languages, and the document's is not one of them."""
        reads = getattr(self.encode, "languages", None)
        if reads is None or language is None or language in reads:
            return ()
        return (f"the encoder reads {', '.join(sorted(reads))}; the document is in {language!r}",)


def _whole_text(document: AnalysedDocument) -> str:
    """Return all analysed sentences, without what the analysis leaves out, such as the authors' keywords."""
    last = np.flatnonzero(np.diff(document.sentence, append=-1))
    first = np.concatenate(([0], last[:-1] + 1))
    text = document.source.text
    ends = zip(document.start[first].tolist(), document.end[last].tolist(), strict=True)
    return " ".join(text[start:end] for start, end in ends)
