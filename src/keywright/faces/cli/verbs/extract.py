"""keywright extract: keyphrases of documents."""

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from keywright.core.styles import Style
from keywright.faces.cli.options import (
    AbstainBelow,
    BestF1,
    CalibratorFile,
    Confident,
    Engine,
    Format,
    InputFormat,
    Jobs,
    Json,
    Language,
    MinPrecision,
    MinRecall,
    Output,
    Parameters,
    Quiet,
    pairs,
)
from keywright.faces.cli.printing import opened, say, tell_error
from keywright.faces.cli.progress import counted, progress
from keywright.faces.errors import exit_code

_SHOWN: Final = "Which phrases are shown"


def extract(  # noqa: PLR0913 - one argument for each option
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Documents, folders of them, or - for stdin.")],
    *,
    system: Annotated[
        str, typer.Option("--system", "-s", help="A name of `keywright systems`, or the folder of a trained one.")
    ] = "default",
    top: Annotated[
        int | None,
        typer.Option("--top", "-n", metavar="N", help="How many; else 10, or as the system advises."),
    ] = None,
    style: Annotated[
        Style | None,
        typer.Option("--style", help="As authors choose (few, general), as readers mark, or all that an index wants."),
    ] = None,
    min_probability: Annotated[
        float | None,
        typer.Option(
            "--min-probability", metavar="P", rich_help_panel=_SHOWN, help="Only those with at least P (0 to 1)."
        ),
    ] = None,
    diversity: Annotated[
        float,
        typer.Option(
            "--diversity", metavar="D", rich_help_panel=_SHOWN, help="0 to 1: leave out phrases like a better one."
        ),
    ] = 0.0,
    stop_phrases: Annotated[
        Path | None,
        typer.Option("--stop-phrases", metavar="FILE", rich_help_panel=_SHOWN, help="Never show these, one a line."),
    ] = None,
    vocabulary: Annotated[
        Path | None,
        typer.Option("--vocabulary", metavar="FILE", rich_help_panel=_SHOWN, help="Show these first, one a line."),
    ] = None,
    only_vocabulary: Annotated[
        bool, typer.Option("--only-vocabulary", rich_help_panel=_SHOWN, help="Show nothing but the vocabulary.")
    ] = False,
    min_words: Annotated[
        int,
        typer.Option("--min-words", metavar="N", rich_help_panel=_SHOWN, help="Fewest words; terms like IL-6 stay."),
    ] = 1,
    min_characters: Annotated[
        int,
        typer.Option("--min-characters", metavar="N", rich_help_panel=_SHOWN, help="Fewest characters; so do they."),
    ] = 1,
    expand_acronyms: Annotated[
        bool, typer.Option("--expand-acronyms", rich_help_panel=_SHOWN, help="Show SVM with what it stands for.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", "-f", help="How to write them.")] = Format.TABLE,
    output: Output = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show where phrases stand and why they rank.")] = False,
    include_text: Annotated[bool, typer.Option("--include-text", help="Put each document's text into JSON.")] = False,
    language: Language = None,
    input_format: Annotated[
        InputFormat, typer.Option("--input-format", help="What the files hold, where content and name do not tell.")
    ] = InputFormat.AUTO,
    param: Parameters = None,
    calibrator: CalibratorFile = None,
    min_precision: MinPrecision = None,
    guarantee: Confident = None,
    min_recall: MinRecall = None,
    abstain_below: AbstainBelow = 0.0,
    best_f1: BestF1 = False,
    jobs: Jobs = None,
    engine: Engine = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Keyphrases of documents: text, Markdown, HTML, PDF, JATS, TEI, DOCX, JSON Lines, folders of these."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.faces.cli.results import Writer  # noqa: PLC0415 - help does without

    chosen = api.parametrised(system, pairs(param) | ({"style": style.value} if style else {}))
    extraction = api.prepare(
        api.calibrated(chosen, calibrator) if calibrator else chosen,
        top,
        language,
        explain=explain,
        min_probability=min_probability,
        diversity=diversity,
        stop_phrases=stop_phrases or (),
        vocabulary=vocabulary or (),
        only_vocabulary=only_vocabulary,
        min_words=min_words,
        min_characters=min_characters,
        expand_acronyms=expand_acronyms,
        min_precision=min_precision,
        guarantee=guarantee,
        min_recall=min_recall,
        abstain_below=abstain_below,
        best_f1=best_f1,
    )
    if promise := api.promise_of(extraction.extractor):
        say(f"note: {promise.told}", quiet=quiet)
    kind = None if input_format is InputFormat.AUTO else input_format.value
    wanted = Format.JSON if json else form
    keep = include_text or wanted in {Format.TABLE, Format.HTML}
    found = api.extract_files(extraction, files, kind, engine=engine, jobs=jobs, keep=keep)
    watched = output is None and sys.stdout.isatty()  # results themselves show how far it is, and a bar would mix in
    with progress("documents", quiet=quiet or watched) as tell, opened(output, files) as file:
        writer = Writer(extraction.signature, include_text, explain, file.isatty())
        for piece in writer.written(counted(found, tell), wanted):
            file.write(piece)
            file.flush()
    for warning in writer.warnings:
        say(f"note: {warning}", quiet=quiet)
    for failure in writer.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    if writer.failures and writer.done:
        say(f"{writer.done} documents done, {len(writer.failures)} not", quiet=quiet)
    raise typer.Exit(exit_code(writer.failures, writer.done))
