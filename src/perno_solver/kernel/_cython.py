"""Stands in for the `cython` module where the kernel runs uncompiled and Cython is not installed.

Every name here is one that the kernel uses; as in Cython's own pure-Python mode, types and decorators do nothing.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

_F = TypeVar("_F")

compiled = False


class _Type:
    """A C type: takes a size (`uchar[52]`) and otherwise does nothing."""

    def __getitem__(self, _size: int) -> "_Type":
        return self


uint = uchar = ulonglong = longlong = bint = void = Py_ssize_t = _Type()
p_uint = p_ushort = p_uchar = p_ulonglong = p_longlong = uint
globals()["int"] = uint  # the one name that would hide a builtin from the lines above and below


def declare(_kind: _Type, value: Any) -> Any:
    """Give a module variable its C type."""
    return value


def cast(_kind: _Type, value: Any) -> Any:
    """Convert to a C type."""
    return value


def cfunc(function: _F) -> _F:
    """Leave a function, a method or a class as it is."""
    return function


inline = final = cclass = cfunc
gil = nullcontext()


class _NoGil:
    """Does nothing, as a decorator and as a context manager."""

    def __call__(self, function: _F) -> _F:
        return function

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_error: object) -> None:
        pass


nogil = _NoGil()


def exceptval(*, check: bool) -> Callable[[_F], _F]:  # noqa: ARG001
    """Return what leaves a function as it is."""
    return cfunc
