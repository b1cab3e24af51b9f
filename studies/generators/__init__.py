"""What helps a small generator: learning curves at equal documents."""
