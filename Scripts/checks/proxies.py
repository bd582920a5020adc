"""Run the proxies' recipes of the documentation, and ask through them what a stranger would: whether a path that they
refuse can be spelled so that it passes, and whose allowance a request counts for.

Usage: Scripts/check proxies
"""

import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess

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


def nginx(folder, port, server):
    """The arguments of nginx, with the recipe of docs/operating.md."""
    location = replace(recipe("operating.md", "proxy_pass"), r"127\.0\.0\.1:8080", f"127.0.0.1:{server.port}")
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
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:{ROOT}/.build/tools")
    expect(program, "nginx is missing: run Scripts/setup checks")
    return [program, "-p", str(folder), "-c", str(path), "-e", "stderr"]


def haproxy(folder, port, server):
    """The arguments of HAProxy, with the recipe of docs/scaling.md, without its certificate."""
    text = replace(recipe("scaling.md", "default_backend subguard"), r"bind :443 .*", f"bind 127.0.0.1:{port}")
    text = replace(text, r"(?m)^ *server (two|three) .*\n", "")
    text = replace(text, r"10\.0\.0\.11:8080", f"127.0.0.1:{server.port}")
    path = folder / "haproxy.cfg"
    path.write_text("defaults\n timeout connect 1s\n timeout client 30s\n timeout server 10s\n" + text)
    return [shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin") or "haproxy", "-db", "-f", str(path)]


@contextlib.contextmanager
def running(arguments, port):
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        def answers():
            if process.poll() is not None:
                raise Refusal(f"{arguments[0]} ended: {process.stderr.read()}")
            with contextlib.suppress(OSError):
                return request(port, "GET", "/readyz")[0] == 200
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
        connection.sendall(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{more}{fields}\r\n{body}"
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


def check(folder):
    for name, make, denies in (("nginx", nginx, False), ("HAProxy", haproxy, True)):
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
    return "the recipes hold"


main("proxies", check)
