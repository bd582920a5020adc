# shellcheck shell=bash
# Sourced after toolchain.sh by the scripts that start the server: its address, how to wait for it, and the preparation
# of a database.

host=${SUBGUARD_HOST:-127.0.0.1}
port=${SUBGUARD_PORT:-8080}

# A server that listens on every address is reached through loopback.
case $host in
0.0.0.0 | "") reachable_host=127.0.0.1 ;;
:: | "[::]") reachable_host="[::1]" ;;
*:*) reachable_host="[${host//[\[\]]/}]" ;;
*) reachable_host=$host ;;
esac
base_url=${SUBGUARD_TLS_CERTIFICATE:+https}
base_url=${base_url:-http}://$reachable_host:$port

port_is_taken() { (exec 3<>"/dev/tcp/${reachable_host//[\[\]]/}/$port") 2>/dev/null; }

refuse_taken_port() {
    ! port_is_taken ||
        die "port $port on $host is already taken. Stop what listens there, or choose another port: \
SUBGUARD_PORT=8081 $1"
}

# The certificate is not verified, because the server is our own.
is_ready() { curl --silent --fail --insecure --max-time 2 --output /dev/null "$base_url/readyz"; }

# wait_until_ready PID: fails if the process ends first, or after 60 s.
wait_until_ready() {
    local deadline=$((SECONDS + 60))
    until is_ready; do
        kill -0 "$1" 2>/dev/null && [ "$SECONDS" -lt "$deadline" ] || return 1
        sleep 0.1
    done
}

# prepare_store BINARY: migrates the database; if there is no owner yet, imports the starter catalogue and sets
# first_start. The owner is created last by `make run`, so that an interrupted first start is repeated.
prepare_store() {
    local tokens
    "$1" migrate
    tokens=$("$1" token list)
    # shellcheck disable=SC2034  # for the script that sourced this one
    first_start=no
    # Tab-separated: id, role, name and more.
    if ! awk -F '\t' '$2 == "owner" { found = 1 } END { exit !found }' <<<"$tokens"; then
        # shellcheck disable=SC2034
        first_start=yes
        "$1" catalogue import Config/catalogue.csv
    fi
}

# One event of a new device that opens the app: the body of an analytics call, without single quotes.
sample_batch() {
    local id
    id=$(cat /proc/sys/kernel/random/uuid)
    printf '{"events":[{"id":"%s","name":"app_opened","user_id":"%s","timestamp":"%s"}]}' \
        "$id" "$(printf %s "$id" | sha256sum | cut -d ' ' -f 1)" "$(date --utc +%Y-%m-%dT%H:%M:%SZ)"
}

# An unused port and a separate database, so that checks do not interfere with each other.
use_scratch_server() {
    export SUBGUARD_HOST=127.0.0.1 SUBGUARD_PORT SUBGUARD_DATABASE_URL=sqlite:$1/subguard.sqlite
    SUBGUARD_PORT=$(python3 -c 'import socket
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])')
    host=$SUBGUARD_HOST port=$SUBGUARD_PORT reachable_host=$SUBGUARD_HOST
    base_url=http://$reachable_host:$port
}
