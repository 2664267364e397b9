"""Lists of nodes: those that wait to be expanded, and those on the way to the one in hand."""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import free, realloc
else:
    from perno_solver.kernel.bits import Node, p_Node


@cython.final
@cython.cclass
class Nodes:
    """An array of nodes that grows."""

    list: p_Node
    room: cython.Py_ssize_t

    def __init__(self):
        self.room = 0
        if not cython.compiled:
            self.list = []

    if cython.compiled:

        def __dealloc__(self):
            free(self.list)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lengthen(self) -> cython.bint:
        """Make room for twice the nodes; return whether there was memory for it."""
        room: cython.Py_ssize_t = 2 * self.room + 256
        if cython.compiled:
            nodes = cython.cast(p_Node, realloc(self.list, room * cython.sizeof(Node)))
            if not nodes:
                return False
            self.list = nodes
        else:
            self.list += [Node() for _ in range(room - self.room)]
        self.room = room
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reverse(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """Turn round the order of the nodes from one on up to before another."""
        node: Node
        last: cython.Py_ssize_t = end - 1
        while first < last:
            node = self.list[first]
            self.list[first] = self.list[last]
            self.list[last] = node
            first += 1
            last -= 1
