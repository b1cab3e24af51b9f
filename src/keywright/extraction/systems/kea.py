"""KEA, and the systems that are built on its candidates and features."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Bools, Floats, Keys, Numbers
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.extraction.candidates.ngrams import content_words, plain_ngrams, running_text
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.knowledge import background, lexicon
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import (
    external_keyphraseness,
    first_mention,
    inverse_document_frequency,
    last_mention,
    mentions_in,
    relative_frequency,
    tf_idf,
)
from keywright.extraction.features.functions.words import acronym_share, capital_share
from keywright.extraction.learners.classifiers import DiscretisedNaiveBayes
from keywright.extraction.learners.growing import Forest, forest_trees
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.redundancy import redundant, runs_inside
from keywright.extraction.ranking.trained import LearningSystem, require_fitted


@dataclass(frozen=True)
class Kea(LearningSystem):
    """Naive Bayes over TF×IDF and the place of the first mention; must be trained.

    Witten, Paynter, Frank, Gutwin and Nevill-Manning, "KEA: Practical Automatic Keyphrase Extraction", DL 1999; Frank,
    Paynter, Witten, Gutwin and Nevill-Manning, "Domain-Specific Keyphrase Extraction", IJCAI 1999. Both features are
    cut into intervals where that tells keyphrases apart (Fayyad and Irani). Ties go to TF×IDF, and no phrase is listed
    behind one that holds it. The second paper adds how often a phrase was chosen for other training documents.

    No participant of SemEval-2010 Task 5, but the basis of SZTERGAK, SJTULTLAB and Maui. Deviations: Porter stems
    instead of iterated Lovins stems; hyphenated words stay one word, and count as one.
    """

    longest: Annotated[int, "maximum words of a phrase"] = 3
    least_seen: Annotated[int, "minimum mentions of a phrase"] = 2
    proper_names: Annotated[bool, "whether words always written with a capital are candidates; acronyms are"] = False
    apparatus: Annotated[bool, "whether mentions in references, authors, acknowledgements and licence count"] = False
    keyphraseness: Annotated[bool, "whether the number of training documents with the keyphrase is a feature"] = False
    nested: Annotated[bool, "whether phrases stay that a better one contains"] = False
    collection: LabelledCollection | None = None
    model: Annotated[DiscretisedNaiveBayes | None, "the fitted classifier"] = None

    name: ClassVar[str] = "kea"
    least_documents: ClassVar[int] = 2

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by the odds of being a keyphrase, then by TF×IDF, without parts of better ones."""
        model = require_fitted(self.model, self.name)
        candidates = self.candidates(document)
        rows = self.features(candidates, document)
        odds = model.log_odds(rows)
        if not self.nested:
            stays = ~behind_longer(document, candidates, odds, rows[:, 0])
            candidates, odds, rows = candidates.where(stays), odds[stays], rows[stays]
        return rank(document, candidates, odds, {"tfidf": rows[:, 0], "first mention": rows[:, 1]}, rows[:, 0])

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams with enough mentions, without stop words at the edges and without names."""
        candidates = self.counted_phrases(document)
        candidates = candidates.where(candidates.frequency >= self.least_seen)
        return candidates if self.proper_names else candidates.where(~is_name(candidates, document))

    def counted_phrases(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams without stop words at the edges."""
        return kea_ngrams(document, self.longest, apparatus=self.apparatus)

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> Mapping[str, Floats]:
        """Return TF×IDF, first mention, and keyphraseness where wanted."""
        columns = kea_columns(candidates, document, self.counts)
        if self.keyphraseness:
            columns["keyphraseness"] = self.counts.keyphraseness(candidates, document)
        return columns


@dataclass(frozen=True)
class Maui(LearningSystem):
    """Bagged decision trees over what is known of a phrase here, in training labels and elsewhere; must be trained.

    Medelyan, Frank and Witten, "Human-competitive Tagging Using Automatic Keyphrase Extraction", EMNLP 2009; run on
    SemEval-2010 Task 5 by one of its organisers. KEA's features and more: the last mention and the spread, the length,
    how often a phrase was chosen for other training documents, and what Wikipedia knows of it.

    Deviations: no Wikipedia. Its keyphraseness is the number of author lists for each document of the bundled
    background that holds the phrase; inverse Wikipedia frequency is the negative logarithm of the share of author
    lists. Generality and node degree belong to controlled vocabularies. Trees are LightGBM's instead of WEKA's J48
    (``learners/growing.py``): a bag draws a tenth of the rows as there, but none twice, and splits lower the squared
    error, not entropy. All values are those of the authors' program, as far as it has them.
    """

    longest: Annotated[int, "maximum words of a phrase"] = 5
    least_seen: Annotated[int, "minimum mentions of a phrase"] = 2
    apparatus: Annotated[bool, "whether mentions in references, authors, acknowledgements and licence count"] = True
    external: Annotated[bool, "whether features from bundled collections are used"] = True
    trees: Annotated[int, "number of trees"] = 10
    share: Annotated[float, "share of the training rows for each tree, above 0 and below 1"] = 0.1
    least: Annotated[int, "minimum training rows of a leaf"] = 2
    seed: Annotated[int, "of the draws"] = 1
    collection: LabelledCollection | None = None
    model: Annotated[Trees | None, "the fitted trees"] = None

    name: ClassVar[str] = "maui"
    least_documents: ClassVar[int] = 2

    def learn(self, rows: Floats, answers: Bools) -> Trees:
        """Return bagged trees."""
        return forest_trees(rows, answers, Forest(trees=self.trees, share=self.share, least=self.least, seed=self.seed))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by the mean vote of the trees, then by TF×IDF."""
        model = require_fitted(self.model, self.name)
        candidates = self.candidates(document)
        votes = model.scores(self.features(candidates, document))
        weight = tf_idf(candidates, document, self.counts)
        return rank(document, candidates, votes, {"tfidf": weight}, weight)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams with enough mentions, without stop words at the edges."""
        candidates = self.counted_phrases(document)
        return candidates.where(candidates.frequency >= self.least_seen)

    def counted_phrases(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams without stop words at the edges."""
        return kea_ngrams(document, self.longest, apparatus=self.apparatus)

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> Mapping[str, Numbers | Bools]:
        """Return the features by name; those from bundled collections where wanted."""
        columns = {
            "frequency": relative_frequency(candidates, document),
            "rarity": inverse_document_frequency(candidates, document, self.counts),
            "tfidf": tf_idf(candidates, document, self.counts),
            "first mention": first_mention(candidates, document),
            "last mention": last_mention(candidates, document),
            "spread": (candidates.last - candidates.first) / max(1, len(document)),
            "keyphraseness": self.counts.keyphraseness(candidates, document),
            "words": candidates.length,
        }
        if self.external:
            authors = lexicon("author-keyphrases")
            columns["author keyphraseness"] = external_keyphraseness(candidates, authors, background())
            columns["rarity among author keyphrases"] = inverse_document_frequency(candidates, document, authors)
        return columns


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
        model = require_fitted(self.model, self.name)
        candidates = self.candidates(document)
        rows = self.features(candidates, document)
        odds, tfidf = model.log_odds(rows), rows[:, 0]
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


def kea_ngrams(document: AnalysedDocument, longest: int = 3, *, apparatus: bool = False) -> Candidates:
    """Return n-grams without stop words at the edges; ``apparatus``: also in references, authors and licence."""
    candidates = plain_ngrams(document, longest, "edges")
    return candidates if apparatus else mentions_among(candidates, running_text(document))


def is_name(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Return whether each candidate is a single word always written with an initial capital only, (candidates,)."""
    name = (capital_share(candidates, document) == 1) & (acronym_share(candidates, document) == 0)
    return np.asarray(name & (candidates.length == 1))


def kea_columns(
    candidates: Candidates, document: AnalysedDocument, collection: LabelledCollection
) -> dict[str, Floats]:
    """Return TF×IDF and first mention by name, (candidates,) each."""
    rarity = inverse_document_frequency(candidates, document, collection)
    weight = relative_frequency(candidates, document) * rarity
    return {"tfidf": weight, "first mention": first_mention(candidates, document)}


def behind_longer(document: AnalysedDocument, candidates: Candidates, scores: Floats, ties: Floats) -> Bools:
    """Return whether each candidate is ranked behind one that contains it, by scores, then ties, (candidates,) each."""
    place = np.empty(len(candidates))
    place[order_of(candidates, scores, ties)] = np.arange(len(candidates))
    return redundant(document, candidates, -place)
