"""Words broken at line ends rejoined, with or without their hyphen. Pure functions on text."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_BROKEN = re.compile(r"\S+-$")
_LAST = re.compile(r"[\w'’-]+$")
_FIRST = re.compile(r"[\w'’-]+")
_DASHES: Final = ("–", "—")
_LONGEST: Final = 60  # characters of a word, more than any has: bounds the search at a line's end
_CONJUNCTIONS: Final = frozenset({"and", "or", "to", "und", "oder", "bis"})
_PREFIX, _ENDING = 2, 3  # longest halves (re-, in-; -ing, -ers) that are rarely words of a compound; arbitrary


class Vocabulary:
    """Number of times that a document uses each word, which tells a broken word from a compound.

    The halves of words broken at line ends are not counted.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self.counts: Counter[str] = Counter()
        broken = False
        for line in lines:
            words = _WORD.findall(line.lower())
            if broken:
                words = words[1:]
            broken = bool(_BROKEN.search(line))
            self.counts.update(words[:-1] if broken else words)
        for word, count in list(self.counts.items()):
            if "-" in word:
                for part in word.split("-"):
                    self.counts[part] += count

    def keeps_hyphen(self, first: str, second: str) -> bool:
        """Return whether ``first-`` at a line's end and ``second`` on the next line are a compound.

        They are when the document has the hyphenated form more often than the joined one; when it has neither, if both
        halves are words of it, or if the second begins with a capital or digit (``CoNLL-2003``, ``non-Gaussian``).

        >>> Vocabulary(["a real world of data"]).keeps_hyphen("real", "world")
        True
        >>> Vocabulary(["a real world of data"]).keeps_hyphen("scien", "tific")
        False
        """
        if not second or not first or not (first[-1].isalpha() and second[0].isalpha()):
            return True
        before, after = first.lower(), second.lower()
        joined, hyphenated = self.counts[before + after], self.counts[f"{before}-{after}"]
        if joined or hyphenated:
            return hyphenated > joined
        if second[0].isupper() and not (first.isupper() and second.isupper()):
            return True
        last, next_ = before.rsplit("-", 1)[-1], after.split("-", 1)[0]
        if "-" in before:
            return self.counts[last] > 0
        if self.counts[before + next_] or len(last) <= _PREFIX or len(next_) <= _ENDING:
            return False
        return self.counts[last] > 0 and self.counts[next_] > 0


def rejoined(lines: Iterable[str], vocabulary: Vocabulary) -> tuple[str, list[int]]:
    """Return lines as one running text, and where each begins in it; an empty line begins where the next one does.

    >>> rejoined(["a long sen-", "tence"], Vocabulary([]))
    ('a long sentence', [0, 10])
    """
    parts: list[str] = []
    begins: list[int] = []
    length = 0
    for line in lines:
        if parts and line:
            link, cut = _link(parts[-1], line, vocabulary)
            parts[-1] = parts[-1][: len(parts[-1]) - cut] + link
            length += len(link) - cut
        begins.append(length)
        if line:
            parts.append(line)
            length += len(line)
    return "".join(parts), begins


def _link(text: str, line: str, vocabulary: Vocabulary) -> tuple[str, int]:
    """Return the text between two lines, and the number of characters that it replaces at the end of the first."""
    if text.endswith(_DASHES) and not text.endswith((" –", " —")):
        return "", 0
    if not text.endswith("-") or text.endswith((" -", "--")):
        return " ", 0
    before, after = _LAST.search(text[-_LONGEST:]), _FIRST.match(line)
    if before is None or after is None:
        return " ", 0
    if after.group() in _CONJUNCTIONS and not vocabulary.counts[before.group()[:-1].lower() + after.group()]:
        return " ", 0  # pre- and post-processing
    return ("", 0) if vocabulary.keeps_hyphen(before.group()[:-1], after.group()) else ("", 1)
