"""Names of functions in crashes, compared with those of llvm-symbolizer: a program of Swift and C++ is built with debug
information, crashes on purpose, and its report is sent in the form in which sentry-cocoa sends one. The symbols are
what GNU nm and llvm-nm print in each of their formats, and a Breakpad file that pyelftools makes of the debug
information. Then a list of 200 MB is added by the command and over HTTP, in bounded memory; of 20 MB with --brief.

Usage: Scripts/check symbols -- [--brief]
"""

import bisect
import gzip
import json
import pathlib
import random
import subprocess
import sys
import uuid

from elftools.elf.elffile import ELFFile

from harness import Server, debug_binary, expect, main, request, say

KEY = "k1"
FRAMES = 40  # of one report that are kept
ADDRESSES = 200
LARGE_BYTES = (20 if "--brief" in sys.argv else 200) << 20
LARGE_MB = 220  # of the command and of the server, a debug build
BASE = 0x104800000

SWIFT = """
struct Cart {
    var items: [Int]

    func weigh(_ item: Int) -> Int { item > 90 ? items[item] : item * 3 + items.count }
    @inline(never) func total(times: Int) -> Int {
        var sum = 0
        for item in 0..<times { sum += weigh(item) + shop_add(Int32(item), 2).hashValue }
        return sum
    }
    @inline(never) mutating func fill<Value: CustomStringConvertible>(with value: Value) -> String {
        items = items.map { $0 + value.description.count }
        return items.map { "\\($0)\\(value)" }.joined(separator: ",")
    }
}

extension Array where Element == Int {
    @inline(never) func largest(below bound: Int) -> Int? { filter { $0 < bound }.max() }
}

@inline(never) func pay(_ cart: Cart) -> Int { cart.total(times: 200) + 1 }

shop_watch()
var cart = Cart(items: [3, 1, 2])
print(cart.fill(with: 12.34), cart.items.largest(below: 9) ?? 0)
print(pay(cart))
"""

# The handler prints where the program stands, as a crash reporter does: base of the image, and the stack.
NATIVE = r"""
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <execinfo.h>
#include <ucontext.h>
#include <unistd.h>
#include "shop.h"

namespace shop {
template <typename T> struct Price {
    T amount;
    __attribute__((noinline)) T with(T tax) const { return amount * 100 + tax; }
};
__attribute__((noinline)) static int round(double value) { return static_cast<int>(Price<double>{value}.with(0.5)); }
}

static void report(int, siginfo_t *, void *context) {
    void *frames[64];
    Dl_info image;
    dladdr(reinterpret_cast<void *>(&shop_watch), &image);
    std::printf("base %p\n", image.dli_fbase);
    std::printf("frame %#llx\n",
        static_cast<unsigned long long>(static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]));
    int count = backtrace(frames, 64);
    // The first three are this handler, the trampoline of the signal, and the place above.
    for (int number = 3; number < count; number++) std::printf("frame %p\n", frames[number]);
    std::fflush(stdout);
    _exit(3);
}

extern "C" void shop_watch(void) {
    void *warm[1];
    backtrace(warm, 1);
    struct sigaction action {};
    action.sa_sigaction = report;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGILL, &action, nullptr);
    sigaction(SIGTRAP, &action, nullptr);
    sigaction(SIGSEGV, &action, nullptr);
}

extern "C" int shop_add(int first, int second) { return shop::round(first * 1.5) + second; }
"""
HEADER = """
#ifdef __cplusplus
extern "C" {
#endif
void shop_watch(void);
int shop_add(int first, int second);
#ifdef __cplusplus
}
#endif
"""


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True,
        **options).stdout


def build(folder):
    (folder / "shop.swift").write_text(SWIFT)
    (folder / "native.cpp").write_text(NATIVE)
    (folder / "shop.h").write_text(HEADER)
    run("clang", "-g", "-O1", "-fPIC", "-std=c++17", "-c", "native.cpp", "-o", "native.o", cwd=folder)
    run("swiftc", "-g", "-Onone", "-import-objc-header", "shop.h", "shop.swift", "native.o", "-lstdc++", "-o", "shop",
        cwd=folder)
    return folder / "shop"


def crash(program):
    """The offsets of the program's own frames, innermost first."""
    outcome = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    expect(outcome.returncode == 3, f"the program ended with {outcome.returncode}: {outcome.stdout[-300:]}")
    lines = [line.split() for line in outcome.stdout.splitlines()]
    base = next(int(words[1], 16) for words in lines if words[0] == "base")
    frames = [int(words[1], 16) - base for words in lines if words[0] == "frame"]
    size = program.stat().st_size
    return [offset for offset in frames if 0 <= offset < size]


class Reference:
    """What llvm-symbolizer says about addresses of the program."""

    def __init__(self, program):
        self.program = program
        self.demangled = {}

    def find(self, addresses):
        """(function, file, line) of each address, without inlined functions."""
        text = run("llvm-symbolizer", f"--obj={self.program}", "--no-inlines", "--functions=linkage", "--no-demangle",
                   "--output-style=JSON", *map(hex, addresses))
        found = []
        for answer in json.loads(text) if text.startswith("[") else map(json.loads, text.splitlines()):
            symbol = (answer.get("Symbol") or [{}])[0]
            found.append((symbol.get("FunctionName", ""), symbol.get("FileName", "").split("/")[-1],
                symbol.get("Line", 0)))
        names = self.demangle([name for name, _, _ in found])
        return [(names[name], file, line) for name, file, line in found]

    def demangle(self, names):
        swift = sorted({name for name in names if name.startswith("$s")})
        native = sorted({name for name in names if name.startswith("_Z")})
        readable = {name: name for name in names}
        if swift:
            readable |= dict(zip(swift, run("swift-demangle", "-compact", "-no-sugar", *swift).splitlines()))
        if native:
            readable |= dict(zip(native, run("c++filt", *native).splitlines()))
        return readable


def addresses_of(program, count):
    """Random addresses in functions of the program's own sources, none of which begins there: they are those to which
    calls return."""
    with program.open("rb") as file:
        symbols = [symbol for symbol in ELFFile(file).get_section_by_name(".symtab").iter_symbols()
                   if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_size"] > 1]
    own = [symbol for symbol in symbols if symbol.name.startswith("$s4shop") or "shop" in symbol.name
        or symbol.name == "main"]
    expect(len(own) > 20, f"only {len(own)} functions")
    chosen = random.Random(41)
    return [symbol["st_value"] + chosen.randrange(1, symbol["st_size"]) for symbol in chosen.choices(own, k=count)]


def breakpad(program, debug_id):
    """A Breakpad file of the program's functions and lines."""
    with program.open("rb") as file:
        elf = ELFFile(file)
        symbols = {symbol["st_value"]: symbol for symbol in elf.get_section_by_name(".symtab").iter_symbols()
                   if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_size"] > 0}
        files, rows = {}, []
        information = elf.get_dwarf_info()
        for unit in information.iter_CUs():
            program_of_lines = information.line_program_for_CU(unit)
            if program_of_lines is None:
                continue
            table, former = program_of_lines.header["file_entry"], None
            is_newest = program_of_lines.header["version"] >= 5
            for entry in program_of_lines.get_entries():
                if entry.state is None:
                    continue
                if former is not None and entry.state.address > former[0]:
                    rows.append((former[0], entry.state.address - former[0], former[1], former[2]))
                name = table[entry.state.file - (0 if is_newest else 1)].name.decode()
                number = files.setdefault(name, len(files))
                former = None if entry.state.end_sequence else (entry.state.address, entry.state.line, number)
    rows.sort()
    starts = [row[0] for row in rows]
    lines = [f"MODULE Linux x86_64 {debug_id.replace('-', '').upper()}0 shop"]
    lines += [f"FILE {number} {name}" for name, number in files.items()]
    for address in sorted(symbols):
        size = symbols[address]["st_size"]
        lines.append(f"FUNC {address:x} {size:x} 0 {symbols[address].name}")
        first = bisect.bisect_left(starts, address)
        for row in rows[first:]:
            if row[0] >= address + size:
                break
            lines.append(f"{row[0]:x} {row[1]:x} {row[2]} {row[3]}")
    return "\n".join(lines) + "\n"


def event(debug_id, offsets):
    """A report in the form of sentry-cocoa on iOS. Offsets are innermost first."""
    frames = [{"function": "<redacted>", "package": "/private/var/containers/Bundle/Application/X/shop.app/shop",
               "image_addr": hex(BASE), "instruction_addr": hex(BASE + offset), "in_app": True}
               for offset in reversed(offsets)]
    image = {"type": "macho", "debug_id": debug_id.upper(), "image_addr": hex(BASE), "image_size": 1 << 30,
             "code_file": "/private/var/containers/Bundle/Application/X/shop.app/shop", "arch": "x86_64"}
    return {
        "event_id": uuid.uuid4().hex, "platform": "cocoa", "level": "fatal", "release": "shop@1.0",
        "sdk": {"name": "sentry.cocoa", "version": "8.57.0"},
        "exception": {"values": [{"type": "EXC_BREAKPOINT", "value": "Exception 6, Code 1, Subcode 4",
                                  "stacktrace": {"frames": frames}}]},
        "debug_meta": {"images": [image]}}


class Admin:
    def __init__(self, server):
        self.server, self.token = server, server.token("owner")

    def call(self, method, path, body=None, fields=None, wanted=(200,)):
        status, answer, _ = request(self.server.port, method, path, body, fields, self.token, timeout=300)
        expect(status in wanted, f"{method} {path}: {status} {answer[:400]}")
        return json.loads(answer) if answer else None

    def send(self, report):
        status, answer, _ = request(self.server.port, "POST", "/ingest/api/1/store/", report,
                                    {"X-Sentry-Auth": f"Sentry sentry_key={KEY}"})
        expect(status == 200, f"report: {status} {answer[:400]}")

    def frames(self):
        """The frames of the only group's newest report, innermost first."""
        groups = self.call("GET", "/api/v1/admin/crashes?status=all")["items"]
        details = self.call("GET", f"/api/v1/admin/crashes/{groups[0]['id']}")
        report = details["samples"][0]["report"]
        return groups, report["exception"]["values"][-1]["stacktrace"]["frames"][::-1]

    def forget(self):
        for group in self.call("GET", "/api/v1/admin/crashes?status=all")["items"]:
            self.call("DELETE", f"/api/v1/admin/crashes/{group['id']}", wanted=(204,))


def compare(admin, reference, debug_id, offsets, form, has_lines):
    """Sends the offsets as one stack and compares each frame with the reference. Returns how many have a name."""
    admin.send(event(debug_id, offsets))
    _, frames = admin.frames()
    expect(len(frames) == len(offsets), f"{form}: {len(frames)} of {len(offsets)} frames")
    wanted = reference.find([offset if number == 0 else offset - 1 for number, offset in enumerate(offsets)])
    for offset, frame, (name, file, line) in zip(offsets, frames, wanted):
        found = frame.get("function", "")
        expect(found == name[:1000], f"{form}: {offset:#x} is {found!r}, not {name!r}")
        expect(frame["image_offset"] == offset, f"{form}: {offset:#x} lost its offset")
        # llvm-symbolizer has line 0 for code of the compiler's own.
        if has_lines and line:
            place = (frame.get("filename"), frame.get("lineno"))
            expect(place == (file, line), f"{form}: {offset:#x} is at {place}, not {(file, line)}")
    admin.forget()
    return len(offsets)


def peak_mb(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) // 1024


def large_list(path):
    """Writes a long list in no order; returns the name of one function and its offset."""
    count = LARGE_BYTES // 100
    with path.open("w") as file:
        for number in range(count):
            place = number * 1_000_003 % count
            file.write(f"{0x100004000 + place * 32:016x} t _{'a_name_of_some_length_as_they_are_' * 2}{place:012d}\n")
    expect(path.stat().st_size >= LARGE_BYTES * 0.98, f"only {path.stat().st_size} bytes")
    place = count * 2 // 3
    return f"{'a_name_of_some_length_as_they_are_' * 2}{place:012d}", 0x4000 + place * 32 + 5


def check_large(admin, binary, server, folder):
    path = folder / "large.txt"
    name, offset = large_list(path)
    first, second = str(uuid.uuid4()), str(uuid.uuid4())
    with subprocess.Popen([binary, "crashes", "symbols", "add", "--debug-id", first, "--name", "shop", path],
                          env=server.environment, stdout=subprocess.PIPE, text=True) as command:
        peak = 0
        while command.poll() is None:
            try:
                peak = max(peak, peak_mb(command.pid))
                command.wait(0.2)
            except (subprocess.TimeoutExpired, StopIteration, OSError):
                continue
        expect(command.returncode == 0, f"the command ended with {command.returncode}")
    expect(peak < LARGE_MB, f"the command took {peak} MB for a list of {LARGE_BYTES >> 20} MB")
    packed = gzip.compress(path.read_bytes(), 1)
    path.unlink()
    admin.call("PUT", f"/api/v1/admin/crashes/symbols/{second}?name=shop", packed,
               {"Content-Encoding": "gzip", "Content-Type": "text/plain"})
    of_server = peak_mb(server.process.pid)
    expect(of_server < LARGE_MB, f"the server took {of_server} MB for a list of {LARGE_BYTES >> 20} MB")
    for debug_id in (first, second):
        admin.send(event(debug_id, [offset]))
    groups, frames = admin.frames()
    expect(frames[0].get("function") == name, f"{frames[0]} is not {name}")
    expect([group["count"] for group in groups] == [2], f"the same function of two builds is {len(groups)} groups")
    say(f"  a list of {LARGE_BYTES >> 20} MB: {peak} MB of memory by the command, {of_server} MB in the server")


def check(folder):
    program = build(folder)
    reference = Reference(program)
    binary = debug_binary("subguardd")
    debug_id = str(uuid.uuid4())
    stack = crash(program)
    expect(len(stack) >= 4, f"a stack of {len(stack)} frames")
    frames = reference.find([stack[0]] + [offset - 1 for offset in stack[1:]])
    say("  the crash: " + ", ".join(name for name, _, _ in frames))
    addresses = addresses_of(program, ADDRESSES)
    forms = {
        "nm": run("nm", program), "nm -S": run("nm", "-S", program), "nm -n": run("nm", "-n", program),
        "nm -P": run("nm", "-P", program), "llvm-nm": run("llvm-nm", program),
        "llvm-nm -P": run("llvm-nm", "--format=posix", program),
        "llvm-nm -S": run("llvm-nm", "--print-size", program), "breakpad": breakpad(program, debug_id)}
    settings = {"INGEST_SENTRY_KEY": KEY, "INGEST_PROJECT_ID": "1", "RATE_LIMIT_ENABLED": "false"}
    compared = 0
    with Server(binary, folder / "server", settings, catalogue=False) as server:
        admin = Admin(server)
        for form, text in forms.items():
            admin.call("PUT", f"/api/v1/admin/crashes/symbols/{debug_id}?name=shop", text.encode(),
                {"Content-Type": "text/plain"})
            for offsets in [stack] + [addresses[start:start + FRAMES] for start in range(0, len(addresses), FRAMES)]:
                compared += compare(admin, reference, debug_id, offsets, form, has_lines=form == "breakpad")
        admin.call("DELETE", f"/api/v1/admin/crashes/symbols/{debug_id}", wanted=(204,))
        check_large(admin, binary, server, folder)
    return f"{compared} frames in {len(forms)} forms have the names of llvm-symbolizer"


if __name__ == "__main__":
    main("symbols", check)
