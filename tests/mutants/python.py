"""Mutants of Python, made by the operators of Cosmic Ray (https://cosmic-ray.readthedocs.io).

Its sessions and its runner are not used: the mutants of both languages go through the same workers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from .mutant import Mutant, one_of_each_line, order_of

OPERATORS = (
    "ReplaceComparisonOperator_Lt_LtE",
    "ReplaceComparisonOperator_LtE_Lt",
    "ReplaceComparisonOperator_Gt_GtE",
    "ReplaceComparisonOperator_GtE_Gt",
    "ReplaceComparisonOperator_Eq_NotEq",
    "ReplaceComparisonOperator_NotEq_Eq",
    "ReplaceComparisonOperator_Is_IsNot",
    "ReplaceComparisonOperator_IsNot_Is",
    "ReplaceBinaryOperator_Add_Sub",
    "ReplaceBinaryOperator_Sub_Add",
    "ReplaceBinaryOperator_Mul_Div",
    "ReplaceBinaryOperator_Div_Mul",
    "ReplaceUnaryOperator_Delete_Not",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceBreakWithContinue",
    "AddNot",
    "NumberReplacer",
    "RemoveDecorator",
    "ZeroIterationForLoop",
)


def draw(root: Path, files: list[Path]) -> Iterator[Mutant]:
    """Yield mutants of these modules that change one line, in an order without meaning."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    def mutants() -> Iterator[Mutant]:
        for _, file, name, occurrence in sorted(_places(root, files)):
            text = (root / file).read_text(encoding="utf-8")
            mutated = mutate_code(text, get_operator(f"core/{name}")(), occurrence)
            yield from _single(file, text, mutated or text)

    return one_of_each_line(mutants())


def _places(root: Path, files: list[Path]) -> Iterator[tuple[str, str, str, int]]:
    """Yield order, file, operator and occurrence of all that may be changed."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator

    operators = [(name, get_operator(f"core/{name}")()) for name in OPERATORS]
    for path in files:
        text = path.read_text(encoding="utf-8")
        file, lines = str(path.relative_to(root)), text.split("\n")
        count: Counter[str] = Counter()
        for node in ast_nodes(get_ast(text)):
            for name, operator in operators:
                for (number, column), _ in operator.mutation_positions(node):
                    yield order_of(file, name, lines[number - 1], column), file, name, count[name]
                    count[name] += 1


def _single(file: str, text: str, mutated: str) -> Iterator[Mutant]:
    """Yield the change, if it is one of a single line."""
    lines, changed = text.split("\n"), mutated.split("\n")
    differ = [i for i, pair in enumerate(zip(lines, changed, strict=False)) if pair[0] != pair[1]]
    if len(differ) == 1 and len(lines) == len(changed):
        (i,) = differ
        yield Mutant(file, i + 1, lines[i], changed[i], lines[:i].count(lines[i]))
