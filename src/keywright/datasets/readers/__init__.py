"""One reader for each collection: ``read(files, split, forms)`` yields its labelled documents, in a fixed order."""
