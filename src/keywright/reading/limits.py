"""Limits for untrusted input: what a reader accepts before it says no."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings for one file; above them a reader raises ``TooLarge``, it never cuts.

    Attributes:
        file_bytes: size of the file as it lies on disk.
        text_characters: characters of the text taken from it.
        pages: pages of a paged file.
        expanded_bytes: bytes of all members of an archive together, unpacked.
        expansion: unpacked bytes for each packed byte of an archive (zip bombs are far above 100).
    """

    file_bytes: int = 100_000_000
    text_characters: int = 20_000_000
    pages: int = 3_000
    expanded_bytes: int = 500_000_000
    expansion: int = 200
