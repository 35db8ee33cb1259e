"""The terminal: arguments, tables and lines for people, progress."""
