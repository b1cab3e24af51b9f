"""Keyphrases as bibliographic records: BibTeX, RIS, JSON-LD, JATS and Dublin Core."""
