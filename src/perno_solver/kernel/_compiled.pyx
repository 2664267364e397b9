# cython: auto_pickle=False
"""One extension out of the files beside this one: they see each other by being included, and `bits.pxd` by cimport."""

cimport cython

from perno_solver.kernel.bits cimport *

include "sets.py"
include "position.py"
include "table.py"
include "log.py"
include "nodes.py"
include "search.py"
include "greedy.py"
include "bound.py"
include "dig.py"
include "plain.py"
include "single.py"
include "final.py"
include "piles.py"
include "walk.py"
include "queue.py"
include "least.py"
include "held.py"
include "shortest.py"
include "batch.py"
include "worlds.py"
include "players.py"
include "api.py"
