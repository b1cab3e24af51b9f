"""A text split into its sentences."""

import pytest

from keywright.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        (" \n ", ()),
        ("...", ("...",)),
        ("One sentence without an end", ("One sentence without an end",)),
        ("Tides rise. Gauges see them.", ("Tides rise.", "Gauges see them.")),
        ("No full stop\n\nanother paragraph", ("No full stop", "another paragraph")),
        ("هل فتحت؟ نعم، فتحت الطرق.", ("هل فتحت؟", "نعم، فتحت الطرق.")),
    ],
)
def test_sentences_end_at_closing_punctuation_and_blank_lines(text: str, expected: tuple[str, ...]) -> None:
    assert split_sentences(text) == expected
