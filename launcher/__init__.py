"""What ./gridftp is made of; Python's standard library only."""
