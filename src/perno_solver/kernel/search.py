"""Depth-first search: what all engines have in common, and what each fills in.

An engine says how a node is expanded (`expand`) and how a search begins (`prepare`). Expanding follows a state for as
long as what is right is known, and pushes the states that have to be looked at as well. In the end it has won, or lost
this way; then the node that was pushed last is next.

No line is kept while searching, only the nodes on the way to the one in hand. When the last of them has won, they are
expanded once more, and this time the moves are written down up to where the next of them is pushed.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import (
        FILL,
        LOST,
        MEMORY_OUT,
        MOST_REDEALS,
        ONE,
        PACK,
        REDEAL,
        RUNNING,
        TURN,
        WON,
        State,
        copied,
        lowest,
        p_Node,
        u64,
    )
    from perno_solver.kernel.log import Log
    from perno_solver.kernel.nodes import Nodes
    from perno_solver.kernel.position import Position
    from perno_solver.kernel.sets import first_of
    from perno_solver.kernel.table import Table


@cython.cclass
class Search(Position):
    """A search for a line that wins, under one set of rules.

    Args:
        rules: as `Position` has them.
        lemmas: those that may be used, as a sum of switches.
    """

    lemmas: cython.int
    table: Table
    stack: Nodes  # those that wait
    path: Nodes  # those on the way to the one in hand
    waiting: cython.Py_ssize_t
    depth: cython.Py_ssize_t
    dive: cython.bint  # no node has failed yet
    # A copy of the state in hand, to come back to
    kept: State
    kept_length: cython.Py_ssize_t
    # What a node of `piles` says beside its state
    exhausts: cython.bint
    final: cython.bint
    lifted: cython.int
    # The line
    log: Log
    replaying: cython.bint
    steps: cython.Py_ssize_t  # nodes on the path that is replayed
    found: cython.Py_ssize_t  # in a replay: how many moves there are to the wanted node, -1 while it is not met

    def __init__(self, rules, lemmas):
        super().__init__(rules)
        self.lemmas = lemmas
        self.table = Table(self.packs)
        self.stack, self.path, self.log = Nodes(), Nodes(), Log()
        self.waiting = 0
        self.replaying = False

    # What an engine fills in

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prepare(self) -> cython.bint:
        """Get the state in hand ready for a search; return whether it is lost at first sight."""
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand(self) -> cython.bint:
        """Expand the node in hand: push what must be looked at after it; return whether the game is won."""
        return False  # pragma: no cover - each engine says how

    # The search

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(self) -> cython.void:
        """Search from the state in hand."""
        self.table.clear()
        self.waiting = 0
        if self.table.status != RUNNING:
            return
        self.dive = True
        self.exhausts = self.final = False
        self.lifted = 0
        if self.prepare():
            self.table.status = LOST
            return
        self.depth = -1
        self.push()
        while self.waiting != 0 and self.table.status == RUNNING:
            self.waiting -= 1
            self.load(self.stack, self.waiting)
            if self.depth == self.path.room and not self.path.lengthen():
                self.table.status = MEMORY_OUT
                return
            self.save(self.path, self.depth, self.depth)
            if self.depth > self.table.deepest:
                self.table.deepest = self.depth
            if self.expand():
                if self.table.status == RUNNING:
                    self.table.status = WON
                return
            self.dive = False
            self.table.tick()
        if self.table.status == RUNNING:
            self.table.status = LOST

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def replay(self) -> cython.void:
        """After a won search, write its line down by expanding the nodes on its path again."""
        i: cython.Py_ssize_t
        self.steps = self.depth + 1
        self.replaying = True
        self.log.length = 0
        for i in range(self.steps):
            self.load(self.path, i)
            self.found = -1
            self.expand()
            if self.found >= 0:
                self.log.length = self.found
        self.replaying = False
        if self.unlimited or (self.fill_tableau and self.may_go_round()):
            self.straighten()
        self.depth = self.steps - 1  # as it was: the line may be asked for again

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def may_go_round(self) -> cython.bint:
        """Whether the line packs what it has just lifted, without which it comes to a state twice only by redeals.

        A play never comes back, and neither does a turn, but by redeals without end.
        """
        i: cython.Py_ssize_t
        kind: cython.int
        filled: u64 = 0
        for i in range(self.log.length):
            kind = self.log.moves[i] >> 6
            if kind == FILL:
                filled |= ONE << (self.log.moves[i] & 63)
            elif kind != PACK:
                filled = 0
            elif filled >> (self.log.moves[i] & 63) & 1:
                return True
        return False

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def straighten(self) -> cython.void:
        """Cut from the line all that leads back to a state where it was before."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        kept: cython.Py_ssize_t = 0  # moves that lead on; the states before and after each lie where nodes waited
        self.load(self.path, 0)
        self.save(self.stack, 0, 0)
        for i in range(self.log.length):
            self.move(self.log.moves[i] >> 6, self.log.moves[i] & 63)
            j = kept
            while j >= 0 and not self.is_at(self.stack.list, j):
                j = j - 1 if self.stack.list[j].at.O == self.at.O else -1  # what is played never comes back
            if j < 0:
                self.log.moves[kept] = self.log.moves[i]
                kept += 1
                if kept == self.stack.room and not self.stack.lengthen():  # pragma: no cover - the memory of C
                    self.table.status = MEMORY_OUT
                    return
                self.save(self.stack, kept, 0)
            else:
                kept = j
        self.log.length = kept

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def limit_redeals(self) -> cython.void:
        """Count redeals as the lemmas do: more than there is use for are none, and those without end one forever.

        See *Redeals that are too many*: that holds where turning is free.
        """
        if self.unlimited:
            self.at.rd = 1
        elif self.at.rd > MOST_REDEALS:
            self.at.rd = MOST_REDEALS

    # Nodes

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def save(self, nodes: Nodes, i: cython.Py_ssize_t, depth: cython.Py_ssize_t) -> cython.void:
        """Write the node in hand to a list."""
        nodes.list[i].at = copied(self.at)
        nodes.list[i].depth = depth
        nodes.list[i].exhausts = self.exhausts
        nodes.list[i].final = self.final
        nodes.list[i].lifted = self.lifted

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def load(self, nodes: Nodes, i: cython.Py_ssize_t) -> cython.void:
        """Take a node of a list in hand."""
        self.at = copied(nodes.list[i].at)
        self.depth = nodes.list[i].depth
        self.exhausts = nodes.list[i].exhausts
        self.final = nodes.list[i].final
        self.lifted = nodes.list[i].lifted

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push(self) -> cython.void:
        """Let the state in hand wait to be expanded; in a replay, see whether it is the wanted one."""
        if self.replaying:
            if self.found < 0 and self.is_wanted():
                self.found = self.log.length
        elif self.waiting == self.stack.room and not self.stack.lengthen():
            self.table.status = MEMORY_OUT
        else:
            self.save(self.stack, self.waiting, self.depth + 1)
            self.waiting += 1

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_wanted(self) -> cython.bint:
        """Whether the state in hand is that of the node on the path after the one that is expanded, if there is one."""
        return self.depth + 1 < self.steps and self.is_at(self.path.list, self.depth + 1)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def is_at(self, nodes: p_Node, i: cython.Py_ssize_t) -> cython.bint:
        """Whether the state in hand is that of a node."""
        return (
            nodes[i].at.T == self.at.T
            and nodes[i].at.P == self.at.P
            and nodes[i].at.K == self.at.K
            and nodes[i].at.O == self.at.O
            and nodes[i].at.H == self.at.H
            and nodes[i].at.ptr == self.at.ptr
            and nodes[i].at.rd == self.at.rd
        )

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def keep(self) -> cython.void:
        """Keep a copy of the state in hand."""
        self.kept = copied(self.at)
        self.kept_length = self.log.length

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def take_back(self) -> cython.void:
        """Take the kept copy in hand again."""
        self.at = copied(self.kept)
        self.log.length = self.kept_length

    # Moves that are written down where a line is

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def note(self, kind: cython.int, place: cython.int) -> cython.void:
        """Write a move down, if a line is being written."""
        if self.replaying and self.found < 0 and not self.log.write(kind, place):
            self.table.status = MEMORY_OUT

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def note_turns(self, cards: u64) -> cython.void:
        """Write down a turn for each of some stock cards, if a line is being written."""
        if self.replaying:
            while cards != 0:
                cards &= cards - 1
                self.note(TURN, 0)

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def make(self, kind: cython.int, place: cython.int) -> cython.void:
        """Make a legal move, and what happens by itself after it."""
        self.note(kind, place)
        self.move(kind, place)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def turn_to(self, card: u64) -> cython.void:
        """Turn until a stock card is the top of the waste."""
        self.note_turns(self.stock() & ((card << 1) - 1))
        self.at.ptr = lowest(card) + 1

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def turn_all(self) -> cython.void:
        """Turn the whole stock."""
        self.note_turns(self.stock())
        self.at.ptr = 52

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def turn_round(self, cards: u64) -> cython.void:
        """Turn, or redeal and turn, until one of some cards outside is the top of the waste."""
        if cards & self.stock() == 0:
            self.turn_all()
            self.note(REDEAL, 0)
            self.turn_over()
        self.turn_to(first_of(cards & self.stock()))

    # What Python calls

    def decide(self, most: cython.Py_ssize_t) -> str:
        """Search from the state in hand, storing at most so many states.

        Returns "won" or "lost"; or why it came to nothing: "states", "memory", or "stopped" by the watcher.
        """
        self.table.most = most
        with cython.nogil:
            self.search()
        return self.table.outcome()

    def line(self) -> list:
        """Return the line of the last search, which won: pairs of the move's letter and the card's index."""
        self.replay()
        if self.table.status == MEMORY_OUT:  # pragma: no cover - the memory of C
            raise MemoryError
        return self.log.written(self)
