"""Errors a user is told in one line."""


class UserError(Exception):
    """Bad input: one line, exit status 2."""


class ProgramError(Exception):
    """A program is missing or does not do what it should: one line, exit status 1."""
