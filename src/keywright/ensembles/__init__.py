"""Several ranked lists of a document combined into one: votes without training, and a meta-ranker trained on gold."""
