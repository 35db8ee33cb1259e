"""Kept results as tables."""
