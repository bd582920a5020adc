#!/usr/bin/env bash
# Starts the debug binary on a scratch store and holds every call against docs/openapi.json with schemathesis: made-up
# requests that the document allows and such that it forbids, with a token of each role and with none.
#
# Scripts/contract-test [SECONDS] [--quick]    how long in all, 240 unless told; half of it with the owner's token
#
# --quick is for CI: the same data each time and no chains of requests, so that a change is not held up by what it did not
# cause. Without it every run looks for something new.
#
# Needs what Scripts/test builds. What is passed over, and why, stands in Scripts/schemathesis.toml.
source "$(dirname "${BASH_SOURCE[0]}")/toolchain.sh"
source Scripts/serving.sh

seconds=${1:-240}
kind=(--phases "examples,coverage,fuzzing,stateful")
[ "${2:-}" != --quick ] || kind=(--phases "examples,coverage,fuzzing" --seed 29 --generation-deterministic)
if ! [[ $seconds =~ ^[0-9]+$ ]] || [ "$seconds" -lt 30 ]; then die "usage: Scripts/contract-test [SECONDS] [--quick], 30 or more"; fi
prepare_venv

scratch=$(mktemp --directory)
server=
finish() {
    [ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

fail() {
    say "-- the end of the server's output:"
    tail -n 20 "$scratch/server.log" >&2
    die "$*"
}

use_scratch_server "$scratch"
# Thousands of requests of one client; the keys so that SDK calls are let in.
export SUBGUARD_RATE_LIMIT_ENABLED=false SUBGUARD_LOG_LEVEL=warning
export SUBGUARD_INGEST_SENTRY_KEY=0f1e2d3c4b5a69788796a5b4c3d2e1f0 SUBGUARD_INGEST_POSTHOG_KEY=phc_contract
# So that these calls look at what they are sent. Apple is never asked: nothing that is made up gets so far.
export SUBGUARD_APPLE_CLIENT_IDS=app.example SUBGUARD_APPLE_KEYS_URL=http://127.0.0.1:9/keys
export SUBGUARD_APP_STORE_BUNDLE_ID=app.example
subguardd=$(debug_binary subguardd)
prepare_store "$subguardd"
for role in owner editor moderator analyst; do
    "$subguardd" token create --role "$role" --name "$role" >"$scratch/$role"
done
"$subguardd" serve >>"$scratch/server.log" 2>&1 &
server=$!
wait_until_ready "$server" || fail "the server did not become ready."

# run WHO SECONDS: one pass. The token comes from a file, so that it is in no process list.
run() {
    say "-- as $1, $2 s"
    SUBGUARD_CONTRACT_TOKEN_FILE=$scratch/$1 SCHEMATHESIS_HOOKS=Scripts/contract_hooks.py \
        "$venv/bin/schemathesis" --config-file Scripts/schemathesis.toml run docs/openapi.json --url "$base_url" \
        "${kind[@]}" --max-time "$2" --no-color >"$scratch/$1.report" 2>&1 && return
    cat "$scratch/$1.report" >&2
    return 1
}

failed=()
run owner "$((seconds / 2))" || failed+=(owner)
for role in editor moderator analyst nobody; do
    run "$role" "$((seconds / 8))" || failed+=("$role")
done
kill -0 "$server" 2>/dev/null || fail "the server has ended."
# What schemathesis does not see: an answer that was right and a log that tells of a failure.
! grep --quiet ' \(error\|critical\) ' "$scratch/server.log" || fail "the server logged a failure."
[ "${#failed[@]}" = 0 ] || fail "the calls differ from the document, as ${failed[*]}."
kill -TERM "$server"
wait "$server" || fail "the server did not end well."
server=
say "Every call is what the document says."
