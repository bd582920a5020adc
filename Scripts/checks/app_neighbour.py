"""Another user of the machine who has taken the app's port, and pages on other ports that set cookies of its name."""

import http.server
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading

from harness import expect, free_port, say
from playwright.sync_api import Error as PlaywrightError

NOBODY = 65_534
COOKIES = 150  # browsers keep some 180 of a host

# Listens on HOST PORT, prints a line, answers every request with what it was asked, and prints that. With a further
# PORT it passes everything on to the server there.
PROGRAM = """
import http.client, http.server, socket, sys
host, port, relay = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
class Neighbour(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        print(self.path, flush=True)
        body = self.path.encode() + b"\\n"
        if relay:
            connection = http.client.HTTPConnection("127.0.0.1", relay)
            connection.request("GET", self.path)
            body = connection.getresponse().read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
server = Server((host, port), Neighbour)
print("ready", flush=True)
server.serve_forever()
"""


def neighbour(app):
    """No code for who has the port, by whatever means he answers; the message names him."""
    is_root = os.geteuid() == 0
    # The app is found on its own port, whoever has the one that was asked for, also a neighbour who passes everything
    # on. The others read another store, which no program serves.
    for host, relay in (("127.0.0.1", 0), ("127.0.0.1", app.port), ("::1", 0)):
        if host == "::1" and not has_ipv6():
            say("app: no neighbour on ::1, because this machine has no such address")
            continue
        port = free_port()
        process = subprocess.Popen(
            # Other users may not reach the virtual environment.
            ["/usr/bin/python3", "-c", PROGRAM, host, str(port), str(relay)], stdout=subprocess.PIPE,
            text=True, cwd="/", user=NOBODY if is_root else None)
        try:
            expect(process.stdout.readline() == "ready\n", f"the neighbour has no port on {host}")
            with tempfile.TemporaryDirectory() as folder:
                store = app.environment["SUBGUARD_STORE"] if relay else str(pathlib.Path(folder, "other.sqlite"))
                opened = subprocess.run([app.binary, "open", "--no-browser", "--port", str(port)],
                                        env={**app.environment, "SUBGUARD_STORE": store},
                                        capture_output=True, text=True, timeout=30, check=False)
        finally:
            process.terminate()
            asked = process.stdout.read().split()
            process.wait(10)
        if relay:
            expect(f"http://127.0.0.1:{app.port}/launch?visit=" in opened.stdout and not asked,
                f"{opened.stdout}: {asked}")
            continue
        expect(opened.returncode == 1 and not opened.stdout, f"{host}: {opened.returncode}, {opened.stdout!r}")
        # Root sees the processes of all users.
        holder = f"is in use by python3, process {process.pid}"
        expect(f"port {port} on {host} {holder}" in opened.stderr, f"{host}: {opened.stderr}")
        expect(len(asked) == (host == "127.0.0.1"), f"{host}: asked for {asked}")
    if is_root:
        as_another_user(app)


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
            return True
    except OSError:
        return False


def as_another_user(app):
    """A user who does not see whose process it is learns the name of the user."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", port)):
        os.chmod(folder, 0o777)
        program = shutil.copy(app.binary, folder)
        opened = subprocess.run(
            [program, "open", "--no-browser", "--port", str(port), "--store", str(pathlib.Path(folder, "n/n.sqlite"))],
            env=app.environment, capture_output=True, text=True, timeout=30, user=NOBODY, group=NOBODY, cwd="/",
            check=False)
    expect(opened.returncode == 1 and "is in use by a program of the user root" in opened.stderr, opened.stderr)



class Tosser(http.server.BaseHTTPRequestHandler):
    """A page that sets cookies for all ports of the host."""

    app = 0

    def do_GET(self):
        body = f"""<!doctype html><title>tossed</title><script>
            for (let number = 0; number < {COOKIES}; number++) {{
                const path = number % 3 === 0 ? "/settings" : number % 3 === 1 ? "/settings/" + number : "/due";
                const secret = (number + 1e6).toString(16).padEnd(64, "a");
                document.cookie = "subguard_{Tosser.app}=" + secret + "; path=" + path;
            }}</script>""".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def cookie_tossing(browser, app, enter):
    """Cookies of another port lock no user out, and are gone after the page to which they were sent."""
    visitor = enter(browser, app)
    Tosser.app = app.port
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tosser)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = visitor.context.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    name = f"subguard_{app.port}"

    def strays(path):
        return [cookie for cookie in visitor.context.cookies(f"http://127.0.0.1:{app.port}{path}")
                if cookie["name"] == name and cookie["path"] != "/"]

    for path in ("/settings", "/due"):
        expect(strays(path), f"no cookie was set for {path}")
        answer = visitor.page.goto(f"http://127.0.0.1:{app.port}{path}")
        expect(answer.status == 200, f"cookies of another port: {path} is {answer.status}")
        expect(not strays(path), f"{len(strays(path))} cookies of another port stay at {path}")
    server.shutdown()
    visitor.close()


class Poisoner(http.server.BaseHTTPRequestHandler):
    """Answers everything with a page or a script of its own, for the browser to keep for a year."""

    def do_GET(self):
        kind = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}.get(self.path.rsplit(".", 1)[-1])
        script = "globalThis.evil = true; document.title = 'evil';"
        body = (script if kind else f"<!doctype html><title>evil</title><script>{script}</script>evil").encode()
        self.send_response(200)
        self.send_header("Content-Type", kind or "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "public, max-age=31536000, immutable")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def poisoned(browser, app, enter):
    """What another owner of the port left in the browser's caches is neither shown nor run."""
    visitor = enter(browser, app)
    page = visitor.page
    page.evaluate("navigator.serviceWorker.ready.then(found => found.active.state)")
    cache = page.evaluate("caches.keys()")[0]
    files = page.evaluate("caches.open('" + cache
        + "').then(cache => cache.keys()).then(all => all.map(one => one.url))")
    page.evaluate("navigator.serviceWorker.getRegistration().then(found => found.unregister())")
    app.stop()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", app.port), Poisoner)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for path in ("/launch", "/", "/due", "/settings"):
        page.goto(visitor.url + path)
        expect(page.title() == "evil", f"{path} does not come from the neighbour")
    page.evaluate("""async ([name, files]) => {
        await caches.delete(name);
        const cache = await caches.open(name);
        for (const file of files) { await fetch(file); await cache.add(file); }
    }""", [cache, files])
    server.shutdown()
    server.server_close()
    app.start()
    page.goto(app.another_address())
    page.locator("main:not(:has(#code))").wait_for()
    for path in ("/", "/due", "/settings"):
        page.goto(visitor.url + path)
        page.locator("main[data-live]").wait_for()
        expect(not page.evaluate("globalThis.evil"), f"{path} runs what the neighbour left")
        sheets = page.evaluate("[...document.styleSheets].map(sheet => sheet.cssRules.length)")
        expect(len(sheets) == 2 and min(sheets) > 5, f"{path} has no styles: {sheets}")
    page.evaluate("navigator.serviceWorker.ready.then(found => found.active.state)")
    # A page of this origin that the neighbour still has open may change what the worker has kept.
    page.evaluate("""async name => {
        const cache = await caches.open(name);
        for (const request of await cache.keys())
            await cache.put(request, new Response("<!doctype html>evil", { headers: { "Content-Type": "text/html" } }));
    }""", cache)
    page.reload()
    expect(not page.evaluate("globalThis.evil"), "the worker gives out what is not the app's")
    app.stop()
    try:
        page.goto(visitor.url + "/due")
        expect("evil" not in page.content(), "the worker shows a page that is not the app's")
    except PlaywrightError:
        pass  # No page is better than a stranger's.
    app.start()
    visitor.close(expected=("401", "ERR_", "Failed to load"))
