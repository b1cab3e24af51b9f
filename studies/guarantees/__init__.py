"""The study of guarantees: how often a promised precision or recall is reached on other documents."""
