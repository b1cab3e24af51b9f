"""Arabic: normal forms, clitics, lemmas, questions and part-of-speech tags."""

from typing import Final

HINT: Final = "pip install 'keywright[arabic]'"
"""The line that installs the dictionary of lemmas."""
