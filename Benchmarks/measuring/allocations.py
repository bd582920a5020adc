"""Counts a server's allocations from outside, with a preloaded library."""

import pathlib
import struct

from measuring import building
from measuring.load import OneByOne

WARM_UP_REQUESTS = 1_000
COUNTED_REQUESTS = 10_000
COUNTS_FILE = "allocations"


def counting(folder):
    """Options for starting a server with counted allocations."""
    path = pathlib.Path(folder) / COUNTS_FILE
    path.write_bytes(bytes(16))
    path.chmod(0o666)
    return {"preload": {"LD_PRELOAD": building.allocation_counter(), "COUNT_ALLOCATIONS_FILE": str(path)}}


def allocations_per_request(folder, port, call, requests=COUNTED_REQUESTS):
    """Calls and bytes per request, as the difference of two readings, which excludes the warm-up."""
    with OneByOne(port, call.path, call.headers(port)) as client:
        client.ask(WARM_UP_REQUESTS)
        before = counted(folder)
        client.ask(requests)
        after = counted(folder)
    return tuple((last - first) / requests for first, last in zip(before, after))


def counted(folder):
    """Calls and bytes since the start of the server."""
    return struct.unpack("QQ", (pathlib.Path(folder) / COUNTS_FILE).read_bytes())
