"""Shipped lists of words: text files of the package, in sections under headings in square brackets.

Lines that begin with # are comments. A section has words between blanks; or pairs, in which each word is followed by
what replaces it, or each name by an equals sign and its value.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources


@cache
def read_sections(file: str, between: str = "") -> Mapping[str, str]:
    """Return the lines of a file of the package by section, joined; those before the first section have no name."""
    lines: dict[str, list[str]] = {}
    section = ""
    for line in (resources.files("keywright") / file).read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif not line.startswith("#"):
            lines.setdefault(section, []).append(line)
    return {name: between.join(of_section) for name, of_section in lines.items()}


@cache
def read_patterns(file: str) -> Mapping[str, str]:
    """Return the patterns of a file by section; ``<<NAME>>`` inside one is that of another section."""
    sections = read_sections(file)
    part = re.compile(f"<<({'|'.join(sections)})>>")

    def fill(name: str) -> str:
        return part.sub(lambda match: fill(match[1]), sections[name])

    return {name: fill(name) for name in sections}


@cache
def read_words(file: str, section: str = "") -> frozenset[str]:
    """Return the words of a section of a list; none if it has no such section."""
    return frozenset(read_sections(file, " ").get(section, "").split())


def read_pairs(file: str, section: str) -> Mapping[str, str]:
    """Return the pairs of a section, each name to what is behind its equals sign; they are between bars."""
    return dict(entry.split("=", 1) for entry in read_sections(file)[section].split("|"))


@cache
def read_replacements(file: str) -> Mapping[str, str]:
    """Return the pairs of a list without sections, each word to what it is replaced by."""
    words = read_sections(file, " ")[""].split()
    return dict(zip(words[::2], words[1::2], strict=True))
