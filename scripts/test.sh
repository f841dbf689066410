#!/usr/bin/env bash
# Installs what is missing, builds, and runs every check of the project. The last thing printed is
# ctest's summary of the full run of the release build; stages that failed before it are named below
# it, and make the exit status 1.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

scripts/install-deps.sh test || exit 1

failed=()
# Runs one stage; the others still run if it fails, so that one report shows everything.
stage() {
    local name=$1 start=$SECONDS
    shift
    echo
    echo "== $name"
    if "$@"; then
        echo "== $name: passed in $((SECONDS - start)) s"
    else
        echo "== $name: FAILED"
        failed+=("$name")
    fi
}

build() {
    cmake --preset "$1" > /dev/null && cmake --build --preset "$1"
}

build_and_test() {
    build "$1" && ctest --preset "$1" --parallel "$(nproc)"
}

stage "release build" build release
stage "lint" scripts/lint.sh --product --third
stage "all as C++23, quick tests and fuzzing under address and undefined-behaviour sanitizers" build_and_test asan

echo
echo "== all tests"
ctest --preset release --parallel "$(nproc)" || failed+=("all tests")

if ((${#failed[@]} > 0)); then
    printf 'test.sh: failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
