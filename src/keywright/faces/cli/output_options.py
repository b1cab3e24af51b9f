"""The file that a verb writes and its format: checked before the work begins, written at its end."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from keywright import api
from keywright.core.atomic_files import check_file
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.faces.cli.printing import Console, open_output
from keywright.faces.outputs import output_formats
from keywright.faces.outputs.screen import Screen, draw_rows, escape_controls, find_screen, format_rows


@dataclass(slots=True)
class FileOutput(Console):
    """The options of a verb that can write a file."""

    output: Path | None = None  # the file; None for standard output
    force: bool = False  # whether a file that exists may be replaced
    inputs: Sequence[object] = ()  # files that must not be overwritten, once checked

    names: ClassVar[tuple[str, ...]] = ("output", "force", "json", "quiet")

    def check(self, formats: Sequence[output_formats.OutputFormat], *inputs: object) -> None:
        """Check, before the work begins, a file that is written in one of some formats."""
        self.inputs = inputs
        check_new(self.output, inputs, force=self.force)
        if self.output is not None and self.output.suffix and is_file_name(self.output):
            _format_by_ending(formats, self.output)

    def open(self) -> Any:
        """Open the file, or standard output."""
        return open_output(self.output, self.inputs)


@dataclass(slots=True)
class ReportOutput(FileOutput):
    """The options of a verb that writes tables in several formats: the name, and the format once checked."""

    form: str | None = None
    format: output_formats.OutputFormat = output_formats.TABLE

    names: ClassVar[tuple[str, ...]] = ("form", "output", "force", "json", "quiet")

    def choose(self, *inputs: object) -> output_formats.OutputFormat:
        """Choose the format, and check the file, before the work begins; raise as ``choose_format``."""
        self.inputs = inputs
        self.format = choose_format(
            output_formats.REPORTS, self.form, self.output, inputs, json=self.json, force=self.force
        )
        return self.format

    @property
    def file_format(self) -> str:
        """Name of the format of files that the text of a report is made in; TSV is made from CSV."""
        return (output_formats.CSV if self.format is output_formats.TSV else self.format).name

    def write_text(self, text: str) -> None:
        """Write a report in the format of files."""
        with self.open() as file:
            if self.format is output_formats.TSV:
                csv.writer(file, delimiter="\t", lineterminator="\n").writerows(csv.reader(io.StringIO(text)))
            else:
                file.write(text)

    def write(
        self,
        record: Callable[[], Any],
        draw: Callable[[Screen], Iterable[str]],
        publish: Callable[[str], str] = lambda _form: "",
    ) -> None:
        """Write a report in the format: only the function for it is called.

        Args:
            record: function that returns JSON values.
            draw: function from a screen to pieces of text for people.
            publish: function from ``file_format`` to a text in it.
        """
        if self.format in {output_formats.JSON, output_formats.TABLE}:
            with self.open() as file:
                file.writelines(
                    draw(find_screen(file))
                    if self.format is output_formats.TABLE
                    else (to_json(record(), indent=1), "\n")
                )
        else:
            self.write_text(publish(self.file_format))

    def write_tables(
        self,
        tables: "Sequence[api.Table]",
        title: str,
        record: Callable[[], Any],
        draw: Callable[[Screen], Iterable[str]] | None = None,
    ) -> None:
        """Write tables in the format, below each other unless ``draw`` returns more for people."""
        if self.format in {output_formats.CSV, output_formats.TSV} and len(tables) != 1:
            message = f"{len(tables)} tables with format {self.format.name}"
            raise BadParameter(message, "use json, markdown, latex or html")
        self.write(
            record,
            draw or (lambda screen: (draw_table(table, screen) for table in tables)),
            lambda name: format_tables(tables, name, title),
        )


def format_tables(tables: "Sequence[api.Table]", name: str, title: str) -> str:
    """Return tables as the text of a file in the format of a name."""
    if name == output_formats.CSV.name:
        rows = ([cell.text for cell in row] for row in tables[0].rows)
        return format_rows(tables[0].head, rows, numbers=tables[0].numbers)
    if name == output_formats.HTML.name:
        return api.table_page(title, tables)
    return "\n".join(map(api.latex if name == output_formats.LATEX.name else api.markdown, tables))


def draw_table(source: "api.Table", screen: Screen) -> str:
    """Return a table for a terminal: the best value has a star, letters follow their value."""
    numbers = tuple(name for index, name in enumerate(source.head) if index in source.numbers)
    marked = (
        [f"{cell.text}{' *' * cell.best}{f' {cell.above}' * bool(cell.above)}" for cell in row] for row in source.rows
    )
    return draw_rows(screen, source.head, marked, numbers)


def draw_labelled(screen: Screen, name: str, text: str) -> str:
    """Return a name and a text beside it, in lines of the screen's width."""
    return screen.characters(screen.wrap(escape_controls(text), f"{name:9} "))


SIGNATURES: Final = "name#digits is a short signature; --json has the full ones"


def choose_format(
    formats: Sequence[output_formats.OutputFormat],
    name: str | None,
    output: Path | None,
    inputs: Iterable[object] = (),
    *,
    json: bool,
    force: bool,
) -> output_formats.OutputFormat:
    """Return the format to write: JSON if asked for, else by name, by the ending of the file, or the first."""
    check_new(output, inputs, force=force)
    if json:
        return output_formats.JSON
    if name:
        return output_formats.find_format(formats, name)
    if output is None or not output.suffix or not is_file_name(output):
        return formats[0]
    return _format_by_ending(formats, output)


def check_new(output: Path | None, inputs: Iterable[object] = (), *, force: bool) -> None:
    """Check, before the work begins, that a file can be written, and that nothing is lost by it."""
    if output is None or not is_file_name(output):
        return
    check_file(output, inputs)
    if not force and output.is_file() and output.stat().st_size:
        raise BadParameter(f"{output} exists", "name another file, or replace it with --force")


def _format_by_ending(formats: Sequence[output_formats.OutputFormat], output: Path) -> output_formats.OutputFormat:
    name = output.name.lower()
    if first := [form for form in formats if name.endswith(form.endings[0])]:
        return max(first, key=lambda form: len(form.endings[0]))  # .csl.json before .json
    matches = [form for form in formats if name.endswith(form.endings)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        options = " or ".join(f"--format {form.name}" for form in matches)
        endings = " or ".join(form.endings[0] for form in matches)
        raise BadParameter(
            f"{output}: several formats have the ending {output.suffix!r}",
            f"add {options}, or end the name in {endings}",
        )
    endings = ", ".join(form.endings[0] for form in formats)
    hint = f"endings of formats: {endings}" + ("; or name the format with --format" if len(formats) > 1 else "")
    raise BadParameter(f"{output}: nothing is written in a format with the ending {output.suffix!r}", hint)


def is_file_name(output: Path) -> bool:
    """Return whether a name is that of a file, or of one to be; not of standard output, a pipe or a device."""
    outside = str(output) == "-" or str(output).startswith("/dev/")
    return not outside and (output.is_file() or output.is_dir() or not output.exists())
