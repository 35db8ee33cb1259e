"""A module for each command of `./gridftp` that is written in Python."""
