"""Walks through the tokens of a script."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from .lexer import Token, split
from .script import ScriptError

U16, U32 = 0xFFFF, 0xFFFFFFFF


class Tokens:
    """The tokens that are not read yet.

    Attributes:
        path: of the script.
    """

    def __init__(self, path: Path, tokens: list[Token]) -> None:
        self.path = path
        self._tokens = tokens
        self._at = 0

    @property
    def next(self) -> Token:
        """The next token, which stays."""
        return self._tokens[self._at]

    def take(self) -> Token:
        """Return the next token and go on."""
        token = self.next
        if token.kind == "END":
            raise self.error("the script ends within an event")
        self._at += 1
        return token

    def accept(self, *texts: str) -> bool:
        """Take the next token if it is one of these."""
        if self.next.kind != "END" and self.next.text in texts:
            self._at += 1
            return True
        return False

    def define(self, name: str, value: str) -> None:
        """Replace a word in all that follows (--define=NAME=VALUE)."""
        made = split(value, self.path)[:-1]
        rest = []
        for token in self._tokens[self._at :]:
            is_name = token.kind == "WORD" and token.text == name
            rest += [replace(each, line=token.line) for each in made] if is_name else [token]
        self._tokens[self._at :] = rest

    def expect(self, text: str) -> None:
        """Take the next token, which has to be this one.

        Raises:
            ScriptError: it is another one.
        """
        if not self.accept(text):
            raise self.error(f"'{text}' is missing before '{self.next.text}'")

    def error(self, message: str) -> ScriptError:
        """Return an error on the line of the next token."""
        return ScriptError(self.path, self.next.line, message)

    def integer(self, name: str, least: int = 0, most: int = U32) -> int:
        """Take a decimal number within bounds.

        Raises:
            ScriptError: there is none, or it is too large or too small.
        """
        token = self.next
        if token.kind != "INTEGER":
            raise self.error(f"{name}: '{token.text}' is not a number")
        if not least <= int(token.text) <= most:
            raise self.error(f"{name}: {token.text} is not between {least} and {most}")
        return int(self.take().text)

    def moment(self) -> int:
        """Take a time in seconds; return us.

        Raises:
            ScriptError: there is none.
        """
        token = self.next
        if token.kind not in ("INTEGER", "FLOAT"):
            raise self.error(f"'{token.text}' is not a time: an event begins with its time")
        if token.text.startswith("-"):
            raise self.error(f"the time {token.text} is negative")
        self.take()
        whole, _, part = token.text.partition(".")
        return int(whole or 0) * 1_000_000 + int(part[:6].ljust(6, "0"))
