"""Extras: optional parts of an installation, and the line that installs one."""

from collections.abc import Iterator
from contextlib import contextmanager

from keywright.core.errors import MissingExtra
from keywright.core.version import VERSION


def installing(extra: str) -> str:
    """Return how to install an extra: keywright comes as a checkout or as a wheel, and not from an index."""
    return (
        f'`pip install ".[{extra}]"` in a checkout of keywright, or '
        f'`pip install "keywright-{VERSION}-py3-none-any.whl[{extra}]"` beside its wheel'
    )


@contextmanager
def needs_extra(extra: str, need: str) -> Iterator[None]:
    """Raise ``MissingExtra`` if an import inside fails.

    Args:
        extra: the extra that brings the package.
        need: who needs which package, such as ``plots need matplotlib``.
    """
    try:
        yield
    except ImportError as error:
        reason = "is not installed" if isinstance(error, ModuleNotFoundError) else f"cannot be imported ({error})"
        raise MissingExtra(f"{need}, which {reason}", installing(extra)) from error
