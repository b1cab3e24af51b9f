"""Exported generators: words become numbers, graphs write numbers, and numbers become phrases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from keywright.core.errors import BrokenFile, needs_extra
from keywright.neural.data.examples import Limits, Words
from keywright.neural.data.vocabulary import BEGIN, END, PAD, Vocabulary
from keywright.neural.decoding.phrases import GeneratedPhrase, SlotPhrases, WordSequences
from keywright.neural.model_folder import CONFIG, ENCODER, STEP, parse_json, read_checked_files, read_generator_card
from keywright.neural.onnx.sessions import (
    BEHIND,
    EXTENDED,
    Sessions,
    Slots,
    State,
    pad_arrays,
    write_greedily,
    write_slots,
)
from keywright.neural.phrase_generator import Decoding, PhraseGenerator, check_greedy


@dataclass(frozen=True, eq=False)
class WordGenerator(PhraseGenerator):
    """One2Seq or ExHiRD: a sequence of words.

    Attributes:
        start_marks: marks of phrases at most, which come on top of the longest sequence.
    """

    sessions: Sessions
    words: WordSequences
    start_marks: int

    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of each source, in the order of generation; repeats are kept."""
        check_greedy(decoding)
        rows, unknown = self.words.vocabulary.numbered(sources)
        constraint = self.words.present_only(rows) if decoding.present_only else None
        longest = decoding.longest + self.start_marks
        state = _encode_words(self.sessions, rows, unknown)
        written = write_greedily(self.sessions, state, np.full(len(rows), BEGIN), END, longest, constraint)
        return [self.words.phrases(each, missing) for each, missing in zip(written, unknown, strict=True)]


@dataclass(frozen=True, eq=False)
class SlotGenerator(PhraseGenerator):
    """One2Set: a phrase for each slot, always greedy."""

    sessions: Sessions
    phrases: SlotPhrases
    slots: Slots

    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of the slots that are not empty, those with the highest mean probability first."""
        rows, unknown = self.phrases.vocabulary.numbered(sources)
        constraint = self.phrases.present_only(rows) if decoding.present_only else None
        state = _encode_words(self.sessions, rows, unknown)
        written = write_slots(self.sessions, state, self.slots, constraint, filled=decoding.fill_slots)
        return [self.phrases.phrases(each, missing) for each, missing in zip(written, unknown, strict=True)]


def make_exported(settings: Mapping[str, Any], files: Mapping[str, str], sessions: Sessions) -> PhraseGenerator:
    """Return a generator from its settings (``exporting.settings``) and texts.

    Raises:
        KeyError: a setting or file is missing.
        TypeError: a setting has the wrong type.
        ValueError: a setting has no such value.
    """
    values = {name: value for name, value in settings.items() if name != "kind"}
    if settings["kind"] == "pieces":
        with needs_extra("onnx", "exported BART and T5 need tokenizers"):
            from keywright.neural.onnx.piece_generator import PieceGenerator  # noqa: PLC0415 - needs tokenizers
        return PieceGenerator.of(values, files["tokenizer.json"], sessions)
    vocabulary = Vocabulary.from_json(files["vocabulary.json"])
    if settings["kind"] == "words":
        return WordGenerator(sessions, WordSequences(vocabulary, marked=values["marked"]), values["start_marks"])
    if settings["kind"] == "slots":
        return SlotGenerator(sessions, SlotPhrases(vocabulary, values["count"]), Slots(**values))
    raise ValueError(f"sequences of kind {settings['kind']!r}")


def _encode_words(sessions: Sessions, rows: Sequence[Sequence[int]], unknown: Sequence[Words]) -> State:
    behind = np.zeros((len(rows), max(map(len, unknown), default=0)), np.float32)
    return sessions.encode({EXTENDED: pad_arrays(rows, PAD), BEHIND: behind})


def load_exported(folder: Path) -> tuple[PhraseGenerator, Limits]:
    """Return the generator of a folder that ``exporting`` wrote, and its limits.

    Raises:
        BrokenFile: a file is damaged, missing, or does not fit the others; or the folder has files that could run code.
        MissingExtra: the extra ``onnx`` is not installed.
        TooLarge: a file is above its limit.
    """
    contents = read_checked_files(folder, read_generator_card(folder))
    values = parse_json(contents.pop(CONFIG), folder / CONFIG)
    sessions = Sessions.opened(contents.pop(ENCODER), contents.pop(STEP), folder)
    try:
        texts = {name: content.decode("utf-8") for name, content in contents.items()}
        return make_exported(values["writes"], texts, sessions), Limits(**values["limits"])
    except (KeyError, TypeError, ValueError) as error:
        message = f"the config in {folder} makes no generator: {error!r}"
        raise BrokenFile(f"{message:.300}", "export the generator again") from error
