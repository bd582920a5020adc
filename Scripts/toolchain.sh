# shellcheck shell=bash
# Sourced by the other scripts: strict mode, the repository's root as working directory, and the only place that calls
# `swift build` outside the Dockerfile. SwiftPM rebuilds everything when a flag changes, so the flags are defined only
# here; the release flags are the same as in the Dockerfile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The configuration of an installed package is not that of this checkout.
export SUBGUARD_CONFIG=${SUBGUARD_CONFIG-}

swift_flags=(--explicit-target-dependency-import-check error)
# Without dynamic exclusivity checks, which take a quarter of a request's instructions (docs/performance.md); the tests
# run with them. Without debug information the build takes a quarter less CPU time and the program is a third smaller;
# backtraces still name functions. Assertions in C name their files without the folder of this checkout, so that every
# folder gives the same program.
release_flags=(-c release --static-swift-stdlib -debug-info-format none -Xswiftc -enforce-exclusivity=unchecked
    -Xcc "-ffile-prefix-map=$PWD=." "${swift_flags[@]}")

# The build of the tests, without optimisation. It has no index, which only XCTest's discovery of tests reads
# (Tests/XCTMain.swift), and no debug information: each takes a seventh of the CPU time. Failed expectations name their
# lines all the same. Each module is compiled as a whole, which saves more than a quarter of the CPU time of a first
# build, and by one job: the driver would add a second one that reads all sources again for the interface, which nothing
# waits for. It is SwiftPM's release configuration, in its own folder, only because the debug configuration defines
# DEBUG: swift-argument-parser then checks the declarations of a command at each parse, an eighth of the tests'
# CPU time. lld links in half the time.
# SUBGUARD_DEBUGGER=1 builds the debug configuration for a debugger, SUBGUARD_INCREMENTAL=1 file by file.
debug_flags=("${swift_flags[@]}" --disable-index-store)
if [ -n "${SUBGUARD_DEBUGGER:-}" ]; then
    tests_folder=.build/debug
    test_flags=("${debug_flags[@]}")
elif [ -n "${SUBGUARD_INCREMENTAL:-}" ]; then
    tests_folder=.build/debug
    test_flags=("${debug_flags[@]}" -debug-info-format none)
else
    tests_folder=.build/tests/release
    test_flags=("${debug_flags[@]}" -debug-info-format none -c release --scratch-path .build/tests
        -Xswiftc -Onone -Xswiftc -enable-testing -Xswiftc -num-threads -Xswiftc 2
        -Xswiftc -no-emit-module-separately-wmo -Xswiftc -use-ld=lld)
fi

say() { printf '%s\n' "$*" >&2; }

die() {
    say "error: $*"
    exit 1
}

# The tools version of Package.swift is the oldest Swift that can read it.
require_swift() {
    command -v swift >/dev/null ||
        die "swift is not on the PATH. Install Swift 6.2 or newer (https://www.swift.org/install/linux/)."
    local needed found
    needed=$(sed -n '1s|^// swift-tools-version: *\([0-9.]*\).*|\1|p' Package.swift)
    found=$(swift --version 2>/dev/null | sed -n 's|.*Swift version \([0-9.]*\).*|\1|p' | head -n 1)
    [ -n "$found" ] || die "swift --version did not name a version; the toolchain seems broken."
    [ "$(printf '%s\n' "$needed" "$found" | sort --version-sort | head -n 1)" = "$needed" ] ||
        die "Swift $found is too old; Package.swift needs $needed or newer (https://www.swift.org/install/linux/)."
}

# build_release PRODUCT
build_release() { swift build "${release_flags[@]}" --product "$1"; }

# say_release_build PRODUCT: announces a release build and its usual duration.
say_release_build() {
    if [ -x ".build/release/$1" ]; then
        say "Building $1: only what changed, one or two minutes"
    else
        say "Building $1 and the libraries it needs in release mode: the first time 5 to 14 minutes on two cores"
    fi
}

# release_binary PRODUCT: the path of the product built by build_release.
release_binary() { printf '%s/%s\n' "$(swift build "${release_flags[@]}" --show-bin-path)" "$1"; }

build_tests() { swift build --build-tests "${test_flags[@]}"; }

# build_everything: like build_tests, with the programs that only benches and checks start.
build_everything() { SUBGUARD_BENCHES=1 build_tests; }

run_tests() { swift test --skip-build "${test_flags[@]}" "$@"; }

# tests_program: the program built by build_tests. Unlike `swift test` it does not lock .build, so that several can run
# at once. Arguments: --testing-library swift-testing, --filter and --skip.
tests_program() { debug_binary subguardPackageTests.xctest; }

# debug_binary PRODUCT: the path of the product built by build_tests.
debug_binary() { printf '%s/%s/%s\n' "$PWD" "$tests_folder" "$1"; }

# build_fuzz: builds the fuzz targets in their own folder and prints the program's path.
build_fuzz() {
    local flags=(--package-path Fuzzing --scratch-path .build/fuzz --disable-index-store)
    swift build "${flags[@]}" --product fuzz >&2
    printf '%s/fuzz\n' "$(swift build "${flags[@]}" --show-bin-path)"
}

# build_example: builds the program for app developers, as a package that depends on this one, and prints its path.
build_example() {
    local flags=("${test_flags[@]}" --package-path Examples --scratch-path .build/example)
    swift build "${flags[@]}" >&2
    printf '%s/subscriptions\n' "$(swift build "${flags[@]}" --show-bin-path)"
}

# build_tests_for SANITIZER: builds the tests under a sanitizer, in a separate folder.
build_tests_for() { swift build --build-tests "${debug_flags[@]}" --sanitize="$1" --scratch-path ".build/sanitize-$1"; }

# tests_for SANITIZER: the program built by build_tests_for.
tests_for() {
    local folder
    folder=$(swift build "${debug_flags[@]}" --sanitize="$1" --scratch-path ".build/sanitize-$1" --show-bin-path)
    printf '%s/subguardPackageTests.xctest\n' "$folder"
}

# prepare_venv: creates an environment in .build/venv with the Python packages that the checks need. The stamp is
# written last, so that an incomplete environment is created again.
prepare_venv() { prepare_packages .build/venv Scripts/checks/requirements.txt; }

# prepare_browser: the few of these packages that drive a browser, in .build/venv-browser, for Scripts/test.
prepare_browser() {
    local wanted=.build/browser-requirements.txt
    mkdir -p .build
    grep --extended-regexp '^(axe-playwright-python|pillow|playwright)==' Scripts/checks/requirements.txt >"$wanted"
    prepare_packages .build/venv-browser "$wanted"
}

# prepare_packages FOLDER FILE
prepare_packages() {
    cmp --silent "$2" "$1/requirements.txt" && return
    python3 -m venv --clear "$1"
    "$1/bin/pip" install --quiet --disable-pip-version-check --requirement "$2"
    cp "$2" "$1/requirements.txt"
}
