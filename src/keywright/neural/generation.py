"""Keyphrases of documents by a loaded generator: windows, decoding, repeats joined, named phrases scored."""

import itertools
import math
import multiprocessing
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from keywright.core.candidates import Spans
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, NotFitted
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure
from keywright.extraction.ranking.rank import surface_form
from keywright.neural.data.examples import Limits, Source, Words, first_window, make_windows, split_phrase, stem_words
from keywright.neural.decoding.phrases import (
    Decoding,
    GeneratedPhrase,
    PhraseGenerator,
    generate_phrases,
    keep_likelier,
)
from keywright.neural.model_folder import CARD, CONFIG, is_exported, load_generator, read_generator_card
from keywright.neural.onnx.generators import load_exported

if TYPE_CHECKING:
    from keywright.neural.models.generator import KeyphraseGenerator

_NO_WORD: Final = re.compile(r"<[a-z_]+>|[,.;]")
"""Words that no keyphrase has: an unknown word, a number that is not in the text, commas and full stops."""
_APOSTROPHE: Final = "'"
_BATCH: Final = 16  # windows that are decoded, or phrases that are scored together; arbitrary
_REMEMBERED: Final = 256  # documents whose phrases are remembered until they are asked for; arbitrary, several batches
Phrases: TypeAlias = tuple[tuple[GeneratedPhrase, ...], ...]  # phrases of each window of a document


@dataclass(frozen=True, eq=False)
class LoadedGenerator:
    """A generator in memory, the limits of its training documents, and phrases that were generated ahead."""

    model: PhraseGenerator
    limits: Limits
    ahead: dict[tuple[Words, ...], Phrases] = field(default_factory=dict)


def check_writes_keyphrases(folder: Path) -> None:
    """Raise ``NotFitted`` for a generator that has learned to restore texts, not to write keyphrases."""
    if read_generator_card(folder).get("objective") == "denoising":
        hint = f"`keywright train NAME DATASET -o DIR --start {folder}` teaches it to write them"
        raise NotFitted(f"the generator in {folder} learned to restore texts, not to write keyphrases", hint)


def load_generator_once(folder: Path) -> LoadedGenerator:
    """Return the generator of a folder, read once by this process."""
    changed = (path.stat().st_mtime_ns for path in (folder / CARD, folder / CONFIG) if path.is_file())
    return _load_folder(folder, max(changed, default=0))


@lru_cache(maxsize=4)
def _load_folder(folder: Path, changed: int) -> LoadedGenerator:  # noqa: ARG001 - a folder that changed is read again
    check_writes_keyphrases(folder)
    if is_exported(folder):
        return LoadedGenerator(*load_exported(folder))
    model, limits, _ = load_generator(folder)
    if multiprocessing.parent_process() is not None:
        import torch  # noqa: PLC0415 - heavy

        torch.set_num_threads(1)  # each worker process has a core; more threads would wait for each other
    return LoadedGenerator(model, limits)


@dataclass(frozen=True, eq=False)
class DocumentGeneration:
    """Generation of keyphrases for documents; lists are ordered by confidence, or as generated.

    ``all_windows``: whether all windows of a long document are read, or the first, as the published generators cut it.
    """

    generator: LoadedGenerator
    decoding: Decoding
    by_confidence: bool = False
    all_windows: bool = False

    def generate(self, document: Document) -> tuple[tuple[Keyphrase, ...], tuple[str, ...]]:
        """Return the keyphrases of a document, and warnings."""
        longest, warnings = self.generator.limits.source, []
        words, is_cut = self._read_windows(document)
        phrases = self.generator.ahead.pop(self._key(words), None) or self._generate_rows([words])[0]
        if is_cut:
            warnings.append(f"only the first {longest} words were read; windows=all reads the others")
        if len(words) > 1:
            read = f"read in {len(words)} windows of up to {longest} words"
            warnings.append(f"{read}; a phrase has its highest probability in any of them")
        if unread := sum(len(window) - self.generator.model.count_read(window) for window in words):
            warnings.append(f"{unread:,} words were not read: the generator has too few positions")
        # A phrase is present if the text has it, whether or not that part was read.
        places = Places(document)
        return join_keyphrases(document.text, places, phrases, by_confidence=self.by_confidence), tuple(warnings)

    def prefetch(self, documents: Sequence[Document]) -> None:
        """Generate for several documents together, and remember it."""
        ahead, rows = self.generator.ahead, [self._read_windows(document)[0] for document in documents]
        ahead |= zip(map(self._key, rows), self._generate_rows(rows), strict=True)
        while len(ahead) > _REMEMBERED:
            ahead.pop(next(iter(ahead)))

    def score(self, document: Document, phrases: Sequence[str]) -> list[Keyphrase | Failure]:
        """Return named phrases with the probabilities of a generator of torch, by teacher forcing; or why it has none.

        Each phrase is scored as the first that the generator would write, in the first window, or in that of all
        windows that gives it the highest probability; in a generated list other phrases precede it.
        """
        import torch  # noqa: PLC0415 - heavy

        model = cast("KeyphraseGenerator", self.generator.model)
        windows, words = self._read_windows(document)[0], [split_phrase(phrase) for phrase in phrases]
        best: dict[int, GeneratedPhrase] = {}
        for window in windows:
            rows = iter([row for row, phrase in enumerate(words) if phrase and not model.obstacle(window, phrase)])
            while batch := list(itertools.islice(rows, _BATCH)):
                with torch.inference_mode():
                    scored_batch = model.score(window, [words[row] for row in batch])
                for row, phrase in zip(batch, scored_batch, strict=True):
                    keep_likelier(best, row, phrase)
        places = Places(document)
        results: list[Keyphrase | Failure] = []
        for row, (text, phrase_words) in enumerate(zip(phrases, words, strict=True)):
            if scored := best.get(row):
                score, spans = math.exp(scored.mean_log_probability), places.find(_stem_phrase(phrase_words))
                results.append(Keyphrase(text, score, spans=spans, generation=scored.generation))
                continue
            if not phrase_words:
                error = BadParameter(f"the phrase {text!r:.60} has no words", "expected a phrase of words")
            elif not windows:
                error = BadParameter("the document has no words that a generator reads", "expected a title or a text")
            else:
                message = f"the generator cannot write {text!r:.60}: {model.obstacle(windows[0], phrase_words)}"
                error = BadParameter(message, "its probability is not known; leave the phrase out")
            results.append(Failure.from_error(document.id, error))
        return results

    def _read_windows(self, document: Document) -> tuple[tuple[Words, ...], bool]:
        """Return the words of the windows that are read, and whether others are not."""
        longest = self.generator.limits.source
        if self.all_windows:
            return tuple(window.words for window in make_windows(document, longest)), False
        window, is_cut = first_window(document, longest)
        return (window.words,) if window else (), is_cut

    def _key(self, windows: tuple[Words, ...]) -> tuple[Words, ...]:
        return ((repr(self.decoding),), *windows)

    def _generate_rows(self, rows: Sequence[Sequence[Words]]) -> list[Phrases]:
        """Return the phrases of each window of each document, windows of about one length decoded together."""
        sources = [words for row in rows for words in row]
        phrases = dict(generate_phrases(self.generator.model, sources, self.decoding, _BATCH))
        numbers = itertools.count()
        return [tuple(tuple(phrases[next(numbers)]) for _ in row) for row in rows]


def join_keyphrases(
    text: str, places: "Places", phrases: Sequence[Sequence[GeneratedPhrase]], *, by_confidence: bool
) -> tuple[Keyphrase, ...]:
    """Return a document's keyphrases of its windows, each stem once, by confidence, or as generated in one window."""
    best: dict[Words, GeneratedPhrase] = {}
    for phrase in itertools.chain.from_iterable(phrases):
        stems = _stem_phrase(phrase.words)
        if stems and not any(_NO_WORD.fullmatch(word) for word in phrase.words):
            keep_likelier(best, stems, phrase)
    items = list(best.items())
    if by_confidence or len(phrases) > 1:
        items.sort(key=lambda item: -item[1].mean_log_probability)
        scores = [math.exp(phrase.mean_log_probability) for _, phrase in items]
    else:
        scores = [1 / (place + 1) for place in range(len(items))]  # an order only: earlier is better
    keyphrases = []
    for (stems, phrase), score in zip(items, scores, strict=True):
        spans = places.find(stems)
        shown = surface_form(text, spans) if spans else " ".join(phrase.words)
        keyphrases.append(Keyphrase(shown, score, spans=spans, generation=phrase.generation))
    return tuple(keyphrases)


def _stem_phrase(words: Words) -> Words:
    """Return the stems of words without apostrophes, which texts have (*alzheimer ' s*) and keyphrases lack."""
    return stem_words(tuple(word for word in words if word != _APOSTROPHE))


class Places:
    """Places of phrases in the whole text of a document, by their stems."""

    def __init__(self, document: Document) -> None:
        (window,) = make_windows(document, sys.maxsize) or (Source((), ()),)
        pairs = zip(window.words, window.spans, strict=True)
        self._spans, self._stems = [span for word, span in pairs if word != _APOSTROPHE], _stem_phrase(window.words)
        self._at: dict[str, list[int]] = {}
        for at, stem in enumerate(self._stems):
            self._at.setdefault(stem, []).append(at)

    def find(self, phrase: Words) -> Spans:
        """Return the places of a phrase in the text, in reading order."""
        ends = [(at, at + len(phrase)) for at in self._at.get(phrase[0], ())]
        places = {(self._spans[at][0], self._spans[end - 1][1]) for at, end in ends if self._stems[at:end] == phrase}
        return tuple(sorted(places))
