"""From a model's distributions to phrases with the probability of each token."""
