"""The Arabic study: accuracy of lemmas and tags on the treebank UD Arabic-PUD."""
