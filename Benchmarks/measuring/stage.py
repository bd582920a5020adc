"""Shared by all measurements: the options, the built programs, a prepared database and responses from it."""

import functools
import pathlib
import subprocess
import sys

from measuring import building
from measuring.calls import CATALOGUE
from measuring.servers import Hummingbird, Nginx, SubGuard, fetch

LEAST_CATALOGUE_BYTES = 10_000


class Stage:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)

    @functools.cached_property
    def binary(self):
        return self.options.binary or building.release_binary("subguardd")

    @functools.cached_property
    def load_program(self):
        return building.release_binary("subguard-load")

    @functools.cached_property
    def load_tool(self):
        return building.load_tool()

    @functools.cached_property
    def store(self):
        return SubGuard(self.binary, self.folder).prepare().store

    def subguard(self, settings=None, **more):
        """subguardd on the prepared database, not started yet."""
        folder = self.store.parent
        settings = dict(settings or {})
        if self.options.loops is not None:
            settings.setdefault("LOOPS", str(self.options.loops))
        return SubGuard(self.binary, folder, settings, **more)

    def hummingbird(self, **more):
        return Hummingbird(building.peer_binary("hummingbird-peer"), self.folder, self.store, **more)

    def nginx(self, certificate=None, **more):
        return Nginx(self.folder, self.bodies, certificate, **more)

    @functools.cached_property
    def bodies(self):
        """Our own response to CATALOGUE, plain and gzip, served by nginx from files."""
        with self.subguard() as server:
            plain = fetch(server.port, CATALOGUE)[2]
            packed = fetch(server.port, CATALOGUE, {"Accept-Encoding": "gzip"})
        if packed[1]["Content-Encoding"] != "gzip" or len(plain) < LEAST_CATALOGUE_BYTES:
            sys.exit("error: bench: the catalogue's answer is not what is to be measured")
        return plain, packed[2]

    @functools.cached_property
    def certificate(self):
        """Paths of a self-signed certificate and its key: ECDSA on P-256."""
        paths = str(self.folder / "certificate.pem"), str(self.folder / "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
             "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-out", paths[0],
             "-keyout", paths[1]], check=True, stderr=subprocess.DEVNULL)
        return paths

    @functools.cached_property
    def has_tls(self):
        listed = subprocess.run(
            [self.binary, "config", "check"], env=SubGuard(self.binary, self.folder).environment(),
            stdout=subprocess.PIPE, text=True, check=True)
        return "tls_certificate" in listed.stdout
