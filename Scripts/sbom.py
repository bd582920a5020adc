"""Print the bill of materials of the programs as SPDX 2.3 JSON: what is linked into them, what they load, and the
licences. A library without an entry below is an error, so that none is forgotten.

Usage: Scripts/sbom.py VERSION SOURCE_DATE_EPOCH SWIFT_VERSION PROGRAM...
"""

import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SWIFT = "Apache-2.0 WITH Swift-exception"
GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"

# Linked statically, by the identity in Package.resolved. Yams contains LibYAML, also MIT.
PACKAGES = {
    "hdrhistogram-swift": "Apache-2.0", "swift-argument-parser": SWIFT, "swift-http-types": "Apache-2.0",
    "swift-log": "Apache-2.0", "swift-numerics": SWIFT, "yams": "MIT",
}
# Linked statically, of the toolchain; ICU is part of Foundation.
TOOLCHAIN = {
    "swift-standard-library": SWIFT, "swift-foundation": SWIFT, "swift-corelibs-foundation": SWIFT,
    "swift-corelibs-libdispatch": SWIFT, "swift-foundation-icu": f"({SWIFT}) AND Unicode-3.0",
}
# Loaded at run time, by Debian package.
LIBRARIES = {
    "libbrotli1": "MIT", "libc6": "LGPL-2.1-or-later", "libcurl4": "curl", "libgcc-s1": GCC, "libpq5": "PostgreSQL",
    "libsqlite3-0": "blessing", "libssl3": "Apache-2.0", "libstdc++6": GCC, "zlib1g": "Zlib",
}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def loaded(program):
    """The Debian packages of the libraries that the program names, with their versions."""
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "--dynamic", "--wide", program))
    paths = dict(re.findall(r"^\s*(\S+) => (\S+)", output("ldd", program), re.MULTILINE))
    for name in needed:
        if name.startswith("ld-linux"):
            continue
        real = pathlib.Path(paths[name]).resolve()
        # dpkg lists a library of /lib with or without /usr, as its package has it.
        package = output("dpkg-query", "--search", f"*/{real.name}").split(":", 1)[0]
        yield package, output("dpkg-query", "--show", "--showformat", "${Version}", package)


def entry(name, version, licence, place, reference):
    found = {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version,
        "downloadLocation": place, "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }
    if reference:
        found["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": reference}]
    return found


def licence_of(table, name):
    if name not in table:
        sys.exit(f"error: Scripts/sbom.py: {name} is linked, but its licence is not listed.")
    return table[name]


def linked(swift_version):
    """Pairs of an entry and its relationship to the programs."""
    pins = json.loads((ROOT / "Package.resolved").read_text(encoding="utf-8"))["pins"]
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        version, place = pin["state"]["version"], pin["location"].removesuffix(".git")
        reference = f"pkg:swift/{place.removeprefix('https://')}@{version}"
        source = f"git+{place}@{pin['state']['revision']}"
        yield entry(pin["identity"], version, licence_of(PACKAGES, pin["identity"]), source, reference), "STATIC_LINK"
    for name, licence in TOOLCHAIN.items():
        yield entry(name, swift_version, licence, "https://www.swift.org/install/", None), "STATIC_LINK"


def document(version, epoch, swift_version, programs):
    libraries = sorted({library for program in programs for library in loaded(program)})
    parts = list(linked(swift_version))
    for name, found in libraries:
        reference = f"pkg:deb/debian/{name.replace('+', '%2B')}@{found.replace('+', '%2B').replace(':', '%3A')}"
        parts.append((entry(name, found, licence_of(LIBRARIES, name), "NOASSERTION", reference), "DYNAMIC_LINK"))
    own = entry("subguard", version, "MIT", "NOASSERTION", None)
    files, relationships = [], [{
        "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]}]
    for program in programs:
        content = pathlib.Path(program).read_bytes()
        name = pathlib.Path(program).name
        files.append({
            "SPDXID": f"SPDXRef-File-{name}", "fileName": f"./usr/bin/{name}", "licenseConcluded": "MIT",
            "copyrightText": "NOASSERTION", "licenseInfoInFiles": ["MIT"],
            "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
                          {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()}]})
        relationships.append({"spdxElementId": own["SPDXID"], "relationshipType": "CONTAINS",
                              "relatedSpdxElement": f"SPDXRef-File-{name}"})
    for part, kind in parts:
        relationships.append(
            {"spdxElementId": own["SPDXID"], "relationshipType": kind, "relatedSpdxElement": part["SPDXID"]})
    digest = hashlib.sha256("".join(file["checksums"][1]["checksumValue"] for file in files).encode()).hexdigest()
    created = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"subguard-{version}",
        "documentNamespace": f"https://subguard.example/spdx/subguard-{version}-{digest}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: subguard-sbom"]},
        "packages": [own, *(part for part, _ in parts)], "files": files, "relationships": relationships,
    }


print(json.dumps(document(*sys.argv[1:4], sys.argv[4:]), indent=1))
