"""keywright extract and run: keyphrases of documents, and predictions of a system over a data set."""

import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from keywright.core.choices import InputFormat
from keywright.core.errors import BadParameter
from keywright.core.growing_files import grow_file, hold_output
from keywright.core.options import TABLES, ChoiceOptions, GuaranteeOptions
from keywright.core.signatures import signature
from keywright.faces.cli.options import (
    CalibratorFile,
    DataName,
    Engine,
    IdColumn,
    Jobs,
    Json,
    KeepColumn,
    Language,
    Output,
    Parameters,
    Quiet,
    SystemName,
    TextColumn,
    TitleColumn,
    Wide,
    check_shape,
    name_tables,
    parse_pairs,
    with_options,
)
from keywright.faces.cli.output_options import Force, KeyphraseFormat, choose_format
from keywright.faces.cli.part_results import Parts, PartSize, part_format, write_parts
from keywright.faces.cli.printing import (
    count_items,
    open_output,
    print_json,
    say,
    show_progress,
    tell_error,
    write_pieces,
)
from keywright.faces.cli.resuming import Earlier, check_resumable, check_same_run, read_earlier
from keywright.faces.exit_codes import PARTLY, choose_exit_code
from keywright.faces.outputs.output_formats import JSONL, KEYPHRASES
from keywright.faces.outputs.screen import find_screen

if TYPE_CHECKING:
    from keywright.faces.outputs.results import Writer


@with_options(*TABLES)
def extract(  # noqa: PLR0913 - one argument for each option
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Documents, folders of them, or - for stdin.")],
    *,
    system: Annotated[
        str,
        typer.Option("--system", "-s", help="Name of a system (`keywright systems`), or folder of a trained system."),
    ] = "default",
    top: int | None = None,
    form: KeyphraseFormat = None,
    output: Output = None,
    force: Force = False,
    explain: bool = False,
    no_group: Annotated[
        bool,
        typer.Option(
            "--no-group", help="Give each keyphrase a row, also those that nearly repeat or contain a better one."
        ),
    ] = False,
    include_text: Annotated[
        bool, typer.Option("--include-text", help="Include each document's text in the JSON output.")
    ] = False,
    language: str | None = None,
    input_format: Annotated[
        InputFormat, typer.Option("--input-format", help="Format of the files; auto recognises each file.")
    ] = InputFormat.AUTO,
    param: Parameters = None,
    calibrator: CalibratorFile = None,
    shard: Annotated[
        str | None,
        typer.Option("--shard", metavar="I/N", help="Do only the I-th of N parts of the documents, by their ids."),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Write results to -o FILE.jsonl as they come, and skip those that are there."),
    ] = False,
    parts: Parts = False,
    part_size: PartSize = None,
    text_column: TextColumn = None,
    title_column: TitleColumn = None,
    id_column: IdColumn = None,
    keep_column: KeepColumn = None,
    wide: Wide = False,
    jobs: Jobs = None,
    engine: Engine = None,
    json: Json = False,
    quiet: Quiet = False,
    **shown: Any,
) -> None:
    """Extract keyphrases of documents: text, Markdown, HTML, PDF, JATS, TEI, DOCX, MARC, JSON Lines, tables."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.faces.outputs.results import Writer  # noqa: PLC0415 - help does without

    columns = tuple(dict.fromkeys(keep_column or ()))
    if part_size is not None and not parts:
        raise BadParameter("--part-size without --parts", "add --parts -o FOLDER")
    if parts:
        output_format = part_format(output, form, columns, resume=resume)
    else:
        output_format = choose_format(KEYPHRASES, form, output, files, json=json, force=force or resume)
    tables = name_tables(text_column, title_column, id_column, columns, quiet=quiet)
    check_shape(output_format, columns, wide=wide)
    if resume:
        check_resumable(output_format, output, force=force)
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
        say(f"note: {guarantee.summary}", quiet=quiet)
    if parts and output:
        how: dict[str, Any] = {"output": output_format.name, "wide": wide, "force": force}
        how |= {"size": part_size} if part_size is not None else {}
        raise typer.Exit(write_parts(job, output, how, quiet=quiet, json=json))
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
        on_terminal = output is None and sys.stdout.isatty()
        target = grow_file(grown, earlier.size) if grown else open_output(output, files)
        with show_progress("documents", quiet=quiet or on_terminal) as tell, target as file:
            screen = find_screen(file)
            writer = Writer(extraction.signature, explain, screen, grouped=not no_group, signed=earlier.signed)
            writer.wide, writer.keep = wide, columns
            writer.concepts = extraction.names_concepts
            writer.options = options if output_format is JSONL else {}
            write_pieces(file, writer.write(count_items(results, tell), output_format))
    _tell_end(writer, earlier, quiet=quiet)
    code = choose_exit_code(writer.failures, writer.done + len(earlier.ids) - earlier.failed)
    raise typer.Exit(PARTLY if earlier.failed else code)


def _tell_end(writer: "Writer", earlier: Earlier, *, quiet: bool) -> None:
    """Print what is to be known of the results, and of those of the same command before."""
    if earlier.ids:
        failed = f" ({earlier.failed} of them failed: their records say why)" if earlier.failed else ""
        say(f"{len(earlier.ids)} documents were done before{failed}, {writer.done} now", quiet=quiet)
    for warning in writer.warnings:
        say(f"note: {warning}", quiet=quiet)
    for failure in writer.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    if writer.failures and writer.done:
        say(f"{writer.done} documents done, {len(writer.failures)} not", quiet=quiet)


@with_options(ChoiceOptions, GuaranteeOptions)
def run(  # noqa: PLR0913 - one argument for each option
    system: SystemName,
    dataset: DataName,
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="File to write the run to.")],
    top: Annotated[int, typer.Option("--top", "-n", metavar="N", help="Number of keyphrases per document.")] = 50,
    language: Language = None,
    param: Parameters = None,
    calibrator: CalibratorFile = None,
    jobs: Jobs = None,
    engine: Engine = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
    **shown: Any,
) -> None:
    """Write a system's predictions for a data set into one file.

    If the command is interrupted, the same command continues where it stopped. A file with another run, or with
    anything else, is only replaced with --force.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    job = api.ExtractJob((), system, parse_pairs(param), calibrator, {"top": top, "language": language, **shown})
    extractor = job.extraction.extractor
    check_same_run(output, signature(extractor), dataset, force=force)
    if guarantee := api.guarantee_of(extractor):
        say(f"note: {guarantee.summary}", quiet=quiet)
    with show_progress("documents", quiet=quiet) as tell:
        written = api.write_run(
            extractor, dataset, output, top, language=language, engine=engine, jobs=jobs, progress=tell
        )
    done = written.run
    for failure in done.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    stability, warnings = api.drift(extractor, written)
    count, seconds = written.done, done.seconds or 0.0
    if json:
        record: dict[str, Any] = {
            "run": str(output),
            "system": done.system,
            "data": done.data,
            "analyser": done.analyser,
        }
        record |= {"done": count, "failed": len(done.failures), "seconds": seconds, "warnings": list(warnings)}
        record |= {"stability": stability} if calibrator else {}
        print_json(record | ({"guarantee": guarantee.as_json()} if guarantee else {}))
    for warning in warnings:
        say(f"note: {warning}", quiet=quiet)
    rate = f", {count / seconds:.1f} per second" if seconds else ""
    say(f"{count} documents in {seconds:.1f} s{rate}: {output}", quiet=quiet)
    raise typer.Exit(choose_exit_code(done.failures, count))
