"""What the contract tests share."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from keywright.core.arrays import Floats
from keywright.text.encoders import DIMENSIONS, MiniLM

ENCODED: dict[str, Floats] = {}


@pytest.fixture(scope="module", autouse=True)
def _encoded_once() -> Iterator[None]:
    """Encode each text once: systems and protocols are asked about the same texts, and the encoder is slow.

    An embedding does not depend on the texts beside it, which ``unit/text/test_encoders.py`` checks. A fixture for the
    folder would stay until the process ends, and would meet tests of other folders.
    """
    encode = MiniLM.__call__

    def encode_once(self: MiniLM, texts: Sequence[str]) -> Floats:
        fresh = [text for text in dict.fromkeys(texts) if text not in ENCODED]
        ENCODED.update(zip(fresh, encode(self, fresh), strict=True))
        return np.array([ENCODED[text] for text in texts]).reshape(len(texts), DIMENSIONS)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MiniLM, "__call__", encode_once)
        yield
