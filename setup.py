"""Compiles the kernel where a C compiler is there; without one the same files run in plain Python."""

import os
import platform

from setuptools import Extension, setup

extensions = []
if not os.environ.get("PERNO_SOLVER_UNCOMPILED"):
    from Cython.Build import cythonize

    kernel = Extension("perno_solver.kernel._compiled", ["src/perno_solver/kernel/_compiled.pyx"])
    if os.name == "posix":
        kernel.extra_compile_args = ["-O3"]
        if platform.machine() in {"x86_64", "AMD64"}:
            kernel.extra_compile_args.append("-mpopcnt")  # counting bits is one instruction on every x86-64 since 2008
    extensions = cythonize(
        [kernel],
        include_path=["src"],
        build_dir="build",
        language_level=3,
        compiler_directives={
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    )
    extensions[0].optional = True  # which `cythonize` does not hand on: a compiler that fails is no error

setup(ext_modules=extensions)
