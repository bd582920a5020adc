"""Builds the measured programs and the load tools, and locates them."""

import functools
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BENCHMARKS = ROOT / "Benchmarks"
TOOLS = BENCHMARKS / ".build/tools"
C_FLAGS = ["-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror"]


def install(*needs):
    subprocess.run([ROOT / "Scripts/setup", *needs], check=True)


def release_binary(product):
    """Builds through Scripts/toolchain.sh, which defines the flags."""
    script = 'source Scripts/toolchain.sh; export SUBGUARD_BENCHES=1; build_release "$1" >&2; release_binary "$1"'
    return _path(["bash", "-c", script, "bash", product], ROOT)


@functools.cache
def peer_binary(product):
    command = ["swift", "build", "-c", "release", "--package-path", str(BENCHMARKS)]
    subprocess.run([*command, "--product", product], check=True, stdout=sys.stderr)
    return f"{_path([*command, '--show-bin-path'], ROOT)}/{product}"


def load_tool():
    return _compile("paced-load", "paced-load.c", [])


def append_tool():
    return _compile("append-events", "append-events.c", [], ["-lsqlite3"])


def allocation_counter():
    return _compile("count-allocations.so", "count-allocations.c", ["-shared", "-fPIC"])


def _path(command, folder):
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def _compile(name, source, flags, libraries=()):
    """Uses the C compiler that comes with Swift, or another one."""
    compiler = shutil.which("clang") or shutil.which("cc")
    if compiler is None:
        sys.exit("error: bench: there is no C compiler (clang, cc)")
    TOOLS.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [compiler, *C_FLAGS, *flags, "-o", TOOLS / name, BENCHMARKS / "tools" / source, *libraries], check=True)
    return str(TOOLS / name)
