"""The manual as one searchable site: README and contrib/gridftp/doc, by Sphinx."""
