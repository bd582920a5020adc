"""The cost of a request, independent of other load on the machine: counted instructions and allocations."""

import pathlib
import subprocess
import time

from measuring import profiles
from measuring.allocations import COUNTED_REQUESTS, allocations_per_request, counting
from measuring.calls import CALLS
from measuring.load import OneByOne
from measuring.report import Table

VALGRIND_REQUESTS = 2_000


def cost(stage):
    allocations = Table(
        "Allocations a request, one connection",
        {"calls": ("allocations", 2), "bytes": ("bytes", 0)},
        f"malloc, calloc, realloc and aligned kin over {COUNTED_REQUESTS:,} requests")
    for make in (stage.subguard, stage.nginx, stage.hummingbird):
        with make(**counting(stage.folder)) as server:
            for call in CALLS:
                if call.condition and server.name == "hummingbird":
                    continue  # this peer supports neither
                calls, size = allocations_per_request(stage.folder, server.port, call)
                allocations.add(f"{server.name}: {call.name}", calls=calls, bytes=size)
    instructions = Table(
        "Instructions a request in user mode, one connection", {"instructions": ("instructions", 0)},
        f"callgrind over {VALGRIND_REQUESTS:,} requests; the kernel's part is not in it")
    ours = stage.subguard({"LOOPS": "1"}, **_callgrind(stage.folder))
    ours.binary = _without_debug_information(ours.binary, stage.folder)
    for server in (ours, stage.nginx(one_process=True, **_callgrind(stage.folder))):
        with server:
            for call in CALLS:
                instructions.add(
                    f"{server.name}: {call.name}", instructions=_instructions_per_request(stage, server, call))
    return [allocations, instructions]


def _callgrind(folder):
    # Without compression each dump contains its own names.
    return {"wrapper": [
        "valgrind", "--quiet", "--tool=callgrind", "--compress-strings=no",
        f"--callgrind-out-file={folder}/callgrind.%p"]}


def _without_debug_information(binary, folder):
    """A copy with symbols but without debug information: older valgrinds fail on that of Swift."""
    copy = f"{folder}/{pathlib.Path(binary).name}"
    subprocess.run(["objcopy", "--strip-debug", binary, copy], check=True)
    return copy


def _instructions_per_request(stage, server, call):
    pid = server.process.pid
    with OneByOne(server.port, call.path, call.headers(server.port)) as client:
        client.ask(VALGRIND_REQUESTS // 2)
        _control(pid, "--zero")
        client.ask(VALGRIND_REQUESTS)
        _control(pid, "--dump")
    newest = max(stage.folder.glob(f"callgrind.{pid}.*"), key=lambda dump: dump.stat().st_mtime_ns)
    text = newest.read_text(errors="replace")
    if stage.options.profile:
        target = pathlib.Path(stage.options.profile)
        target.mkdir(parents=True, exist_ok=True)
        name = f"{server.name}-{call.name}"
        (target / f"{name}.callgrind").write_text(text)
        (target / f"{name}.txt").write_text(profiles.summary(text, VALGRIND_REQUESTS))
    return profiles.total(text) / VALGRIND_REQUESTS


def _control(pid, action):
    subprocess.run(
        ["callgrind_control", action, str(pid)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
