"""Maximum throughput: compared with Hummingbird and GRDB, and with nginx serving the same bytes."""

import contextlib
import statistics

from measuring.calls import CATALOGUE
from measuring.saturation import Contender, compete
from measuring.servers import fetch

KEPT_CATALOGUE = "/kept/catalogue"
LINE_CPU_US = 1.5  # maximum per access log line


def rate(stage):
    with contextlib.ExitStack() as running:
        ours, peer, nginx = (
            running.enter_context(server) for server in (stage.subguard(), stage.hummingbird(), stage.nginx()))
        table = compete(
            "GET /healthz, 64 keep-alive connections",
            [Contender(server.name, server, "/healthz") for server in (ours, peer, nginx)], stage.options)
    _hold(table, "hummingbird", "rate", 2.5)
    _hold(table, "hummingbird", "cpu_us", 1 / 3)
    _hold(table, "nginx", "rate", 1.0)
    _hold(table, "nginx", "cpu_us", 1.0)
    return [table]


def logs(stage):
    """With access logs on, the default of both servers; and the cost of a line in ours."""
    with contextlib.ExitStack() as running:
        ours, silent, nginx = (
            running.enter_context(server)
            for server in (stage.subguard({"LOG_LEVEL": "info"}), stage.subguard(), stage.nginx(logs=True)))
        table = compete(
            "GET /healthz with access logs on, 64 keep-alive connections",
            [Contender("subguardd", ours, "/healthz"), Contender("subguardd, no log", silent, "/healthz"),
             Contender("nginx", nginx, "/healthz")], stage.options,
            "nginx: combined, buffer=64k flush=1s; both logs to files")
    _hold(table, "nginx", "rate", 1.0)
    pairs = zip(table.rows["subguardd"]["cpu_us"], table.rows["subguardd, no log"]["cpu_us"])
    line = statistics.median(logging - quiet for logging, quiet in pairs)
    table.hold("CPU us a line, user and system", line, LINE_CPU_US, False, " us")
    return [table]


def catalogue(stage):
    with contextlib.ExitStack() as running:
        ours, peer, nginx = (
            running.enter_context(server) for server in (stage.subguard(), stage.hummingbird(), stage.nginx()))
        sizes = [len(fetch(server.port, CATALOGUE)[2]) for server in (ours, peer, nginx)]
        tables = [
            compete(
                f"GET {CATALOGUE}, 64 keep-alive connections",
                [Contender(server.name, server, CATALOGUE) for server in (ours, peer, nginx)]
                + [Contender("nginx, file kept open", nginx, KEPT_CATALOGUE)], stage.options,
                f"bodies of {sizes[0]:,}, {sizes[1]:,} and {sizes[2]:,} bytes"),
            _compete_with_nginx(
                stage, "the same with Accept-Encoding: gzip", ours, nginx, lambda _: {"Accept-Encoding": "gzip"},
                f"bodies of {len(stage.bodies[1]):,} bytes"),
            _compete_with_nginx(
                stage, "the same with If-None-Match, answered 304", ours, nginx,
                lambda server: {"If-None-Match": fetch(server.port, CATALOGUE)[1]["ETag"]}),
        ]
    _hold(tables[0], "hummingbird", "rate", 30)
    for table in tables:
        _hold(table, "nginx", "rate", 1.0)
    return tables


def tls(stage):
    if not stage.has_tls:
        print("\nTLS: skipped, this subguardd has none")
        return []
    with contextlib.ExitStack() as running:
        ours = running.enter_context(stage.subguard(certificate=stage.certificate))
        nginx = running.enter_context(stage.nginx(certificate=stage.certificate))
        tables = [
            compete(
                f"TLS, {what}",
                [Contender(server.name, server, path, headers, "https") for server in (ours, nginx)], stage.options)
            for what, path, headers in (
                ("GET /healthz, 64 keep-alive connections", "/healthz", {}),
                ("GET /healthz, a handshake for each request", "/healthz", {"Connection": "close"}),
                (f"GET {CATALOGUE}, 64 keep-alive connections", CATALOGUE, {}))]
    for table in tables:
        _hold(table, "nginx", "rate", 0.8)
    return tables


def _compete_with_nginx(stage, title, ours, nginx, headers, note=""):
    return compete(
        title, [Contender(server.name, server, CATALOGUE, headers(server)) for server in (ours, nginx)],
        stage.options, note)


def _hold(table, peer, figure, bar):
    what = {"rate": "requests/s", "cpu_us": "CPU time a request"}[figure]
    table.hold(
        f"{what}, subguardd / {peer}", table.ratio("subguardd", peer, figure), round(bar, 3), figure == "rate", " x")
    ceiling = 1e6 / table.median("subguardd", "load_cpu_us")
    needed = bar * table.median(peer, "rate")
    if figure == "rate" and needed > ceiling:
        table.remarks.append(
            f"{bar:g} x {peer} would be {needed:,.0f}/s; wrk's one thread can ask {ceiling:,.0f} times a second "
            "at most")
