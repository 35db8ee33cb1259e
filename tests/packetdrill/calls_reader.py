"""Reads the system calls of a script."""

from __future__ import annotations

from typing import Any

from .script import Call
from .tokens import Tokens


class CallReader(Tokens):
    """Reads `setsockopt(3, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0` and the like."""

    def call(self) -> Call:
        """Read a system call from the end of its time on.

        Raises:
            ScriptError: it is malformed.
        """
        end = None
        if self.next.kind == "ELLIPSIS":
            self.take()
            end = self.moment()
        if self.next.kind != "WORD":
            raise self.error(f"'{self.next.text}' is no packet, system call, command or code")
        name = self.take().text
        self.expect("(")
        arguments = self._list(")")
        self.expect("=")
        result = self._expression()
        errno = self.take().text if self.next.kind == "WORD" else None
        while self.accept("("):
            self._skip_note()
        return Call(name, tuple(arguments), result, errno, end)

    def _skip_note(self) -> None:
        while not self.accept(")"):
            self.take()

    def _list(self, closing: str) -> list[Any]:
        items: list[Any] = []
        while not self.accept(closing):
            items.append(self._expression())
            if not self.accept(","):
                self.expect(closing)
                break
        return items

    def _expression(self) -> Any:
        value = self._operand()
        while self.accept("|"):
            value = f"{value}|{self._operand()}"
        return value

    def _operand(self) -> Any:
        token = self.take()
        if token.kind == "ELLIPSIS":
            return ...
        if token.kind in ("INTEGER", "HEX"):
            return int(token.text, 0 if token.kind == "HEX" else 10)
        if token.kind == "STRING":
            while self.next.kind in ("STRING", "ELLIPSIS"):
                self.take()
            return token.text
        if token.text == "[":
            return self._list("]")
        if token.text == "{":
            return self._structure()
        if token.kind != "WORD":
            raise self.error(f"'{token.text}' is no argument of a system call")
        if self.accept("("):  # htons(8080), inet_addr("192.0.2.1")
            self._list(")")
            return ...
        if self.accept("="):
            return {token.text: self._expression()}
        return token.text

    def _structure(self) -> dict[str, Any]:
        """Read the members of a structure; what has no name is left out."""
        members: dict[str, Any] = {}
        while not self.accept("}"):
            if self.next.kind != "WORD":
                self._expression()
            else:
                name = self.take().text
                if self.accept("("):
                    self._list(")")
                members[name] = self._expression() if self.accept("=") else ...
            if not self.accept(","):
                self.expect("}")
                break
        return members
