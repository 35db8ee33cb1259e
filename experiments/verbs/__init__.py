"""What `./gridftp VERB` starts: a module for each verb."""
