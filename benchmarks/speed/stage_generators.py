"""Speed of neural generators: torch, and their exports, decoding greedily at the profile ``small``.

Weights are random, which costs as much as trained ones as long as lists are as long: each list goes on to its limit,
which a check makes sure of. Sources have random words, so that they need no data.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import torch
from measuring import Row, timed

from keywright.neural.data.examples import Example, Words
from keywright.neural.decoding.phrases import Decoding, PhraseGenerator
from keywright.neural.model_folder import PRECISIONS, save_generator
from keywright.neural.models.generator import GENERATORS, find_generator
from keywright.neural.onnx.export import export_generator
from keywright.neural.onnx.generators import load_exported
from keywright.neural.training.recipe import find_profile

_DOCUMENTS: Final = 16  # as many as are decoded together
_SOURCE: Final = 200  # words of a source, the most that ``small`` reads
_LIST: Final = 30  # words or pieces of a list: six phrases of four and a separator
_WORDS: Final = 20_000  # different words, as many as the vocabulary of ``small`` has


def generators(most: int | None) -> Iterator[Row]:
    """Each generator by torch, exported with weights as they are, and as 8-bit integers."""
    torch.set_num_threads(1)
    sources = _sources(most or _DOCUMENTS)
    for name in GENERATORS:
        with TemporaryDirectory() as scratch:
            yield from _rows(name, sources, Path(scratch))


def _rows(name: str, sources: list[Words], scratch: Path) -> Iterator[Row]:
    profile, kind = find_profile(name, "small"), find_generator(name)
    torch.manual_seed(0)
    examples = [Example(str(number), words, (words[:2],), ()) for number, words in enumerate(_sources(_WORDS // 40))]
    model = kind.from_config(profile.config, kind.files_from(examples, profile.words)).eval()
    save_generator(model, profile.limits, scratch / "torch", {"generator": name})
    yield _row(f"{name}, torch", model, sources)
    for precision in reversed(PRECISIONS):
        export_generator(scratch / "torch", scratch / precision, precision)
        exported, _ = load_exported(scratch / precision)
        size = sum(path.stat().st_size for path in (scratch / precision).glob("*.onnx"))
        yield _row(f"{name}, {precision}", exported, sources, f"{size / 1e6:.0f} MB")


def _row(name: str, model: PhraseGenerator, sources: list[Words], note: str = "") -> Row:
    decoding = Decoding(longest=_LIST)
    lists = model.generate(sources, decoding)
    tokens = sum(len(phrase.generation.tokens) for phrases in lists for phrase in phrases)
    ended = sum(phrase.generation.end is not None for phrases in lists for phrase in phrases)
    note = f"{note} {tokens / len(sources):.0f} words a list, {ended / len(sources):.0f} delimiters".strip()
    return timed((name, "documents"), len(sources), lambda: model.generate(sources, decoding), tokens=tokens, note=note)


def _sources(count: int) -> list[Words]:
    chosen = random.Random(0)  # noqa: S311 - no secret
    return [tuple(f"word{chosen.randrange(_WORDS)}x" for _ in range(_SOURCE)) for _ in range(count)]
