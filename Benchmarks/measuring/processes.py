"""The kernel's information about running processes."""

import os
import pathlib
import re

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def family(pid):
    """The process and all its descendants."""
    members = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            members += family(int(child))
    return members


def cpu_seconds(pids):
    """User and system time of all threads, including ended ones."""
    user = system = 0
    for pid in pids:
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # The process has ended meanwhile; ended children are not counted.
        user += int(fields[11])
        system += int(fields[12])
    return user / TICKS_PER_SECOND, system / TICKS_PER_SECOND


def memory_mb(pid, field="VmRSS"):
    """VmRSS is the current resident memory, VmHWM its maximum."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+) kB", status, re.MULTILINE)[1]) * 1024 / 1_000_000


def family_memory_mb(pids):
    """The memory of several processes, with shared pages counted once."""
    kilobytes = 0
    for pid in pids:
        rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        kilobytes += int(re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)[1])
    return kilobytes * 1024 / 1_000_000


def machine_busy_seconds():
    """CPU time of all programs on this machine so far, including time stolen by a hypervisor."""
    fields = pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
    user, nice, system, _idle, _wait, interrupts, soft, stolen = (int(field) for field in fields)
    return (user + nice + system + interrupts + soft + stolen) / TICKS_PER_SECOND
