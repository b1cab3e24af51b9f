"""The table that puts protocols side by side says what they are."""

from tools.pages.protocol_comparison import TABLE, table

from keywright.catalogue import PROTOCOLS


def test_the_table_is_what_the_protocols_say() -> None:
    assert TABLE.read_text("utf-8") == table(), "run python -m tools.pages.protocol_comparison"


def test_every_family_is_in_the_table() -> None:
    text = TABLE.read_text("utf-8")
    for name in PROTOCOLS.built_in:
        pieces = name.split("-")
        beginnings = ["-".join(pieces[:length]) for length in range(1, len(pieces) + 1)]
        assert name in text or any(f"{beginning}…" in text for beginning in beginnings), name
