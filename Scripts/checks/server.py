#!/usr/bin/env bash
# Starts the debug binary on a scratch store and holds it against foreign tools: its OpenAPI document against
# openapi-spec-validator, its metrics against promtool, its end against SIGTERM. Needs what Scripts/test builds.
source "$(dirname "${BASH_SOURCE[0]}")/toolchain.sh"
source Scripts/serving.sh

prepare_venv
PATH=$PATH:$PWD/.build/tools

scratch=$(mktemp --directory)
server=
finish() {
    [ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

fail() {
    say "-- the server's output:"
    cat "$scratch/server.log" >&2
    die "$*"
}

use_scratch_server "$scratch"
subguardd=$(debug_binary subguardd)
prepare_store "$subguardd"
token=$("$subguardd" token create --role owner --name check)
"$subguardd" serve >>"$scratch/server.log" 2>&1 &
server=$!
wait_until_ready "$server" || fail "the server did not become ready."

# Some traffic first, so that every kind of series has a value: success, client error, ingest, admin.
get() { curl --silent --show-error --max-time 10 "$@"; }
get --fail --output /dev/null "$base_url/api/v1/catalogue?limit=5"
get --output /dev/null "$base_url/no-such-page"
get --fail --output /dev/null "$base_url/api/v1/analytics" --header 'Content-Type: application/json' --data "$(sample_batch)"
get --fail --output /dev/null "$base_url/api/v1/admin/dashboard" --header "Authorization: Bearer $token"

get --fail --output "$scratch/openapi.json" "$base_url/api/v1/openapi.json"
"$venv/bin/openapi-spec-validator" docs/openapi.json "$scratch/openapi.json" || fail "the OpenAPI document is not valid."

get --fail --output "$scratch/metrics.txt" "$base_url/metrics"
# promtool is content with an empty page.
grep -q '^# TYPE .* histogram$' "$scratch/metrics.txt" || fail "/metrics holds no histogram."
promtool check metrics <"$scratch/metrics.txt" || fail "promtool refuses /metrics."

kill -TERM "$server"
status=0
wait "$server" || status=$?
server=
[ "$status" = 0 ] || fail "after SIGTERM the server ended with status $status, not 0."
