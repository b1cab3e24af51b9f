"""One reader for each collection: ``read(files, split, forms)`` gives its labelled documents, in a fixed order."""
