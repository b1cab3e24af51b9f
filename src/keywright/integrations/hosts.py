"""Libraries that call keywright: a clear error where one is not installed."""

import contextlib
from collections.abc import Iterator

from keywright.core.errors import MissingExtra


@contextlib.contextmanager
def needing(package: str) -> Iterator[None]:
    """Raise ``MissingExtra`` with the line that installs a package where the imports inside fail.

    Args:
        package: name under which ``pip`` installs it.

    Raises:
        MissingExtra: an import failed.
    """
    try:
        yield
    except MissingExtra:
        raise
    except ImportError as error:
        message = f"this part of keywright is for the package {package}, which cannot be imported: {error}"
        raise MissingExtra(message, f"pip install {package}") from error
