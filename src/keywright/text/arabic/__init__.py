"""Arabic: normal forms, clitics, lemmas, questions and part-of-speech tags."""
