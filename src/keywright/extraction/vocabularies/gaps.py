"""Gaps of a vocabulary: frequent keyphrases of a collection that it lacks, and concepts that no document uses."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from keywright.core.json_values import encode
from keywright.core.keyphrases import Concept
from keywright.core.predictions import Prediction
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.text.keys import key_of
from keywright.text.label_stems import list_label_stems

_NEARLY_ALL: Final = 0.9  # share of phrases with concepts that only results with a vocabulary have; arbitrary
_EXAMPLES: Final = 3  # documents that are named for each phrase; arbitrary


@dataclass(frozen=True, slots=True)
class Gap:
    """A keyphrase, in its most frequent form, that the vocabulary lacks, with the number of its documents and examples.

    ``probability``: mean, None where the system gives none; ``near``: the concept with the longest label at its end or
    beginning, such as *sensors* for *soil sensors*.
    """

    phrase: str
    documents: int
    probability: float | None
    examples: tuple[str, ...]
    near: Concept | None

    @property
    def expected(self) -> float:
        """Expected number of documents for which people would choose it; 0 without probabilities."""
        return self.documents * (self.probability or 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        record: dict[str, Any] = encode(self)
        return record | {"near": self.near.to_dict() if self.near else None}


@dataclass(frozen=True, slots=True)
class VocabularyGaps:
    """Phrases of a collection that a vocabulary lacks, and concepts that the collection does not use.

    ``documents``, ``failures``, ``concepts``: numbers; ``missing``: the one of most documents first; ``unused``: in the
    vocabulary's order; ``restricted``: nearly all keyphrases are concepts, as if made with a vocabulary.
    """

    documents: int
    failures: int
    concepts: int
    missing: tuple[Gap, ...]
    unused: tuple[Concept, ...]
    restricted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        numbers = {name: getattr(self, name) for name in ("documents", "failures", "concepts")}
        missing, unused = ([each.to_dict() for each in listed] for listed in (self.missing, self.unused))
        return numbers | {"missing": missing, "unused": unused}


@dataclass(slots=True)
class _Phrase:
    """Counts of a phrase of a language."""

    forms: Counter[str] = field(default_factory=Counter)
    documents: int = 0
    probabilities: list[float] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)


class GapCounter:
    """Counts over the documents of a collection."""

    def __init__(self, index: VocabularyIndex) -> None:
        """Begin with no documents, and a vocabulary of concepts (else ``BadParameter``)."""
        self._index, self._concepts = index, index.need_concepts("gaps")
        self._used: set[str] = set()
        self._phrases: dict[tuple[str, int], _Phrase] = {}
        self._documents = self._named = self._all = 0

    def add(self, prediction: Prediction) -> None:
        """Count the keyphrases of a document, which may name their concepts or not."""
        self._documents += 1
        language = prediction.language or "en"
        counted: set[int] = set()
        self._all += len(prediction.keyphrases)
        for keyphrase in prediction.keyphrases:
            if keyphrase.concept is not None:
                self._named += 1
                self._used.add(keyphrase.concept.uri)
                continue
            stems = list_label_stems(keyphrase.text, language)
            if (uri := self._label(stems, language)) is not None:
                self._used.add(uri)
            elif stems and (key := key_of(stems)) not in counted:
                counted.add(key)
                phrase = self._phrases.setdefault((language, key), _Phrase())
                phrase.forms[keyphrase.text] += 1
                phrase.documents += 1
                phrase.probabilities += [] if keyphrase.probability is None else [keyphrase.probability]
                phrase.examples += [prediction.document_id] if len(phrase.examples) < _EXAMPLES else []

    def finish(self, min_documents: int, failures: int = 0) -> VocabularyGaps:
        """Return the phrases of so many documents at least, and the concepts that were not used."""
        frequent = ((key[0], each) for key, each in self._phrases.items() if each.documents >= min_documents)
        gaps = (self._gap(phrase, language) for language, phrase in frequent)
        missing = sorted(gaps, key=lambda gap: (-gap.expected, -gap.documents, gap.phrase))
        unused = (place for place, uri in enumerate(self._concepts.uris) if uri not in self._used)
        return VocabularyGaps(
            documents=self._documents,
            failures=failures,
            concepts=len(self._concepts),
            missing=tuple(missing),
            restricted=self._named > _NEARLY_ALL * self._all,
            unused=tuple(self._concepts.name_concept(place, self._index.labels, ()) for place in unused),
        )

    def _gap(self, phrase: _Phrase, language: str) -> Gap:
        probabilities = phrase.probabilities
        text = phrase.forms.most_common(1)[0][0]
        mean = sum(probabilities) / len(probabilities) if probabilities else None
        stems = list_label_stems(text, language)
        # The longest ends and beginnings, each end before the beginning of the same length.
        parts = (part for length in range(len(stems) - 1, 0, -1) for part in (stems[-length:], stems[:length]))
        uri = next(filter(None, (self._label(part, language) for part in parts)), None)
        concepts = self._concepts
        near = uri and concepts.name_concept(concepts.places[uri], self._index.labels, (language,))
        return Gap(text, phrase.documents, mean, tuple(phrase.examples), near or None)

    def _label(self, stems: list[str], language: str) -> str | None:
        """Return the URI of the surest concept with a label of some stems; None without one."""
        forms = self._index.forms_for(language)
        if forms is None or not stems:
            return None
        concepts = self._concepts.of_labels(forms.of_key(key_of(stems))[0])
        return self._concepts.uris[int(concepts[0])] if len(concepts) else None
