"""Evaluates the Python code of scripts, of which only a harmless part is allowed."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from .script import NotApplicableError

# Symbols that packetdrill defines for code (include/net/tcp_states.h, uapi/linux/tcp.h)
SYMBOLS: dict[str, int] = {
    "TCP_ESTABLISHED": 1,
    "TCP_SYN_SENT": 2,
    "TCP_SYN_RECV": 3,
    "TCP_FIN_WAIT1": 4,
    "TCP_FIN_WAIT2": 5,
    "TCP_TIME_WAIT": 6,
    "TCP_CLOSE": 7,
    "TCP_CLOSE_WAIT": 8,
    "TCP_LAST_ACK": 9,
    "TCP_LISTEN": 10,
    "TCP_CLOSING": 11,
    "TCP_CA_Open": 0,
    "TCP_CA_Disorder": 1,
    "TCP_CA_CWR": 2,
    "TCP_CA_Recovery": 3,
    "TCP_CA_Loss": 4,
}

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
_COMPARE: dict[type, Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "float": float,
    "int": int,
    "len": len,
    "max": max,
    "min": min,
    "print": lambda *_, **__: None,
    "round": round,
    "str": str,
}
# No number and no text of a script needs more
_MOST_BITS = 4096


class AssertionFailedError(Exception):
    """An assertion of a script does not hold; the message shows it and the values in it."""


class Evaluator:
    """Executes the code of one script; what it assigns stays for the code that follows."""

    def __init__(self) -> None:
        self._own: dict[str, Any] = {}
        self._info: Mapping[str, int] = {}
        self._line = 0

    def execute(self, text: str, line: int, info: Mapping[str, int]) -> None:
        """Execute code.

        Args:
            text: of the code.
            line: on which it begins.
            info: variables of the socket.

        Raises:
            AssertionFailedError: an assertion does not hold.
            NotApplicableError: the code needs what is not modelled or not allowed.
        """
        self._line, self._info = line, info
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            raise AssertionFailedError(f"the code is no Python: {error}") from None
        try:
            for statement in tree.body:
                self._do(statement)
        except (ArithmeticError, TypeError, ValueError, LookupError, RecursionError) as error:
            raise AssertionFailedError(f"{type(error).__name__}: {error}") from None

    def _do(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assert):
            if not self._value(node.test):
                raise AssertionFailedError(f"{ast.unparse(node.test)}: {self._seen(node)}")
        elif isinstance(node, ast.Assign) and all(isinstance(t, ast.Name) for t in node.targets):
            value = self._value(node.value)
            for target in node.targets:
                assert isinstance(target, ast.Name)
                self._own[target.id] = value
        elif isinstance(node, ast.If):
            for statement in node.body if self._value(node.test) else node.orelse:
                self._do(statement)
        elif isinstance(node, ast.Expr):
            self._value(node.value)
        elif not isinstance(node, ast.Pass):
            raise self._refusal(node)

    def _seen(self, node: ast.Assert) -> str:
        names = [each.id for each in ast.walk(node.test) if isinstance(each, ast.Name)]
        values = {n: self._name(n) for n in names if n not in SYMBOLS and n not in _FUNCTIONS}
        return ", ".join(f"{name} is {value}" for name, value in values.items())

    def _value(self, node: ast.expr) -> Any:
        value = self._compute(node)
        if isinstance(value, int) and value.bit_length() > _MOST_BITS:
            raise ValueError("the number is too large")
        if isinstance(value, (str, tuple, list)) and len(value) > _MOST_BITS:
            raise ValueError("the text is too long")
        return value

    def _compute(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, (ast.Tuple, ast.List)):
            return tuple(self._value(each) for each in node.elts)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return self._binary(node)
        if isinstance(node, ast.UnaryOp):
            return _UNARY[type(node.op)](self._value(node.operand))
        if isinstance(node, ast.BoolOp):
            return self._both(node)
        if isinstance(node, ast.Compare):
            return self._compared(node)
        if isinstance(node, ast.IfExp):
            return self._value(node.body if self._value(node.test) else node.orelse)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._called(node, node.func.id)
        raise self._refusal(node)

    def _binary(self, node: ast.BinOp) -> Any:
        left, right = self._value(node.left), self._value(node.right)
        is_text = isinstance(left, (str, tuple)) or isinstance(right, (str, tuple))
        if isinstance(node.op, ast.LShift) and right > _MOST_BITS:
            raise ValueError("the number is too large")
        if is_text and isinstance(node.op, ast.Mult):
            raise self._refusal(node)
        if isinstance(left, str) and isinstance(node.op, ast.Mod):
            return left  # only messages are formatted, and a message of its own is shown
        return _BINARY[type(node.op)](left, right)

    def _both(self, node: ast.BoolOp) -> Any:
        is_and = isinstance(node.op, ast.And)
        value: Any = is_and
        for each in node.values:
            value = self._value(each)
            if bool(value) != is_and:
                break
        return value

    def _compared(self, node: ast.Compare) -> bool:
        left = self._value(node.left)
        for sign, each in zip(node.ops, node.comparators, strict=True):
            right = self._value(each)
            if not _COMPARE[type(sign)](left, right):
                return False
            left = right
        return True

    def _called(self, node: ast.Call, name: str) -> Any:
        if name not in _FUNCTIONS or any(word.arg is None for word in node.keywords):
            raise self._refusal(node)
        return _FUNCTIONS[name](*(self._value(each) for each in node.args))

    def _name(self, name: str) -> Any:
        for names in (self._own, self._info, SYMBOLS):
            if name in names:
                return names[name]
        raise NotApplicableError(self._line, f"code: '{name}' is not modelled")

    def _refusal(self, node: ast.AST) -> NotApplicableError:
        kind = type(node).__name__
        return NotApplicableError(self._line, f"code: {kind} is not allowed in an assertion")
