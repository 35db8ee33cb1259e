"""What a sweep is: reading and checking a TOML file."""
