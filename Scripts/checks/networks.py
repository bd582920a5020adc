"""A private network for the services of a check: namespaces joined by a bridge, names, and published ports."""

import contextlib
import glob
import os
import socket
import socketserver
import struct
import subprocess
import threading

from harness import Refusal, eventually, expect
from namespaces import separate

BRIDGE, SUBNET = "br0", "10.77"
NAMESERVER = f"{SUBNET}.0.1"


def enter_namespaces():
    """Gives this process a network and mounts of its own, before it starts threads."""
    reason = separate(network=True)
    expect(not reason, f"not checked: {reason}")
    try:
        for words in ("link set lo up", f"link add {BRIDGE} type bridge", f"address add {NAMESERVER}/16 dev {BRIDGE}",
                      f"link set {BRIDGE} up"):
            ip(*words.split())
    except (OSError, subprocess.SubprocessError) as error:
        raise Refusal(f"not checked: a network of its own cannot be made: {error}") from error


def ip(*words):
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True).stdout


class Network:
    """Names and addresses of the services that run; a name server; ports published on this process's loopback."""

    def __init__(self, folder):
        self.folder = folder
        self.addresses, self.links, self.spaces, self.count = {}, {}, set(), 0
        self.lock = threading.Lock()
        (folder / "hosts").write_text("127.0.0.1 localhost\n")
        (folder / "resolv.conf").write_text(f"nameserver {NAMESERVER}\noptions ndots:0\n")
        network = self

        class Questions(socketserver.BaseRequestHandler):
            def handle(self):
                question, connection = self.request
                with contextlib.suppress(IndexError, struct.error, UnicodeDecodeError):
                    connection.sendto(network.answer(question), self.client_address)

        self.serve(socketserver.ThreadingUDPServer((NAMESERVER, 53), Questions))

    @staticmethod
    def serve(server):
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def answer(self, question):
        """A names: its address (type A); nothing for other types; NXDOMAIN for a service that does not run."""
        place, labels = 12, []
        while length := question[place]:
            labels.append(question[place + 1:place + 1 + length].decode())
            place += 1 + length
        kind, = struct.unpack("!H", question[place + 1:place + 3])
        address = self.addresses.get(".".join(labels).lower())
        found = b""
        if address and kind == 1:
            found = struct.pack("!HHHIH", 0xC00C, 1, 1, 600, 4) + socket.inet_aton(address)
        fields = struct.pack("!HHHHH", 0x8180 if address else 0x8183, 1, bool(found), 0, 0)
        return question[:2] + fields + question[12:place + 5] + found

    def attach(self, process, name):
        """Connects the namespace of a process that waits for it. Returns its address."""
        with self.lock:
            self.count += 1
            number = self.count
        own = os.readlink("/proc/self/ns/net")
        eventually(lambda: os.readlink(f"/proc/{process.pid}/ns/net") != own, f"{name} has its namespaces", 10, 0.005)
        self.spaces.add(os.readlink(f"/proc/{process.pid}/ns/net"))
        ip("link", "add", f"{name}-{number}", "type", "veth", "peer", "name", "eth0", "netns", str(process.pid))
        ip("link", "set", f"{name}-{number}", "master", BRIDGE, "up")
        self.addresses[name] = f"{SUBNET}.1.{number + 1}"
        self.links[name] = f"{name}-{number}"
        return self.addresses[name]

    def detach(self, name):
        """Sockets that outlive their process keep its namespace, but not its network."""
        self.addresses.pop(name, None)
        with contextlib.suppress(subprocess.CalledProcessError):  # it ended with its namespace
            ip("link", "delete", self.links.pop(name))

    def processes(self):
        """The ids of processes in any namespace that was attached."""
        found = []
        for link in glob.glob("/proc/[0-9]*/ns/net"):
            with contextlib.suppress(OSError):
                if os.readlink(link) in self.spaces:
                    found.append(int(link.split("/")[2]))
        return found

    def publish(self, address, port, name, target):
        network = self

        class Forwarder(socketserver.BaseRequestHandler):
            def handle(self):
                with contextlib.suppress(OSError, KeyError), \
                        socket.create_connection((network.addresses[name], target), 5) as other:
                    other.settimeout(None)
                    back = threading.Thread(target=copy, args=(other, self.request), daemon=True)
                    back.start()
                    copy(self.request, other)
                    back.join()

        socketserver.ThreadingTCPServer.allow_reuse_address = True
        self.serve(socketserver.ThreadingTCPServer((address, port), Forwarder))


def copy(source, target):
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
