"""Intervals, paired significance tests, effect sizes and agreement over documents."""
