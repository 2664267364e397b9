"""`python -m perno_solver` is the command `perno`."""

from perno_solver.cli import main

main(prog_name="perno")
