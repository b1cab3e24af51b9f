"""Identity of systems: a calibrator, or a meta-ranker, is for the system that it was fitted on.

Signatures are compared: the name, every parameter, and the hash of every table have to be the same. Versions
need only be of one series, such as 0.1 of 0.1.3: patch releases leave scores as they are, other releases need not
(``docs/decisions/0017-calibrators-and-versions.md``). The hash of a file of answers does not count: another file of a
generator's answers is of the same system.
"""

import itertools
import re
from typing import Final, NamedTuple

from keywright.core.errors import BadParameter
from keywright.core.old_names import current_signature

_VERSION: Final = re.compile(r"\|v((\d+\.\d+)[^|()]*)$")
_FILE: Final = "|sha256:"


class _Identity(NamedTuple):
    """Parts of a signature: name, fields by name, version and its series, which are empty where there is none."""

    name: str
    fields: dict[str, str]
    version: str
    series: str

    def of_another_series(self, other: "_Identity") -> bool:
        """Return whether both have a version, of different series."""
        return bool(self.series and other.series) and self.series != other.series


def same_system(first: str, second: str) -> bool:
    """Return whether two signatures are of one system."""
    ours, theirs = _identity(first), _identity(second)
    return (ours.name, ours.fields) == (theirs.name, theirs.fields) and not ours.of_another_series(theirs)


def check_same_system(fitted: str, signature: str, subject: str) -> None:
    """Check that a system is the one that a calibrator was fitted for.

    ``subject`` begins the message, such as ``this is``; the message has what differs.
    """
    ours, theirs = _identity(fitted), _identity(signature)
    hint = "calibrate a run of this very system: keywright calibrate RUN --gold DATASET"
    if ours.name != theirs.name:
        raise BadParameter(f"the calibrator was fitted for {ours.name}, and {subject} {theirs.name}", hint)
    different = [name for name in {**ours.fields, **theirs.fields} if ours.fields.get(name) != theirs.fields.get(name)]
    if different:
        wanted, actual = (
            ", ".join(f"{name}:{identity.fields.get(name, 'nothing')}" for name in different)
            for identity in (ours, theirs)
        )
        message = f"the calibrator was fitted for {ours.name} with {wanted}, and {subject} {theirs.name} with {actual}"
        raise BadParameter(message, hint)
    if ours.of_another_series(theirs):
        message = f"the calibrator was fitted for {ours.name} of keywright {ours.version}, and {subject} of"
        hint = "releases other than patches may change scores; make the run again, and calibrate again"
        raise BadParameter(f"{message} {theirs.version}", hint)


def unversioned(signature: str) -> str:
    """Return a signature without its version."""
    return _VERSION.sub("", signature)


def _identity(signature: str) -> _Identity:
    version = _VERSION.search(signature)
    name, *parts = _parts(unversioned(current_signature(signature)).partition(_FILE)[0])
    fields = dict(part.partition(":")[::2] for part in parts)
    return _Identity(name, fields, *(version.groups() if version else ("", "")))


def _parts(signature: str) -> list[str]:
    """Return the parts between bars outside of brackets."""
    bars, depth = [-1], 0
    for place, sign in enumerate(signature):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth <= 0:
            bars.append(place)
    return [signature[start + 1 : end] for start, end in itertools.pairwise([*bars, len(signature)])]
