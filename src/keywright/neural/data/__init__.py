"""From labelled documents to batches: words, examples, vocabularies and batches of one length."""
