"""Values and interfaces: everything the other rooms exchange, and nothing that does work."""

from typing import Final

VERSION: Final = "0.2.0"  # the version, in one place; part of every signature
