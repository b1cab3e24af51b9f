"""Training of the reader: an encoder of texts that corrects the log-odds of the default."""
