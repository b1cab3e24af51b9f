"""EmbedRank and KeyBERT: phrases near to the document in a space of embeddings."""

import re
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Floats, to_units
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.core.keyphrases import Keyphrase
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.ranking.rank import rank, spans_of, surface_form
from keywright.text.encoders import MiniLM
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer, stopwords
from keywright.text.user_encoders import EncoderLike, make_encoder

_NOUN_PHRASE: Final = "J*N+"


@dataclass(frozen=True)
class EmbedRank:
    """Phrases that mean what the document means, by the cosine of their embeddings.

    Bennani-Smires, Musat, Hossmann, Baeriswyl and Jaggi, "Simple Unsupervised Keyphrase Extraction using Sentence
    Embeddings", CoNLL 2018. With ``diversity`` (EmbedRank++) phrases are chosen one after the other, each for nearness
    to the document less nearness to what was chosen before (maximal marginal relevance), both standardised: made of
    mean 0.5 and deviation 1.

    Deviations: all-MiniLM-L6-v2 (extra ``embed``, English) instead of sent2vec, so the whole text is embedded, not only
    its nouns and adjectives; a text longer than the encoder sees is read to its end in pieces, whose mean is weighed by
    tokens. The paper's candidates are adjectives and then nouns (``candidates="noun_phrases"``, which needs tags);
    n-grams, as KeyBERT has them, are the default. ``least_seen`` leaves out rare phrases before they are embedded,
    which is what takes the time.
    """

    encoder: Annotated[
        EncoderLike,
        "texts to embeddings: a folder of sentence-transformers, ONNX or model2vec, an address that answers POST "
        "{address}/embeddings (behind # the model's name), or in Python a function",
    ] = field(default_factory=MiniLM)
    candidates: Annotated[Literal["ngrams", "noun_phrases"], "ngrams, or adjectives and then nouns"] = "ngrams"
    longest: Annotated[int, "maximum words of a phrase"] = 3
    least_seen: Annotated[int, "minimum mentions of a phrase"] = 1
    diversity: Annotated[float, "weight of novelty, 0 to 1: 1 - lambda; 0 is EmbedRank, 0.5 EmbedRank++"] = 0.0
    standardised: Annotated[bool, "whether similarities are standardised before weighting, as in the paper"] = True

    name: ClassVar[str] = "embedrank"

    def __post_init__(self) -> None:
        """Find the encoder, and check that diversity is a share."""
        object.__setattr__(self, "encoder", make_encoder(self.encoder))
        check_diversity(self.diversity)

    @property
    def needs(self) -> frozenset[str]:
        """Stems, and tags where candidates are made from them."""
        return frozenset({"stems", "tags"} if self.candidates == "noun_phrases" else {"stems"})

    def extract(self, document: AnalysedDocument, depth: int | None = None) -> Ranking:
        """Rank phrases by nearness to the document; with diversity, each is compared with all that are left."""
        phrases = self.phrases(document)
        phrases = phrases.where(phrases.frequency >= self.least_seen)
        if not len(phrases):
            return rank(document, phrases, np.zeros(0))
        spans, text = spans_of(document, phrases, np.arange(len(phrases))), document.source.text
        texts = [*(surface_form(text, of_phrase) for of_phrase in spans), " ".join(list_sentences(document))]
        units = to_units(np.asarray(make_encoder(self.encoder)(texts)))
        near = units[:-1] @ units[-1]
        scores = near
        if self.diversity:
            scores = marginal_relevance(units[:-1], near, self.diversity, depth, standardised=self.standardised)
        chosen = np.isfinite(scores)
        evidence = {"similarity": near[chosen]}
        warnings, complete = warn_of_encoder(self.encoder, document.language), bool(chosen.all())
        return rank(document, phrases.where(chosen), scores[chosen], evidence, warnings=warnings, complete=complete)

    extract_first = extract

    def phrases(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams or noun phrases."""
        if self.candidates == "ngrams":
            return ngrams(document, self.longest)
        return tag_phrases(document, _NOUN_PHRASE, self.longest, maximal=True)


@dataclass(frozen=True)
class KeyBERT:
    """Cosine of a run of words and the document, as KeyBERT ranks.

    Grootendorst, KeyBERT (2020), with its candidates: runs of words of two characters or more, stop words removed
    first, across sentences. Phrases that it shows are such runs in lower case, and a place reaches from the first word
    to the last. Deviations: our stop words; inflections of one phrase are one, under the form that is chosen first;
    lists are in the order of choice, which KeyBERT sorts by similarity again; long texts are read to their end.
    """

    encoder: Annotated[EncoderLike, "as for embedrank"] = field(default_factory=MiniLM)
    shortest: Annotated[int, "minimum words of a phrase"] = 1
    longest: Annotated[int, "maximum words of a phrase"] = 1
    diversity: Annotated[float, "weight of novelty, 0 to 1: marginal relevance on cosines as they are"] = 0.0
    seeds: Annotated[tuple[str, ...], "phrases that the document's embedding is drawn to, by a quarter"] = ()

    name: ClassVar[str] = "keybert"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def __post_init__(self) -> None:
        """Find the encoder, and check the numbers."""
        object.__setattr__(self, "encoder", make_encoder(self.encoder))
        check_diversity(self.diversity)
        if not 1 <= self.shortest <= self.longest:
            raise BadParameter(f"shortest {self.shortest}, longest {self.longest}", "expected 1 or more, in this order")

    def extract(self, document: AnalysedDocument, depth: int | None = None) -> Ranking:
        """Rank phrases by nearness to the document; with diversity, each is compared with all that are left."""
        source, stop = document.source, stopwords(document.source.language or "en")
        words = [
            (match[0].lower(), match.span())
            for start, end in sentence_spans(document)
            for match in _KEYBERT_WORD.finditer(source.text, start, end)
            if match[0].lower() not in stop
        ]
        spans: dict[str, list[tuple[int, int]]] = {}
        for length in range(self.shortest, self.longest + 1):
            for run in zip(*(words[skip:] for skip in range(length)), strict=False):
                spans.setdefault(" ".join(word for word, _ in run), []).append((run[0][1][0], run[-1][1][1]))
        if not spans:
            return Ranking.from_keyphrases(source, ())
        phrases = sorted(spans)
        vectors = np.asarray(make_encoder(self.encoder)([*phrases, " ".join(list_sentences(document)), *self.seeds]))
        target = vectors[len(phrases)]
        if self.seeds:
            target = (3 * target + vectors[len(phrases) + 1 :].mean(axis=0)) / 4
        units = to_units(np.concatenate((vectors[: len(phrases)], target[None])))
        near = units[:-1] @ units[-1]
        stem = stemmer(source.language or "en")
        # Inflections of one phrase are merged: twice as many are chosen at first, and all where these are too few.
        for count in (None if depth is None or not self.diversity else 2 * depth, None):
            scores = marginal_relevance(units[:-1], near, self.diversity, count) if self.diversity else near
            best: dict[int, Keyphrase] = {}
            for row in np.argsort(-scores, kind="stable").tolist():
                if np.isfinite(scores[row]):
                    keyphrase = Keyphrase(phrases[row], float(scores[row]), spans=tuple(spans[phrases[row]]))
                    same = best.setdefault(phrase_key(phrases[row], stem), keyphrase)
                    best[phrase_key(phrases[row], stem)] = replace(same, spans=tuple({*same.spans, *keyphrase.spans}))
            if count is None or len(best) >= (depth or 0):
                break
        keyphrases = (replace(each, spans=tuple(sorted(each.spans))) for each in best.values())
        warnings = warn_of_encoder(self.encoder, document.language)
        return replace(Ranking.from_keyphrases(source, keyphrases, warnings=warnings), complete=count is None)

    extract_first = extract


_KEYBERT_WORD: Final = re.compile(r"\b\w\w+\b")  # a word of scikit-learn's vectorisers, of two characters or more


def check_diversity(diversity: float) -> None:
    """Raise ``BadParameter`` for what is not a share."""
    if not 0 <= diversity <= 1:
        raise BadParameter(f"diversity {diversity}", "expected a share, from 0 to 1")


def marginal_relevance(
    phrases: Floats, near: Floats, diversity: float, depth: int | None, *, standardised: bool = False
) -> Floats:
    """Return what each of the ``depth`` best was worth when chosen, (phrases,); minus infinity for the others."""
    # A phrase can be worth more than the one chosen before it, when it is unlike that one: it then gets the next
    # smaller number, so that scores fall in the order of choice.
    scale = _standardise if standardised else np.asarray
    relevance = scale(near)
    scores, alike = np.full(len(near), -np.inf), np.zeros(len(near))
    open_, last = np.ones(len(near), bool), np.inf
    for turn in range(len(near) if depth is None else min(depth, len(near))):
        worth = np.where(open_, (1 - diversity) * relevance - diversity * alike, -np.inf)
        # KeyBERT begins with the nearest phrase, also where diversity is all that counts.
        best = int((worth if turn or diversity < 1 else near).argmax())
        scores[best] = last = min(worth[best], np.nextafter(last, -np.inf))
        open_[best] = False
        others = np.arange(len(near)) != best
        cosines = np.zeros(len(near))
        cosines[others] = scale(phrases[others] @ phrases[best])
        alike = np.maximum(alike, cosines) if turn else cosines
    return scores


def _standardise(cosines: Floats) -> Floats:
    """Return standardised cosines, (phrases,); equal ones are 0.5 each."""
    spread = cosines.std() if len(cosines) else 0.0
    return 0.5 + (cosines - cosines.mean()) / spread if spread else np.full(len(cosines), 0.5)


def warn_of_encoder(encoder: EncoderLike, language: str | None) -> tuple[str, ...]:
    """Return where texts are sent, and whether the encoder does not read the document's language."""
    host, reads = getattr(encoder, "host", ""), getattr(encoder, "languages", None)
    sent = (f"the text was sent to {host}",) if host else ()
    if reads is None or language is None or language in reads:
        return sent
    return (*sent, f"the encoder reads {', '.join(sorted(reads))}; the document is in {language!r}")


def sentence_spans(document: AnalysedDocument) -> list[tuple[int, int]]:
    """Return where the analysed sentences are, without what the analysis leaves out, such as the authors' keywords."""
    last = np.flatnonzero(np.diff(document.sentence, append=-1))
    first = np.concatenate(([0], last[:-1] + 1))
    return list(zip(document.start[first].tolist(), document.end[last].tolist(), strict=True)) if len(document) else []


def list_sentences(document: AnalysedDocument) -> list[str]:
    """Return the text of each analysed sentence."""
    return [document.source.text[start:end] for start, end in sentence_spans(document)]
