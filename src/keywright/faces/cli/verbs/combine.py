"""keywright combine: several runs combined into one."""

from pathlib import Path

import typer

from keywright.core.choices import CombineMethod
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import check_new
from keywright.faces.cli.printing import Console, print_json, tell_failures
from keywright.faces.exit_codes import choose_exit_code


@declare(
    "keywright combine kpminer.jsonl tfidf.jsonl -o both.jsonl",
    runs="RUN RUN... | Runs, or files or folders of other tools.",
    output="-o RUN | File to write the combined run to.",
    method="-m | Rank phrases by number of runs, by ranks, by mean probability, or by a model trained on gold.",
    gold="DATASET | Labelled documents, for meta-ranker and probabilities.",
    texts="DATASET | Documents whose texts decide which phrases are present (default: as the runs say).",
    save="MODEL | File to write the meta-ranker to, trained on all of the gold.",
    model="MODEL | Rank with this meta-ranker, without training.",
)
def combine(  # noqa: PLR0913 - one argument for each option
    runs: list[Path],
    *,
    output: Path,
    method: CombineMethod = CombineMethod.VOTES,
    gold: str | None = None,
    texts: str | None = None,
    save: Path | None = None,
    model: Path | None = None,
    run_format: str | None = None,
    force: bool = False,
    console: Console,
) -> None:
    """Combine runs over the same documents into one; phrases are matched by stem.

    With --method meta-ranker, each labelled document is ranked by trees trained on other documents; --save writes the
    model trained on all of them, and --model ranks runs of the same systems over other documents with it.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    for written in (output, save):
        check_new(written, [*runs, gold, texts, model], force=force)
    combination = api.combine_with_notes(
        runs, method.value, output, gold=gold, texts=texts, save=save, model=model, form=run_format
    )
    run = combination.run
    tell_failures(run.failures)
    count = len(run.predictions)
    if console.json:
        record = {"run": str(output), "system": run.system, "data": run.data, "analyser": run.analyser}
        print_json({**record, "done": count, "failed": len(run.failures), "notes": list(combination.notes)})
    console.note(*combination.notes)
    console.say(f"{count} documents of {len(runs)} runs: {output}")
    raise typer.Exit(choose_exit_code(run.failures, count))
