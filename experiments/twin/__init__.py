"""Real GridFTP programs over the simulated path, in real time."""
