"""Options for which phrases are shown, made from the table in ``core.list_options``."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import typer

from keywright.core.list_options import GuaranteeOptions, PhraseOptions, options_of

Verb = TypeVar("Verb", bound=Callable[..., None])

_PANELS: Final = {PhraseOptions: "Which phrases are shown", GuaranteeOptions: "Guarantees (with --calibrator)"}


def with_options(*tables: type) -> Callable[[Verb], Verb]:
    """Return a decorator that replaces a verb's ``**keywords`` by one command-line option for each field of tables."""

    def decorate(verb: Verb) -> Verb:
        signature = inspect.signature(verb, eval_str=True)
        plain = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
        added = [option for table in tables for option in _options(table)]
        verb.__signature__ = signature.replace(parameters=[*plain, *added])  # type: ignore[attr-defined]  # for typer
        return verb

    return decorate


def _options(table: type) -> Iterator[inspect.Parameter]:
    """Yield a keyword parameter with typer's annotation for each field of a table."""
    for field, kind, option in options_of(table):
        is_file = option.value == "FILE"
        shown = typer.Option(
            f"--{field.name.replace('_', '-')}",
            metavar=option.value or None,
            rich_help_panel=_PANELS[table],
            help=option.help,
        )
        annotation: Any = Annotated[Path | None if is_file else kind, shown]
        default = None if is_file else field.default
        yield inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
