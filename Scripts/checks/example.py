"""The program of docs/app-developers.md: that each block of Swift in the page is part of it, and that it runs.

It is built as a package of its own, as an app is, and talks to a server that accepts this check's own signatures in
place of Apple's. Its sources are also compiled with the defaults of a new project of Xcode 26.

Usage: Scripts/check example
"""

import pathlib
import re
import secrets
import subprocess
import textwrap

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from apple import APP, Chain, identity_token, key_list, sign, transaction
from harness import ROOT, Receiver, Server, debug_binary, expect, main, toolchain

PAGE = ROOT / "docs/app-developers.md"
OUTPUT = ROOT / "Examples/output.txt"
BLOCK = re.compile(r"^```swift\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FEWEST_BLOCKS = 8
# What Xcode 26 sets for a new app: main actor by default, and "approachable concurrency".
NEW_PROJECT = ["-swift-version", "6", "-default-isolation", "MainActor",
               "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
               "-enable-upcoming-feature", "InferIsolatedConformances"]


def check_page():
    """Blocks may be indented less than in the program."""
    sources = [ROOT / "Examples/Package.swift", *sorted((ROOT / "Examples/Sources").rglob("*.swift"))]
    program = [line for path in sources for line in path.read_text(encoding="utf-8").splitlines()]
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    expect(len(blocks) >= FEWEST_BLOCKS, f"{PAGE.name} has {len(blocks)} blocks of Swift; they were not read")
    for block in blocks:
        lines = block.splitlines()
        starts = range(len(program) - len(lines) + 1)
        expect(any(textwrap.dedent("\n".join(program[at:at + len(lines)])) == "\n".join(lines) for at in starts),
               f"{PAGE.name} has a block that is not in Examples:\n{block}")
    return len(blocks)


def check_new_project(program):
    """Type-checks the sources against the modules beside the program."""
    maps = sorted((ROOT / "Sources/System").glob("*/module.modulemap"))
    done = subprocess.run(
        ["swiftc", "-typecheck", "-parse-as-library", *NEW_PROJECT, "-I", pathlib.Path(program).parent / "Modules",
         *(word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")),
         *sorted((ROOT / "Examples/Sources").rglob("*.swift"))], text=True, capture_output=True, check=False)
    expect(done.returncode == 0, f"does not compile with the defaults of a new project of Xcode 26:\n{done.stderr}")


def check(folder):
    blocks = check_page()
    program = toolchain("build_example")
    check_new_project(program)
    chain, apple, nonce = Chain(), rsa.generate_private_key(65537, 2048), secrets.token_hex()
    roots = folder / "root.pem"
    roots.write_bytes(chain.root.public_bytes(serialization.Encoding.PEM))
    keys = key_list([apple])
    receiver = Receiver(lambda *_: (200, keys, {}))
    settings = {
        "APPLE_CLIENT_IDS": APP, "APP_STORE_BUNDLE_ID": APP, "APP_STORE_ROOT_CERTIFICATES": roots,
        "APPLE_KEYS_URL": f"http://127.0.0.1:{receiver.port}/auth/keys"}
    device = folder / "device"
    device.mkdir()
    with Server(debug_binary("subguardd"), folder, settings) as server:
        done = subprocess.run(
            [program, device, server.url, identity_token(apple, "K1", nonce), nonce, sign(chain, transaction())],
            text=True, capture_output=True, check=False, timeout=60)
        expect(done.returncode == 0, f"status {done.returncode}: {done.stdout}{done.stderr}")
        expect(done.stdout == OUTPUT.read_text(encoding="utf-8"), f"the output is not {OUTPUT.name}:\n{done.stdout}")
    return f"{blocks} blocks of the page are in the program, and it ran"


if __name__ == "__main__":
    main("example", check)
