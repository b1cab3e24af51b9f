"""Published scorers, one file each."""
