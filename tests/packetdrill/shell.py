"""What the shell commands of a script set."""

from __future__ import annotations

import ast
import operator
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from .script import NotApplicableError

# They change nothing for one connection that nobody disturbs
WITHOUT_EFFECT = (
    "tcp_fack",  # the kernel ignores it since 4.15
    "tcp_fastopen",  # only with a cookie, which no script here has
    "tcp_fastopen_key",
    "tcp_syncookies",  # only when the backlog is full
    "tcp_synack_retries",
    "tcp_ecn_option",  # only with accurate ECN
    "tcp_ecn_fallback",
    "tcp_no_metrics_save",
    "tcp_notsent_lowat",  # only for poll() and epoll
    "tcp_challenge_ack_limit",
)

_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
}
_REDIRECTION = re.compile(r"\s\d?>+\s*(?:&\d|/dev/null)")
_MODULE_PARAMETER = re.compile(r"/sys/module/tcp_cubic/parameters/(hystart)")
# The route of a script, and how the lines name its settings
_ROUTE = {"initcwnd": "", "rto_min": "ms", "quickack": ""}


class Setting(NamedTuple):
    """A setting of the host under test, with its numbers or its name as text."""

    name: str
    values: tuple[str, ...]


def read_commands(text: str, folder: Path, line: int) -> Iterator[Setting]:
    """Return what the commands set, in their order.

    Args:
        text: of a script, or of the shell script that it calls.
        folder: of the script; the commands name files relative to it.
        line: of the script.

    Raises:
        NotApplicableError: a command does something else.
    """
    joined = re.sub(r"\\\n", " ", text)
    for command in re.split(r"\n|;|&&", joined):
        bare = _REDIRECTION.sub(" ", f" {_calculate(command, line)}")
        try:
            words = shlex.split(bare, comments=True)
        except ValueError as error:
            raise _refusal(line, command, str(error)) from None
        if words:
            yield from _read_command(words, folder, line)


def _read_command(words: list[str], folder: Path, line: int) -> Iterator[Setting]:
    name = Path(words[0]).name
    if name == "sysctl":
        for word in words[1:]:
            if not word.startswith("-"):
                yield from _sysctl(word.replace("/", "."), line)
    elif name == "set_sysctls.py":
        for word in words[1:]:
            yield from _sysctl(word.removeprefix("/proc/sys/").replace("/", "."), line)
    elif name == "echo" and len(words) == 4 and words[2] == ">":
        yield from _echo(words[1], words[3], line)
    elif words[:2] == ["ip", "route"]:
        yield from _route(words, line)
    elif words[:2] == ["tc", "qdisc"]:
        yield from _qdisc(words, line)
    elif name.endswith(".sh") and "restore" not in name:
        yield from _call(words, folder, line)
    elif words[:3] != ["ip", "tcp_metrics", "flush"] and not name.startswith("sysctl_restore"):
        raise _refusal(line, shlex.join(words))


def _sysctl(word: str, line: int) -> Iterator[Setting]:
    name, equals, value = word.partition("=")
    short = name.removeprefix("net.ipv4.")
    if not equals or short == name:
        raise _refusal(line, f"sysctl {word}")
    if short not in WITHOUT_EFFECT:
        yield Setting(short, tuple(value.split()))


def _echo(value: str, path: str, line: int) -> Iterator[Setting]:
    module = _MODULE_PARAMETER.match(path)
    if path.startswith("/proc/sys/"):
        yield from _sysctl(f"{path.removeprefix('/proc/sys/').replace('/', '.')}={value}", line)
    elif path == "/sys/module/tcp_cubic/parameters/hystart_detect" and value == "3":
        return  # the default
    elif module:
        yield Setting(module.group(1), (value,))
    else:
        raise _refusal(line, f"echo {value} > {path}")


def _route(words: list[str], line: int) -> Iterator[Setting]:
    known = [word for word in words if word in _ROUTE]
    if not known or "mtu" in words or "advmss" in words:
        raise _refusal(line, shlex.join(words))
    for word in known:
        value = words[words.index(word) + 1]
        yield Setting(word, (value.removesuffix(_ROUTE[word]) if _ROUTE[word] else value,))


def _qdisc(words: list[str], line: int) -> Iterator[Setting]:
    if words[-1] == "fq":
        yield Setting("pacing", ("1",))
    elif words[-1] != "pfifo":
        raise _refusal(line, shlex.join(words))


def _call(words: list[str], folder: Path, line: int) -> Iterator[Setting]:
    file = folder / words[0]
    if len(words) > 1 or not file.is_file():
        raise _refusal(line, shlex.join(words), "there is no such file")
    yield from read_commands(file.read_text(encoding="utf-8"), file.parent, line)


def _calculate(command: str, line: int) -> str:
    """Replace arithmetic such as $((15*1024*1024)) by its value."""

    def value(node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](value(node.left), value(node.right))
        raise ValueError("this arithmetic is not modelled")

    def result(found: re.Match[str]) -> str:
        try:
            return str(value(ast.parse(found.group(1).strip(), mode="eval").body))
        except (SyntaxError, ValueError, ZeroDivisionError, RecursionError) as error:
            raise _refusal(line, command.strip(), str(error)) from None

    return re.sub(r"\$\(\((.*?)\)\)", result, command)


def _refusal(line: int, command: str, reason: str = "") -> NotApplicableError:
    return NotApplicableError(line, f"command '{command}'{f': {reason}' if reason else ''}")
