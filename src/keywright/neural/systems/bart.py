"""BART: all keyphrases of a document as one sequence of pieces of words, by a Transformer of the library transformers.

Lewis et al., "BART: Denoising Sequence-to-Sequence Pre-training for Natural Language Generation, Translation, and
Comprehension", ACL 2020. Keyphrases are joined by semicolons, present ones first, as in Wu, Ahmad and Chang,
"Rethinking Model Selection and Decoding for Keyphrase Generation with Pre-trained Sequence-to-Sequence Models", EMNLP
2023.

Must be trained: `keywright train bart DATASET -o DIR`, which needs the extra ``neural``; it then starts from random
weights, and learns its pieces from the documents. The published size has 139 million weights. ``longest`` counts
pieces. Deviations: ``<s>`` separates title and abstract; random weights have the variance 1 / width instead of 0.02².
``--recipe copy_pieces=true``, which is ours, adds a head that copies pieces of the source, and so is ``--start`` with a
folder of BERT, such as that of MiniLM: its pieces and its encoder, whose layers are those of BART, before a decoder
with random weights.
"""

from dataclasses import dataclass
from typing import ClassVar

from keywright.neural.systems.generator_system import GeneratorSystem


@dataclass(frozen=True)
class Bart(GeneratorSystem):
    """A Transformer that writes keyphrases in pieces of words, as BART does."""

    longest: int = 128

    name: ClassVar[str] = "bart"
