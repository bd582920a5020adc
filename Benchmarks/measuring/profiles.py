"""Parses callgrind's dumps: instructions of each function, excluding its callees."""

import collections
import re
import shutil
import subprocess

COST_LINE = re.compile(r"^[+*\d-]\S* (\d+)")
SHOWN_FUNCTIONS = 60


def total(dump):
    return int(re.search(r"^(?:summary|totals): (\d+)", dump, re.MULTILINE)[1])


def by_function(dump):
    costs = collections.Counter()
    function = None
    is_callee = False  # the line after calls= is the cost of the callee, which is counted there
    for line in dump.splitlines():
        if line.startswith("fn="):
            function = line[3:]
        elif line.startswith("calls="):
            is_callee = True
        elif cost := COST_LINE.match(line):
            if not is_callee:
                costs[function] += int(cost[1])
            is_callee = False
    return costs


def summary(dump, requests):
    """The most expensive functions with their instructions per request, one per line."""
    costs = by_function(dump)
    everything = sum(costs.values())
    dearest = costs.most_common(SHOWN_FUNCTIONS)
    names = _demangled([name for name, _ in dearest])
    lines = [f"{everything / requests:10,.0f}         all"]
    for (_, cost), name in zip(dearest, names):
        lines.append(f"{cost / requests:10,.0f} {cost / everything:6.1%}  {name}")
    return "\n".join(lines) + "\n"


def _demangled(names):
    if shutil.which("swift") is None:
        return names
    done = subprocess.run(
        ["swift", "demangle", "--simplified", "--compact"], input="\n".join(names), text=True, check=True,
        stdout=subprocess.PIPE)
    return done.stdout.splitlines()
