"""Every protocol of the catalogue keeps every promise."""

from collections.abc import Iterator, Sequence

import pytest

from keywright.catalogue import PROTOCOLS
from keywright.core.arrays import Floats
from keywright.testing.protocols import PROTOCOL_PROMISES, Promise
from keywright.text.encoders import MiniLM


@pytest.fixture(scope="module", autouse=True)
def _encoded_once() -> Iterator[None]:
    """Protocols that compare meanings encode the same lists of phrases for many promises: each list once is enough."""
    encode = MiniLM.__call__
    encoded: dict[tuple[str, ...], Floats] = {}

    def encode_once(self: MiniLM, texts: Sequence[str]) -> Floats:
        if (phrases := tuple(texts)) not in encoded:
            encoded[phrases] = encode(self, texts)
        return encoded[phrases]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MiniLM, "__call__", encode_once)
        yield


@pytest.mark.parametrize("promise", PROTOCOL_PROMISES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("name", PROTOCOLS.built_in)
def test_protocol_keeps_its_promise(name: str, promise: Promise) -> None:
    promise(PROTOCOLS.find(name))
