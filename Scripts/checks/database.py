"""A private PostgreSQL for a check."""

import glob
import os
import pathlib
import shutil
import signal
import subprocess

from harness import eventually


class Database:
    """A PostgreSQL with durable writes, reached through a socket in its own folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder, "postgres")
        self.folder.mkdir(mode=0o755)
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        self.programs = programs[-1] if programs else os.path.dirname(shutil.which("initdb"))
        self.owner = []
        if os.getuid() == 0:
            self.owner = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
            shutil.chown(self.folder, "postgres", "postgres")
        self.url = "postgres://subguard@" + str(self.folder).replace("/", "%2F") + "/postgres"
        subprocess.run(
            [*self.owner, f"{self.programs}/initdb", f"--pgdata={self.folder}/data", "--username=subguard",
             "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder)
        self.process = None
        self.start()

    def start(self):
        log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [*self.owner, f"{self.programs}/postgres", "-D", f"{self.folder}/data", "-k", str(self.folder),
             "-c", "listen_addresses=", "-c", "synchronous_commit=on", "-c", "max_connections=40"],
            stdout=log, stderr=log, cwd=self.folder)
        eventually(self.answers, "the database starts")

    def answers(self):
        return subprocess.run(
            [f"{self.programs}/pg_isready", "-q", "-h", str(self.folder)], check=False).returncode == 0

    def stop(self, how=signal.SIGINT):
        """SIGINT restarts regularly; SIGQUIT requires recovery."""
        self.process.send_signal(how)
        self.process.wait()

    def ask(self, sql):
        answer = subprocess.run(
            [f"{self.programs}/psql", "-h", str(self.folder), "-U", "subguard", "-At", "-c", sql, "postgres"],
            check=True, capture_output=True, text=True)
        return answer.stdout.strip()

    def fill(self, seconds):
        """Occupies all remaining connections for a while."""
        return [
            subprocess.Popen(
                [f"{self.programs}/psql", "-h", str(self.folder), "-U", "subguard", "-c", f"SELECT pg_sleep({seconds})",
                 "postgres"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(60)
        ]
