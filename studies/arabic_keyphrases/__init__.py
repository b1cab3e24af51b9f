"""The Arabic keyphrase study: systems on AKEC, scored by surface forms and by lemmas."""
