"""Computed tables for people and for papers: as text tables, CSV, Markdown, LaTeX, or a page."""

from collections.abc import Callable, Sequence
from typing import Any

from keywright.evaluation.publishing import text
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments.layouts import flat, flat_lines
from keywright.experiments.study import Row, Study, call_with
from keywright.presentation import page
from keywright.presentation.page import Table


def tables(study: Study, rows: Sequence[Any], find: Callable[[str], type]) -> tuple[Table, ...]:
    """Return the rows as tables: as the papers print them where there is a layout for that, else one line per row."""
    if study.tables is None:
        return (flat(study.name, [row.record() for row in rows]),)
    return tuple(call_with(study.tables, rows, find=find))


def publish(study: Study, rows: Sequence[Any], form: Publication, find: Callable[[str], type]) -> str:
    """Return a computed table as one text."""
    match form:
        case Publication.CSV:
            return text.csv_of(study.lines(rows) if study.lines else flat_lines([row.record() for row in rows]))
        case Publication.MARKDOWN:
            return "\n".join(map(text.markdown, tables(study, rows, find)))
        case Publication.LATEX:
            return "\n".join(map(text.latex, tables(study, rows, find)))
        case Publication.HTML:
            parts = [*_plots(study, rows), *map(page.table, tables(study, rows, find))]
            title = f"{study.name}: published and ours" if any(isinstance(row, Row) for row in rows) else study.name
            return page.page(title, parts)


def _plots(study: Study, rows: Sequence[Any]) -> list[str]:
    parts = []
    for plot in study.plots(rows):
        parts += [page.heading(plot.heading)] if plot.heading else []
        parts.append(page.plot(plot.svg))
    return parts
