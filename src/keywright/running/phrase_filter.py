"""A filter for the phrases of a ranked list, the same for every system, and absent keyphrases behind the list."""

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, Match
from keywright.core.errors import BadParameter
from keywright.core.keyphrases import Keyphrase, VocabularyMatch, outermost
from keywright.core.options import PhraseOptions
from keywright.extraction.candidates.restricting import mentions_of
from keywright.extraction.corpus.knowledge import knowledge_of
from keywright.extraction.ranking import domain
from keywright.extraction.ranking.absent_phrases import LANGUAGE, shipped_absent
from keywright.extraction.ranking.rank import surface_form
from keywright.extraction.ranking.redundancy import without_near_repetitions
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.running.concept_matching import ConceptNames, PhraseForms, UnnamedConcept, find_labels, places_of

_MIN_POOL: Final = 200  # minimum number of phrases that are filtered first; arbitrary
_MOST_MEANT: Final = 30
"""First phrases of a ranking that are compared with a vocabulary in meaning: most keyphrases are among them."""
_POOL_FACTOR: Final = 4
"""Phrases filtered first, for each phrase of the list; arbitrary. Where too few pass, all phrases are filtered."""


@dataclass(frozen=True)
class PhraseFilter(PhraseOptions):
    """A filter of a ranked list, applied before the list is cut."""

    @cached_property
    def passes_all(self) -> bool:
        """True if lists of phrases of the text stay as they are."""
        return self == UNFILTERED or (self.absent and replace(self, absent=False) == UNFILTERED)

    def measure_pool(self, length: int | None) -> int | None:
        """Return how many phrases to filter first for a list of some length; None for all."""
        return length if length is None or self._passes_first else max(_MIN_POOL, _POOL_FACTOR * length)

    @cached_property
    def _passes_first(self) -> bool:
        """True if no phrase is left out but by a vocabulary, which leaves out none of the phrases that come first."""
        return replace(self, **_WITHOUT_VOCABULARY).passes_all

    @cached_property
    def _vocabulary(self) -> VocabularyIndex:
        """Vocabulary with keys, which are computed once for each language."""
        return self.vocabulary if isinstance(self.vocabulary, VocabularyIndex) else VocabularyIndex.of(self.vocabulary)

    @cached_property
    def _names(self) -> ConceptNames | None:
        """Names of the vocabulary's concepts; None if it has none."""
        concepts = self._vocabulary.concepts
        return None if concepts is None else ConceptNames(self._vocabulary, concepts, self.label_language or "")

    @cached_property
    def _stopped(self) -> VocabularyIndex:
        return VocabularyIndex.of(self.stop_phrases)

    def take_first(
        self, ranking: Ranking, depth: int | None, document: AnalysedDocument, *, explain: bool = False
    ) -> tuple[tuple[Keyphrase, ...], bool]:
        """Return the first phrases of a ranking, those of the vocabulary before the others; and whether there are more.

        Concepts of the vocabulary have no names yet, see ``name_concepts``. ``ranking`` has all phrases for a
        vocabulary; ``depth``: number of phrases at least, if there are as many; all when None.
        """
        if not self.vocabulary:
            return ranking.keyphrases(depth, explain=explain), depth is not None and len(ranking) >= depth
        forms = PhraseForms(document)
        if ranking.concepts is not None and self._names is not None:
            preferred = self._names.detach_names(ranking.keyphrases(explain=explain))
            return (*preferred, *self._list_broader(preferred, forms)), False
        mentions = mentions_of(document, self._vocabulary.keys_for(forms.language))
        listed = find_labels(ranking, mentions, forms, self._vocabulary)
        # All labels of concepts are taken: each concept has all of its phrases, and concepts have another order.
        of_list = None if self._names or self.match != Match.LABEL else depth
        preferred = list(ranking.where(listed).keyphrases(of_list, explain=explain))
        if of_list is not None and len(preferred) >= of_list:
            return tuple(preferred), True
        ranked = {key for keyphrase in preferred for key in forms.label_keys(keyphrase)}
        preferred += _list_mentioned(document, mentions, ranked, float(ranking.scores.min(initial=0.0)))
        if self._names is not None:
            preferred = self._names.match(preferred, forms)
        meant: list[Keyphrase] = []
        if self.match != Match.LABEL:
            meant = self._list_meant(ranking.where(~listed) if self.match == Match.BOTH else ranking, forms)
            preferred = _merge_matches(preferred if self.match == Match.BOTH else [], meant, forms)
            listed = listed if self.match == Match.BOTH else np.zeros_like(listed)
        preferred += self._list_broader(preferred, forms)
        others = () if self.only_vocabulary else ranking.where(~listed).keyphrases(depth, explain=explain)
        shown = {each.match.phrase for each in meant if each.match}
        is_cut = depth is not None and len(others) >= depth
        return (*preferred, *(each for each in others if each.text not in shown)), is_cut

    def _list_meant(self, ranking: Ranking, forms: PhraseForms) -> list[Keyphrase]:
        """Return the first phrases of a ranking that are near to a label in meaning, each with its label or concept."""
        phrases, vocabulary = ranking.keyphrases(_MOST_MEANT), self._vocabulary
        meanings = vocabulary.label_meanings()
        acronyms = [forms.acronym(each.text) for each in phrases]
        texts = [acronym.long if acronym else each.text for each, acronym in zip(phrases, acronyms, strict=True)]
        of_concepts, language = vocabulary.concepts, forms.language
        is_known = of_concepts.has_language(language) if of_concepts else language in (vocabulary.keys or {language})
        rows, cosines, is_near = meanings.find_nearest(texts, is_translated=not is_known)
        concepts = np.zeros(0) if of_concepts is None else of_concepts.of_labels(rows)
        meant = []
        for at in np.flatnonzero(is_near).tolist():
            reason = VocabularyMatch("meaning", round(float(cosines[at]), 4), phrases[at].text)
            if of_concepts is None:
                meant.append(replace(phrases[at], text=vocabulary.labels[int(rows[at])], match=reason))
            else:
                meant.append(replace(phrases[at], concept=UnnamedConcept(places=(int(concepts[at]),)), match=reason))
        return meant

    def name_concepts(self, keyphrases: tuple[Keyphrase, ...], document: AnalysedDocument) -> tuple[Keyphrase, ...]:
        """Return the phrases of a list with the names of their concepts."""
        if not self.vocabulary or self._names is None:
            return keyphrases
        return tuple(self._names.attach_names(keyphrases, document.source.language or "en"))

    def _list_broader(self, keyphrases: Sequence[Keyphrase], forms: PhraseForms) -> list[Keyphrase]:
        """Return the concepts above some, if they are asked for."""
        return self._names.list_broader(keyphrases, forms) if self._names and self.broader else []

    def apply(self, keyphrases: tuple[Keyphrase, ...], document: AnalysedDocument) -> tuple[Keyphrase, ...]:
        """Return the phrases that pass, in their order; without a probability none passes a least one."""
        least = self.min_probability
        forms = PhraseForms(document)
        if self.merges:
            names = {form.casefold(): phrase for form, phrase in dict(self.merges).items()}
            renamed: dict[str, Keyphrase] = {}
            for keyphrase in keyphrases:
                text = names.get(keyphrase.text.casefold(), keyphrase.text)
                if text:
                    renamed.setdefault(text.casefold(), replace(keyphrase, text=text))
            keyphrases = tuple(renamed.values())
        if self.stop_phrases:
            stopped = forms.in_vocabulary(keyphrases, self._stopped)
            keyphrases = tuple(itertools.compress(keyphrases, (~stopped).tolist()))
        if self.min_words > 1 or self.min_characters > 1:
            keyphrases = tuple(filter(self._is_long_enough, keyphrases))
        if least is not None:
            keyphrases = tuple(
                each for each in keyphrases if each.probability is not None and each.probability >= least
            )
        if self.expand_acronyms:
            expanded: dict[object, Keyphrase] = {}
            for index, keyphrase in enumerate(keyphrases):
                acronym = forms.acronym(keyphrase.text)
                expanded.setdefault(acronym or index, replace(keyphrase, acronym=acronym) if acronym else keyphrase)
            keyphrases = tuple(expanded.values())
        if self.diversity:
            stems = [forms.stems(keyphrase.text) for keyphrase in keyphrases]
            keyphrases = tuple(keyphrases[index] for index in without_near_repetitions(stems, self.diversity).tolist())
        return keyphrases

    def warn_of_vocabulary(self, keyphrases: tuple[Keyphrase, ...], document: AnalysedDocument) -> tuple[str, ...]:
        """Return warnings about the vocabulary's languages, and if none of its phrases is in the document."""
        if not self.vocabulary:
            return ()
        forms = PhraseForms(document)
        warnings = self._names.warn(keyphrases, forms) if self._names else ()
        host = getattr(self._vocabulary.label_meanings().encoder, "host", "") if self.match != Match.LABEL else ""
        warnings = (*warnings, f"keyphrases of the text were sent to {host}") if host else warnings
        if any(each.match for each in keyphrases) or forms.in_vocabulary(keyphrases, self._vocabulary).any():
            return warnings
        if len(mentions_of(document, self._vocabulary.keys_for(forms.language))):
            return warnings  # other options left them out
        return (*warnings, f"no phrase of the vocabulary ({len(self.vocabulary):,} phrases) is in this document")

    def _is_long_enough(self, keyphrase: Keyphrase) -> bool:
        text = keyphrase.text
        words = len(text.split())
        if words >= self.min_words and len(text) >= self.min_characters:
            return True
        # Words that are written like terms stay: with an inner capital, a digit, or a sign other than a hyphen.
        return words == 1 and (any(map(str.isupper, text[1:])) or not text.replace("-", "").isalpha())


UNFILTERED: Final = PhraseFilter()  # passes lists as systems give them
_VOCABULARY_OPTIONS: Final = ("vocabulary", "only_vocabulary", "match", "label_language", "broader")
_WITHOUT_VOCABULARY: Final = {name: getattr(UNFILTERED, name) for name in _VOCABULARY_OPTIONS}


def check_probabilities(keyphrases: Sequence[Keyphrase], name: str) -> None:
    """Check that a list has probabilities, unless it is empty."""
    if keyphrases and all(keyphrase.probability is None for keyphrase in keyphrases):
        raise BadParameter(
            f"min_probability is asked for, and {name} gives no probabilities here",
            "leave it out and take a number of phrases (--top), or choose a system that is calibrated",
        )


def _merge_matches(labels: Sequence[Keyphrase], meant: Sequence[Keyphrase], forms: PhraseForms) -> list[Keyphrase]:
    """Return phrases of a vocabulary, those found by label and by meaning, each label or concept once, best first."""
    once: dict[object, Keyphrase] = {}
    for each in (*labels, *meant):
        first = once.setdefault(places_of(each)[:1] or forms.key(each.text), each)
        if first is not each:
            once[places_of(each)[:1] or forms.key(each.text)] = replace(
                first, spans=outermost((*first.spans, *each.spans))
            )
    return sorted(once.values(), key=lambda each: (-(each.probability or 0.0), -each.score))


def _list_mentioned(
    document: AnalysedDocument, mentions: Candidates, ranked: Collection[int], score: float
) -> list[Keyphrase]:
    """Return labels that occur in the text without being ranked, the most frequent first, then the earliest."""
    mentions = mentions.where(~np.isin(mentions.key, np.array(sorted(ranked), np.uint64)))
    order = sorted(range(len(mentions)), key=lambda index: (-mentions.frequency[index], mentions.first[index]))
    # The spans of all labels in two gathers; each label's are between its offsets.
    last = mentions.positions + mentions.widths - 1
    spans = tuple(zip(document.start[mentions.positions].tolist(), document.end[last].tolist(), strict=True))
    offsets = mentions.offsets.tolist()
    of_labels = (spans[offsets[index] : offsets[index + 1]] for index in order)
    return [Keyphrase(surface_form(document.source.text, of_label), score, None, of_label) for of_label in of_labels]


MOST_ABSENT: Final = 5  # absent keyphrases of a document: as many as are usually scored; people choose two or three
_NO_ABSENT: Final = "no absent keyphrases:"


def suggest_absent(
    document: AnalysedDocument, phrase_filter: PhraseFilter, *, explain: bool
) -> tuple[tuple[Keyphrase, ...], tuple[str, ...]]:
    """Return up to five absent keyphrases that pass, best first, and a warning where there is none."""
    language = document.source.language or LANGUAGE
    if language != LANGUAGE:
        reason = f"they are suggested for English texts only, and this one is in language {language!r}"
        return (), (f"{_NO_ABSENT} {reason}",)
    if reason := domain.reasons(document, knowledge_of(LANGUAGE))[0]:
        return (), (f"{_NO_ABSENT} the text is unlike those that they were learned from ({reason})",)
    suggested = shipped_absent().suggest(document, MOST_ABSENT, explain=explain)
    passing = phrase_filter.apply(suggested, document)
    if suggested and not passing:
        return (), (f"{_NO_ABSENT} none of those suggested passes the options",)
    return passing, () if suggested else (f"{_NO_ABSENT} the words of the text suggest none",)
