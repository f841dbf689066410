#!/usr/bin/env bash
# The fault matrix (test/faults/README.md): builds it, and runs all of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'TEXT'
usage: scripts/faults.sh [release | asan]

  release   all faults, on the optimised program (the default): some minutes
  asan      the 100 random runs with the address and undefined-behaviour sanitizers
TEXT
}

preset=${1:-release}
case $preset in
    release) filter=* ;;
    asan) filter=*RandomRuns* ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
esac

cmake --preset "$preset" > /dev/null
cmake --build --preset "$preset" --target faults_test
"build/$preset/bin/faults_test" --gtest_filter="$filter" --gtest_brief=1
