"""Checks of the options of evaluators, for those that are made in Python and not from a specification."""

import typing

from keywright.core.errors import BadParameter
from keywright.core.parameters import parameters
from keywright.summaries.evaluator import Evaluator


def check_options(evaluator: Evaluator) -> None:
    """Raise for an option whose value is not one of its choices, or not true or false.

    Raises:
        BadParameter: there is such an option.
    """
    for option in parameters(type(evaluator)):
        value = getattr(evaluator, option.name)
        choices = (True, False) if option.type is bool else typing.get_args(option.type)
        if choices and (value not in choices or isinstance(value, bool) != (option.type is bool)):
            raise BadParameter(f"{evaluator.name}: {option.name} = {value!r:.60}", f"{option.name} takes {option.kind}")
