"""Tables, and the parts of a page: one self-contained HTML file, all content escaped."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Final

from keywright.core.page_policy import PAGE_POLICY
from keywright.core.signatures import short_signature


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    ``best``: whether it is the best of its column; ``above``: letters of the runs that it is significantly better than.
    """

    text: str
    best: bool = False
    above: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under headings.

    Attributes:
        caption: description in a sentence or two.
        head: names of the columns; those of ``numbers`` are flush right.
        rows: cells, one per column in each row.
        numbers: positions of the columns of numbers.
        notes: lines below the table: protocol, gold, significance test.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: frozenset[int]
    notes: tuple[str, ...] = ()


_STYLE: Final = """
:root { color-scheme: light dark; --text: #111; --page: #fff; --line: #bbb; }
@media screen and (prefers-color-scheme: dark) { :root { --text: #e6e6e6; --page: #16181c; --line: #4a4f57; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page);
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--text); padding-bottom: .2rem; }
table { border-collapse: collapse; margin: 1rem 0; min-width: min(44rem, 100%); }
caption { text-align: left; padding-bottom: .4rem; max-width: calc(100vw - 2rem); }
th, td { padding: .2rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--text); }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
dt { font-weight: bold; } dd { margin: 0 0 .5rem; }
code { font-size: .85em; overflow-wrap: anywhere; }
figure { margin: 1rem 0; background: #fff; color: #111; } svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
@media print { body { max-width: none; margin: 0; } h2 { break-after: avoid; }
  figure, tr { break-inside: avoid; } }
"""


def page(title: str, parts: Iterable[str]) -> str:
    """Build the whole file."""
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{PAGE_POLICY}\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def heading(text: str, level: int = 2) -> str:
    """Build a heading."""
    return f"<h{level}>{escape(text)}</h{level}>"


def paragraph(text: str) -> str:
    """Build a paragraph."""
    return f"<p>{escape(text)}</p>"


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Build a list of names with their values; signatures are folded behind their short ones."""
    return f"<dl>{''.join(f'<dt>{escape(name)}</dt><dd>{_value(text)}</dd>' for name, text in pairs)}</dl>"


def _value(text: str) -> str:
    code = f"<code>{escape(text)}</code>"
    signature, comma, rest = text.partition(", ")
    if "|" not in signature:
        return code
    short = escape(f"{short_signature(signature)}{comma}{rest}")
    return f"<details><summary><code>{short}</code></summary>{code}</details>"


def plot(svg: str) -> str:
    """Build the figure of a plot, which includes its title."""
    return f"<figure>{svg}</figure>"


def table(content: Table) -> str:
    """Build a table."""
    heads = "".join(
        f'<th scope="col"{_number(place, content)}>{escape(name)}</th>' for place, name in enumerate(content.head)
    )
    rows = "\n".join(
        f"<tr>{''.join(_cell(cell, place, content) for place, cell in enumerate(row))}</tr>" for row in content.rows
    )
    return (
        f'<div class="wide"><table><caption>{escape(content.caption)}</caption>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def table_page(title: str, tables: Iterable[Table]) -> str:
    """Build a file of tables, with the notes of each below it."""
    return page(title, (part for each in tables for part in (table(each), *map(paragraph, each.notes))))


def _cell(cell: Cell, place: int, content: Table) -> str:
    text = escape(cell.text)
    text = f"<strong>{text}</strong>" if cell.best else text
    return f"<td{_number(place, content)}>{text}{f'<sup>{escape(cell.above)}</sup>' if cell.above else ''}</td>"


def _number(place: int, content: Table) -> str:
    return ' class="n"' if place in content.numbers else ""
