"""Documents to columns: tokens, sentences, stems, flags, keys."""
