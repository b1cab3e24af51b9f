"""A vocabulary with the keys of its labels, by language: built in memory, or mapped from a folder."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from keywright.text.stems import stemmer
from keywright.vocabularies.label_keys import LabelKeys
from keywright.vocabularies.labels import Labels


@dataclass(frozen=True, eq=False)
class VocabularyIndex(Sequence[str]):
    """Labels in order, and their keys as the stemmer of each language makes them.

    Attributes:
        labels: texts of the labels.
        keys: of the labels and their beginnings, by ISO 639-1 code; those of other languages are computed when they
            are first asked for.
        card: origin of an index that was saved; empty for one in memory.
        reopen: opens a saved index again in another process, which maps its files; None for one in memory.
    """

    labels: Labels
    keys: Mapping[str, LabelKeys] = field(default_factory=dict)
    card: Mapping[str, Any] = field(default_factory=dict)
    reopen: Callable[[], "VocabularyIndex"] | None = None
    _computed: dict[str, LabelKeys] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, labels: Iterable[str], languages: Iterable[str] = ()) -> "VocabularyIndex":
        """Return an index of labels, with keys for some languages."""
        columns = Labels.of(labels)
        return cls(columns, {language: LabelKeys.of(columns, stemmer(language)) for language in languages})

    def keys_for(self, language: str) -> LabelKeys:
        """Return the keys of the labels, stemmed like documents in a language."""
        if language in self.keys:
            return self.keys[language]
        if language not in self._computed:
            self._computed[language] = LabelKeys.of(self.labels, stemmer(language))
        return self._computed[language]

    @property
    def digest(self) -> str:
        """SHA-256 of the labels, one per line."""
        return self.labels.digest

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
        return (self.reopen, ()) if self.reopen else (VocabularyIndex, (self.labels, self.keys))
