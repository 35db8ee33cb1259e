"""Simulating what a sweep declares and the store does not have."""
