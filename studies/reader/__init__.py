"""The quality best beside the standard quality: test sets, held-out training documents, collections left out."""
