"""chdb, a current ClickHouse as a library, behind the part of ClickHouse's HTTP interface that the sink uses.

Usage: clickhouse_current.py PORT FOLDER
"""

import http.server
import os
import re
import sys
import tempfile
import threading
import urllib.parse

from chdb import session

STRUCTURE = "event String, moment Int64, received Int64, user UInt64, item UUID, platform String, " \
            "app_version String, id UUID, block UInt64, place UInt32, properties String"
engine = session.Session(sys.argv[2])
turn = threading.Lock()


def answer(path, body):
    options = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(path).query))
    statement = options.pop("query", None)
    if statement is None:
        statement, body = body.decode(), b""
    with turn:
        insertion = re.fullmatch(r"INSERT INTO (\S+) (\(.*\)) FORMAT RowBinary", statement)
        if insertion:
            with tempfile.NamedTemporaryFile(suffix=".bin") as rows:
                rows.write(body)
                rows.flush()
                settings = ", ".join(
                    f"{name} = '{value}'" for name, value in options.items() if name != "wait_end_of_query")
                engine.query(
                    f"INSERT INTO {insertion[1]} {insertion[2]} {f'SETTINGS {settings}' if settings else ''} "
                    f"SELECT * FROM file('{rows.name}', 'RowBinary', '{STRUCTURE}')")
            return b""
        limits = ", ".join(f"{name} = {value}" for name, value in options.items() if name.startswith("max_"))
        chosen = re.search(r"\s+FORMAT\s+(\w+)\s*$", statement)
        plain = statement[:chosen.start()] if chosen else statement
        if limits:
            plain += f" SETTINGS {limits}"
        return engine.query(plain, chosen[1] if chosen else "TabSeparated").bytes()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        try:
            status, content = 200, answer(self.path, body)
        except Exception as error:  # whatever the engine raises is its answer
            status, content = 500, str(error).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


os.makedirs(sys.argv[2], exist_ok=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
