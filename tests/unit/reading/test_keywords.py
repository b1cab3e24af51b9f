"""Author keywords as printed."""

import pytest

from keywright.reading.headings import split_keywords

PRINTED = {
    "Keywords: grid computing; peer-to-peer, structured; caching.": [
        "grid computing",
        "peer-to-peer, structured",
        "caching",
    ],
    "soil moisture, wireless sensor\nnetworks, irrigation": ["soil moisture", "wireless sensor networks", "irrigation"],
    "Index Terms—graphs, paths": ["graphs", "paths"],
    "parsing • tagging • parsing": ["parsing", "tagging"],
    "first phrase\nsecond phrase": ["first phrase", "second phrase"],
    "关键词一，关键词二": ["关键词一", "关键词二"],
    "": [],
    "; ; .": [],
}


@pytest.mark.parametrize("printed", PRINTED)
def test_split(printed: str):
    assert split_keywords(printed) == PRINTED[printed]
