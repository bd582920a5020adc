#!/usr/bin/env bash
# Start the debug binary with a self-signed certificate and examine its TLS with testssl.sh. Fails on findings about the
# server of severity MEDIUM and above, except those that every self-signed certificate causes. Needs what Scripts/test
# builds.
# Usage: Scripts/check-tls [--quick] [BINARY]
# --quick leaves out the simulated clients and the searches for known weaknesses, which take minutes.
source "$(dirname "${BASH_SOURCE[0]}")/toolchain.sh"
source Scripts/serving.sh

case ${1:-} in
-h | --help)
    sed -n '2,/^source/{/^source/d;s/^# \{0,1\}//;p}' "$0"
    exit
    ;;
esac
tests=(--protocols --std --server-preference --server-defaults --headers --fs --vulnerable --client-simulation)
if [ "${1:-}" = --quick ]; then
    tests=(--protocols --server-preference --server-defaults --headers)
    shift
fi
Scripts/setup check

scratch=$(mktemp --directory)
server=
finish() {
    [ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

use_scratch_server "$scratch"
# Neither so short that it counts as nearly over, nor longer than browsers take.
openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=localhost -days 200 \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout "$scratch/key.pem" -out "$scratch/certificate.pem" \
    2>/dev/null
use_tls "$scratch/certificate.pem" "$scratch/key.pem"
subguardd=${1:-$(debug_binary subguardd)}
"$subguardd" serve >"$scratch/server.log" 2>&1 &
server=$!
wait_until_ready "$server" || {
    cat "$scratch/server.log" >&2
    die "the server did not become ready."
}

status=0
testssl --quiet --color 0 --warnings off --nodns none --connect-timeout 10 --openssl-timeout 10 \
    --jsonfile "$scratch/findings.json" "${tests[@]}" "$base_url/" >"$scratch/testssl.log" 2>&1 </dev/null || status=$?
# Its status counts findings; from 200 on it tells of a failure of its own.
if [ "$status" -ge 200 ]; then
    cat "$scratch/testssl.log" >&2
    die "testssl.sh ended with status $status."
fi
kill -TERM "$server"
ending=0
wait "$server" || ending=$?
server=
[ "$ending" = 0 ] || die "after testssl.sh and SIGTERM the server ended with status $ending, not 0."

python3 - "$scratch/findings.json" "$reachable_host" "$port" <<'END' || die "TLS is weaker than it should be."
import json
import sys

# No authority has signed this certificate, nobody can revoke it, and no DNS zone says who may issue it.
OF_A_LOCAL_CERTIFICATE = {"cert_chain_of_trust", "cert_revocation", "DNS_CAArecord", "cert_trust"}
# testssl.sh closes its connection at once, sometimes before the TLS 1.3 ticket has arrived, and reports a connection
# problem. The Swift tests cover resumption.
OF_ITS_OWN_MAKING = {("sessionresumption_ticket", "WARN")}
SEVERE = {"MEDIUM", "HIGH", "CRITICAL", "WARN", "FATAL"}


def is_about_server(finding, address, port):
    """Whether a finding describes the server: testssl.sh names the server in it. What it reports about this machine
    (its openssl, its bash) is written before a server is known, and names none."""
    return finding["ip"].rpartition("/")[2] == address and finding["port"] == port


def is_bad(finding, address, port):
    return (is_about_server(finding, address, port)
            and finding["severity"] in SEVERE
            and finding["id"].split(" ")[0] not in OF_A_LOCAL_CERTIFICATE
            and (finding["id"], finding["severity"]) not in OF_ITS_OWN_MAKING)


# The rule can fail: the same finding counts when it names the server, and does not when it names none.
weak = {"id": "SSLv3", "severity": "HIGH", "finding": "offered"}
assert is_bad({**weak, "ip": "localhost/127.0.0.1", "port": "1"}, "127.0.0.1", "1")
assert not is_bad({**weak, "ip": "/", "port": "443"}, "127.0.0.1", "1")

path, address, port = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    findings = json.load(file)
bad = [finding for finding in findings if is_bad(finding, address, port)]
for finding in bad:
    print(f"{finding['severity']}: {finding['id']}: {finding['finding']}")
for finding in findings:
    if finding["severity"] in SEVERE and not is_about_server(finding, address, port):
        print(f"note: about this machine, not the server: {finding['id']}: {finding['finding']}", file=sys.stderr)
# A run that reached no server has no findings about it either.
seen = {finding["id"]: finding["finding"] for finding in findings if is_about_server(finding, address, port)}
for name, word in (("TLS1_2", "offered"), ("TLS1_3", "offered"), ("TLS1_1", "not offered"), ("HSTS_time", "365")):
    found = seen.get(name, "nothing")
    if not found.startswith(word):
        bad.append(name)
        print(f"{name}: expected '{word}', found '{found}'")
print(f"testssl.sh: {len(seen)} findings about the server, {len(bad)} of them bad", file=sys.stderr)
sys.exit(1 if bad else 0)
END
