"""Vocabularies: lists of labels, such as subject headings, whose phrases are looked up in documents."""
