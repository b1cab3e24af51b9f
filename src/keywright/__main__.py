"""``python -m keywright``: the command line."""

from keywright.faces.cli import main

main()
