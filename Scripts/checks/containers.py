"""The services of a compose file without Docker, for a check. Each runs as process 1 in namespaces of its own (network,
host name, mounts, processes, IPC), with an address that is new at each start, as it may be under Docker. The root file
system is this machine's; the image's program, configurations and volumes are mounted into it.
"""

import contextlib
import json
import os
import pathlib
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
import uuid

from harness import Refusal, Server

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"  # as Docker sets it
GRACE_SECONDS = 10  # between the stop signal and SIGKILL, unless the file says otherwise
FIRST_PAUSE, LONGEST_PAUSE, STEADY_SECONDS = 0.1, 60, 10  # of Docker's restart policies

# Runs as root in the new namespaces. Folders that this machine does not have are made on a tmpfs, which hides the
# nearest folder that exists; nothing is written to this machine's own file system.
PREPARATION = f"""set -eu
read -r address
echo "$address $HOSTNAME" | cat - "$folder/hosts" >"$folder/hosts.$HOSTNAME"
ip link set lo up
ip address add "$address/16" dev eth0
ip link set eth0 up
echo "$HOSTNAME" >/proc/sys/kernel/hostname
make_folder() {{
    near=$1
    while [ ! -d "$near" ]; do near=$(dirname "$near"); done
    [ "$near" != / ]
    [ "$near" = "$1" ] || mount -t tmpfs -o mode=755 none "$near"
    mkdir -p "$1"
}}
mount_folder() {{ make_folder "$2"; mount --bind "$1" "$2"; }}
mount_file() {{
    make_folder "$(dirname "$2")"
    [ -e "$2" ] || {{ mount -t tmpfs -o mode=755 none "$(dirname "$2")"; touch "$2"; }}
    mount --bind "$1" "$2"
}}
mount_file "$folder/hosts.$HOSTNAME" /etc/hosts
mount_file "$folder/resolv.conf" /etc/resolv.conf
"""


class Image:
    """What the last stage of a Dockerfile says about containers."""

    def __init__(self, dockerfile):
        joined = re.sub(r"\\\n(\s*#.*\n)*", " ", re.sub(r"^\s*#.*\n", "", dockerfile, flags=re.MULTILINE))
        last = re.split(r"^FROM .*\n", joined, flags=re.MULTILINE)[-1]
        self.lines = [tuple(line.strip().split(None, 1)) for line in last.splitlines() if line.strip()]
        self.environment = dict(pair.split("=", 1) for text in self.all("ENV") for pair in shlex.split(text))
        self.user, _, self.group = self.one("USER", "root").partition(":")
        self.folder = self.one("WORKDIR", "/")
        self.volumes = self.all("VOLUME")
        self.stop_signal = signal.Signals[self.one("STOPSIGNAL", "SIGTERM")]
        self.entrypoint, self.command = (json.loads(self.one(name, "[]")) for name in ("ENTRYPOINT", "CMD"))
        self.home = "/"
        if not self.user.isdigit():
            account = pwd.getpwnam(self.user)
            self.user, self.group, self.home = account.pw_uid, self.group or account.pw_gid, account.pw_dir

    def all(self, name):
        return [line[1].strip() for line in self.lines if line[0] == name]

    def one(self, name, default):
        return (self.all(name) or [default])[-1]


class Service:
    """A service of the file with its restart policy: `start`, `kill` and `stop` are those of Docker."""

    def __init__(self, network, name, options, image, files):
        """`files` are what is mounted, by the path in the container: programs, configurations and volumes."""
        self.network, self.name, self.options, self.image = network, name, options, image
        self.hostname = options.get("hostname") or uuid.uuid4().hex[:12]
        self.folder = network.folder / name
        self.folder.mkdir()
        self.log_path = self.folder / "log"
        self.files = dict(files)
        for path in image.volumes:
            self.files[path] = self.files.get(path) or self.folder / "volume"
            self.files[path].mkdir(exist_ok=True)
            shutil.chown(self.files[path], int(image.user), int(image.group))
        self.environment = {
            "PATH": PATH, "HOSTNAME": self.hostname, "HOME": image.home, **image.environment,
            **options.get("environment", {})}
        if "LD_LIBRARY_PATH" in os.environ:  # a debug build is linked with the toolchain's libraries
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        self.is_wanted = False
        self.process = self.thread = None
        self.starts = 0
        self.change = threading.Condition()
        Server.running.append(self)

    def as_user(self, *command):
        limits = []
        if "ALL" in self.options.get("cap_drop", []):
            limits += ["--inh-caps=-all", "--bounding-set=-all"]
        if "no-new-privileges:true" in self.options.get("security_opt", []):
            limits.append("--no-new-privs")
        pairs = [f"{name}={value}" for name, value in self.environment.items()]
        return ["setpriv", f"--reuid={self.image.user}", f"--regid={self.image.group}", "--clear-groups", *limits,
                "env", "--ignore-environment", f"--chdir={self.image.folder}", *pairs, *command]

    def launch(self):
        steps = [PREPARATION]
        for path, source in self.files.items():
            steps.append(shlex.join(["mount_folder" if source.is_dir() else "mount_file", str(source), path]))
        steps.append("mount -t tmpfs none /tmp")
        if self.options.get("read_only"):
            steps.append("mount -o remount,bind,ro /")
        program = self.options.get("entrypoint") or self.image.entrypoint
        command = self.options.get("command") or self.image.command
        steps.append(f"exec {shlex.join(self.as_user(*program, *command))} </dev/null")
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                ["unshare", "--net", "--uts", "--ipc", "--mount", "--propagation=private", "--pid", "--fork",
                 "--kill-child", "--mount-proc", "sh", "-c", "\n".join(steps)],
                env={"PATH": PATH, "HOSTNAME": self.hostname, "folder": str(self.network.folder)},
                stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        self.starts += 1
        address = self.network.attach(self.process, self.name)
        self.process.stdin.write(f"{address}\n".encode())
        self.process.stdin.close()

    def start(self):
        self.is_wanted = True
        self.thread = threading.Thread(target=self.keep_running, daemon=True)
        self.thread.start()

    def keep_running(self):
        pause = FIRST_PAUSE
        while True:
            with self.change:
                if not self.is_wanted:
                    return
                began = time.monotonic()
                self.launch()
            self.process.wait()
            self.network.detach(self.name)
            with self.change:
                if time.monotonic() - began >= STEADY_SECONDS:
                    pause = FIRST_PAUSE
                self.change.wait_for(lambda: not self.is_wanted, pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def first_process(self):
        """The id, here, of process 1 there; None if the service does not run."""
        with contextlib.suppress(OSError, IndexError):
            path = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
            return int(path.read_text().split()[0])
        return None

    def process_named(self, name):
        """The id, here, of a process of the service."""
        own = os.readlink(f"/proc/{self.first_process()}/ns/pid")
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.readlink(path / "ns/pid") == own and (path / "comm").read_text().strip() == name:
                    return int(path.name)
        raise Refusal(f"{self.name} has no process {name}")

    def end(self, number, seconds):
        """Sends a signal to process 1 and waits. Returns the status, or None if it was ended by SIGKILL."""
        with self.change:
            self.is_wanted = False
            self.change.notify()
        if not self.thread:
            return None
        with contextlib.suppress(TypeError, ProcessLookupError):
            os.kill(self.first_process(), number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
            self.thread.join()
            return self.process.returncode
        self.kill()
        return None

    def kill(self):
        if self.thread and self.thread.is_alive():
            self.end(signal.SIGKILL, None)

    def stop(self):
        grace = str(self.options.get("stop_grace_period", GRACE_SECONDS))
        return self.end(self.image.stop_signal, int(grace.rstrip("s")))

    def attempt(self, *arguments, command=None):
        """Runs a command in the service, by default its program, as `docker exec` does."""
        spaces = ["--mount", "--uts", "--ipc", "--net", "--pid"]
        words = self.as_user(*(command or self.image.entrypoint), *arguments)
        return subprocess.run(
            ["nsenter", f"--target={self.first_process()}", *spaces, *words],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)

    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace") if self.log_path.exists() else ""
