"""Our epoll loops compared with one DispatchSource per connection."""

import contextlib

from measuring import building
from measuring.saturation import Contender, compete
from measuring.servers import DispatchSource

COUNTS = (1, 2)


def loops(stage):
    binary = building.peer_binary("dispatch-source-server")
    tables = []
    with contextlib.ExitStack() as running:
        servers = {f"subguardd, loops: {count}": stage.subguard({"LOOPS": str(count)}) for count in COUNTS}
        servers |= {f"dispatch, queues: {count}": DispatchSource(binary, stage.folder, count) for count in COUNTS}
        for server in servers.values():
            running.enter_context(server)
        for connections in (1, 64):
            tables.append(compete(
                f"Loops against DispatchSource, GET /healthz, connections: {connections}",
                [Contender(row, server, "/healthz", connections=connections) for row, server in servers.items()],
                stage.options))
    return tables
