"""The verbs, in the order of their use; old names of options still work, with a note."""

from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand

from keywright.core.version import VERSION
from keywright.faces.cli.guard import guarded
from keywright.faces.cli.printing import say

from keywright.faces.cli.verbs import (  # isort: skip
    calibrate, combine, compare, datasets, doctor, extract, inspec, kpg, reproduce, score, semeval, summaries, systems,
    train,
)  # fmt: skip

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


app = typer.Typer(
    name="keywright",
    help="Keyphrases: extract them, score any system under any published protocol.",
    epilog="Example: keywright extract paper.pdf --top 10",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:  # noqa: FBT001 - the shape of an option's callback
    if asked:
        typer.echo(f"keywright {VERSION}")
        raise typer.Exit


@app.callback()
def keywright(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Keyphrases: extract them, score any system under any published protocol."""


for name, verb, example in (
    ("extract", extract.extract, "keywright extract paper.pdf --top 10 --explain"),
    ("run", extract.run, "keywright run kpminer semeval2010/test -o kpminer.jsonl"),
    ("score", score.score, "keywright score kpminer.jsonl --protocol semeval2010"),
    ("compare", compare.compare, "keywright compare kpminer.jsonl tfidf.jsonl --protocol semeval2010"),
    ("combine", combine.combine, "keywright combine kpminer.jsonl tfidf.jsonl -o both.jsonl"),
    ("train", train.train, "keywright train default papers.jsonl -o mine"),
    ("adapt", train.adapt, "keywright adapt papers/ -o mine"),
    ("calibrate", calibrate.calibrate, "keywright calibrate run.jsonl --gold papers.jsonl -o calibrator.json"),
    ("analyse", calibrate.analyse, "keywright analyse run.jsonl --gold papers.jsonl --report analysis.html"),
    ("reproduce", reproduce.reproduce, "keywright reproduce semeval2010-baselines"),
    ("systems", systems.systems, "keywright systems kpminer"),
    ("protocols", systems.protocols, "keywright protocols semeval2010"),
    ("doctor", doctor.doctor, "keywright doctor"),
):
    app.command(name, cls=RenamingCommand, epilog=f"Example: {example}")(guarded(verb))

app.add_typer(datasets.app, name="datasets")
app.add_typer(semeval.app, name="semeval")
app.add_typer(kpg.app, name="kpg")
app.add_typer(summaries.app, name="summaries")
# The old tool's own parser reads everything behind the verb, its help option included.
app.command(
    "inspec",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "allow_interspersed_args": False},
    epilog="Example: keywright inspec eval -g dataset/test -p predictions",
)(guarded(inspec.inspec))
