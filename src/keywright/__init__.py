"""keywright: keyphrases, with an honest number beside each."""
