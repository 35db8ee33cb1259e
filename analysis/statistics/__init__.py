"""Means, intervals, curves and measures of sharing."""
