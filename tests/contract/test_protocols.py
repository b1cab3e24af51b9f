"""Every protocol of the catalogue keeps every promise."""

import pytest

from keywright.catalogue import PROTOCOLS
from keywright.testing.protocols import PROTOCOL_PROMISES, Promise


@pytest.mark.parametrize("promise", PROTOCOL_PROMISES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("name", PROTOCOLS.built_in)
def test_protocol_keeps_its_promise(name: str, promise: Promise) -> None:
    promise(PROTOCOLS.find(name))
