"""Mutants: one-line changes of the sources, of which the tests have to notice nearly all."""
