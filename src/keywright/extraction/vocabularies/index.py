"""A vocabulary with the keys of its labels, by language: built in memory, or mapped from a folder."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

import numpy as np

from keywright.core.errors import BadParameter
from keywright.extraction.vocabularies.concepts import Concepts
from keywright.extraction.vocabularies.label_keys import LabelForms, LabelKeys
from keywright.extraction.vocabularies.labels import Labels
from keywright.extraction.vocabularies.meanings import MOST_UNSAVED, LabelMeanings
from keywright.text.encoders import Encode, MiniLM


@dataclass(frozen=True, eq=False)
class VocabularyIndex(Sequence[str]):
    """Labels in order, and their keys as the stemmer of each language makes them.

    ``keys``, ``forms``: by ISO 639-1 code, others are computed when asked for; ``concepts``: None for a list of labels;
    ``card``: empty in memory; ``reopen``: opens a saved index in another process, which maps its files; ``meanings``:
    embeddings of the labels, once they were asked for.
    """

    labels: Labels
    keys: Mapping[str, LabelKeys] = field(default_factory=dict)
    concepts: Concepts | None = None
    forms: Mapping[str, LabelForms] = field(default_factory=dict)
    card: Mapping[str, Any] = field(default_factory=dict)
    reopen: Callable[[], "VocabularyIndex"] | None = None
    meanings: list[LabelMeanings] = field(default_factory=list, repr=False)
    _computed: dict[str, tuple[LabelForms | None, LabelKeys]] = field(default_factory=dict, repr=False)

    @classmethod
    def of_concepts(cls, labels: Labels, concepts: Concepts, languages: Iterable[str] = ()) -> "VocabularyIndex":
        """Return an index of concepts and their labels, with keys for some languages."""
        index = cls(labels, concepts=concepts)
        forms, keys = {}, {}
        for language in languages:
            forms[language], keys[language] = index._forms_and_keys(language, concepts)
        return replace(index, forms=forms, keys=keys)

    @classmethod
    def of(cls, labels: Iterable[str], languages: Iterable[str] = ()) -> "VocabularyIndex":
        """Return an index of labels, with keys for some languages."""
        columns = Labels.of(labels)
        return cls(columns, {language: LabelKeys.of(columns, language) for language in languages})

    def keys_for(self, language: str) -> LabelKeys:
        """Return the keys of the labels, stemmed like documents in a language."""
        if language in self.keys:
            return self.keys[language]
        return self._of_language(language)[1]

    def forms_for(self, language: str) -> LabelForms | None:
        """Return the forms of the labels of concepts, stemmed like documents in a language; None without concepts."""
        return self.forms[language] if language in self.forms else self._of_language(language)[0]

    def number_labels(self, language: str) -> Iterator[tuple[int, str]]:
        """Yield the labels that are looked up in texts of a language, with their numbers."""
        if self.concepts is None:
            yield from enumerate(self.labels)
            return
        chosen = self.concepts.in_language(language)
        yield from ((number, label) for number, label in enumerate(self.labels) if chosen[number])

    def _of_language(self, language: str) -> tuple[LabelForms | None, LabelKeys]:
        if language not in self._computed:
            concepts = self.concepts
            self._computed[language] = (
                (None, LabelKeys.of(self.labels, language))
                if concepts is None
                else self._forms_and_keys(language, concepts)
            )
        return self._computed[language]

    def _forms_and_keys(self, language: str, concepts: Concepts) -> tuple[LabelForms, LabelKeys]:
        return LabelForms.of(self.number_labels(language), concepts.kinds, language)

    def label_meanings(self) -> LabelMeanings:
        """Return the embeddings of the labels, which are computed by the shipped encoder where the index has none.

        Raises:
            BadParameter: that would take long, as there are many labels.
            MissingExtra: the extra ``embed`` is not installed.
        """
        if not self.meanings:
            if len(self) > MOST_UNSAVED:
                hint = "`keywright vocabulary build FILE -o DIR --encoder minilm` (or a folder or address) stores them"
                raise BadParameter(f"the vocabulary has {len(self):,} labels, and no embeddings of them", hint)
            self.meanings.append(self.encode_labels(MiniLM()))
        return self.meanings[0]

    def encode_labels(self, encoder: Encode) -> LabelMeanings:
        """Return embeddings of the labels by an encoder."""
        rows = np.arange(len(self))
        return LabelMeanings.of(self.labels, rows if self.concepts is None else self.concepts.of_labels(rows), encoder)

    @property
    def digest(self) -> str:
        """SHA-256 of the labels, one per line, and of the URIs of their concepts."""
        if self.concepts is None:
            return self.labels.digest
        return hashlib.sha256(f"{self.labels.digest} {self.concepts.uris.digest}".encode()).hexdigest()

    @property
    def fingerprint(self) -> str:
        """Start of the digest: the vocabulary's part in a signature."""
        return self.digest[:8]

    def in_memory(self) -> "VocabularyIndex":
        """Return the index without the place of its files, to be saved as part of something else."""
        source = {name: self.card[name] for name in ("source",) if name in self.card}
        return VocabularyIndex(self.labels, self.keys, self.concepts, self.forms, source)

    def __len__(self) -> int:
        """Number of labels."""
        return len(self.labels)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: Any) -> Any:
        """Return one label, or some."""
        return self.labels[index]

    def __iter__(self) -> Iterator[str]:
        """Yield the labels in order."""
        return iter(self.labels)

    def __reduce__(self) -> Any:
        """Pickle a saved index as its place, so that processes share the mapped files."""
        if self.reopen:
            return self.reopen, ()
        return VocabularyIndex, (self.labels, self.keys, self.concepts, self.forms)
