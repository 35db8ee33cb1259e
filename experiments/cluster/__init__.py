"""Simulating on the workers of a Dask scheduler."""
