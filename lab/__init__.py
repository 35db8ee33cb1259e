"""The lab: the segment engine in a browser, with a bench and lessons."""
