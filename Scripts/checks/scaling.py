"""Check that nothing is lost with three servers on one PostgreSQL behind HAProxy, under constant ingest, while servers
are killed and disconnected and the database is restarted, killed and filled with connections. Prints how much was sent,
acknowledged and stored.

Usage: Scripts/check scaling [-- SECONDS [BINARY]]      (SECONDS between two faults, 4 by default)
"""

import base64
import json
import os
import signal
import sys
import time

from database import Database
from harness import debug_binary, eventually, expect, main, say, status_of
from load import Load, account, end, make_server, proxy

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==")


def ask(server, method, path, body=None, fields=None, token=None):
    """The body of a response that must be successful."""
    status, content, _ = server.call(method, path, body, fields, token)
    expect(status in (200, 201), f"{method} {path} was answered {status}: {content[:300]}")
    return content


def upload_logo(server):
    """Creates an item with a logo on one server, and returns the logo's path."""
    token = server.token("editor")
    item = json.loads(ask(server, "POST", "/api/v1/admin/catalogue", {
        "name": "Ciné", "slug": "cine", "category": "streaming", "typical_amount": "12.34", "currency": "EUR",
        "billing_cycle": "monthly"}, token=token))
    path = f"/api/v1/admin/catalogue/{item['id']}/logo"
    return json.loads(ask(server, "PUT", path, PICTURE, {"Content-Type": "image/png"}, token))["logo_url"]


def require_logo(servers, path):
    for server in servers:
        expect(ask(server, "GET", path) == PICTURE, f"{server.name} has another logo")


def check(folder):
    pause = float(sys.argv[1]) if len(sys.argv) > 1 else 4
    binary = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else debug_binary("subguardd")
    database = haproxy = load = None
    try:
        database = Database(folder)
        servers = [make_server(binary, database.url, folder, number) for number in (1, 2, 3)]

        def all_ready():
            return all(server.is_ready() for server in servers)

        # All three start at once on an empty database, which must be migrated once.
        eventually(all_ready, "all servers are ready")
        migrations = int(database.ask("SELECT count(*) FROM schema_migrations"))
        logo = upload_logo(servers[0])
        require_logo(servers, logo)
        port, haproxy = proxy(folder, servers)
        load = Load(port)
        goes_on = load.goes_on

        time.sleep(pause)
        goes_on("undisturbed")

        servers[0].kill()
        goes_on("server 1 killed, the others go on")
        time.sleep(pause / 2)
        servers[0].start()
        eventually(servers[0].is_ready, "server 1 is back")

        servers[1].process.send_signal(signal.SIGSTOP)
        goes_on("server 2 cut off, the others go on", 60)
        time.sleep(pause / 2)
        servers[1].process.send_signal(signal.SIGCONT)
        eventually(servers[1].is_ready, "server 2 is back")

        database.stop()
        eventually(lambda: all(status_of(s.port) == 503 for s in servers), "every server says that it is not ready")
        time.sleep(pause / 2)
        expect(status_of(servers[0].port, "/healthz") == 200, "a server without its database does not live")
        database.start()
        began = time.monotonic()
        eventually(all_ready, "all are ready again")
        say(f"database restarted, all ready again after {time.monotonic() - began:.1f} s")
        goes_on("database restarted")

        time.sleep(pause / 2)
        database.stop(signal.SIGQUIT)
        database.start()
        eventually(all_ready, "all are ready again")
        goes_on("database killed and recovered")

        crowd = database.fill(pause)
        time.sleep(pause / 2)
        goes_on("every connection taken by others", 60)
        for one in crowd:
            one.wait()
        eventually(all_ready, "all are ready again")
        goes_on("connections free again")

        servers[2].stop()
        servers[2].start()
        eventually(servers[2].is_ready, "server 3 is back")
        goes_on("server 3 restarted in order")
        time.sleep(pause / 2)

        load.end()
        # Two of them were restarted and have nothing in memory.
        require_logo(servers, logo)
        account(database, servers, load, migrations)
    finally:
        end(load, haproxy, database, timeout=20)
    return "nothing was lost, nothing counted twice"


main("scaling", check)
