"""Keyphrases and reports in each format of output, for the command line and for the page of the service."""
