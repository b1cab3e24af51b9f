"""The verbs in groups, in the order of their use."""

from typing import Annotated, Any, Final

import typer

from keywright.core import VERSION

from keywright.faces.cli.verbs import (  # isort: skip
    collection, comparing, confidences, extract, installation, listing, score, scorers, serving, summaries,
    training, vocabularies)  # fmt: skip

_ABOUT: Final = "Extract keyphrases from documents, and evaluate systems that extract or generate them."

app = typer.Typer(
    name="keywright", help=_ABOUT, epilog="Example: keywright extract paper.pdf --top 10", no_args_is_help=True,
    add_completion=False, pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip


def _show_version(asked: bool) -> None:  # noqa: FBT001 - the shape of an option's callback
    if asked:
        typer.echo(f"keywright {VERSION}")
        raise typer.Exit


@app.callback(help=_ABOUT)
def keywright(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Take the options without a verb."""


EXTRACT: Final = "Extract"
EVALUATE: Final = "Evaluate"
TRAIN: Final = "Train and calibrate"
LOOK_UP: Final = "Look up"
REPLACE: Final = "Drop-in replacements"
_VERBS: Final[tuple[tuple[str, Any, str], ...]] = (
    (EXTRACT, extract.extract, "Extract keyphrases from documents and folders of documents."),
    (EXTRACT, extract.run, "Write a system's keyphrases for a data set to a file."),
    (EXTRACT, collection.collection, "Count the keyphrases of many documents, also over time."),
    (EXTRACT, comparing.combine, "Combine runs of several systems into one."),
    (EXTRACT, serving.serve, "Serve keyphrases over HTTP."),
    (EXTRACT, serving.mcp, "Answer assistants over the Model Context Protocol."),
    (EVALUATE, score.score, "Score a run under published protocols."),
    (EVALUATE, comparing.compare, "Compare runs, with intervals and significance tests."),
    (EVALUATE, confidences.analyse, "Measure how far a run's confidences can be trusted."),
    (EVALUATE, score.reproduce, "Print published tables beside our own numbers."),
    (TRAIN, training.label, "Make labelled data of documents and reviewed keyphrases."),
    (TRAIN, training.train, "Train a system on labelled documents."),
    (TRAIN, training.adapt, "Adapt the default system to unlabelled documents."),
    (TRAIN, confidences.calibrate, "Fit probabilities for a system on labelled documents."),
    (TRAIN, training.export, "Write a trained generator so that it runs without torch."),
    (LOOK_UP, listing.systems, "List systems, or show one in full."),
    (LOOK_UP, listing.protocols, "List protocols, or show one."),
    (LOOK_UP, listing.languages, "List languages, with what there is for each."),
    (LOOK_UP, installation.doctor, "Show what is installed, and run a self-check."),
    (LOOK_UP, installation.completion, "Print a script that completes commands in your shell."),
)
"""Heading in the help, verb, and a line about it."""

for group, verb, summary in _VERBS:
    app.command(short_help=summary, epilog=verb.epilog, rich_help_panel=group)(verb)


def add_group(group: str, name: str, short_help: str, about: str, example: str, **verbs: Any) -> typer.Typer:
    """Add a verb that consists of several, by their names, and return it."""
    commands = typer.Typer(help=about, epilog=f"Example: keywright {name} {example}")
    commands.callback()(lambda: None)  # typer would merge a single command
    for word, verb in verbs.items():
        commands.command(word, epilog=verb.epilog)(verb)
    app.add_typer(commands, name=name, short_help=short_help, rich_help_panel=group)
    return commands


add_group(
    *(EXTRACT, "vocabulary", "Index the labels of a large vocabulary."),
    "Vocabularies: index the labels of a file for `keywright extract --vocabulary`.",
    "build subjects.txt -o subjects",
    build=vocabularies.build,
    gaps=vocabularies.gaps,
).info.no_args_is_help = True
add_group(
    *(LOOK_UP, "datasets", "List, show, fetch and verify data sets."),
    "Data sets: list, show, fetch, verify.",
    "show inspec",
    list=listing.list_datasets,
    show=listing.show,
    fetch=listing.fetch,
    verify=listing.verify,
).callback(invoke_without_command=True)(listing.datasets)
add_group(
    *(EVALUATE, "summaries", "Evaluate summaries: keyphrases, ROUGE, n-gram graphs."),
    "Evaluate summaries by their keyphrases, with ROUGE and with n-gram graphs.",
    "score pairs.jsonl --evaluator kpeval",
    score=summaries.score,
    report=summaries.report,
    correlate=summaries.correlate,
)
# The old tool's own parser reads everything behind the verb, its help option included.
app.command(
    add_help_option=False,
    short_help="The Inspec tool evalHulth2003: eval, evalGen, keywords.",
    rich_help_panel=REPLACE,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "allow_interspersed_args": False},
    epilog=scorers.inspec.epilog,
)(scorers.inspec)
add_group(
    *(REPLACE, "semeval", "The official scorer of SemEval-2010 Task 5."),
    "Drop-in replacement for the official scorer of SemEval-2010 Task 5.",
    "score answers.txt --gold test_answer",
    score=scorers.score_semeval,
)
add_group(
    *(REPLACE, "kpg", "The evaluation scripts of keyphrase generation."),
    "Drop-in replacement for the evaluation scripts of keyphrase generation.",
    "score -src src.txt -trg trg.txt -pred pred.txt -exp_path scores",
).command(
    "score",
    # The script's long options have one hyphen, in which -h would be found.
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": ["--help"]},
    epilog=scorers.score_kpg.epilog,
)(scorers.score_kpg)
