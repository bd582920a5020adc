"""Run the proxies' recipes of the documentation, and ask through them what a stranger would: whether a path that they
refuse can be spelled so that it passes, and whose allowance a request counts for. Then the same server under a path of
another host, on a Unix socket, and on a socket that its parent opened.

Usage: Scripts/check proxies
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys

from harness import ROOT, Refusal, Server, debug_binary, eventually, expect, free_port, main, request, say

CLIENT = "127.0.0.9"  # connects to the proxy
# Spellings of /metrics and of the console's sign-in that the server must not take for them.
ENCODED = ("/%6detrics", "/metric%73", "/%6D%65trics", "//metrics", "/./metrics", "/x/../metrics", "/metrics%2f",
           "/%63onsole/login", "/console/%6cogin", "/api/v1/%61dmin/tokens", "/%61pi/v1/catalogue")
# What a client may add to hide, or to count as another client. The proxies must not pass them on as their own.
FOREIGN = ("Forwarded: for=192.0.2.1", "Forwarded: for=unknown", 'Forwarded: for="192.0.2.1', "Forwarded: ,;=",
           "Forwarded: for=127.0.0.1", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: unknown, ,",
           "Forwarded: for=192.0.2.1\r\nX-Forwarded-For: 192.0.2.1")


def recipe(page, marker):
    """The code block of a page in docs/ that contains the marker."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.M | re.S)
    found = [block for block in blocks if marker in block]
    expect(len(found) == 1, f"docs/{page} has {len(found)} blocks with '{marker}'")
    return found[0]


def replace(text, pattern, replacement):
    changed, count = re.subn(pattern, replacement, text)
    expect(count > 0, f"the recipe has no {pattern}")
    return changed


def tool(name):
    program = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:{ROOT}/.build/tools")
    expect(program, f"{name} is missing: run Scripts/setup check")
    return program


def nginx(folder, port, server):
    """The arguments of nginx, with the recipe of docs/operating.md."""
    return nginx_with(folder, port, of_server(recipe("operating.md", "location / {"), server))


def of_server(text, server):
    return replace(text, r"127\.0\.0\.1:8080", f"127.0.0.1:{server.port}")


def nginx_with(folder, port, location):
    path = folder / "nginx.conf"
    user = "user root;\n" if os.geteuid() == 0 else ""
    path.write_text(f"""{user}daemon off;
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
{location}
    }}
}}
""")
    return [tool("nginx"), "-p", str(folder), "-c", str(path), "-e", "stderr"]


def haproxy(folder, port, server):
    """The arguments of HAProxy, with the recipe of docs/scaling.md, without its certificate."""
    text = replace(recipe("scaling.md", "default_backend subguard"), r"bind :443 .*", f"bind 127.0.0.1:{port}")
    text = replace(text, r"(?m)^ *server (two|three) .*\n", "")
    text = replace(text, r"10\.0\.0\.11:8080", f"127.0.0.1:{server.port}")
    path = folder / "haproxy.cfg"
    path.write_text("defaults\n timeout connect 1s\n timeout client 30s\n timeout server 10s\n" + text)
    return [tool("haproxy"), "-db", "-f", str(path)]


def caddy(folder, port, server):
    """The arguments of Caddy, with the recipe of docs/operating.md."""
    return caddy_with(folder, port, of_server(recipe("operating.md", "api.example {"), server))


def caddy_with(folder, port, site):
    path = folder / "Caddyfile"
    os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = str(folder)
    path.write_text("{\n admin off\n auto_https off\n}\n"
                    + replace(site, r"(?m)^\S+ \{$", f"http://127.0.0.1:{port} {{"))
    return [tool("caddy"), "run", "--config", str(path), "--adapter", "caddyfile"]


@contextlib.contextmanager
def running(arguments, port, probe="/readyz"):
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        def answers():
            if process.poll() is not None:
                raise Refusal(f"{arguments[0]} ended: {process.stderr.read()}")
            with contextlib.suppress(OSError):
                return request(port, "GET", probe)[0] == 200
            return False
        eventually(answers, f"{arguments[0]} passes requests on")
        yield
    finally:
        process.terminate()
        process.wait(10)


def ask(port, method, path, fields=""):
    """(status, body, RateLimit) of a request whose path and fields are sent as they are."""
    with socket.create_connection(("127.0.0.1", port), 10, (CLIENT, 0)) as connection:
        body = "[]" if method == "POST" else ""
        more = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        fields = f"{fields}\r\n" if fields else ""
        connection.sendall(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                           f"Connection: close\r\n{more}{fields}\r\n{body}"
                           .encode())
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    head, _, content = answer.partition(b"\r\n\r\n")
    limit = re.search(rb"(?im)^ratelimit:.*\br=(\d+)", head)
    return int(head.split(b" ", 2)[1]), content, limit and int(limit[1])


def check_paths(name, port):
    refused, _, _ = ask(port, "GET", "/metrics")
    for path in ENCODED:
        status, content, _ = ask(port, "GET", path)
        expect(status in (301, 400, 403, 404), f"{name}: GET {path} is {status}")
        expect(b"subguard_http" not in content and b"<form" not in content, f"{name}: GET {path} shows a page")
    expect(ask(port, "GET", "/api/v1/catalogue?limit=1")[0] == 200, f"{name}: the catalogue is not served")
    return refused


def check_clients(name, port, server):
    """Whatever a client adds, its requests count for its own address: the allowance goes down by one each time."""
    _, _, left = ask(port, "POST", "/api/v1/suggestions")
    for fields in FOREIGN:
        status, content, now = ask(port, "POST", "/api/v1/suggestions", fields)
        expect(now == left - 1, f"{name}: {fields!r}: {now} left after {left} ({status}, {content[:80]})")
        left = now
    own = request(server.port, "POST", "/api/v1/suggestions", "[]", {"Content-Type": "application/json"})
    spent = int(re.search(r"\br=(\d+)", own[2]["RateLimit"])[1])
    expect(spent > left, f"{name}: requests count for the proxy")


def check_pages(name, port):
    """Everything that a page or an answer names is there, under the path."""
    status, body, fields = request(port, "GET", "/subguard/console")
    expect((status, fields.get("Location")) == (303, "/subguard/console/login"), f"{name}: {status} {fields}")
    page = request(port, "GET", "/subguard/console/login")[1].decode()
    links = set(re.findall(r'(?:href|src|action)="(/[^"#]*)', page))
    expect(len(links) > 5, f"{name}: the page names {links}")
    for link in sorted(links):
        method = "POST" if link.endswith(("/login", "/passkey")) else "GET"
        expect(link.startswith("/subguard/"), f"{name}: {link} is outside")
        expect(request(port, method, link)[0] not in (404, 405), f"{name}: {link} is not there")
    status, body, fields = request(port, "GET", "/subguard/api/v1/catalogue?limit=1")
    following = re.fullmatch(r'<(/subguard/[^>]*)>; rel="next"', fields["Link"])[1]
    expect(request(port, "GET", following)[0] == 200, f"{name}: {following} is not there")
    problem = json.loads(request(port, "GET", "/subguard/nothing")[1])
    expect(request(port, "GET", problem["type"])[0] == 200, f"{name}: {problem['type']} is not there")
    dsn = {"X-Sentry-Auth": "Sentry sentry_key=k, sentry_version=7"}
    expect(request(port, "POST", "/subguard/ingest/api/1/envelope/", "{}\n", dsn)[0] == 200, f"{name}: no envelope")


def check_path(folder):
    """Proxies that remove the path, and some that do not."""
    kept = recipe("operating.md", "location /subguard/ {")
    removed = replace(kept, r"127\.0\.0\.1:8080;", "127.0.0.1:8080/;")
    handled = recipe("operating.md", "handle_path /subguard/*")
    cases = (("nginx, path kept", nginx_with, kept), ("nginx, path removed", nginx_with, removed),
             ("Caddy, path removed", caddy_with, handled),
             ("Caddy, path kept", caddy_with, replace(handled, "handle_path", "handle")))
    for name, make, text in cases:
        scratch = pathlib.Path(folder, name.replace(", ", "-").replace(" ", "-"))
        scratch.mkdir()
        port = free_port()
        settings = {"TRUSTED_PROXIES": "127.0.0.1", "INGEST_SENTRY_KEY": "k",
                    "PROXY_REMOVES_PATH": str("removed" in name).lower(),
                    "PUBLIC_URL": f"http://127.0.0.1:{port}/subguard"}
        with Server(debug_binary("subguardd"), scratch, settings) as server:
            with running(make(scratch, port, of_server(text, server)), port, "/subguard/readyz"):
                check_pages(name, port)
                status = request(port, "GET", "/subguard/subguard/metrics")[0]
                expect(status == 404, f"{name}: a second path around the proxy's rules: {status}")
    say(f"{len(cases)} proxies publish the server under a path")


def check_sockets(folder):
    """nginx in front of a Unix socket, and a socket that the parent opened, as systemd does."""
    scratch = pathlib.Path(folder, "socket")
    scratch.mkdir()
    path = scratch / "http.sock"
    binary = debug_binary("subguardd")
    environment = {**os.environ, "SUBGUARD_DATABASE_URL": f"sqlite:{scratch}/store.sqlite"}
    subprocess.run([binary, "migrate"], env=environment, check=True, stdout=subprocess.DEVNULL)
    of_socket = {**environment, "SUBGUARD_HOST": f"unix:{path}", "SUBGUARD_TRUSTED_PROXIES": "::1"}
    port = free_port()
    location = replace(recipe("operating.md", "location / {"), r"http://127\.0\.0\.1:8080", f"http://unix:{path}:")
    server = subprocess.Popen([binary, "serve"], env=of_socket, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with running(nginx_with(scratch, port, location), port):
            left = ask(port, "POST", "/api/v1/suggestions")[2]
            expect(ask(port, "POST", "/api/v1/suggestions", "X-Forwarded-For: 192.0.2.1")[2] == left - 1,
                   "requests through the socket count for another client")
    finally:
        server.terminate()
        server.wait(20)
    expect(not path.exists(), "the socket is still there")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        # A request that comes before the server waits for it.
        with socket.create_connection(listener.getsockname(), 30) as early:
            early.sendall(b"GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            server = activated(binary, environment, listener)
            try:
                expect(early.recv(12) == b"HTTP/1.1 200", "the server does not take the socket of its parent")
            finally:
                server.terminate()
                server.wait(20)
    say("a Unix socket behind nginx, and a socket that was opened before the start, are served")


def activated(binary, environment, listener):
    """A server that gets the listener as systemd passes it: descriptor 3, and the process it is meant for."""
    program = ("import os,sys; os.dup2(int(sys.argv[1]), 3); "
               "os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1');"
               "os.execv(sys.argv[2], sys.argv[2:])")
    number = os.dup(listener.fileno())
    try:
        return subprocess.Popen([sys.executable, "-c", program, str(number), str(binary), "serve"], env=environment,
                                pass_fds=(number,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    finally:
        os.close(number)


def check(folder):
    for name, make, denies in (("nginx", nginx, False), ("HAProxy", haproxy, True), ("Caddy", caddy, False)):
        scratch = pathlib.Path(folder, name)
        scratch.mkdir()
        settings = {"TRUSTED_PROXIES": "127.0.0.1", "METRICS_TOKEN": "x" * 40}
        with Server(debug_binary("subguardd"), scratch, settings) as server:
            port = free_port()
            with running(make(scratch, port, server), port):
                status = check_paths(name, port)
                expect(status == (403 if denies else 401), f"{name}: GET /metrics is {status}")
                check_clients(name, port, server)
            say(f"{name}: {len(ENCODED)} spellings refused, {len(FOREIGN)} foreign fields count for the client")
    check_path(folder)
    check_sockets(folder)
    return "the recipes hold"


main("proxies", check)
