"""One2Seq: all keyphrases of a document as one sequence, by a Transformer that can copy.

The baseline of Ye, Gui, Luo, Xu and Zhang, "One2Set: Generating Diverse Keyphrases as a Set", ACL 2021; keyphrases are
joined as in Yuan and others, "One Size Does Not Fit All: Generating and Evaluating Variable Number of Keyphrases", ACL
2020, present ones in the order of the text, then absent ones.

Must be trained: `keywright train one2seq DATASET -o DIR`, which needs the extra ``neural``. The published size has 96
million weights; the profile ``small`` has half the width and layers, and its output shares the embeddings. Deviations:
the mark between title and abstract is not the mark that ends a list, which could be copied; the gate of copying reads
the decoder's state before the projection that the output has; places behind a longest source of 200 words are cut in
the profile ``small``. Embeddings are drawn normally with the variance 1 / width, other matrices evenly with that of
Glorot and Bengio (2010). ``--recipe token_shift=true``, which is ours, gives each place of the source the word before
it as well.
"""

from typing import ClassVar

from keywright.neural.systems.generator_system import GeneratorSystem


class One2Seq(GeneratorSystem):
    """A Transformer with copying that writes keyphrases one after the other."""

    name: ClassVar[str] = "one2seq"
