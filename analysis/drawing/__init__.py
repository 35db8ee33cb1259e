"""How figures look, and words for their numbers."""
