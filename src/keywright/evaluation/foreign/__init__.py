"""Runs of others: the files that other tools write, recognised by their content and read into ranked lists."""
