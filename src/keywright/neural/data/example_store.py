"""Examples on disk, so that a training of any number of documents needs little memory.

A folder has flat columns (``.npy`` without pickles) and the distinct words:

=============== ====================================================================================================
``words.json``  distinct words, in the order of their first occurrence
``tokens.npy``  numbers of the words of each example: its source, then its keyphrases, present ones first
``phrases.npy`` words of each keyphrase
``names.npy``   ids of the examples as UTF-8
``rows.npy``    for each example where its tokens, phrases and id begin, the words of its source, and its present
                keyphrases; one more row has the ends
=============== ====================================================================================================
"""

import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from keywright.neural.data.examples import Example

Rows: TypeAlias = NDArray[np.int64]
"""Numbers of examples in a store."""
_WORDS: Final = "words.json"
_ROW: Final = np.dtype([("token", "<i8"), ("phrase", "<i8"), ("name", "<i8"), ("source", "<i4"), ("present", "<i4")])
_COLUMNS: Final[dict[str, DTypeLike]] = {"tokens": "<i4", "phrases": "<i4", "names": "u1", "rows": _ROW}


class ExampleWriter:
    """Writes a store example by example; ``close`` completes the files."""

    def __init__(self, folder: Path) -> None:
        """Create the files in a folder that exists."""
        self._folder = folder
        self._columns = {name: _Column(folder / f"{name}.npy", kind) for name, kind in _COLUMNS.items()}
        self._numbers: dict[str, int] = {}

    @property
    def examples(self) -> int:
        """Number of examples so far."""
        return self._columns["rows"].length

    def add(self, example: Example) -> None:
        """Add an example."""
        self._add_row(len(example.source), len(example.present))
        phrases, numbers = example.phrases, self._numbers
        words = itertools.chain(example.source, *phrases)
        self._columns["tokens"].add([numbers.setdefault(word, len(numbers)) for word in words])
        self._columns["phrases"].add([len(phrase) for phrase in phrases])
        self._columns["names"].add(list(example.id.encode("utf-8", "surrogatepass")))

    def close(self) -> None:
        """Write the last row, the headers and the words."""
        self._add_row(0, 0)
        for column in self._columns.values():
            column.close()
        # ASCII only: words may hold surrogates, which are not UTF-8.
        (self._folder / _WORDS).write_text(json.dumps(list(self._numbers)), encoding="ascii")

    def _add_row(self, source: int, present: int) -> None:
        starts = (self._columns[name].length for name in ("tokens", "phrases", "names"))
        self._columns["rows"].add([(*starts, source, present)])


class _Column:
    """A growing ``.npy`` file of one axis."""

    def __init__(self, path: Path, kind: DTypeLike) -> None:
        self.length, self._kind, self._file = 0, np.dtype(kind), path.open("wb")
        self._write_header()

    def add(self, values: Sequence[Any]) -> None:
        self._file.write(np.array(values, self._kind).tobytes())
        self.length += len(values)

    def close(self) -> None:
        # numpy leaves room in the header for a longer first axis: the true length has the place of the first, 0.
        self._file.seek(0)
        self._write_header()
        self._file.close()

    def _write_header(self) -> None:
        header = {
            "descr": np.lib.format.dtype_to_descr(self._kind),
            "fortran_order": False,
            "shape": (self.length,),
        }
        np.lib.format.write_array_header_1_0(self._file, header)


class ExampleStore:
    """A store that ``ExampleWriter`` completed; columns stay on disk, words are in memory."""

    def __init__(self, folder: Path) -> None:
        """Open the files; their contents are trusted, the folder of a training checks them."""
        columns = {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in _COLUMNS}
        self._tokens, self._phrases, self._names = columns["tokens"], columns["phrases"], columns["names"]
        self._rows: NDArray[Any] = np.array(columns["rows"])  # 32 bytes an example
        self._words: list[str] = json.loads((folder / _WORDS).read_bytes())

    def __len__(self) -> int:
        """Number of examples."""
        return len(self._rows) - 1

    @property
    def source_lengths(self) -> Rows:
        """Words of the source of each example, (examples,)."""
        return self._rows["source"][:-1].astype(np.int64)

    def id(self, row: int) -> str:
        """Return the id of an example."""
        start, end = self._rows["name"][row : row + 2].tolist()
        return bytes(self._names[start:end]).decode("utf-8", "surrogatepass")

    def example(self, row: int) -> Example:
        """Return an example."""
        here, after = self._rows[row], self._rows[row + 1]
        numbers = self._tokens[here["token"] : after["token"]].tolist()
        words = tuple(map(self._words.__getitem__, numbers))
        ends = np.cumsum([here["source"], *self._phrases[here["phrase"] : after["phrase"]]]).tolist()
        phrases = tuple(words[start:end] for start, end in itertools.pairwise(ends))
        return Example(self.id(row), words[: ends[0]], phrases[: here["present"]], phrases[here["present"] :])


class StoredExamples(Sequence[Example]):
    """Some examples of a store, which are read when they are asked for."""

    def __init__(self, store: ExampleStore, rows: Rows) -> None:
        """Take the examples with the numbers ``rows``, in that order."""
        self._store, self._rows = store, rows

    def __len__(self) -> int:
        """Number of examples."""
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Example: ...
    @overload
    def __getitem__(self, place: slice) -> "StoredExamples": ...
    def __getitem__(self, place: int | slice) -> "Example | StoredExamples":
        """Return the example of a place, or the examples of a slice."""
        if isinstance(place, slice):
            return StoredExamples(self._store, self._rows[place])
        return self._store.example(int(self._rows[place]))

    def __iter__(self) -> Iterator[Example]:
        """Yield the examples."""
        return map(self._store.example, self._rows.tolist())

    @property
    def source_lengths(self) -> Rows:
        """Words of each source, without reading the sources, (examples,)."""
        return self._store.source_lengths[self._rows]


def source_lengths(examples: Sequence[Example]) -> Rows:
    """Return the words of each source, (examples,)."""
    if isinstance(examples, StoredExamples):
        return examples.source_lengths
    return np.array([len(example.source) for example in examples], np.int64)
