"""Write the table that puts all protocols side by side, from the protocols themselves.

python -m tools.pages.protocol_comparison          writes docs/reference/protocol-comparison.csv
python -m tools.pages.protocol_comparison --check  exits with status 1 if the table differs
"""

import csv
import enum
import inspect
import io
import itertools
import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from keywright.catalogue import PROTOCOLS
from keywright.core.signatures import sign_fields
from keywright.evaluation.protocol import Protocol

TABLE = Path(__file__).parents[2] / "docs" / "reference" / "protocol-comparison.csv"
ATTRIBUTE = re.compile(r"^    (\w+(?:, \w+)*): (.+(?:\n        .+)*)", re.MULTILINE)
MEMBER = re.compile(r'^\s+(\w+) = "(\w+)"\s*(?:# (.*))?$', re.MULTILINE)


def table() -> str:
    """Return a line for each rule and value, with the protocols that have it; rules that all share come last."""
    protocols: dict[str, Protocol] = {name: PROTOCOLS.find(name) for name in PROTOCOLS.built_in}
    rules = {name: sign_fields(protocol) for name, protocol in protocols.items()}
    described = _attributes()
    lines: list[tuple[str, ...]] = []
    for rule in next(iter(rules.values())):
        groups: dict[str, list[str]] = defaultdict(list)
        for name in protocols:
            groups[rules[name][rule]].append(name)
        about = _sentence(described.get(rule, ""))
        for value, names in groups.items():
            meaning = _meaning(getattr(protocols[names[0]], rule))
            lines.append((rule, about, value, meaning, "all" if len(groups) == 1 else _names(names)))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("rule", "about", "value", "means", "protocols"))
    writer.writerows(sorted(lines, key=lambda line: line[-1] == "all"))
    return text.getvalue()


def _attributes() -> dict[str, str]:
    """Return the entry of each field in the docstring of ``Protocol``; an entry may be of several fields."""
    entries: dict[str, str] = {}
    for names, text in ATTRIBUTE.findall(inspect.getdoc(Protocol) or ""):
        entries |= dict.fromkeys(names.split(", "), text)
    return entries


def _names(names: list[str]) -> str:
    """Return protocols by name; a complete family is represented by its beginning."""
    shown: dict[str, None] = {}
    for name in names:
        pieces = name.split("-")
        beginnings = ("-".join(pieces[:length]) for length in range(1, len(pieces)))
        whole = (family for start in beginnings if len(family := _family(start)) > 1 and set(family) <= set(names))
        family = next(whole, _family(name) if set(_family(name)) <= set(names) else [name])
        shown[f"{_shared(family)}…" if len(family) > 1 else name] = None
    return ", ".join(shown)


def _family(beginning: str) -> list[str]:
    """Return all protocols of this name, and those whose names continue it with a hyphen."""
    return [name for name in PROTOCOLS.built_in if name == beginning or name.startswith(f"{beginning}-")]


def _shared(names: list[str]) -> str:
    """Return the pieces between hyphens with which all of the names begin."""
    columns = zip(*(name.split("-") for name in names), strict=False)
    return "-".join(column[0] for column in itertools.takewhile(lambda column: len(set(column)) == 1, columns))


def _meaning(value: Any) -> str:
    """Return the meaning of a value: the comment of an enum's member, or the first line of a docstring."""
    if isinstance(value, enum.Enum):
        comments = {match[2]: match[3] or "" for match in MEMBER.finditer(inspect.getsource(type(value)))}
        return comments.get(value.value, "")
    if isinstance(meaning := getattr(value, "meaning", None), str):
        return meaning
    if isinstance(value, tuple):
        return "; ".join(filter(None, (_meaning(part) for part in value)))
    if callable(value):
        plain = inspect.unwrap(value)
        described = plain if inspect.isfunction(plain) else type(plain)
        return _first(inspect.getdoc(described) or "")
    return ""


def _first(text: str) -> str:
    """Return the first paragraph, on one line."""
    return " ".join(text.partition("\n\n")[0].split())


def _sentence(text: str) -> str:
    """Return a phrase of a docstring as a sentence."""
    text = " ".join(text.split())
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."


def main(arguments: Iterable[str]) -> int:
    """Write the table, or return 1 if it differs."""
    if "--check" in arguments:
        return int(TABLE.read_text("utf-8") != table())
    TABLE.write_text(table(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
