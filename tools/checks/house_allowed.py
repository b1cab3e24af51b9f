"""Read, compare and lower the findings that each folder may have, listed in tests/house/language_allowed.toml."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

ALLOWED: Final = Path("tests/house/language_allowed.toml")

Numbers: TypeAlias = Mapping[str, Mapping[str, int]]
"""Numbers by folder and kind."""


@dataclass(frozen=True)
class Allowed:
    """The allow-list.

    before   totals by kind at the commit where counting began, and that commit
    folders  findings that each folder may have, by kind
    """

    before: dict[str, int | str]
    folders: Numbers


def allowed(file: Path) -> Allowed:
    """Read the allow-list."""
    stored = tomllib.loads(file.read_text("utf-8"))
    return Allowed(stored["before"], stored["allowed"])


def over(listed: Numbers, counted: Numbers) -> list[str]:
    """Return a line for each folder and kind with more findings than the list allows."""
    return [
        f"{folder}: {number} {kind}, {listed.get(folder, {}).get(kind, 0)} allowed"
        for folder, kinds in sorted(counted.items())
        for kind, number in kinds.items()
        if number > listed.get(folder, {}).get(kind, 0)
    ]


def under(listed: Numbers, counted: Numbers) -> list[str]:
    """Return a line for each folder and kind with fewer findings than the list says."""
    return [
        f"{folder}: {counted.get(folder, {}).get(kind, 0)} {kind}, {number} listed"
        for folder, kinds in sorted(listed.items())
        for kind, number in kinds.items()
        if number > counted.get(folder, {}).get(kind, 0)
    ]


def lowered(listed: Allowed, counted: Numbers) -> Numbers:
    """Return the counted numbers as the new list.

    A folder that the list does not name may come in, as when files move, as long as no kind has more in all.

    Raises:
        ValueError: a number would rise.
    """
    risen = over(listed.folders, {folder: kinds for folder, kinds in counted.items() if folder in listed.folders})
    before, now = total(listed.folders), total(counted)
    risen += [f"all folders: {now[kind]} {kind}, {before[kind]} allowed" for kind in now if now[kind] > before[kind]]
    if risen:
        raise ValueError("\n".join(["these numbers may only fall:", *risen]))
    return counted


def total(numbers: Numbers) -> Counter[str]:
    """Return the sum over folders, by kind."""
    sums: Counter[str] = Counter()
    for kinds in numbers.values():
        sums.update(kinds)
    return sums


def toml(before: Mapping[str, int | str], folders: Numbers) -> str:
    """Return the text of the allow-list."""
    shown = [
        "# Findings of tools/checks/house_language.py that each folder may still have. The numbers may only fall:",
        "# python tools/checks/house_counts.py --write",
        "",
        "[before]",
        *(f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}" for name, value in before.items()),
        "",
        "[allowed]",
    ]
    for folder, kinds in sorted(folders.items()):
        numbers = ", ".join(f"{kind} = {number}" for kind, number in sorted(kinds.items()) if number)
        shown += [f'"{folder}" = {{ {numbers} }}'] if numbers else []
    return "\n".join(shown) + "\n"
