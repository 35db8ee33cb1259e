"""Keeping simulations, and handing them out as tables."""
