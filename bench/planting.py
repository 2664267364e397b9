"""Plants mutants in a module: each a change of its source, of which a number switches one on.

A mutant changes one of these: a statement (left out), a test (never, or always, true), a part of `and`, `or`, `&` and
`|` (left out), an end of a comparison (`<` for `<=` and so on). What gets memory from C is left alone, and so are the
switches of lemmas, which tests of their own turn.
"""

import ast
from collections import Counter
from collections.abc import Iterator

from attrs import frozen

SWITCH = "MUTANT"
TURNED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


@frozen
class Mutant:
    """One change: its number, where it is, and what it says in words."""

    number: int
    module: str
    function: str
    line: int
    what: str

    @property
    def name(self) -> str:
        """What it is called where it is listed, whatever is changed elsewhere."""
        return f"{self.module} {self.function}: {self.what}"


def is_on(number: int, *, off: bool = False) -> ast.expr:
    """Make the test whether a mutant is switched on."""
    return ast.parse(f"{SWITCH} {'!=' if off else '=='} {number}", mode="eval").body


def both(*parts: ast.expr) -> ast.expr:
    """Join by `and`."""
    return ast.BoolOp(ast.And(), list(parts))


def either(*parts: ast.expr) -> ast.expr:
    """Join by `or`."""
    return ast.BoolOp(ast.Or(), list(parts))


def is_switch(node: ast.AST) -> bool:
    """Whether it asks if a lemma may be used, or may not: tests of their own switch lemmas off."""
    if isinstance(node, ast.UnaryOp):
        return is_switch(node.operand)
    if isinstance(node, ast.Compare):
        return is_switch(node.left)
    return isinstance(node, ast.BinOp) and ast.unparse(node.left).endswith(".lemmas")


def is_width(node: ast.AST) -> bool:
    """Whether it cuts off one bit, or what C has no room for."""
    return ast.unparse(node) in {"1", "WORD", "HALF"}


class Planter(ast.NodeTransformer):
    """Plants mutants in the functions of a module.

    What is switched on is the source as it was, but for the one change: no two mutants are ever on at once.
    """

    def __init__(self, module: str, first: int) -> None:
        """Begin to count at a number."""
        self.module, self.first = module, first
        self.mutants: list[Mutant] = []
        self.functions: list[str] = []
        self.assigned: Counter[str] = Counter()

    def new(self, node: ast.AST, what: str) -> int:
        """Count one more mutant, at a node."""
        number = self.first + len(self.mutants)
        named = Mutant(number, self.module, ".".join(self.functions[-1:]), node.lineno, what)
        again = sum(one.name == named.name or one.name.startswith(f"{named.name} #") for one in self.mutants)
        what = f"{what} #{again + 1}" if again else what
        self.mutants.append(Mutant(number, self.module, self.functions[-1], node.lineno, what))
        return number

    # Where mutants are planted

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Plant in the statements of a function, but not in its decorators and types."""
        before, self.assigned = self.assigned, Counter(argument.arg for argument in node.args.args)
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                self.assigned[inner.id] += 1
            if isinstance(inner, ast.AnnAssign) and inner.value is None and isinstance(inner.target, ast.Name):
                self.assigned[inner.target.id] -= 1
        self.functions.append(node.name)
        last = node.body[-1]
        node.body = [planted for statement in node.body for planted in self.statement(statement, last=last)]
        self.functions.pop()
        self.assigned = before
        return node

    def statement(self, node: ast.stmt, *, last: ast.stmt | None = None) -> Iterator[ast.stmt]:
        """Plant in a statement, and leave it out if it is worth it."""
        text = " ".join(ast.unparse(node).split())
        kept = not self.functions or (node is last and isinstance(node, ast.Return))
        yields = any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node))
        leaves = isinstance(node, ast.Return | ast.Continue | ast.Break | ast.Raise | ast.AugAssign | ast.Delete)
        if isinstance(node, ast.Expr):
            leaves = isinstance(node.value, ast.Call)
        if isinstance(node, ast.Assign):
            leaves = not all(isinstance(one, ast.Name) and self.assigned[one.id] < 2 for one in node.targets)
        number = self.new(node, f"without `{text}`") if leaves and not kept and not yields else None
        planted = self.visit(node)
        yield planted if number is None else ast.If(is_on(number, off=True), [planted], [])

    def body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Plant in a block."""
        return [planted for statement in statements for planted in self.statement(statement)]

    def test(self, test: ast.expr, *, always: bool = True) -> ast.expr:
        """Plant in a test: never true, or always."""
        if isinstance(test, ast.Constant) or is_switch(test):
            return test
        text = ast.unparse(test)
        planted = both(is_on(self.new(test, f"never `{text}`"), off=True))
        rest: list[ast.expr] = [is_on(self.new(test, f"always `{text}`"))] if always else []
        planted.values.append(either(*rest, self.visit(test)) if rest else self.visit(test))
        return planted

    def visit_If(self, node: ast.If) -> ast.AST:
        """Plant in a test and its branches; what is C's alone is left as it is."""
        if "cython.compiled" in ast.unparse(node.test) or not self.functions:
            return node
        node.test = self.test(node.test)
        node.body, node.orelse = self.body(node.body), self.body(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        """Plant in a loop: never begun."""
        node.test = self.test(node.test, always=False)
        node.body, node.orelse = self.body(node.body), self.body(node.orelse)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """Plant in a loop's body."""
        node.iter, node.body = self.visit(node.iter), self.body(node.body)
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        """Plant in a block."""
        node.body = self.body(node.body)
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """Plant in what is tried and in what is done where it fails."""
        if not self.functions:
            return node
        node.body = self.body(node.body)
        for handler in node.handlers:
            handler.body = self.body(handler.body)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Plant in a test."""
        node.test, node.body, node.orelse = self.test(node.test), self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Leave out each part."""
        whole = ast.unparse(node)
        for place, value in enumerate(node.values):
            if is_switch(value):
                continue
            number = self.new(value, f"without `{ast.unparse(value)}` in `{whole}`")
            inner = self.visit(value)
            loosened = isinstance(node.op, ast.And)
            node.values[place] = either(is_on(number), inner) if loosened else both(is_on(number, off=True), inner)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Move each end of a comparison by one."""
        text = ast.unparse(node)
        variants = []
        for place, operator in enumerate(node.ops):
            if type(operator) in TURNED:
                turned = ast.parse(text, mode="eval").body
                turned.ops[place] = TURNED[type(operator)]()
                variants.append((self.new(node, f"`{ast.unparse(turned)}` for `{text}`"), turned))
        planted = self.generic_visit(node)
        for number, turned in variants:
            planted = either(both(is_on(number), turned), both(is_on(number, off=True), planted))
        return planted

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Leave out each side of `&` and `|`."""
        if not isinstance(node.op, ast.BitAnd | ast.BitOr) or not self.functions:
            return self.generic_visit(node)
        if is_switch(node) or is_width(node.right):
            return self.generic_visit(node)
        whole = ast.unparse(node)
        sides = [ast.unparse(node.left), ast.unparse(node.right)]
        numbers = [self.new(node, f"without `{side}` in `{whole}`") for side in sides]
        planted = self.generic_visit(node)
        for number, other in zip(numbers, reversed(sides), strict=True):
            planted = ast.IfExp(is_on(number), ast.parse(other, mode="eval").body, planted)
        return planted

    def leave(self, node: ast.AST) -> ast.AST:
        """Leave alone what says nothing about the game."""
        return node

    visit_Lambda = visit_JoinedStr = visit_Raise = visit_Assert = leave  # noqa: N815 - as `ast` has them

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Plant in a value, not in its type."""
        if node.value is not None and self.functions:
            node.value = self.visit(node.value)
        return node


def plant(source: str, module: str, first: int) -> tuple[str, list[Mutant]]:
    """Plant mutants in the source of a module; return it and them, numbered from the first."""
    planter = Planter(module, first)
    tree = ast.fix_missing_locations(planter.visit(ast.parse(source)))
    return ast.unparse(tree), planter.mutants
