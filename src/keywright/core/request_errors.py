"""Errors of requests to a service: what is wrong with the request, or with the moment at which it comes."""

from keywright.core.errors import KeywrightError


class BadRequest(KeywrightError, ValueError):
    """A request that cannot be understood, such as a body that is not valid JSON."""


class TokenMissing(KeywrightError, PermissionError):
    """A request without a valid token; the message is the same whatever was asked for."""

    # OSError formats (errno, text) pairs in its own way; our two strings must stay as they are.
    def __str__(self) -> str:
        """Message and hint on one line."""
        return KeywrightError.__str__(self)


class NotAllowed(KeywrightError, PermissionError):
    """Something that the service never does."""

    def __str__(self) -> str:
        """Message and hint on one line."""
        return KeywrightError.__str__(self)


class WrongMethod(KeywrightError, ValueError):
    """A method that an address does not have."""


class TooSlow(KeywrightError, TimeoutError):
    """A request whose body does not arrive in time."""

    def __str__(self) -> str:
        """Message and hint on one line."""
        return KeywrightError.__str__(self)


class Busy(KeywrightError, RuntimeError):
    """A service whose queue is full.

    Attributes:
        seconds: until another attempt is worth it, an estimate.
    """

    seconds: int = 1


class Unavailable(KeywrightError, RuntimeError):
    """A service that stops, or whose worker process died twice over the same document."""


class TookTooLong(KeywrightError, TimeoutError):
    """A document on which the work was ended at the time limit."""

    def __str__(self) -> str:
        """Message and hint on one line."""
        return KeywrightError.__str__(self)
