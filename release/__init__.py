"""A release: archives of a commit, the same byte for byte from every clone."""
