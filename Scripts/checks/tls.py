"""Examine the TLS of a server with a self-signed certificate by testssl.sh. Fails on findings about the server of
severity MEDIUM or higher, except those inherent in a self-signed certificate.

Usage: Scripts/check tls [-- --quick]
--quick skips the simulated clients and the checks for known vulnerabilities, which take minutes.
"""

import json
import subprocess
import sys

from harness import Server, debug_binary, expect, main, make_certificate, say

QUICK = ["--protocols", "--server-preference", "--server-defaults", "--headers"]
FULL = [*QUICK, "--std", "--fs", "--vulnerable", "--client-simulation"]
SECONDS = 1200

# The certificate is not signed by an authority, cannot be revoked, and has no CAA record in DNS.
OF_A_LOCAL_CERTIFICATE = {"cert_chain_of_trust", "cert_revocation", "DNS_CAArecord", "cert_trust"}
# testssl.sh closes its connection at once, sometimes before the TLS 1.3 ticket has arrived, and reports a connection
# problem. The Swift tests cover resumption.
OF_ITS_OWN_MAKING = {("sessionresumption_ticket", "WARN")}
SEVERE = {"MEDIUM", "HIGH", "CRITICAL", "WARN", "FATAL"}


def is_about_server(finding, address, port):
    """Whether a finding describes the server, which testssl.sh then names in it. Findings about this machine (its
    openssl, its bash) are written before a server is known, and name none."""
    return finding["ip"].rpartition("/")[2] == address and finding["port"] == str(port)


def is_bad(finding, address, port):
    return (is_about_server(finding, address, port)
            and finding["severity"] in SEVERE
            and finding["id"].split(" ")[0] not in OF_A_LOCAL_CERTIFICATE
            and (finding["id"], finding["severity"]) not in OF_ITS_OWN_MAKING)


def check_the_rule():
    """The rule can fail: the same finding counts if it names the server, and does not count otherwise."""
    weak = {"id": "SSLv3", "severity": "HIGH", "finding": "offered"}
    expect(is_bad({**weak, "ip": "localhost/127.0.0.1", "port": "1"}, "127.0.0.1", 1), "a weakness passes")
    expect(not is_bad({**weak, "ip": "/", "port": "443"}, "127.0.0.1", 1), "this machine's weakness counts")


def judge(findings, port):
    """The problems as sentences, and the number of findings about the server."""
    address = "127.0.0.1"
    bad = [f"{finding['severity']}: {finding['id']}: {finding['finding']}"
           for finding in findings if is_bad(finding, address, port)]
    for finding in findings:
        if finding["severity"] in SEVERE and not is_about_server(finding, address, port):
            say(f"note: about this machine, not the server: {finding['id']}: {finding['finding']}")
    # A run that did not reach a server has no findings about it either.
    seen = {finding["id"]: finding["finding"] for finding in findings if is_about_server(finding, address, port)}
    for name, word in (("TLS1_2", "offered"), ("TLS1_3", "offered"), ("TLS1_1", "not offered"), ("HSTS_time", "365")):
        if not seen.get(name, "nothing").startswith(word):
            bad.append(f"{name}: expected '{word}', found '{seen.get(name, 'nothing')}'")
    return bad, len(seen)


def check(folder):
    check_the_rule()
    # Long enough not to count as expiring soon, and within the limit of browsers.
    certificate, key = make_certificate(folder, days=200)
    report = folder / "findings.json"
    with Server(debug_binary("subguardd"), folder, {"TLS_CERTIFICATE": certificate, "TLS_KEY": key},
            catalogue=False) as server:
        done = subprocess.run(
            ["testssl", "--quiet", "--color", "0", "--warnings", "off", "--nodns", "none", "--connect-timeout", "10",
             "--openssl-timeout", "10", "--jsonfile", report, *(QUICK if "--quick" in sys.argv else FULL),
             f"{server.url}/"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            timeout=SECONDS, check=False)
        # The status is the number of findings; 200 and above are failures of testssl.sh itself.
        expect(done.returncode < 200, f"testssl.sh ended with status {done.returncode}:\n{done.stdout}")
    bad, count = judge(json.loads(report.read_text(encoding="utf-8")), server.port)
    expect(not bad, "\n".join(bad))
    return f"testssl.sh has {count} findings about the server, none of them bad"


main("tls", check)
