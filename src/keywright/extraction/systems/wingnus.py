"""WINGNUS at SemEval-2010: naive Bayes over places in the document."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Numbers
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.core.errors import BadParameter
from keywright.extraction.candidates.ngrams import content_words, tokens_among
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.knowledge import lexicon
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import first_mention, last_mention, mentions_in, tf_idf
from keywright.extraction.features.functions.nestedness import substring_frequency
from keywright.extraction.learners.classifiers import DiscretisedNaiveBayes
from keywright.extraction.ranking.trained import LearningSystem

_ZONES: Final = (SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.RELATED, SectionKind.CONCLUSION)
_TELLING: Final = (SectionKind.TITLE, SectionKind.HEADING, *_ZONES)
_NOUN_PHRASE: Final = "[NJ]{0,2}N(I[NJ]{0,2}N)?"


@dataclass(frozen=True)
class Wingnus(LearningSystem):
    """Noun phrases from the telling parts of a paper, by naive Bayes over few features; must be trained.

    Nguyen and Luong, "WINGNUS: Keyphrase Extraction Utilizing Document Logical Structure", SemEval 2010; second of the
    shared task. Candidates are noun phrases, simple or joined by *of*, and come only from title, headings, abstract,
    introduction, related work, conclusion and the first sentences of the body's paragraphs. A small set of its 19
    features, numbered as in the paper, won.

    Deviations: sections by rules over the text instead of SectLabel on PDFs; no typefaces, so that feature 7 is
    missing; titles of the bundled lexicon instead of DBLP for feature 9. The features 1, 4 and 6 are the set said to
    have been submitted; the task paper speaks of all 19.
    """

    columns: Annotated[tuple[int, ...], "numbers of the features, from 1 to 19 without 7, as in the paper"] = (1, 4, 6)
    intervals: Annotated[int | None, "maximum intervals of a feature; none: by minimum description length"] = None
    everywhere: Annotated[bool, "whether all mentions of a phrase count, or only those in the telling parts"] = True
    openings: Annotated[bool, "whether first sentences of paragraphs count as telling parts"] = True
    longest: Annotated[int, "maximum words of a phrase"] = 4
    scaled: Annotated[bool, "whether a document's features are scaled to 0 to 1"] = True
    collection: LabelledCollection | None = None
    model: Annotated[DiscretisedNaiveBayes | None, "the fitted classifier"] = None

    name: ClassVar[str] = "wingnus"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def learn(self, rows: Floats, answers: Bools) -> DiscretisedNaiveBayes:
        """Return naive Bayes over intervals."""
        return DiscretisedNaiveBayes.fit(rows, answers, self.intervals)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return noun phrases with a mention in a telling part."""
        candidates = self.counted_phrases(document)
        inside = mentions_among(candidates, self.telling(document))
        return candidates.where(np.isin(candidates.key, inside.key)) if self.everywhere else inside

    def counted_phrases(self, document: AnalysedDocument) -> Candidates:
        """Return up to two nouns or adjectives and a noun, or two such phrases joined by *of*."""
        allowed = content_words(document) | tokens_among(document, {"of"})
        return tag_phrases(document, _NOUN_PHRASE, self.longest, allowed=allowed)

    def telling(self, document: AnalysedDocument) -> Bools:
        """Return whether each token is in a part that candidates come from, (tokens,)."""
        here = np.isin(document.section, [kind.code for kind in _TELLING])
        body = document.section == SectionKind.BODY.code
        return here | (body & paragraph_openings(document)) if self.openings else here

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> Mapping[str, Numbers | Bools]:
        """Return the chosen features by name, scaled where wanted."""
        features = _number_features(candidates, document, self.counts)
        if missing := sorted(set(self.columns) - features.keys()):
            raise BadParameter(f"wingnus has no feature {missing[0]}", "the paper's numbers are 1 to 19; 7 is left out")
        chosen = [features[number] for number in self.columns]
        columns = {name: np.asarray(compute(), float) for name, compute in chosen}
        return {name: _scale(values) for name, values in columns.items()} if self.scaled else columns


def _scale(values: Floats) -> Floats:
    """Return values scaled to the range 0 to 1; all 0 where they are equal."""
    least, most = values.min(initial=np.inf), values.max(initial=-np.inf)
    return np.asarray((values - least) / (most - least)) if most > least else np.zeros(len(values))


def _number_features(
    candidates: Candidates, document: AnalysedDocument, collection: LabelledCollection
) -> Mapping[int, tuple[str, Callable[[], Numbers | Bools]]]:
    """Return the paper's features by number, with names; each is computed when it is called."""

    def count(kind: SectionKind) -> Callable[[], Floats]:
        return lambda: mentions_in(candidates, document, kind)

    def find(kind: SectionKind) -> Callable[[], Bools]:
        return lambda: mentions_in(candidates, document, kind) > 0

    return {
        1: ("tfidf", lambda: tf_idf(candidates, document, collection)),
        2: ("mentions", lambda: candidates.frequency),
        3: ("mentions of parts elsewhere", lambda: substring_frequency(candidates)),
        4: ("first mention", lambda: first_mention(candidates, document)),
        5: ("last mention", lambda: last_mention(candidates, document)),
        6: ("words", lambda: candidates.length),
        8: ("in the title", find(SectionKind.TITLE)),
        9: ("titles of other papers", lambda: lexicon("titles").of(candidates.key)),
        10: ("in a heading", find(SectionKind.HEADING)),
        **{11 + place: (f"in the {kind}", find(kind)) for place, kind in enumerate(_ZONES)},
        15: ("mentions in headings", count(SectionKind.HEADING)),
        **{16 + place: (f"mentions in the {kind}", count(kind)) for place, kind in enumerate(_ZONES)},
    }


def paragraph_openings(document: AnalysedDocument) -> Bools:
    """Return whether each token is in the first sentence of a paragraph, (tokens,): one that begins a line."""
    heads = np.flatnonzero(np.diff(document.sentence, prepend=-1))
    before = np.where(heads > 0, document.end[np.maximum(heads - 1, 0)], 0) if len(document) else heads
    text = document.source.text
    gaps = zip(before.tolist(), document.start[heads].tolist(), strict=True)
    opens = np.array([not end or "\n" in text[end:start] for end, start in gaps], bool)
    return np.repeat(opens, np.diff(np.append(heads, len(document))))
