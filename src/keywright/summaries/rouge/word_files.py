"""Files of words that ROUGE-1.5.5 reads: words to leave out, and stems of irregular words."""

import hashlib
from pathlib import Path
from typing import Final, Self

from keywright.core.errors import BadRecord, EmptyInput
from keywright.reading.encodings import decode
from keywright.reading.sources import DEFAULT_LIMITS, bytes_of

NO_FILE: Final = "no"
_NAMES: Final = 2
"""Words that a line of exceptions has at least: the word and its stem."""


class WordFile(str):
    """The name of a file, which signatures show with the hash of the file's content.

    Attributes:
        content: the text of the file; empty for ``no``, which names none.
    """

    __slots__ = ("content",)

    content: str

    def __new__(cls, name: str) -> Self:
        """Read the file.

        Raises:
            MissingData: there is no such file.
            UnreadableInput: it cannot be opened, or is not text.
        """
        self = super().__new__(cls, name)
        self.content = "" if name == NO_FILE else _text(Path(name))
        return self

    def __getnewargs__(self) -> tuple[str]:
        """Read the file again where a pickle is loaded."""
        return (str(self),)

    @property
    def fingerprint(self) -> str:
        """File name and the first 8 hexadecimal digits of the SHA-256 of its text; ``no`` without a file."""
        if self == NO_FILE:
            return NO_FILE
        return f"{Path(self).name}@{hashlib.sha256(self.content.encode()).hexdigest()[:8]}"

    def words(self) -> frozenset[str]:
        """Return the words of a list, one a line, in lower case; empty lines are skipped."""
        return frozenset(line.strip().lower() for line in self.content.splitlines() if line.strip())

    def stems(self) -> dict[str, str]:
        """Return the stem of each word of a list with lines ``word stem``; of repeated words the last line counts.

        Lines of WordNet's exception files may have several stems, of which the first counts.

        Raises:
            BadRecord: a line has a single word.
        """
        stems = {}
        for number, line in enumerate(self.content.splitlines(), start=1):
            names = line.lower().split()
            if names and len(names) < _NAMES:
                raise BadRecord(f"line {number} of {self} is {line!r:.60}", 'expected "word stem"')
            if names:
                stems[names[0]] = names[1]
        return stems


def _text(path: Path) -> str:
    try:
        return decode(bytes_of(path, path.name, DEFAULT_LIMITS), path.name).text
    except EmptyInput:  # a list without words is a list
        return ""
