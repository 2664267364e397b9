"""What proves a verdict, its file format, and the checker, which knows the rules and no search."""

from perno_solver.proof.checker import check
from perno_solver.proof.evidence import Evidence, Verdict, VerdictText

__all__ = ["Evidence", "Verdict", "VerdictText", "check"]
