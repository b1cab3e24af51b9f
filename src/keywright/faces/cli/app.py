"""The verbs in groups, in the order of their use; old names of options still work, with a note."""

from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand

from keywright.core import VERSION
from keywright.faces.cli.printing import guard_verb, say

from keywright.faces.cli.verbs import (  # isort: skip
    analyse, calibrate, combine, compare, completion, datasets, doctor, export, extract, inspec, kpg, label, mcp,
    reproduce, score, semeval, serve, summaries, systems)  # fmt: skip
from keywright.faces.cli.verbs import (
    train,  # fmt: skip
    vocabularies,  # fmt: skip
)

RENAMED: Final = {"--guarantee": "--confidence-level", "--confidence": "--score-field"}
"""Today's name of an option by its old one."""


class RenamingCommand(TyperCommand):
    """A command that also takes the old names of its options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Replace old names, up to ``--``, then parse as usual."""
        options = {name for parameter in self.params for name in parameter.opts}
        end = args.index("--") if "--" in args else len(args)
        for place, argument in enumerate(args[:end]):
            name, sign, value = argument.partition("=")
            current = RENAMED.get(name)
            if current in options and name not in options:
                say(f"note: {name} is now called {current}", quiet=bool({"-q", "--quiet"} & set(args)))
                args[place] = f"{current}{sign}{value}"
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed


_ABOUT: Final = "Extract keyphrases from documents, and evaluate systems that extract or generate them."

app = typer.Typer(
    name="keywright",
    help=_ABOUT,
    epilog="Example: keywright extract paper.pdf --top 10",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(asked: bool) -> None:  # noqa: FBT001 - the shape of an option's callback
    if asked:
        typer.echo(f"keywright {VERSION}")
        raise typer.Exit


@app.callback()
def keywright(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Extract keyphrases from documents, and evaluate systems that extract or generate them."""


EXTRACT: Final = "Extract"
EVALUATE: Final = "Evaluate"
TRAIN: Final = "Train and calibrate"
LOOK_UP: Final = "Look up"
REPLACE: Final = "Drop-in replacements"

for group, name, verb, summary, example in (
    (
        *(EXTRACT, "extract", extract.extract, "Extract keyphrases from documents and folders of documents."),
        "keywright extract paper.pdf --top 10 --explain",
    ),
    (
        *(EXTRACT, "run", extract.run, "Write a system's keyphrases for a data set to a file."),
        "keywright run kpminer semeval2010/test -o kpminer.jsonl",
    ),
    (
        *(EXTRACT, "combine", combine.combine, "Combine runs of several systems into one."),
        "keywright combine kpminer.jsonl tfidf.jsonl -o both.jsonl",
    ),
    (
        *(EXTRACT, "serve", serve.serve, "Serve keyphrases over HTTP."),
        "keywright serve --port 8000",
    ),
    (EXTRACT, "mcp", mcp.mcp, "Answer assistants over the Model Context Protocol.", "keywright mcp --root papers"),
    (
        *(EVALUATE, "score", score.score, "Score a run under published protocols."),
        "keywright score kpminer.jsonl --protocol semeval2010",
    ),
    (
        *(EVALUATE, "compare", compare.compare, "Compare runs, with intervals and significance tests."),
        "keywright compare kpminer.jsonl tfidf.jsonl --protocol semeval2010",
    ),
    (
        *(EVALUATE, "analyse", analyse.analyse, "Measure how far a run's confidences can be trusted."),
        "keywright analyse run.jsonl --gold papers.jsonl --report analysis.html",
    ),
    (
        *(EVALUATE, "reproduce", reproduce.reproduce, "Print published tables beside our own numbers."),
        "keywright reproduce semeval2010-baselines",
    ),
    (
        *(TRAIN, "label", label.label, "Make labelled data of documents and reviewed keyphrases."),
        "keywright label papers/ --keyphrases reviewed.csv -o labelled.jsonl",
    ),
    (
        *(TRAIN, "train", train.train, "Train a system on labelled documents."),
        "keywright train default papers.jsonl -o mine",
    ),
    (
        *(TRAIN, "adapt", train.adapt, "Adapt the default system to unlabelled documents."),
        "keywright adapt papers/ -o mine",
    ),
    (
        *(TRAIN, "calibrate", calibrate.calibrate, "Fit probabilities for a system on labelled documents."),
        "keywright calibrate run.jsonl --gold papers.jsonl -o calibrator.json",
    ),
    (
        *(TRAIN, "export", export.export, "Write a trained generator so that it runs without torch."),
        "keywright export generator -o served --calibrate-on papers.jsonl",
    ),
    (LOOK_UP, "systems", systems.systems, "List systems, or show one in full.", "keywright systems kpminer"),
    (LOOK_UP, "protocols", systems.protocols, "List protocols, or show one.", "keywright protocols semeval2010"),
    (LOOK_UP, "doctor", doctor.doctor, "Show what is installed, and run a self-check.", "keywright doctor"),
    (
        *(LOOK_UP, "completion", completion.completion, "Print a script that completes commands in your shell."),
        'eval "$(keywright completion bash)"',
    ),
):
    app.command(name, cls=RenamingCommand, short_help=summary, epilog=f"Example: {example}", rich_help_panel=group)(
        guard_verb(verb)
    )

app.add_typer(
    vocabularies.app, name="vocabulary", short_help="Index the labels of a large vocabulary.", rich_help_panel=EXTRACT
)
app.add_typer(
    datasets.app, name="datasets", short_help="List, show, fetch and verify data sets.", rich_help_panel=LOOK_UP
)
app.add_typer(
    summaries.app,
    name="summaries",
    short_help="Evaluate summaries: keyphrases, ROUGE, n-gram graphs.",
    rich_help_panel=EVALUATE,
)
# The old tool's own parser reads everything behind the verb, its help option included.
app.command(
    "inspec",
    add_help_option=False,
    short_help="The Inspec tool evalHulth2003: eval, evalGen, keywords.",
    rich_help_panel=REPLACE,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "allow_interspersed_args": False},
    epilog="Example: keywright inspec eval -g dataset/test -p predictions",
)(guard_verb(inspec.inspec))
app.add_typer(
    semeval.app, name="semeval", short_help="The official scorer of SemEval-2010 Task 5.", rich_help_panel=REPLACE
)
app.add_typer(
    kpg.app, name="kpg", short_help="The evaluation scripts of keyphrase generation.", rich_help_panel=REPLACE
)
