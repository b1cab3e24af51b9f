"""keywright extract and run: keyphrases of documents, and predictions of a system over a data set."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from keywright import api
from keywright.core.atomic_files import check_same_work, grow_file, hold_output, read_whole_lines
from keywright.core.choices import EngineName, InputFormat
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.options import TABLES, ChoiceOptions, GuaranteeOptions, Length
from keywright.core.predictions import Failure
from keywright.core.signatures import short_signature, signature
from keywright.faces.cli.options import SYSTEM, check_shape, declare, declare_format, name_tables, parse_pairs
from keywright.faces.cli.output_options import choose_format, is_file_name
from keywright.faces.cli.printing import Console, count_items, open_output, print_json, tell_failures, write_pieces
from keywright.faces.exit_codes import PARTLY, choose_exit_code
from keywright.faces.outputs.output_formats import CSV, JSONL, KEYPHRASES, PARQUET, PDF, OutputFormat, find_format
from keywright.faces.outputs.screen import find_screen


@dataclass(slots=True)
class Earlier:
    """Results of the same command before it was interrupted."""

    ids: set[str] = field(default_factory=set)  # ids of the documents that are done or failed
    size: int = 0  # bytes of the whole lines; a line that was cut off is behind them
    signed: bool = False  # whether one of them has the signature of the system
    failed: int = 0  # number of those that failed


def read_earlier(output: Path, signature: str, options: Mapping[str, Any]) -> Earlier:
    """Return the earlier results in a file; none without a file."""
    earlier, system = Earlier(), short_signature(signature)
    for number, line in enumerate(read_whole_lines(output), start=1):
        record = _read_object(line)
        if not isinstance(record.get("id"), str):
            message = f"line {number} of {output} is not a result of `keywright extract`"
            raise BadRecord(message, "name another file to write to")
        if record.get("system", system) != system:
            message = f"{output} holds results of {record['system']}, and this is {system}"
            raise BadParameter(message, "name another file, or the same system and options")
        if "signature" in record:
            check_same_work(output, record.get("options", {}), options, "name another file, or the same options")
            earlier.signed = True
        earlier.ids.add(record["id"])
        earlier.failed += "error" in record
        earlier.size += len(line)
    return earlier


def check_same_run(output: Path, system: str, data: str, *, force: bool) -> None:
    """Raise ``BadParameter`` if a file holds anything but the same run, unless ``force``; ``system``: its signature."""
    if force or not is_file_name(output) or not output.is_file() or not output.stat().st_size:
        return
    with output.open("rb") as file:
        header = _read_object(file.readline())
    if (header.get("system"), header.get("data")) != (system, data):
        earlier = header.get("system")
        holds = (
            f"a run of {short_signature(earlier)} over {header.get('data')}"
            if isinstance(earlier, str)
            else "not a run"
        )
        message = f"{output} exists: {holds}, and this is a run of {short_signature(system)} over {data}"
        raise BadParameter(message, "name another file, or replace it with --force")


def _read_object(line: bytes) -> dict[str, Any]:
    """Return the JSON object on a line; an empty one if there is none."""
    try:
        record = json.loads(line)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}


@declare("keywright extract paper.pdf --top 10 --explain", *TABLES)
def extract(  # noqa: PLR0913 - one argument for each option
    files: Annotated[list[str], "FILE... | Documents, folders of them, or - for stdin."],
    *,
    system: str = "default",
    top: Length | None = None,
    form: Annotated[str | None, declare_format(KEYPHRASES)] = None,
    output: Path | None = None,
    force: bool = False,
    explain: bool = False,
    include_text: Annotated[bool, "Include each document's text in the JSON output."] = False,
    language: str | None = None,
    input_format: Annotated[InputFormat, "Format of the files; auto recognises each file."] = InputFormat.AUTO,
    param: list[str] | None = None,
    calibrator: Path | None = None,
    shard: Annotated[str | None, "I/N | Do only the I-th of N parts of the documents, by their ids."] = None,
    resume: Annotated[bool, "Write results to -o FILE.jsonl as they come, and skip those that are there."] = False,
    parts: bool = False,
    part_size: int | None = None,
    text_column: str | None = None,
    title_column: str | None = None,
    id_column: str | None = None,
    keep_column: list[str] | None = None,
    cite_column: list[str] | None = None,
    wide: bool = False,
    jobs: int | None = None,
    engine: EngineName | None = None,
    console: Console,
    **shown: Any,
) -> None:
    """Extract keyphrases of documents: texts, web pages, PDF, office files, mail, books, records, tables and others."""
    from keywright.faces.outputs.results import Writer  # noqa: PLC0415 - help does without

    columns = tuple(dict.fromkeys(keep_column or ()))
    if part_size is not None and not parts:
        raise BadParameter("--part-size without --parts", "add --parts -o FOLDER")
    if parts:
        output_format = choose_part_format(output, form, columns, resume=resume)
    else:
        output_format = choose_format(KEYPHRASES, form, output, files, json=console.json, force=force or resume)
    if output_format is PDF and (len(files) != 1 or not files[0].lower().endswith(".pdf") or Path(files[0]).is_dir()):
        hint = "expected one PDF file in, such as `keywright extract paper.pdf -o marked.pdf`"
        inputs = f"{len(files)} inputs" if len(files) != 1 else f"{files[0]!r}, not a PDF file"
        raise BadParameter(f"a PDF with marks from {inputs}", hint)
    tables = name_tables(text_column, title_column, id_column, columns, cite_column or (), console)
    check_shape(output_format, columns, wide=wide)
    if resume and force:
        raise BadParameter("--resume together with --force", "one keeps earlier results, the other replaces them")
    if resume and (output is None or str(output) == "-" or output_format is not JSONL):
        raise BadParameter("--resume without a file of JSON Lines", "expected -o FILE.jsonl, where results are kept")
    job = api.ExtractJob(
        tuple(files),
        system,
        parse_pairs(param),
        calibrator,
        {"top": top, "language": language, "explain": explain, **shown},
        form=None if input_format is InputFormat.AUTO else input_format.value,
        tables=tables,
        include_text=include_text,
        engine=engine,
        jobs=jobs,
        shard=shard,
    )
    extraction = job.extraction
    if guarantee := api.guarantee_of(extraction.extractor):
        console.note(guarantee.summary)
    if parts and output:
        how: dict[str, Any] = {"output": output_format.name, "wide": wide, "force": force}
        how |= {"size": part_size} if part_size is not None else {}
        raise typer.Exit(write_parts(job, output, how, console))
    options = job.settings
    grown = output if resume else None
    with hold_output(grown) if grown else nullcontext():
        earlier = read_earlier(grown, extraction.signature, options) if grown else Earlier()
        results: Iterable[Any]
        if output_format.records:
            results = job.records(earlier.ids)
        else:
            results = job.outcomes(earlier.ids, keep=output_format.whole_text)
        # On a terminal the results themselves show the progress, and a bar would mix with them.
        bar = Console(quiet=True) if output is None and sys.stdout.isatty() else console
        target = grow_file(grown, earlier.size) if grown else open_output(output, files)
        with bar.progress("documents") as tell, target as file:
            writer = Writer(extraction.signature, explain, find_screen(file), signed=earlier.signed)
            writer.wide, writer.keep, writer.source = wide, columns, Path(files[0])
            writer.concepts = extraction.names_concepts
            writer.dialect = api.csv_dialect(files) if tables and output_format is CSV else writer.dialect
            writer.options = options if output_format is JSONL else {}
            write_pieces(file, writer.write(count_items(results, tell), output_format))
    _tell_end(writer, earlier, console)
    code = choose_exit_code(writer.failures, writer.done + len(earlier.ids) - earlier.failed)
    raise typer.Exit(PARTLY if earlier.failed else code)


def _tell_end(writer: Any, earlier: Earlier, console: Console) -> None:
    if earlier.ids:
        failed = f" ({earlier.failed} of them failed: their records say why)" if earlier.failed else ""
        console.say(f"{len(earlier.ids)} documents were done before{failed}, {writer.done} now")
    console.note(*writer.notes())
    tell_failures(writer.failures)
    if writer.failures and writer.done:
        console.say(f"{_count_things(writer.done, 'document')} processed, {len(writer.failures)} failed")


def choose_part_format(output: Path | None, form: str | None, keep: Sequence[str], *, resume: bool) -> OutputFormat:
    """Return the format of results in parts."""
    if output is None or str(output) == "-" or output.is_file():
        raise BadParameter("--parts without a folder", "expected -o FOLDER, new or from the same command")
    if resume:
        raise BadParameter("--resume together with --parts", "leave out --resume: parts that are done stay")
    chosen = find_format((JSONL, PARQUET), form) if form else JSONL
    if keep and chosen is PARQUET:
        message = "--keep-column with parts of Parquet, whose columns have the same types in all files"
        raise BadParameter(message, "write JSON Lines, or join the columns by id")
    return chosen


def write_parts(job: "api.ExtractJob", output: Path, how: Mapping[str, Any], console: Console) -> int:
    """Write results in parts and report; return the exit code. ``how``: other keywords of ``extract_parts``."""
    with console.progress("documents") as tell:
        report = job.write_parts(output, progress=tell, **how)
    if console.json:
        print_json(report.to_dict())
    tell_failures(report.examples)
    before = f" ({report.before:,} done before)" if report.before else ""
    text = f"{_count_things(report.documents, 'document')} in {_count_things(report.parts, 'part')}{before}"
    console.say(f"{text}: {report.folder}")
    if report.failed:
        codes = ", ".join(f"{code} {count:,}" for code, count in report.failures.most_common())
        named = f"; the first {len(report.examples)} are above" if report.failed > len(report.examples) else ""
        failed = f"{_count_things(report.failed, 'document')} failed ({codes}){named}"
        console.say(f"{failed}; the results have each with its reason")
    failures = [Failure("", code, "", "") for code in report.failures]
    return choose_exit_code(failures, report.documents - report.failed)


def _count_things(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"


@declare("keywright run kpminer semeval2010/test -o kpminer.jsonl", ChoiceOptions, GuaranteeOptions)
def run(  # noqa: PLR0913 - one argument for each option
    system: Annotated[str, f"SYSTEM | {SYSTEM}"],
    dataset: Annotated[str, "DATASET | Name of a data set, such as inspec/test, or a JSON Lines file."],
    *,
    output: Annotated[Path, "-o RUN | File to write the run to."],
    top: Annotated[int, "-n N | Number of keyphrases per document."] = 50,
    language: str | None = None,
    param: list[str] | None = None,
    calibrator: Path | None = None,
    jobs: int | None = None,
    engine: EngineName | None = None,
    force: bool = False,
    console: Console,
    **shown: Any,
) -> None:
    """Write a system's predictions for a data set into one file.

    If the command is interrupted, the same command continues where it stopped. A file with another run, or with
    anything else, is only replaced with --force.
    """
    job = api.ExtractJob((), system, parse_pairs(param), calibrator, {"top": top, "language": language, **shown})
    extractor = job.extraction.extractor
    check_same_run(output, signature(extractor), dataset, force=force)
    if guarantee := api.guarantee_of(extractor):
        console.note(guarantee.summary)
    with console.progress("documents") as tell:
        written = api.write_run(
            extractor, dataset, output, top, language=language, engine=engine, jobs=jobs, progress=tell
        )
    done = written.run
    tell_failures(done.failures)
    stability, warnings = api.drift(extractor, written)
    count, seconds = written.done, done.seconds or 0.0
    if console.json:
        record: dict[str, Any] = {"run": str(output), "system": done.system, "data": done.data}
        record |= {"analyser": done.analyser, "done": count, "failed": len(done.failures), "seconds": seconds}
        record |= {"warnings": list(warnings)} | ({"stability": stability} if calibrator else {})
        print_json(record | ({"guarantee": guarantee.as_json()} if guarantee else {}))
    console.note(*warnings)
    rate = f", {count / seconds:.1f} per second" if seconds else ""
    console.say(f"{count} documents in {seconds:.1f} s{rate}: {output}")
    raise typer.Exit(choose_exit_code(done.failures, count))
