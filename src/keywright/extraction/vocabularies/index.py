"""A vocabulary with the keys of its labels by language, and their embeddings: in memory, or mapped from a folder.

How near a phrase must be to a label by meaning differs by encoder and vocabulary. So the threshold is taken from the
vocabulary itself: a phrase must be nearer to a label than most labels are to the nearest label of another concept, and
near at all. Phrases of another language than the labels are less near to them than labels are to each other: there the
nearest label must stand out from those behind it, as labels do, by the margin of Artetxe and Schwenk (ACL 2019).
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, overload

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, to_units
from keywright.core.errors import BadParameter
from keywright.extraction.vocabularies.concepts import Concepts, Labels
from keywright.extraction.vocabularies.label_keys import LabelForms, LabelKeys
from keywright.text.encoders import Encode, MiniLM

_SHARE: Final = 0.5
"""Share of labels that are less near to another concept than a phrase must be to its label; fitted on fao_agrovoc,
where F@10 is .260 with .5, .259 with .75 and .252 with .9, and .232 by labels."""
_BEHIND: Final = 11  # labels from which the nearest must stand out in another language; arbitrary
_LEAST: Final = 0.65  # least threshold, as labels of a small vocabulary may differ; fitted like the share
_SAMPLE: Final = 1_000  # labels from which the threshold is taken; arbitrary
_AT_ONCE: Final = 256  # texts that are encoded, or phrases that are compared at once; arbitrary
MOST_UNSAVED: Final = 20_000  # labels whose embeddings are computed at need, in some twenty seconds; arbitrary


@dataclass(frozen=True, eq=False)
class LabelMeanings:
    """Embeddings of labels in half precision, (labels, dimensions), and when a phrase is near to its label.

    ``threshold``: least cosine; ``margin``: least margin of phrases in other languages, infinite for older indexes.
    """

    encoder: Encode
    vectors: Floats
    threshold: float
    margin: float = np.inf

    @classmethod
    def of(cls, labels: Sequence[str], owners: Ints, encoder: Encode) -> "LabelMeanings":
        """Return the embeddings of labels; ``owners``: the concept of each, (labels,)."""
        starts = range(0, len(labels), _AT_ONCE)
        vectors = np.concatenate([_encode_units(encoder, list(labels[at : at + _AT_ONCE])) for at in starts])
        sample = np.unique(np.linspace(0, len(labels) - 1, min(_SAMPLE, len(labels))).astype(np.int64))
        some, nearby = vectors[sample].astype(np.float32), np.zeros((len(sample), 0), np.float32)
        for at in starts:
            cosines = some @ vectors[at : at + _AT_ONCE].astype(np.float32).T
            cosines[owners[sample][:, None] == owners[None, at : at + _AT_ONCE]] = -1.0
            nearby = _keep_highest(np.hstack((nearby, cosines)))
        least, margin = (float(np.quantile(each, _SHARE)) for each in (nearby.max(axis=1), _find_margins(nearby)))
        return cls(encoder, vectors, max(_LEAST, least), margin)

    def find_nearest(self, phrases: Sequence[str], *, is_translated: bool = False) -> tuple[Ints, Floats, Bools]:
        """Return the nearest label of each phrase, its cosine, and whether it is near enough, (phrases,) all.

        ``is_translated``: the labels are in other languages than the phrases.
        """
        if not phrases:
            return np.zeros(0, np.int64), np.zeros(0), np.zeros(0, bool)
        units = np.asarray(_encode_units(self.encoder, phrases), np.float32)
        if units.shape[1] != self.vectors.shape[1]:
            message = f"the encoder gives {units.shape[1]} numbers a text, and the index has {self.vectors.shape[1]}"
            raise BadParameter(message, "build the index again with this encoder")
        best, row = np.full(len(phrases), -2.0), np.zeros(len(phrases), np.int64)
        nearby = np.zeros((len(phrases), 0), np.float32)
        step = 65_536  # labels whose half precision is widened at once: a hundred megabytes
        for start in range(0, len(self.vectors), step):
            cosines = units @ np.asarray(self.vectors[start : start + step], np.float32).T
            nearest = cosines.argmax(axis=1)
            value = cosines[np.arange(len(phrases)), nearest]
            row, best = np.where(value > best, nearest + start, row), np.maximum(best, value)
            if is_translated:
                nearby = _keep_highest(np.hstack((nearby, cosines)))
        is_near = _find_margins(nearby) >= self.margin if is_translated else best >= self.threshold
        return row, np.minimum(best, 1.0), is_near


def _keep_highest(cosines: Floats) -> Floats:
    """Return the cosines of the nearest labels of each phrase and some behind it, (phrases, labels), in any order."""
    return np.partition(cosines, -_BEHIND - 1, axis=1)[:, -_BEHIND - 1 :] if cosines.shape[1] > _BEHIND else cosines


def _find_margins(cosines: Floats) -> Floats:
    """Return the ratio of the cosine of the nearest label to the mean of those behind it, (phrases,)."""
    nearby = np.maximum(np.sort(_keep_highest(cosines), axis=1), 0)
    return np.asarray(nearby[:, -1] / np.maximum(nearby[:, :-1].mean(axis=1) if nearby.shape[1] > 1 else 0, 0.05))


def _encode_units(encoder: Encode, texts: Sequence[str]) -> Floats:
    """Return embeddings of length 1 in half precision, whose cosines are right to three digits."""
    return to_units(np.asarray(encoder(texts))).astype(np.float16)


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
        both = {language: index._of_language(language) for language in languages}
        forms = {language: forms for language, (forms, _) in both.items() if forms is not None}
        return replace(index, forms=forms, keys={language: keys for language, (_, keys) in both.items()})

    @classmethod
    def of(cls, labels: Iterable[str], languages: Iterable[str] = ()) -> "VocabularyIndex":
        """Return an index of labels, with keys for some languages."""
        columns = Labels.of(labels)
        return cls(columns, {language: LabelKeys.of(columns, language) for language in languages})

    def need_concepts(self, use: str = "subjects") -> Concepts:
        """Return the concepts, which some use needs; a list of labels without them is a ``BadParameter``."""
        if self.concepts is None:
            hint = "build it of a thesaurus in SKOS, or of a table with a column uri: `keywright vocabulary build`"
            raise BadParameter(f"{use} of a vocabulary without concepts", hint)
        return self.concepts

    def keys_for(self, language: str) -> LabelKeys:
        """Return the keys of the labels, stemmed like documents in a language."""
        return self.keys[language] if language in self.keys else self._of_language(language)[1]

    def forms_for(self, language: str) -> LabelForms | None:
        """Return the forms of the labels of concepts, stemmed like documents in a language; None without concepts."""
        return self.forms[language] if language in self.forms else self._of_language(language)[0]

    def number_labels(self, language: str) -> Iterator[tuple[int, str]]:
        """Yield the labels that are looked up in texts of a language, with their numbers."""
        chosen = np.ones(len(self), bool) if self.concepts is None else self.concepts.in_language(language)
        yield from ((number, label) for number, label in enumerate(self.labels) if chosen[number])

    def _of_language(self, language: str) -> tuple[LabelForms | None, LabelKeys]:
        if language not in self._computed:
            if self.concepts is None:
                self._computed[language] = None, LabelKeys.of(self.labels, language)
            else:
                self._computed[language] = LabelForms.of(self.number_labels(language), self.concepts.kinds, language)
        return self._computed[language]

    def label_meanings(self) -> LabelMeanings:
        """Return the embeddings of the labels, by the shipped encoder (``MissingExtra``) if they are not too many."""
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
        return len(self.labels)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: Any) -> Any:
        return self.labels[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self.labels)

    def __reduce__(self) -> Any:
        """Pickle a saved index as its place, so that processes share the mapped files."""
        if self.reopen:
            return self.reopen, ()
        return VocabularyIndex, (self.labels, self.keys, self.concepts, self.forms)
