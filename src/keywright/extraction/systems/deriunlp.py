"""DERIUNLP at SemEval-2010: noun phrases next to general scientific nouns."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, ClassVar, Final, Self

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.word_lists import read_words
from keywright.extraction.candidates.ngrams import tokens_among
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.corpus.counts import PhraseCounts, count_documents, count_mentions
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.features.functions.mentions import inverse_document_frequency
from keywright.extraction.ranking.rank import rank
from keywright.text.tag_lexicon import tag_classes

_PATTERN: Final = "[JNG]*N"


@dataclass(frozen=True)
class DERIUNLP:
    """Noun phrases seen beside general scientific nouns, by TF×IDF, length and how often they are so seen.

    Bordea and Buitelaar, "DERIUNLP: A Context Based Approach to Automatic Keyphrase Extraction", SemEval 2010; eighth
    of the shared task, without training. Phrases that occur somewhere in the collection beside a skill type, a noun
    such as *analysis* or *method*, are looked for everywhere in a document.

    Certain: 81 skill types chosen by hand from the corpus, and the three parts of the score. Reconstructed: the list
    (``text/skill_types_en.txt``, from the 144 training papers), what counts as beside, the formula. Deviations:
    spaCy's tags instead of GATE's; untrained, contexts are counted in the document itself only, and document
    frequencies are the bundled ones.
    """

    frequencies: Annotated[PhraseCounts, "document frequencies of phrases"] = field(default_factory=background)
    contexts: Annotated[PhraseCounts, "mentions beside a skill type in a collection"] = field(
        default_factory=partial(PhraseCounts.of_phrases, (), 0), metadata={"default": "none"}
    )
    heads: Annotated[bool, "whether a phrase that ends in a skill type is beside one: *protocol analysis*"] = True
    seen_first: Annotated[bool, "whether phrases never beside a skill type come last, with scores below 0"] = True
    length: Annotated[float, "exponent of the number of words"] = 1.5
    context: Annotated[float, "weight of the binary logarithm of the number of contexts"] = 1.0
    longest: Annotated[int, "maximum words of a phrase"] = 4

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


_LINKS: Final = ("of", "for", "in")
_PHRASE: Final = "NJG"


def skill_types() -> frozenset[str]:
    """Return 81 general English scientific nouns in the singular, mined by ``tools/train/mine_skill_types.py``."""
    return read_words("text/skill_types_en.txt")


def word_and_plurals(word: str) -> tuple[str, ...]:
    """Return an English noun and all forms that a regular plural may have: *analysis*, *analysiss*, ... *analyses*."""
    changed = [word.removesuffix(end) + plural for end, plural in (("y", "ies"), ("is", "es")) if word.endswith(end)]
    return (word, word + "s", word + "es", *changed)


def beside_skill_type(candidates: Candidates, document: AnalysedDocument, *, heads: bool = True) -> Bools:
    """Return whether each mention is beside a skill type, (occurrences,).

    A whole run of nouns, adjectives and participles is beside a skill type that follows it (*sensor network* in *sensor
    network protocol*) or precedes it with *of*, *for* or *in* and possibly a determiner (*analysis of the protocol*).
    With ``heads`` a phrase of several words that ends with a skill type counts as well (*sensor network protocol*).
    """
    letters = np.frombuffer(tag_classes(document).encode("ascii"), np.uint8)
    skill = tokens_among(document, {form for word in skill_types() for form in word_and_plurals(word)})
    skill = skill & (letters == ord("N"))
    link, determiner = tokens_among(document, _LINKS), letters == ord("D")
    content = np.isin(letters, np.frombuffer(_PHRASE.encode(), np.uint8))
    begin, end = candidates.positions, candidates.positions + candidates.widths

    def at(mask: Bools, place: Ints) -> Bools:
        """Return a mask at some tokens, false outside of the mention's sentence."""
        inside = np.clip(place, 0, max(0, len(document) - 1))
        same = (place == inside) & (document.sentence[inside] == document.sentence[begin])
        return np.asarray(same & mask[inside])

    before = at(skill, end) & ~at(content, begin - 1)
    linked = at(skill, begin - 2) & at(link, begin - 1)
    linked |= at(skill, begin - 3) & at(link, begin - 2) & at(determiner, begin - 1)
    beside = before | (linked & ~at(content, end))
    return np.asarray(beside | (skill[end - 1] & (candidates.widths > 1))) if heads else beside
