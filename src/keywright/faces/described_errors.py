"""Errors of any kind as code word, message and hint, the same for people, programs and assistants."""

import io
from dataclasses import dataclass

from keywright.core.errors import KeywrightError
from keywright.core.records import Record, error_record
from keywright.faces.exit_codes import PARTLY, UNREADABLE, meaning


@dataclass(frozen=True, slots=True)
class DescribedError:
    """Code word, message and hint of an error, and the exit code of a command that it ends."""

    code: str
    message: str
    hint: str
    exit_code: int

    @classmethod
    def of(cls, error: Exception) -> "DescribedError":
        """Return the description of an error; one that keywright does not raise on purpose is a defect."""
        match error:
            case KeywrightError():
                return cls(error.code, error.message, error.hint, meaning(error).exit_code)
            case OSError() if error.strerror:
                message = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
                return cls("system", message, "", UNREADABLE if error.filename else PARTLY)
            case io.UnsupportedOperation():  # ``open_closed_streams`` has put there what cannot be written
                return cls("system", "standard output is closed", "name a file with -o FILE", PARTLY)
            case MemoryError():
                return cls("memory", "not enough memory", "give fewer documents or jobs at a time", PARTLY)
            case _:
                message = f"a defect of keywright: {type(error).__name__}: {error}"
                hint = "please report it with the command; KEYWRIGHT_DEBUG=1 shows where it happened"
                return cls("unexpected", message, hint, PARTLY)

    @property
    def record(self) -> Record:
        """The error as JSON values: an object with the key ``error``."""
        return {"error": error_record(self.code, self.message, self.hint)}
