"""SJTULTLAB at SemEval-2010: chunks and two classifiers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Floats, Keys
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.extraction.candidates.ngrams import content_words, running_text
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import mentions_in
from keywright.extraction.learners.classifiers import DiscretisedNaiveBayes
from keywright.extraction.ranking.kea import behind_longer, is_name, kea_columns, kea_ngrams
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.redundancy import runs_inside
from keywright.extraction.ranking.trained import LearningSystem

_CHUNK: Final = "[JNG]*N"
_CHUNK_TOKENS: Final = 12  # tokens within which a chunk is looked for; longer ones are split


@dataclass(frozen=True)
class SJTULTLAB(LearningSystem):
    """Noun phrase chunks, in the order of the keywords that KEA finds in the document; must be trained.

    Wang and Li, "SJTULTLAB: Chunk Based Method for Keyphrase Extraction", SemEval 2010; twelfth of the shared task.
    Parts of an article that matter little are left out. Noun phrase chunks of the rest pass three filters: how long,
    how often, of which parts of speech. A chunk scores by KEA's thirty best phrases in it, each by its rank in KEA's
    list and its share of the chunk's words; chunks that hold none follow.

    Deviations: chunks by a pattern of tags instead of OpenNLP's chunker; Porter stems in KEA. Written from the task
    paper's summary and the authors' abstract, which give neither the filters' limits nor how KEA's list makes the order
    of chunks. Here a chunk begins behind determiners, pronouns, numbers and other stop words and ends with a noun, and
    occurs five times, or in title or abstract. An earlier reading, by the best of KEA's phrases in a chunk
    (``order=best``) and from two mentions on, came nearer to the printed score; nothing in the papers favours it.
    """

    keywords: Annotated[int, "number of KEA's phrases that rank the chunks"] = 30
    longest: Annotated[int, "maximum words of a chunk; longer ones are dropped"] = 4
    least_seen: Annotated[int, "minimum mentions of a chunk"] = 5
    in_front: Annotated[bool, "whether chunks of title and abstract stay with fewer mentions"] = True
    order: Annotated[
        Literal["best", "sum"],
        "best: by the best-ranked of KEA's keywords in it; sum: by all of them, each by its rank in the list (30 for "
        "the first, 1 for the last) and by its share of the chunk's words",
    ] = "sum"
    collection: LabelledCollection | None = None
    model: Annotated[DiscretisedNaiveBayes | None, "KEA's fitted classifier"] = None

    name: ClassVar[str] = "sjtultlab"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})
    least_documents: ClassVar[int] = 2

    def counted_phrases(self, document: AnalysedDocument) -> Candidates:
        """Return KEA's n-grams."""
        return kea_ngrams(document)

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank chunks by the keywords in them, then by their mentions."""
        keywords, chunks = self.best(document), self.chunks(document)
        scores = self.worth(chunks, document, keywords)
        mentions = chunks.frequency.astype(np.float64)
        return rank(document, chunks, scores, {"keywords": scores, "mentions": mentions}, mentions)

    def chunks(self, document: AnalysedDocument) -> Candidates:
        """Return noun phrase chunks of the running text that are short enough, and frequent or in front."""
        chunks = tag_phrases(document, _CHUNK, _CHUNK_TOKENS, maximal=True, allowed=content_words(document))
        chunks = mentions_among(chunks, running_text(document))
        passing = chunks.frequency >= self.least_seen
        if self.in_front:
            passing |= mentions_in(chunks, document, SectionKind.TITLE, SectionKind.ABSTRACT) > 0
        return chunks.where(passing & (chunks.length <= self.longest))

    def best(self, document: AnalysedDocument) -> Keys:
        """Return the keys of KEA's list for the document, best first, (at most keywords,)."""
        candidates, odds, evidence = self.score_candidates(document)
        tfidf = evidence["tfidf"]
        listed = order_of(candidates, odds, tfidf)
        listed = listed[~behind_longer(document, candidates, odds, tfidf)[listed]]
        return candidates.key[listed[: self.keywords]]

    def worth(self, chunks: Candidates, document: AnalysedDocument, keywords: Keys) -> Floats:
        """Return the value of each chunk by the keywords in it, 0 without any, (chunks,)."""
        scores = np.zeros(len(chunks))
        if not len(keywords):
            return scores
        chunk, key, width = runs_inside(document, chunks)
        by_key = np.argsort(keywords)
        place = by_key[np.searchsorted(keywords[by_key], key).clip(max=len(keywords) - 1)]
        worth = np.where(keywords[place] == key, self.keywords - place, 0).astype(np.float64)
        if self.order == "best":
            np.maximum.at(scores, chunk, worth)
        else:
            np.add.at(scores, chunk, worth * width / chunks.length[chunk])
        return scores

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return KEA's n-grams with at least two mentions, without names."""
        candidates = self.counted_phrases(document)
        return candidates.where((candidates.frequency > 1) & ~is_name(candidates, document))

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> Mapping[str, Floats]:
        """Return KEA's features of its candidates by name."""
        return kea_columns(candidates, document, self.counts)
