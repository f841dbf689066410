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

# Few of the kernel's tests have threads; all of its unit tests are run, for they are quick. This is
# also the kernel's check as C++20, as coverage.sh is that as C++23.
kernel_under_tsan() {
    cmake -S wormhole-kernel -B build/kernel-tsan -G Ninja -D CMAKE_BUILD_TYPE=Debug \
        -D CMAKE_CXX_FLAGS_DEBUG='-O1 -g' -D CMAKE_CXX_STANDARD=20 -D WORMHOLE_SANITIZE=thread > /dev/null \
        && cmake --build build/kernel-tsan --target kernel-test \
        && ctest --test-dir build/kernel-tsan --parallel "$(nproc)" --output-on-failure --quiet \
            --exclude-regex '^kernel\.example'
}

stage "release build" build release
stage "lint" scripts/lint.sh --product
stage "C++23 build" build cxx23
stage "kernel alone, with line coverage" scripts/coverage.sh
stage "kernel under ThreadSanitizer" kernel_under_tsan
stage "C++20 build, quick tests and fuzzing under address and undefined-behaviour sanitizers" build_and_test asan

echo
echo "== all tests"
# One test at a time: some measure time.
ctest --preset release || failed+=("all tests")

if ((${#failed[@]} > 0)); then
    printf 'test.sh: failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
