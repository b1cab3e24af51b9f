"""The page of the service: texts and files in, marked keyphrases out, review and export; it works without scripts."""
