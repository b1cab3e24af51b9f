"""One extraction used by several threads gives the keyphrases of one thread."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import keywright as kw
from keywright.core.documents import Document


@pytest.fixture
def switching():
    """Threads take turns all the time, so that their steps mix."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def text(number) -> str:
    words = [f"word{number * place % 911}{chr(97 + place % 26)}" for place in range(1, 60)]
    return f"Soil moisture {number}. Soil moisture and {' '.join(words)} in a growing season of soil moisture."


@pytest.mark.usefixtures("switching")
def test_threads_share_an_extraction():
    documents = [Document(f"text {number}", text(number), language="en") for number in range(200)]
    expected = [kw.prepare(top=5)(document) for document in documents[:20]]
    shared = kw.prepare(top=5)
    with ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(shared, documents))
    assert outcomes[:20] == expected
    assert all(outcome.texts for outcome in outcomes)
