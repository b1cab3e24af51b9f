"""evalHulth2003, the usual scorer of Inspec: its tokens, lemmas, stems, files and printed text."""
