"""The way from an analysed document to a ranking: candidates, features, corpus, learners, ranking, systems."""
