"""`python -m perno_solver` is the command `perno`."""

from perno_command import main

main()
