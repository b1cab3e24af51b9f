"""Limits for untrusted input."""

from dataclasses import dataclass

from keywright.core.errors import TooLarge


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings for one file, all arbitrary; above them a reader raises ``TooLarge``, it never cuts.

    Attributes:
        file_bytes: size of the file as it lies on disk.
        text_characters: characters of the text taken from it.
        pages: pages of a paged file.
        expanded_bytes: bytes of all members of an archive together, unpacked.
        expansion: unpacked bytes for each packed byte of an archive (bombs are far above 100).
    """

    file_bytes: int = 100_000_000
    text_characters: int = 20_000_000
    pages: int = 3_000
    expanded_bytes: int = 500_000_000
    expansion: int = 200

    def check_file(self, size: int, name: str) -> None:
        """Raise ``TooLarge`` for a file of more bytes than ``file_bytes``."""
        if size > self.file_bytes:
            raise TooLarge(
                f"{name} has {size:,} bytes; at most {self.file_bytes:,} are read",
                "split it, or raise Limits.file_bytes",
            )

    def check_text(self, size: int, name: str) -> None:
        """Raise ``TooLarge`` for a text of more characters than ``text_characters``."""
        if size > self.text_characters:
            raise TooLarge(
                f"{name} holds {size:,} characters of text; at most {self.text_characters:,} are read",
                "split it, or raise Limits.text_characters",
            )

    def check_unpacked(self, packed: int, unpacked: int, name: str, harmless: int) -> None:
        """Raise ``TooLarge`` for packed data that unpacks to too much; any ratio is accepted up to ``harmless``."""
        if unpacked > self.expanded_bytes or (unpacked > harmless and unpacked > self.expansion * packed):
            raise TooLarge(
                f"{name} unpacks from {packed:,} to at least {unpacked:,} bytes; at most {self.expanded_bytes:,}, "
                f"or {self.expansion} times its size, are accepted",
                "raise Limits.expanded_bytes or Limits.expansion if you trust the file",
            )
