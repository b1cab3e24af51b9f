"""Write the page that puts all protocols side by side, from the protocols themselves.

python -m tools.pages.protocol_comparison          writes docs/reference/protocol-comparison.md
python -m tools.pages.protocol_comparison --check  exits with status 1 if the page differs
"""

import enum
import inspect
import itertools
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from keywright.catalogue import PROTOCOLS
from keywright.core.signatures import sign_fields
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.scoring.explaining import SELECTIONS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "protocol-comparison.md"
INTRO = """# Protocols side by side

<!-- Written by tools/pages/protocol_comparison.py from the protocols themselves; change those, not this page. -->

Each rule, its values, and which of [our protocols](protocols.md) have them; `…` after a beginning means all
protocols that begin so. Two protocols that differ in no rule but what they select give equal numbers.
`keywright score RUN --explain-difference P Q` shows, one rule after the other, how the rules in which two protocols
differ change the scores of your run.
"""
ATTRIBUTE = re.compile(r"^    (\w+(?:, \w+)*): (.+(?:\n        .+)*)", re.MULTILINE)
MEMBER = re.compile(r'^\s+(\w+) = "(\w+)"\s*(?:# (.*))?$', re.MULTILINE)


def page() -> str:
    """Return the whole page."""
    protocols: dict[str, Protocol] = {name: PROTOCOLS.find(name) for name in PROTOCOLS.built_in}
    rules = {name: sign_fields(protocol) for name, protocol in protocols.items()}
    names = next(iter(rules.values()))
    meanings = _attributes()
    same = [rule for rule in names if len({rule_of[rule] for rule_of in rules.values()}) == 1]
    text = [INTRO, "## Measures and golds of each protocol\n", *_selections(protocols, rules)]
    for rule in names:
        if rule not in SELECTIONS and rule not in same:
            text += [f"\n## `{rule}`\n", f"{_sentence(meanings.get(rule, ''))}\n", *_values(rule, protocols, rules)]
    agreed = [rule for rule in same if rule not in SELECTIONS]
    if agreed:
        text += ["\n## The same in all\n", "| rule | value | means |", "|---|---|---|"]
        first = next(iter(protocols.values()))
        text += [f"| `{rule}` | `{names[rule]}` | {_cell(_meaning(getattr(first, rule)))} |" for rule in agreed]
    return "\n".join(text) + "\n"


def _attributes() -> dict[str, str]:
    """Return the entry of each field in the docstring of ``Protocol``; an entry may be of several fields."""
    entries: dict[str, str] = {}
    for names, text in ATTRIBUTE.findall(inspect.getdoc(Protocol) or ""):
        entries |= dict.fromkeys(names.split(", "), text)
    return entries


def _selections(protocols: Mapping[str, Protocol], rules: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield kinds of gold, classes and measures of each protocol, or of several that select the same."""
    yield "| protocol | kinds of gold | classes | measures | unit |"
    yield "|---|---|---|---|---|"
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, protocol in protocols.items():
        measures = ", ".join(map(str, protocol.reported))
        kinds = ", ".join(protocol.golds) or "all there are"
        groups[kinds, rules[name]["classes"] or "none", measures, protocol.unit.value].append(name)
    for cells, names in groups.items():
        yield f"| {_names(names)} | {' | '.join(map(_cell, cells))} |"


def _values(rule: str, protocols: Mapping[str, Protocol], rules: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield the values of a rule, in the order of the protocols that have them first."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in protocols:
        groups[rules[name][rule]].append(name)
    yield "| value | means | protocols |"
    yield "|---|---|---|"
    for value, names in groups.items():
        meaning = _meaning(getattr(protocols[names[0]], rule))
        yield f"| `{value.replace('|', chr(92) + '|')}` | {_cell(meaning)} | {_names(names)} |"


def _names(names: list[str]) -> str:
    """Return protocols by name; a complete family is represented by its beginning."""
    shown: dict[str, None] = {}
    for name in names:
        pieces = name.split("-")
        beginnings = ("-".join(pieces[:length]) for length in range(1, len(pieces)))
        whole = (family for start in beginnings if len(family := _family(start)) > 1 and set(family) <= set(names))
        family = next(whole, _family(name) if set(_family(name)) <= set(names) else [name])
        shown[f"`{_shared(family)}…`" if len(family) > 1 else f"`{name}`"] = None
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


def _cell(text: str) -> str:
    """Return text for a cell of a table."""
    return text.replace("|", "\\|")


def main(arguments: Iterable[str]) -> int:
    """Write the page, or return 1 if it differs."""
    if "--check" in arguments:
        return int(PAGE.read_text("utf-8") != page())
    PAGE.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
