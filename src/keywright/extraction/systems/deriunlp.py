"""DERIUNLP: noun phrases seen beside general scientific nouns, by TF×IDF, length and how often they are so seen.

Bordea and Buitelaar, "DERIUNLP: A Context Based Approach to Automatic Keyphrase Extraction", SemEval 2010; eighth of
the shared task, without training. Phrases that occur somewhere in the collection beside a skill type, a noun such as
*analysis*, *algorithm* or *method*, are looked for everywhere in a document. They score by TF×IDF, their length, and
how often they occur in such contexts.

Certain (the task paper says so): 81 skill types chosen by hand from the corpus, and the three parts of the score.
Reconstructed: the list, made anew from the 144 training papers (``candidates/skill_types_en.txt``); what counts as
beside; the formula.

Deviations: spaCy's tags instead of GATE's. Untrained, contexts are counted in the document itself only, and document
frequencies are those of the bundled background.

Values by origin (docs/results/semeval2010-systems.md). Stated: seen_first, frequencies. Cross-validated: heads,
longest, length, context.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Self

import numpy as np

from keywright.core.arrays import Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.words import beside_skill_type
from keywright.extraction.corpus.counts import PhraseCounts, count_documents, count_mentions
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.features.functions.frequency import inverse_document_frequency
from keywright.extraction.ranking.rank import rank

_PATTERN: Final = "[JNG]*N"


def no_contexts() -> PhraseCounts:
    """Return no contexts, as before training."""
    return PhraseCounts.of_phrases((), 0)


@dataclass(frozen=True)
class DERIUNLP:
    """Noun phrases beside skill types, by TF×IDF, length and mentions beside skill types.

    frequencies  document frequencies of phrases; the bundled background unless trained
    contexts     mentions of phrases beside a skill type in a collection; none unless trained
    heads        whether a phrase that ends in a skill type counts as beside one: *protocol analysis*
    seen_first   whether phrases never beside a skill type rank behind all others, with scores below 0; else they only
                 lack the term of contexts
    length       exponent of the number of words
    context      weight of the binary logarithm of the number of contexts
    longest      maximum words of a phrase
    """

    frequencies: PhraseCounts = field(default_factory=background)
    contexts: PhraseCounts = field(default_factory=no_contexts)
    heads: bool = True
    seen_first: bool = True
    length: float = 1.5
    context: float = 1.0
    longest: int = 4

    name: ClassVar[str] = "deriunlp"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Return the system with the phrases and contexts of these documents; their gold is ignored."""
        documents = [example.document for example in labelled]
        candidates = [self.phrases(document) for document in documents]
        contexts = [self.count_contexts(one, document) for one, document in zip(candidates, documents, strict=True)]
        return replace(
            self,
            frequencies=count_documents(one.key for one in candidates),
            contexts=count_mentions((one.key, times) for one, times in zip(candidates, contexts, strict=True)),
        )

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases seen beside skill types, wherever they stand in the document."""
        candidates = self.phrases(document)
        contexts = self.contexts.of(candidates.key) + self.count_contexts(candidates, document)
        rarity = inverse_document_frequency(candidates, document, self.frequencies)
        weight = candidates.frequency * rarity * candidates.length**self.length
        scores = weight * (1 + self.context * np.log2(1 + contexts))
        if self.seen_first:
            scores = np.where(contexts > 0, scores, -1 / (1 + scores))
        evidence = {"mentions": candidates.frequency, "rarity": rarity, "contexts": contexts}
        return rank(document, candidates, scores, evidence)

    def phrases(self, document: AnalysedDocument) -> Candidates:
        """Return noun phrases with all their parts that end in a noun."""
        return tag_phrases(document, _PATTERN, self.longest)

    def count_contexts(self, candidates: Candidates, document: AnalysedDocument) -> Ints:
        """Return the mentions of each candidate beside a skill type, (candidates,)."""
        beside = beside_skill_type(candidates, document, heads=self.heads)
        return np.bincount(candidates.owner[beside], minlength=len(candidates))
