"""Closed partials: the rule that an entry gives, its Taylor polynomial near a point, or SymPy's derivative."""

import ast

import sympy

from jaxscipy_codegen import trees
from jaxscipy_codegen.derive.definitions import Partial, no_partial, text_of
from jaxscipy_codegen.derive.in_sympy import InSympy
from jaxscipy_codegen.model import Function, Given, Near
from jaxscipy_codegen.symbolic import Expr, NoDerivative
from jaxscipy_codegen.trees import RealLinear, Rule


def given(function: Function, arg: str, way: Given, in_sympy: InSympy) -> Partial:
    """The rule as written, `near` and the terms of functions that aren't holomorphic included."""
    rules: list[Rule] = []
    for output in function.results:
        tree: ast.expr = way.rule[output].tree
        real, imag = (part[output].tree if part and output in part else None for part in (way.real, way.imag))
        if way.near is not None:
            tree = _near(function, arg, output, way.near, tree, in_sympy)
        rules.append(RealLinear(tree, real, imag) if real is not None or imag is not None else tree)
    parts = {name: formula.tree for name, formula in way.let.items()}
    return Partial("given", tuple(rules), source=way.source, note=way.note, text=_written(function, way), parts=parts)


def _written(function: Function, way: Given) -> str:
    """The rule as the entry has it: `RULE; imag(dz): TERM; part = FORMULA`."""
    texts = [text_of([way.rule[output] for output in function.results])]
    for term, formulas in (("real(dz)", way.real), ("imag(dz)", way.imag)):
        if formulas:
            texts.append(f"{term}: {text_of([formulas.get(output, 0) for output in function.results])}")
    return "; ".join([*texts, *(f"{name} = {formula}" for name, formula in way.let.items())])


def _near(function: Function, arg: str, output: str, near: Near, rule: ast.expr, in_sympy: InSympy) -> ast.expr:
    """`rule`, but close to the point its Taylor polynomial."""
    if near.series is not None:
        polynomial = near.series.tree
    else:
        symbol = in_sympy.symbol(function, near.argument)
        derivative = sympy.diff(in_sympy.meaning(function, output), in_sympy.symbol(function, arg))
        center = sympy.nsimplify(near.center, rational=True)
        shifted = sympy.Dummy("t")
        try:
            series = sympy.series(derivative.subs(symbol, shifted + center), shifted, 0, near.order + 1).removeO()
            horner = sympy.horner(sympy.Poly(sympy.expand(series), shifted), shifted).subs(shifted, symbol - center)
        except Exception as error:  # SymPy says in many ways that there is none
            message = f"SymPy finds no Taylor polynomial at {near.argument} = {near.center:g} ({error})"
            raise no_partial(function, arg, f"{message}; write `series:` for it, or leave `near:` out") from error
        polynomial = _tree(function, arg, horner, in_sympy)
    distance = trees.parse(f"abs({near.argument})" if near.center == 0 else f"abs({near.argument} - {near.center})")
    inside = ast.Compare(distance, [ast.Lt()], [ast.Constant(near.radius)])
    return trees.call("where", inside, polynomial, rule)


def derived(function: Function, arg: str, in_sympy: InSympy) -> Partial:
    """SymPy's derivative of the formula; outputs of the function itself are used where they occur."""
    meanings = {output: in_sympy.meaning(function, output) for output in function.results}
    rules: list[ast.expr] = []
    for meaning in meanings.values():
        derivative = sympy.diff(meaning, in_sympy.symbol(function, arg))
        for output, value in meanings.items():
            if not value.is_Symbol and not value.is_number:
                derivative = derivative.subs(value, sympy.Symbol(output))
        rules.append(_tree(function, arg, derivative, in_sympy))
    return Partial("derived", tuple(rules), text=text_of(rules))


_WAYS_OUT = "write the partial as `derivative: {rule: …}`, give a `kernel:` or `stencil:`, or say `unavailable:` with a"


def _tree(function: Function, arg: str, expr: Expr, in_sympy: InSympy) -> ast.expr:
    try:
        return in_sympy.tree(expr)
    except NoDerivative as error:
        raise no_partial(function, arg, f"{error}; {_WAYS_OUT} reason") from None
