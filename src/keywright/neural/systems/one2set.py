"""One2Set: keyphrases as a set, each written by a slot of its own (SetTrans, Trans2Set).

Ye, Gui, Luo, Xu and Zhang, "One2Set: Generating Diverse Keyphrases as a Set", ACL 2021. The decoder has twenty slots
with learned control codes, ten for present and ten for absent keyphrases, which do not see each other. In training each
keyphrase goes to the slot that likes it best, and the other slots learn to stay empty. Phrases are ranked by the mean
probability of their words.

Must be trained: `keywright train one2set DATASET -o DIR`, which needs the extra ``neural``. The published size has 96
million weights; the profile ``small`` has half the width and layers, and its output shares the embeddings. Slots are
decoded greedily, whatever ``decoding`` is. Deviations are those of ``one2seq``.
"""

from typing import ClassVar

from keywright.neural.systems.generator_system import GeneratorSystem


class One2Set(GeneratorSystem):
    """A Transformer with copying that writes keyphrases as a set, each in a slot of its own."""

    name: ClassVar[str] = "one2set"
    always_greedy: ClassVar[bool] = True
