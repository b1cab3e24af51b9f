"""Numbers and labels to a scorer: naive Bayes, logistic regression, boosted trees, ranking SVM."""
