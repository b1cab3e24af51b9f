"""Exported generators of words: words become numbers, graphs write numbers, and numbers become phrases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keywright.core.extras import needs_extra
from keywright.neural.data.examples import Words
from keywright.neural.data.vocabulary import BEGIN, END, PAD, Vocabulary
from keywright.neural.decoding.phrases import GeneratedPhrase
from keywright.neural.decoding.settings import Decoding, check_greedy
from keywright.neural.decoding.slot_phrases import SlotPhrases
from keywright.neural.decoding.word_sequences import WordSequences
from keywright.neural.exported.greedy import Slots, sequences, slots
from keywright.neural.exported.sessions import BEHIND, EXTENDED, Sessions, State, padded
from keywright.neural.phrase_generator import PhraseGenerator


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
        state = _encoded_words(self.sessions, rows, unknown)
        written = sequences(self.sessions, state, np.full(len(rows), BEGIN), END, longest, constraint)
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
        state = _encoded_words(self.sessions, rows, unknown)
        written = slots(self.sessions, state, self.slots, constraint, filled=decoding.fill_slots)
        return [self.phrases.phrases(each, missing) for each, missing in zip(written, unknown, strict=True)]


def generator_of(settings: Mapping[str, Any], files: Mapping[str, str], sessions: Sessions) -> PhraseGenerator:
    """Return a generator from its settings (``exporting.settings``) and texts.

    Raises:
        KeyError: a setting or file is missing.
        TypeError: a setting has the wrong type.
        ValueError: a setting has no such value.
    """
    values = {name: value for name, value in settings.items() if name != "kind"}
    if settings["kind"] == "pieces":
        with needs_extra("onnx", "exported BART and T5 need tokenizers"):
            from keywright.neural.exported.piece_generator import PieceGenerator  # noqa: PLC0415 - needs tokenizers
        return PieceGenerator.of(values, files["tokenizer.json"], sessions)
    vocabulary = Vocabulary.from_json(files["vocabulary.json"])
    if settings["kind"] == "words":
        return WordGenerator(sessions, WordSequences(vocabulary, marked=values["marked"]), values["start_marks"])
    if settings["kind"] == "slots":
        return SlotGenerator(sessions, SlotPhrases(vocabulary, values["count"]), Slots(**values))
    raise ValueError(f"sequences of kind {settings['kind']!r}")


def _encoded_words(sessions: Sessions, rows: Sequence[Sequence[int]], unknown: Sequence[Words]) -> State:
    behind = np.zeros((len(rows), max(map(len, unknown), default=0)), np.float32)
    return sessions.encode({EXTENDED: padded(rows, PAD), BEHIND: behind})
