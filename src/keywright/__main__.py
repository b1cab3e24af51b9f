"""``python -m keywright``: the command line."""

from keywright.faces.cli import main

if __name__ == "__main__":  # worker processes import this file
    main()
