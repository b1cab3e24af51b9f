"""keywright label, train, adapt and export: labelled documents, systems fitted on them, and generators as ONNX."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from keywright import api
from keywright.core.choices import Precision
from keywright.core.errors import BadParameter
from keywright.faces.cli.options import SYSTEM, declare, declare_format, name_tables, parse_pairs
from keywright.faces.cli.output_options import choose_format, draw_labelled
from keywright.faces.cli.printing import Console, open_output, print_json, tell_error, tell_failures, write_pieces
from keywright.faces.exit_codes import PARTLY, choose_exit_code
from keywright.faces.outputs.output_formats import REVIEWED
from keywright.faces.outputs.screen import Screen, draw_rows, find_screen

_SHOWN_IDS: Final = 5  # Ids that a message names; arbitrary


@declare(
    "keywright label papers/ --keyphrases reviewed.csv -o labelled.jsonl",
    keyphrases="-k TABLE | Reviewed table: columns id and keyphrase (or keyphrases), and perhaps accepted with yes and "
    "no.",
)
def label(  # noqa: PLR0913 - one argument for each option
    files: Annotated[list[str], "FILE... | Documents, as `keywright extract` had them."],
    *,
    keyphrases: Path,
    output: Annotated[Path, "-o FILE | File to write."],
    form: Annotated[str | None, declare_format(REVIEWED)] = None,
    by: Annotated[str, "KIND | Who chose: author, reader or indexer."] = "indexer",
    text_column: str | None = None,
    title_column: str | None = None,
    id_column: str | None = None,
    cite_column: list[str] | None = None,
    force: bool = False,
    console: Console,
) -> None:
    """Write documents with reviewed keyphrases: as labelled data for train, calibrate and score, or for a catalogue."""
    from keywright.faces.outputs.results import Writer  # noqa: PLC0415 - help does without

    output_format = choose_format(REVIEWED, form, output, [*files, keyphrases], json=False, force=force)
    tables = name_tables(text_column, title_column, id_column, (), cite_column or (), console)
    results = api.ReviewedResults(files, keyphrases, tables)
    with open_output(output, [*files, keyphrases]) as file:
        writer = Writer("", screen=find_screen(file), reviewed=by)
        write_pieces(file, writer.write(results, output_format))
    tell_failures(writer.failures)
    unknown = results.unknown
    if unknown:
        more = f" and {len(unknown) - _SHOWN_IDS:,} more" if len(unknown) > _SHOWN_IDS else ""
        shown = ", ".join(map(repr, unknown[:_SHOWN_IDS]))
        tell_error(f"no document for {len(unknown):,} ids of {keyphrases}: {shown}{more}")
    if console.json:
        counts = {name: getattr(results, name) for name in ("documents", "keyphrases", "rejected", "unreviewed")}
        print_json({"output": str(output), **counts, "unknown": list(unknown), "failed": len(writer.failures)})
    rejected = f", {results.rejected:,} rejected" if results.rejected else ""
    unreviewed = f"; {results.unreviewed:,} documents without a row left out" if results.unreviewed else ""
    counted = f"{results.documents:,} documents with {results.keyphrases:,} keyphrases{rejected}{unreviewed}"
    console.say(f"{counted}: {output}")
    if writer.failures or unknown:
        raise typer.Exit(PARTLY)


def train_generator(
    generator: Any, datasets: Sequence[str], output: Path, options: Mapping[str, Any], console: Console, *, force: bool
) -> None:
    """Train a generator, or resume its training; show each validation."""
    minutes = options["minutes"]
    how: dict[str, Any] = {name: options[name] for name in ("validation", "device", "start")}
    how |= {"recipe": parse_pairs(options["recipe"]), "seconds": None if minutes is None else 60 * minutes}
    with console.progress("steps") as advance:

        def tell(step: Any) -> None:
            advance(step.done, step.steps)
            if values := step.validation:
                loss = f"step {step.done:,}: loss {values['loss']:.3f}"
                if "present/F@5" in values:
                    loss += f"; F@5 {values['present/F@5']:.3f} present, {values['absent/F@5']:.3f} absent"
                console.say(loss)

        profile = options["profile"] or "small"
        trained = api.train_generator(generator, datasets, output, profile, force=force, tell=tell, **how)
    if console.json:
        print_json(trained.card)
    console.note(*trained.notes)
    tell_failures(trained.failures)
    use = "--start" if "objective" in trained.card else "--system"
    console.say(f"trained on {', '.join(datasets)}: use it with {use} {output}")
    if trained.failures:
        raise typer.Exit(choose_exit_code(trained.failures, trained.card["documents"]))


@declare(
    "keywright train default papers.jsonl -o mine",
    datasets="DATASET... | Labelled documents; generators take several data sets, or texts to restore.",
)
def train(  # noqa: PLR0913 - one argument for each option
    system: Annotated[str, f"SYSTEM | {SYSTEM}"],
    datasets: list[str],
    *,
    output: Annotated[Path, "-o DIR | Folder to write the trained system to."],
    force: Annotated[bool, "Replace a trained system in the folder."] = False,
    anyway: Annotated[bool, "Write `default` even without a gain on held-out documents."] = False,
    language: str | None = None,
    param: list[str] | None = None,
    profile: Annotated[str | None, "tiny|small|paper | Size and recipe of a generator (default: small)."] = None,
    recipe: Annotated[list[str] | None, "NAME=VALUE | Value of a generator's recipe, such as steps=500."] = None,
    validation: Annotated[str | None, "DATASET | Documents that choose a generator's best weights."] = None,
    minutes: Annotated[float | None, "N | Stop a generator's training then; the same command resumes it."] = None,
    device: Annotated[str | None, "Device of a generator, such as cuda (default: a GPU if any)."] = None,
    start: Annotated[Path | None, "DIR | Folder of a generator whose weights the training starts from."] = None,
    vocabulary: Annotated[Path | None, "DIR | Index of the concepts that `subject` learns to rank."] = None,
    console: Console,
) -> None:
    """Fit a system; its folder is then accepted anywhere a system name is.

    `default` fine-tunes the shipped model, and the gain is measured on held-out documents. Without a gain nothing is
    written, and the command exits with status 1. `subject` learns to rank the concepts of a vocabulary.
    """
    chosen = api.parse_system(system, parse_pairs(param))
    if vocabulary is not None:
        chosen = api.with_vocabulary(chosen, vocabulary)
    options = {
        "profile": profile, "recipe": recipe, "validation": validation, "minutes": minutes, "device": device,
        "start": start,
    }  # fmt: skip
    if api.is_generator(chosen):
        train_generator(chosen, datasets, output, options, console, force=force)
        return
    if used := [name for name, value in options.items() if value is not None]:
        raise BadParameter(f"--{used[0]} is for generators, and {system} is not one", f"leave out --{used[0]}")
    if len(datasets) > 1:
        raise BadParameter(f"{len(datasets)} data sets for {system}", "name one; generators take several")
    dataset = datasets[0]
    with console.progress("documents") as tell:
        trained = api.train_with_notes(chosen, dataset, output, language, force=force, anyway=anyway, progress=tell)
    if console.json:
        print_json({**trained.card, "saved": trained.saved} if trained.gain else trained.card)
    elif trained.gain:
        with open_output(None) as file:
            file.write(draw_gain(trained.gain.as_json(), find_screen(file)))
    console.note(*trained.notes)
    if figures := trained.card.get("cross-validated"):
        measures = ", ".join(f"{name} {value:.3f}" for name, value in figures.items() if name != "folds")
        console.say(f"cross-validated in {figures['folds']} folds: {measures}")
    if trained.gain:
        console.say(trained.gain.verdict)
    if not trained.saved:
        console.say(f"nothing was written to {output}; --anyway writes it regardless")
        raise typer.Exit(PARTLY)
    console.say(f"trained on {dataset}: use it with --system {output}")


def draw_gain(record: Mapping[str, Any], screen: Screen) -> str:
    """Return a table of measures before and after, with intervals of the differences, in percent."""
    rows = []
    for change in record["changes"]:
        low, high = change["interval"]
        numbers = f"{100 * change['before']:.1f}", f"{100 * change['after']:.1f}", f"{100 * change['difference']:+.1f}"
        rows.append((change["measure"], *numbers, f"{100 * low:+.1f} to {100 * high:+.1f}"))
    columns = ("before", "after", "difference", "95 % interval")
    title = f"{record['documents']} documents, each held out from training"
    return draw_rows(screen, ("measure", *columns), rows, columns, title)


@declare("keywright adapt papers/ -o mine")
def adapt(
    paths: Annotated[list[str], "FOLDER... | Folders and files of documents."],
    *,
    output: Annotated[Path, "-o DIR | Folder to write the adapted system to."],
    system: Annotated[str, "-s NAME | System to adapt: default, or folder of an adapted system."] = "default",
    force: Annotated[bool, "Replace a trained system in the folder."] = False,
    language: str | None = None,
    console: Console,
) -> None:
    """Count how rare phrases are in unlabelled documents, and add the counts to those of `default`.

    Trees and probabilities stay the same. The folder is then accepted anywhere a system name is.
    """
    from keywright.core.saving import read_card  # noqa: PLC0415 - help does without

    with console.progress("documents") as tell:
        adapted = api.adapt(paths, output, system, language, force=force, progress=lambda done, _all: tell(done, None))
    tell_failures(adapted.failures)
    if console.json:
        print_json({**read_card(output), "repeats": adapted.repeats, "failed": len(adapted.failures)})
    after, before = adapted.phrases
    counted = f"{adapted.documents} counted ({adapted.system.language}), {len(adapted.failures)} failed"
    console.say(f"documents      {counted}")
    if adapted.left_out:
        others = ", ".join(f"{other} {count}" for other, count in adapted.left_out.items())
        console.say(f"left out       {adapted.left_out.total()} in other languages: {others}")
    if adapted.repeats:
        console.say(f"repeats        {adapted.repeats} with the text of another were not counted again")
    console.say(f"phrases        {after:,} with a known frequency, {before:,} before")
    console.say("probabilities  not recalibrated: those of the trees as they were trained")
    if adapted.note:
        console.note(adapted.note)
    console.say(f"use it with --system {output}")
    raise typer.Exit(choose_exit_code(adapted.failures, adapted.documents))


@declare(
    "keywright export generator -o served --calibrate-on papers.jsonl",
    calibrate_on="DATASET | Labelled documents to fit the probabilities on (default: none).",
)
def export(
    folder: Annotated[Path, "FOLDER | Folder of a trained generator."],
    *,
    output: Annotated[Path, "-o DIR | Folder to write the export to."],
    precision: Annotated[Precision, "Numbers of the weights: int8 is smaller and faster."] = Precision.INT8,
    calibrate_on: str | None = None,
    force: Annotated[bool, "Replace an exported generator in the folder."] = False,
    console: Console,
) -> None:
    """Write a trained generator as ONNX, which runs without torch, with the extra `onnx`.

    The folder is then accepted anywhere a system name is. Probabilities are not kept, because `int8` shifts
    confidences: --calibrate-on fits them again, and prints the calibration error before and after.
    """
    exported = api.export_with_notes(folder, output, precision.value, calibrate_on, force=force)
    if console.json:
        print_json(exported.card)
    elif exported.calibrated:
        _print_calibration(exported.card["calibration"])
    console.note(*filter(None, (*exported.notes, exported.uncalibrated)))
    console.say(f"exported as {precision.value}: use it with --system {output}")
    if exported.uncalibrated:
        raise typer.Exit(PARTLY)


def _print_calibration(calibration: Mapping[str, Any]) -> None:
    measured = {
        "without a calibrator": calibration["confidences"],
        "with the trained generator's calibrator": calibration["probabilities before export"],
        "with the new calibrator, on documents left out of its fit": calibration,
    }
    rows = [
        (name, _format_measure(values, "ece", 100), _format_measure(values, "brier", 1))
        for name, values in measured.items()
        if values is not None
    ]
    with open_output(None) as file:
        screen = find_screen(file)
        file.write(draw_labelled(screen, "measured", f"on {calibration['documents']:,} documents"))
        file.write(draw_rows(screen, ("probabilities", "ECE %", "Brier"), rows, ("ECE %", "Brier")))


def _format_measure(values: Mapping[str, float], name: str, times: int) -> str:
    return f"{times * values[name]:.{1 if times > 1 else 3}f}" if name in values else "-"
