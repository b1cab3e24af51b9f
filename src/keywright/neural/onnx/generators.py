"""Exported generators: run by onnxruntime on one thread and by numpy, without torch."""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import methodcaller
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keywright.core.errors import BrokenFile, needs_extra
from keywright.core.json_values import parse_file
from keywright.neural.data.examples import BEGIN, END, PAD, Limits, Vocabulary, Words
from keywright.neural.decoding.greedy import SlotSettings, write_greedily, write_slots
from keywright.neural.decoding.phrases import (
    Decoding,
    GeneratedPhrase,
    PhraseGenerator,
    SlotPhrases,
    WordSequences,
    check_greedy,
)
from keywright.neural.decoding.pieces import Marks, PieceSequences
from keywright.neural.model_folder import AGAIN, CONFIG, ENCODER, STEP, read_checked_files, read_generator_card
from keywright.text.encoders import open_session

State: TypeAlias = dict[str, NDArray[Any]]  # Named tensors with a row for each sequence that is written
EXTENDED: Final = "extended"  # input: numbers of the source's words or pieces, (rows, places)
BEHIND: Final = "behind"  # input: a column for each word behind the vocabulary, (rows, words behind)
MASK: Final = "mask"  # input: 1 where there is a piece, (rows, places)
WORDS: Final = "words"  # input of a step: the words before, (rows,) or (rows, slots)
NEXT: Final = "next_"
"""Before the names of a step's outputs that replace a part of the state; its first output is log-probabilities."""
ATTENDED: Final = "attended"
"""Output of a step: most attended word of the source, (rows,) or (rows, slots); earlier exports lack it."""
_EXTERNAL: Final = b"location"
"""Key that every weight outside of its ONNX file has; names in exported graphs do not contain it."""


@dataclass(frozen=True, eq=False)
class Sessions:
    """An encoder and a step, as sessions of onnxruntime."""

    encoder: Any
    decoder: Any

    @classmethod
    def open(cls, encoder: bytes, decoder: bytes, folder: Path) -> "Sessions":
        """Return the graphs of two ONNX files.

        Raises BrokenFile: a file is not ONNX, has weights outside of it, or lacks an input; MissingExtra.
        """
        with needs_extra("onnx", "exported generators need onnxruntime"):
            onnxruntime = importlib.import_module("onnxruntime")  # has no types
        if _EXTERNAL in encoder or _EXTERNAL in decoder:
            message = f"a graph in {folder} has weights in another file"
            raise BrokenFile(message, "export the generator again: such files are not read")
        try:
            sessions = cls(open_session(onnxruntime, encoder), open_session(onnxruntime, decoder))
        except Exception as error:  # the library has an exception for each status, without a common class
            message = f"a graph in {folder} cannot be opened: {' '.join(str(error).split())}"
            raise BrokenFile(f"{message:.300}", "export the generator again") from error
        needed = {*_list_names(sessions.encoder.get_inputs()), *_list_names(sessions.decoder.get_inputs())}
        has = {EXTENDED, BEHIND, MASK, WORDS, *_list_names(sessions.encoder.get_outputs())}
        if WORDS not in needed or not needed <= has:
            raise BrokenFile(f"the graphs in {folder} are not an encoder and a step", "export the generator again")
        return sessions

    def encode(self, inputs: Mapping[str, NDArray[Any]]) -> State:
        """Return the state before the first step, with all inputs that a step needs."""
        names = _list_names(self.encoder.get_outputs())
        needed = {name: inputs[name] for name in _list_names(self.encoder.get_inputs())}
        state = {**inputs, **dict(zip(names, self.encoder.run(names, needed), strict=True))}
        return {name: state[name] for name in _list_names(self.decoder.get_inputs()) if name != WORDS}

    def step(self, state: State, words: NDArray[np.int64]) -> tuple[NDArray[np.float32], State]:
        """Return log-probabilities of the next words, (rows, words) or (rows, slots, words), and the new state."""
        first, *names = _list_names(self.decoder.get_outputs())
        before = {name: value for name, value in state.items() if name != ATTENDED}
        log_probabilities, *changed = self.decoder.run([first, *names], {WORDS: words, **before})
        return log_probabilities, state | dict(zip((name.removeprefix(NEXT) for name in names), changed, strict=True))


def _pad_rows(rows: Sequence[Sequence[int]], fill: int) -> NDArray[np.int64]:
    """Return rows of numbers as a matrix filled with ``fill``, (rows, longest)."""
    longest = max(map(len, rows))
    return np.array([[*row, *[fill] * (longest - len(row))] for row in rows], np.int64)


def _list_names(tensors: Any) -> list[str]:
    return [tensor.name for tensor in tensors]


def _choose_rows(state: State, rows: NDArray[np.int64]) -> State:
    return {name: tensor[rows] for name, tensor in state.items()}


@dataclass(frozen=True, eq=False)
class ExportedWordGenerator(PhraseGenerator):
    """One2Seq or ExHiRD, a sequence of words with ``start_marks`` on top of the longest, or One2Set, greedy slots."""

    sessions: Sessions
    sequences: Any  # ``WordSequences``, or for ``slots`` ``SlotPhrases``
    start_marks: int = 0
    slots: SlotSettings | None = None

    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of each source as they were written; of slots by their mean probability."""
        rows, unknown = self.sequences.vocabulary.encode_sources(sources)
        constraint = self.sequences.present_only(rows) if decoding.present_only else None
        behind = np.zeros((len(rows), max(map(len, unknown), default=0)), np.float32)
        state = self.sessions.encode({EXTENDED: _pad_rows(rows, PAD), BEHIND: behind})
        step, shown = self.sessions.step, methodcaller("get", ATTENDED)
        written: list[Any]
        if self.slots is not None:
            filled = decoding.fill_slots
            written = write_slots(step, state, len(rows), self.slots, constraint, filled=filled, find_attended=shown)
        else:
            check_greedy(decoding)
            begin, longest = np.full(len(rows), BEGIN), decoding.longest + self.start_marks
            written = write_greedily(step, _choose_rows, state, begin, END, longest, constraint, find_attended=shown)
        return [self.sequences.phrases(each, missing) for each, missing in zip(written, unknown, strict=True)]


@dataclass(frozen=True, eq=False)
class ExportedPieceGenerator(PhraseGenerator):
    """BART or T5: a sequence of pieces."""

    sessions: Sessions
    pieces: PieceSequences

    def count_read(self, source: Words) -> int:
        """Return how many of a source's words the model reads: all, or as many as it has positions for."""
        return self.pieces.count_read(source)

    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of each source, in the order of generation; repeats are kept."""
        check_greedy(decoding)
        self.pieces.check_fits(decoding.longest)
        rows, end = [self.pieces.source(source) for source in sources], self.pieces.marks.end
        mask = _pad_rows([[1] * len(row) for row in rows], 0)
        state = self.sessions.encode({EXTENDED: _pad_rows(rows, end), MASK: mask})
        step, (*before, first) = self.sessions.step, self.pieces.marks.prefix
        for number in before:
            _, state = step(state, np.full(len(rows), number))
        constraint = self.pieces.present_only(sources) if decoding.present_only else None
        begin = np.full(len(rows), first)
        written = write_greedily(step, _choose_rows, state, begin, end, decoding.longest, constraint)
        whole = sources if decoding.present_only else [None] * len(sources)
        return [self.pieces.phrases(each, source) for each, source in zip(written, whole, strict=True)]


def load_exported(folder: Path) -> tuple[PhraseGenerator, Limits]:
    """Return the generator of a folder that ``onnx.export`` wrote, and its limits.

    Raises BrokenFile: a file is damaged, missing, does not fit, or could run code; MissingExtra: ``onnx`` is not
    installed; TooLarge: a file is above its limit.
    """
    contents = read_checked_files(folder, read_generator_card(folder))
    values = parse_file(contents.pop(CONFIG), folder / CONFIG, AGAIN)
    sessions = Sessions.open(contents.pop(ENCODER), contents.pop(STEP), folder)
    try:
        texts = {name: content.decode("utf-8") for name, content in contents.items()}
        return make_exported(values["writes"], texts, sessions), Limits(**values["limits"])
    except (KeyError, TypeError, ValueError) as error:
        message = f"the config in {folder} makes no generator: {error!r}"
        raise BrokenFile(f"{message:.300}", "export the generator again") from error


def make_exported(settings: Mapping[str, Any], files: Mapping[str, str], sessions: Sessions) -> PhraseGenerator:
    """Return a generator from its settings (``onnx.export``) and texts.

    Raises BrokenFile: a text is damaged; KeyError, TypeError, ValueError: a setting is missing or wrong.
    """
    values: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in settings.items()}
    kind = values.pop("kind")
    if kind == "pieces":
        with needs_extra("onnx", "exported BART and T5 need tokenizers"):
            from keywright.neural.data.subwords import Subwords  # noqa: PLC0415 - needs tokenizers
        subwords, positions = Subwords.from_json(files["tokenizer.json"]), values.pop("positions")
        return ExportedPieceGenerator(sessions, PieceSequences(subwords, Marks(**values), positions))
    vocabulary = Vocabulary.from_json(files["vocabulary.json"])
    if kind == "words":
        sequences = WordSequences(vocabulary, marked=values["marked"])
        return ExportedWordGenerator(sessions, sequences, start_marks=values["start_marks"])
    if kind == "slots":
        slots = SlotSettings(**values)
        return ExportedWordGenerator(sessions, SlotPhrases(vocabulary, slots.count), slots=slots)
    raise ValueError(f"sequences of kind {kind!r}")
